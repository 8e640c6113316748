"""What a typed line means: a word of the game, a number, or an act by letter or by name.

The letters are those of the keys on the screens, so that sentences naming a key hold here, too.
English names are understood in every language.
"""

from __future__ import annotations

from protocol.rules.words import Ending
from protocol.views import TableView
from spoof_tui.acts import table
from spoof_tui.acts.act import Asked, asked
from spoof_tui.acts.table import ENDING_KEYS
from spoof_tui.telling.sentences import word_name
from spoof_tui.telling.titles import NAMED, call_name
from spoof_tui.text.i18n import _
from spoof_tui.text.layouts import latin

Meaning = int | Ending | Asked
"""What a line can mean: a number, an ending word, or an act."""


def meaning(text: str, view: TableView | None) -> Meaning | None:
    """The meaning of a typed line at a table; None if it has none."""
    typed = " ".join(text.casefold().split()).rstrip("!")
    number = _number(typed)
    if number is not None:
        return number
    if view is not None and view.is_guessing:
        called = next((each for each in NAMED if call_name(each).casefold() == typed), None)
        if called is not None:
            return called
    elif view is not None and (word := ending(typed)):
        return word
    return asked(text, table.TABLE)


def ending(typed: str) -> Ending | None:
    """The ending word with this name or letter; None if there is none."""
    for letter, word in ENDING_KEYS.items():
        names = (word.value, word_name(word).casefold())
        if typed in names or (len(typed) == 1 and latin(typed) == letter):
            return word
    return None


def _number(typed: str) -> int | None:
    """The number in a typed line, alone or after "bid"; None if it is no number."""
    for word in ("bid", _("bid").casefold()):
        typed = typed.removeprefix(word + " ")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else None
