"""What the game is in ten lines, and the keys."""

from __future__ import annotations

from pathlib import Path

from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Markdown

from spoof_tui.text.i18n import _
from spoof_tui.ui.dialogs.reading import Reading
from spoof_tui.ui.wording.markdown import definitions


class HelpDialog(Reading):
    """The help; the key that opened it closes it, too."""

    CSS_PATH = [*Reading.CSS_PATH, Path(__file__).with_name("markdown.tcss")]
    WIDTH = 76
    BINDINGS = [Binding("question_mark", "close", show=False)]

    def __init__(self) -> None:
        super().__init__(_("Spoof in ten lines"))

    def body(self) -> Widget:
        """The help as a document."""
        return Markdown(help_text(), open_links=False)


def help_text() -> str:
    """The whole help in Markdown."""
    before, words, after = _story()
    return "\n\n".join([*before, definitions(words), *after, definitions(_keys())])


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
        ("t Ctrl+P", _("another theme; every act of the screen by its name")),
    ]
