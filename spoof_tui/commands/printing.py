"""How commands print what others wrote: without anything that could control a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any, Final, NoReturn, TextIO

from spoof_tui.commands import argparse_words
from spoof_tui.text.i18n import _

FILES: Final = ("FILE",)
"""What a shell suggests for an argument: the names of files."""


class Parser(argparse.ArgumentParser):
    """Speaks the player's language, and complains about arguments in the same way as
    about files."""

    def __init__(self, **said: Any) -> None:
        # argparse looks up its own messages by these names in its module.
        setattr(argparse, "_", argparse_words.said)  # noqa: B010
        setattr(argparse, "ngettext", argparse_words.counted)  # noqa: B010
        super().__init__(**said)

    def error(self, message: str) -> NoReturn:
        complain(shown(message))
        hint = _("Try: {command}").format(command=f"{self.prog} --help")
        print_line(hint, sys.stderr)
        sys.exit(2)


def suggest(action: argparse.Action, words: Iterable[str]) -> None:
    """Have a shell suggest these words for an argument without choices (`spoof completion`)."""
    setattr(action, "suggestions", tuple(words))  # noqa: B010 (argparse declares no such field)


def shown(text: str) -> str:
    """`text`, with whatever could control a terminal escaped."""
    return text if text.isprintable() else repr(text)[1:-1]


def complain(sentence: str) -> None:
    """Print on standard error what is wrong."""
    print_line(f"spoof: {sentence}", sys.stderr)


def print_line(line: str, stream: TextIO) -> None:
    """Print a line; what the stream's encoding cannot represent is escaped."""
    encoding = stream.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def no_terminal() -> str:
    """The sentence for when nothing can be drawn."""
    return _(
        "spoof: this needs a terminal to draw on (with ssh: ssh -t). Without one, try: "
        "spoof --plain, or spoof demo"
    )
