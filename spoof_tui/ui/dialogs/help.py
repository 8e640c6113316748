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
        super().__init__(_("Spoof in brief"))

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
                "In turn, each player says one word: a bid on how many coins all the fists hold "
                "together, always higher than the last; or a word that opens the fists:"
            ),
        ],
        [
            (_("call"), _("the bid is too high; the player who is wrong loses a coin")),
            (_("cliff"), _("the bid is exact; right: you win a coin, wrong: you lose one")),
            (_("spoof"), _("every coin is in a fist; right: nobody loses, wrong: you lose a coin")),
            (_("zero"), _("every fist is empty; right: everybody else loses a coin")),
        ],
        [_("Without coins you are out; the last one left wins.")],
    )


def _keys() -> list[tuple[str, str]]:
    return [
        ("↑ ↓ j k", _("choose a table, or click on it; Enter sits down")),
        ("n p a", _("open a table, practise against bots, join by address")),
        ("e o", _("change your name; confirm ending words or not")),
        ("h w f", _("the rulebook; at a table also why, and the slate of the guessing game")),
        ("w c", _("watch the chosen table; continue one hosted here")),
        ("v n", _("at a table: mute, remove or vote; the host's new code")),
        ("p o", _("at a table: pause; play on without a missing player")),
        ("t Ctrl+P", _("another theme; every command of this screen by name")),
        ("Ctrl+L", _("cover the whole screen at once, until any key is pressed")),
    ]
