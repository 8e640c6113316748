"""How commands read arguments and print: text that others wrote is escaped, so that it cannot
control the terminal."""

from __future__ import annotations

import argparse
import contextlib
import errno
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, Final, NoReturn, TextIO

from protocol.version import PROGRAM
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.text.parsing import nearest
from spoof_tui.text.system_errors import reason_of

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
        """Parse the arguments; for one too many, exit with a message that may suggest another."""
        known, rest = self.parse_known_args(args, namespace)
        return known if not rest else self._refuse(rest, args)

    def parse_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments like `parse_args`, with options between those of one list."""
        known, rest = self.parse_known_intermixed_args(args, namespace)
        return known if not rest else self._refuse(rest, args)

    def _refuse(self, rest: Sequence[str], words: Sequence[str]) -> NoReturn:
        """Exit because of `rest`, the arguments among `words` that are not known."""
        if rest[0].startswith("-"):
            said = _("not known: %s") % " ".join(rest)
            # Without the dashes, which make any two options alike.
            names = [each[2:] for each in self._option_string_actions if each.startswith("--")]
            if near := nearest(rest[0].partition("=")[0].lstrip("-"), names):
                said = f"{said}. {_('Did you mean {word}?').format(word=f'--{near}')}"
        else:
            said = _("unexpected: %s") % " ".join(rest)
            if meant := self._unquoted(rest[0], words):
                hint = _("A value with spaces needs quotes: {meant}").format(meant=meant)
                said = f"{said}. {hint}"
        self.error(said)

    def _unquoted(self, word: str, words: Sequence[str]) -> str:
        """The option with a value of several words that `word` may be part of; empty if none."""
        for place, option in enumerate(words[:-2]):
            action = self._option_string_actions.get(option)
            if action and action.nargs is None and words[place + 2] == word:
                said = takewhile(lambda each: not each.startswith("-"), words[place + 1 :])
                return f"{option} {shlex.quote(' '.join(said))}"
        return ""

    def print_help(self, file: Any = None) -> None:
        """Print the help; raises `OSError`, which argparse would hide, if it cannot be written."""
        print(self.format_help(), end="", file=file)

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


def print_version() -> None:
    """Print the version of this program; raises `OSError` if it cannot be written."""
    print_line(f"spoof {PROGRAM}", sys.stdout)
    finish_output()


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
        complain(_("the output could not be written: {why}").format(why=reason_of(error)))
    return True


_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


def why_closed(error: Exception) -> str:
    """Why a program cannot listen on its port, and what to type if another program has it."""
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return _("another program has that port; choose another with --port, or leave that out")
    return reason_of(error)


def no_terminal(instead: str) -> str:
    """The sentence for a command that needs a terminal and has none; `instead` says what needs
    none."""
    needs = _("this command needs a terminal to draw on (with ssh: ssh -t).")
    return f"{needs} {instead}"


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
