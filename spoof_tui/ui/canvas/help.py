"""What the game is in ten lines, and the keys of the lobby."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.strip import Strip

from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, wrap
from spoof_tui.ui.canvas.page import draw_frame
from spoof_tui.ui.canvas.widget import Canvas

_MARGIN: Final = 3
"""Columns between the frame and the text."""

_Line: TypeAlias = list[tuple[str, Style]]
"""Pieces of text, each with its look."""


class HelpCanvas(Canvas):
    """The help as one drawing."""

    def draw(self, width: int, height: int) -> Sequence[Strip]:
        """The help in a frame, as high as it needs to be, at most `height`."""
        return draw_help(width, height)


class HelpDialog(ModalScreen[None]):
    """The help; any key that leaves closes it."""

    CSS = """
    HelpDialog { align: center middle; background: #121212 60%; }
    HelpCanvas { width: 76; max-width: 100%; height: auto; max-height: 100%; background: #1c1c1c; }
    """
    SCOPED_CSS = False
    AUTO_FOCUS = ""
    BINDINGS = [Binding("escape,enter,space,question_mark,q", "close", show=False)]

    def compose(self) -> ComposeResult:
        """One canvas."""
        yield HelpCanvas()

    def action_close(self) -> None:
        """Back to the lobby."""
        self.dismiss(None)

    def on_click(self) -> None:
        """Back to the lobby."""
        self.dismiss(None)


def draw_help(width: int, height: int) -> list[Strip]:
    """The help in a frame of `width` columns and at most `height` rows."""
    inside = width - 2 * _MARGIN
    before, words, after = _story()
    lines = [
        *_paragraph(before, inside),
        *_pairs(words, inside, palette.BOLD),
        *_paragraph(after, inside),
        [],
        *_pairs(_keys(), inside, palette.KEY),
    ]
    gap = 1 if len(lines) + 4 <= height else 0
    sheet = Sheet(width, min(len(lines) + 2 + 2 * gap, height))
    for y, pieces in enumerate(lines, 1 + gap):
        sheet.pieces(_MARGIN, y, pieces)
    draw_frame(sheet, _("Spoof in ten lines"), [("Esc", _("back"))])
    return sheet.lines()


def _paragraph(sentences: Sequence[str], width: int) -> list[_Line]:
    return [[(line, palette.TEXT)] for text in sentences for line in wrap(text, width)]


def _pairs(pairs: Sequence[tuple[str, str]], width: int, look: Style) -> list[_Line]:
    """Names with their meanings, in two columns."""
    column = max(cell_len(name) for name, _meaning in pairs) + 4
    lines: list[_Line] = []
    for name, meaning in pairs:
        first, *rest = wrap(meaning, width - column)
        blank = " " * (column - 2 - cell_len(name))
        lines.append([("  " + name, look), (blank + first, palette.QUIET)])
        lines += [[(" " * column + line, palette.QUIET)] for line in rest]
    return lines


def _story() -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """How a round goes, the words that end it, and how a game ends."""
    return (
        [
            _("Everybody owns three coins and hides some of them, or none, in a fist."),
            _(
                "In turn each says one word: a bid on how many coins all fists hold together,"
                " always higher than the last; or a word that opens the fists:"
            ),
        ],
        [
            (_("call"), _("the bid is too high; whoever is wrong loses a coin")),
            (_("cliff"), _("the bid is exact; right wins a coin, wrong loses one")),
            (_("spoof"), _("every coin is in a fist; right is a draw, wrong loses one")),
            (_("zero"), _("every fist is empty; right costs all the others a coin")),
        ],
        [_("Without coins you are out; the last one left wins.")],
    )


def _keys() -> list[tuple[str, str]]:
    return [
        ("↑ ↓ j k", _("choose a table, or click on it; Enter sits down")),
        ("n p a", _("open a table, practise against bots, join by an address")),
        ("e o", _("another name; whether an ending word asks twice")),
        ("h w f", _("the rulebook; at a table why, and the slate of the guessing game")),
        ("w c", _("watch the chosen table; continue one that was hosted here")),
        ("v n", _("at a table: keep order or vote on it; the host's new code")),
        ("p o", _("at a table: pause; play on without somebody who is away")),
    ]
