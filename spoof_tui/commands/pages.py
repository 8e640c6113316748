"""How commands read the history, and print a page about it."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from spoof_tui.commands.printing import NARROWEST, page_width, print_line
from spoof_tui.commands.progress import Meter
from spoof_tui.history.index import Question, consult
from spoof_tui.text.ascii import respelling
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of
from spoof_tui.ui.history.looking import passed_over
from spoof_tui.ui.history.pictures import Ink, Line

T = TypeVar("T")

MAX_WIDTH: Final = 96
"""The most columns of a page, however wide the terminal is."""

_STYLES: Final = {
    Ink.TEXT: "",
    Ink.BOLD: "1",
    Ink.QUIET: "2",
    Ink.TITLE: "1;33",
    Ink.ACCENT: "33",
    Ink.COIN: "93",
    Ink.GOOD: "96",
    Ink.BAD: "91",
}
"""For each style the parameters of its escape sequence, from the terminal's sixteen colours."""


class CannotConsult(Exception):
    """Raised if the history cannot be read; the text says why."""


def asked(question: Question[T], *, anew: bool = False) -> T:
    """The result of a query of the history; raises `CannotConsult`.

    Prints on standard error which records cannot be read. `anew`: read all records again.
    """
    try:
        found, unread = consult(question, _progress(), anew=anew)
    except (OSError, sqlite3.Error) as error:
        why = reason_of(error)
        text = _("The history cannot be read: {why}").format(why=why)
        raise CannotConsult(text) from error
    for line in passed_over(unread):
        print_line(line, sys.stderr)
    return found


def _progress() -> Callable[[int, int], None]:
    """A function that shows how many records have been read, if that takes a while."""
    meter: Meter | None = None

    def tell(done: int, all: int) -> None:
        nonlocal meter
        meter = meter or Meter(_("Reading the records"), all)
        meter.show(done)
        if done >= all:
            meter.close()

    return tell


def width() -> int:
    """Number of columns that a page may have in this terminal."""
    return max(page_width(MAX_WIDTH + 1) - 1, NARROWEST)


def print_page(lines: Iterable[Line]) -> None:
    """Print lines, in colour if the output is a terminal and $NO_COLOR is not set."""
    respell = respelling() or str
    has_colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for line in lines:
        text = "".join(_coloured(respell(text), tone, has_colours) for text, tone in line)
        print_line(text.rstrip(), sys.stdout)


def _coloured(text: str, tone: Ink, has_colours: bool) -> str:
    style = _STYLES[tone]
    return f"\x1b[{style}m{text}\x1b[0m" if style and has_colours and text.strip() else text
