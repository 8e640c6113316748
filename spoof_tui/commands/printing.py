"""What commands print of what others wrote: nothing that a terminal could obey."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any, Final, NoReturn, TextIO

from spoof_tui.text.i18n import _

FILES: Final = ("FILE",)
"""As what a shell suggests: the names of files."""


class Parser(argparse.ArgumentParser):
    """Speaks the player's language, and complains about arguments as about files."""

    def __init__(self, **said: Any) -> None:
        # What argparse says itself it looks up by these names of its module.
        setattr(argparse, "_", _of_argparse)  # noqa: B010
        setattr(argparse, "ngettext", _count_of_argparse)  # noqa: B010
        super().__init__(**said)

    def error(self, message: str) -> NoReturn:
        complain(shown(message))
        hint = _("Try: {command}").format(command=f"{self.prog} --help")
        print_line(hint, sys.stderr)
        sys.exit(2)


def _of_argparse(message: str) -> str:
    """A sentence of argparse in the language that is spoken now."""
    return {
        "usage: ": _("usage: "),
        "options": _("options"),
        "positional arguments": _("arguments"),
        "show this help message and exit": _("show this help"),
        "argument %(argument_name)s: %(message)s": "%(argument_name)s: %(message)s",
        "the following arguments are required: %s": _("missing: %s"),
        "unrecognized arguments: %s": _("not known: %s"),
        "not allowed with argument %s": _("cannot be said together with %s"),
        "one of the arguments %s is required": _("one of these is missing: %s"),
        "expected one argument": _("a value is missing"),
        "expected at most one argument": _("too many values"),
        "expected at least one argument": _("a value is missing"),
        "ignored explicit argument %r": _("takes no value, so not %r"),
        "ambiguous option: %(option)s could match %(matches)s": _(
            "%(option)s may mean each of %(matches)s"
        ),
    }.get(message, message)


def _count_of_argparse(one: str, many: str, count: int) -> str:
    return _of_argparse(one if count == 1 else many)


def suggest(action: argparse.Action, words: Iterable[str]) -> None:
    """Have a shell suggest these words for an argument without choices (`spoof completion`)."""
    setattr(action, "suggestions", tuple(words))  # noqa: B010 (argparse declares no such field)


def shown(text: str) -> str:
    """`text` with what a terminal could obey escaped."""
    return text if text.isprintable() else repr(text)[1:-1]


def complain(sentence: str) -> None:
    """Say on standard error what is wrong."""
    print_line(f"spoof: {sentence}", sys.stderr)


def print_line(line: str, stream: TextIO) -> None:
    """Print a line; what the stream's encoding cannot say is escaped."""
    encoding = stream.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream)
