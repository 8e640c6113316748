"""What the game is in ten lines, and the keys of the lobby."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.strip import Strip

from spoof_tui.i18n import _
from spoof_tui.presentation import palette
from spoof_tui.presentation.form import draw_frame
from spoof_tui.presentation.sheet import Sheet, wrap
from spoof_tui.widgets.canvas import Canvas

_MARGIN = 3


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
    story = [line for text in _story() for line in wrap(text, inside)]
    keys = _keys()
    gap = 1 if len(story) + len(keys) + 5 <= height else 0
    sheet = Sheet(width, min(len(story) + len(keys) + 2 + 3 * gap, height))
    y = 1 + gap
    for line in story:
        sheet.put(_MARGIN, y, line)
        y += 1
    y += gap
    column = max(cell_len(key) for key, _words in keys) + 2
    for key, words in keys:
        sheet.put(_MARGIN, y, key, palette.KEY)
        sheet.put(_MARGIN + column, y, words, palette.QUIET)
        y += 1
    draw_frame(sheet, _("Spoof in ten lines"), [("Esc", _("back"))])
    return sheet.lines()


def _story() -> list[str]:
    return [
        _("Everybody owns three coins and hides some of them, or none, in a fist."),
        _(
            "In turn each says one word: a bid on how many coins all fists hold together,"
            " always higher than the last; or a word that opens the fists:"
        ),
        _("call: the bid is too high. Whoever is wrong, bidder or caller, loses a coin."),
        _("cliff: the bid is exact. Right wins a coin, wrong loses one."),
        _("spoof: every coin is in a fist. Right is a draw, wrong loses one."),
        _("zero: every fist is empty. Right costs all the others a coin."),
        _("Without coins you are out; the last one left wins."),
    ]


def _keys() -> list[tuple[str, str]]:
    return [
        ("↑ ↓ j k", _("choose a table, or click on it; Enter sits down")),
        ("n p a", _("open a table, practise against bots, join by an address")),
        ("e o", _("another name; whether a word that opens the fists asks twice")),
    ]
