"""What is said at a table, each in a line that begins with the speaker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import GuessingRules
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.table.state import Talk
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.wording.gestures import gesture_words
from spoof_tui.ui.wording.names import name_of
from spoof_tui.ui.wording.sentences import said_aloud
from spoof_tui.ui.wording.telling import ending_words
from spoof_tui.ui.wording.titles import call_words

_TALK_CELLS: Final = 400
"""Maximum cells of a line of talk; the wire allows no longer one."""


def called(seat: int, names: Sequence[str], me: int | None) -> str:
    """A player's name at the start of a line; the seat `me` is "you"."""
    return sentence(_("you")) if seat == me else names[seat]


def listed(seats: Iterable[int], names: Sequence[str], me: int | None) -> list[str]:
    """The names of these seats in the middle of a line."""
    return [_("you") if seat == me else names[seat] for seat in seats]


def sentence(text: str) -> str:
    """The text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def word_line(
    words: Sequence[tuple[int, Word]], place: int, view: TableView, names: Sequence[str]
) -> str:
    """Who has said which word; `place` is its index among the words of its round."""
    seat, word = words[place]
    if isinstance(word, Ending):
        bid = next((w.number for _seat, w in reversed(words[:place]) if isinstance(w, Bid)), 0)
        return ending_words(word, seat, bid, view.most, names, view.me)
    if isinstance(view.rules, GuessingRules):
        return _call_line(place, view, names)
    said = f"{called(seat, names, view.me)}: {said_aloud(word)}."
    is_turned = not place and view.direction is Direction.COUNTER_CLOCKWISE
    turned = sentence(_("direction: {way}").format(way=way(view.direction)))
    return f"{said} {turned}." if is_turned else said


def _call_line(place: int, view: TableView, names: Sequence[str]) -> str:
    call = view.calls[place]
    text = f"{called(call.seat, names, view.me)}: {call_words(call.number)}."
    return f"{text} {_('That number is taken.')}" if call.taken else text


def way(direction: Direction) -> str:
    """The direction of play."""
    turned = direction is Direction.COUNTER_CLOCKWISE
    return _("counter-clockwise") if turned else _("clockwise")


def talk_line(talk: Talk, view: TableView) -> str:
    """A line of talk or a gesture."""
    is_mine = view.my_seat is not None and view.my_seat.key == talk.author
    if isinstance(talk.said, ForeignText):
        text = _("You say: “{text}”") if is_mine else _("{name} says: “{text}”")
        said = show(talk.said, _TALK_CELLS)
        return text.format(name=name_of(view, talk.author), text=said)
    return gesture_words(talk.said, name_of(view, talk.author))
