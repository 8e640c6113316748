"""How commands read arguments and print: text that others wrote is escaped, so that it cannot
control the terminal."""

from __future__ import annotations

import argparse
import contextlib
import errno
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any, Final, NoReturn, TextIO

from spoof_tui.text.i18n import _, pgettext
from spoof_tui.text.parsing import nearest

ALL_WELL: Final = 0
FAULTS: Final = 1
UNREADABLE: Final = 2
"""Exit statuses of commands that read files: all well, faults found, a file unreadable."""

FILES: Final = ("FILE",)
"""Tells the completion script to suggest file names for an argument."""


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks the player's language and reports errors like `complain`."""

    def __init__(self, **said: Any) -> None:
        # argparse looks up its own messages by these names in its module.
        setattr(argparse, "_", said_by_argparse)  # noqa: B010
        setattr(argparse, "ngettext", counted_by_argparse)  # noqa: B010
        super().__init__(**said)

    def add(self, *names: str, suggests: Iterable[str], **said: Any) -> None:
        """Add an argument for which shells suggest these words, though others are allowed."""
        suggest(self.add_argument(*names, **said), suggests)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; for an unknown one, exit with a message that may suggest a similar
        option."""
        known, rest = self.parse_known_args(args, namespace)
        if rest:
            said = _("not known: %s") % " ".join(rest)
            # Without the dashes, which make any two options alike.
            names = [each[2:] for each in self._option_string_actions if each.startswith("--")]
            if near := nearest(rest[0].partition("=")[0].lstrip("-"), names):
                said = f"{said}. {_('Did you mean {word}?').format(word=f'--{near}')}"
            self.error(said)
        return known

    def error(self, message: str) -> NoReturn:
        complain(shown(message))
        hint = _("Try: {command}").format(command=f"{self.prog} --help")
        print_line(hint, sys.stderr)
        sys.exit(2)


def suggest(action: argparse.Action, words: Iterable[str]) -> None:
    """Have shells suggest these words for an argument (`spoof completion`), though others are
    allowed."""
    setattr(action, "suggestions", tuple(words))  # noqa: B010 (argparse declares no such field)


def shown(text: str) -> str:
    """`text`, with whatever could control a terminal escaped."""
    return text if text.isprintable() else repr(text)[1:-1]


def complain(sentence: object) -> None:
    """Print an error message on standard error."""
    print_line(f"spoof: {sentence}", sys.stderr)


def refuse(file: str, why: object) -> int:
    """Print why nothing can be done with a file; return the exit status for that."""
    complain(_("{file}: {why}").format(file=shown(file), why=why))
    return UNREADABLE


WIDEST: Final = 88
"""The most columns of text, however wide the terminal is."""

NARROWEST: Final = 40


def page_width(widest: int = WIDEST) -> int:
    """The number of columns for text in this terminal, at most `widest`."""
    return min(max(shutil.get_terminal_size().columns, NARROWEST), widest)


def hanging(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """The text wrapped into lines, the first after `first`, the others after `others`; words stay
    whole."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,
    )


def print_line(line: str, stream: TextIO) -> None:
    """Print a line; what the stream's encoding cannot represent is escaped."""
    encoding = stream.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def finish_output() -> None:
    """Flush standard output; raises `OSError` if the disk is full."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError as error:
            # A terminal that is gone needs no sentence.
            if error.errno in _FULL:
                raise


def has_no_room(error: OSError) -> bool:
    """Whether an error means that output could not be written for lack of space; if so, reports
    it."""
    if error.errno not in _FULL or error.filename is not None:
        return False
    # Perhaps not for the sentence, either.
    with contextlib.suppress(OSError):
        complain(_("the output could not be written: {why}").format(why=error.strerror))
    return True


_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


def no_terminal() -> str:
    """The sentence for a command that needs a terminal and has none."""
    return _(
        "this command needs a terminal to draw on (with ssh: ssh -t). Without a terminal, try: "
        "spoof --plain, or spoof demo"
    )


def said_by_argparse(message: str) -> str:
    """An argparse message in the player's language; unchanged if it has no translation."""
    return {
        "usage: ": _("usage: "),
        "options": pgettext("of a command", "options"),
        "positional arguments": _("arguments"),
        "show this help message and exit": _("show this help"),
        "argument %(argument_name)s: %(message)s": "%(argument_name)s: %(message)s",
        "the following arguments are required: %s": _("missing: %s"),
        "unrecognized arguments: %s": _("not known: %s"),
        "not allowed with argument %s": _("cannot be combined with %s"),
        "one of the arguments %s is required": _("one of these is required: %s"),
        "expected one argument": _("a value is missing"),
        "expected at most one argument": _("too many values"),
        "expected at least one argument": _("a value is missing"),
        "ignored explicit argument %r": _("takes no value, but got %r"),
        "ambiguous option: %(option)s could match %(matches)s": _(
            "%(option)s could mean any of %(matches)s"
        ),
    }.get(message, message)


def counted_by_argparse(one: str, many: str, count: int) -> str:
    """A message of argparse about `count` things, in the player's language."""
    return said_by_argparse(one if count == 1 else many)
