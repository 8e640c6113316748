"""The question that a table asks this player now, as one self-contained line."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from protocol.rules.guessing import ATTEMPTS
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.telling.absence import STALE, place_words, wait_warnings
from spoof_tui.telling.measures import sits, sitting
from spoof_tui.telling.pressing import press
from spoof_tui.telling.sentences import word_name
from spoof_tui.text.i18n import _, ngettext


class Question(Enum):
    """The kind of question that is open."""

    SEAT = "seat"
    """Whether the player wants to sit down."""
    READY = "ready"
    """Whether the player is ready for the next game."""
    HAND = "hand"
    WORD = "word"


def question_of(view: TableView) -> Question | None:
    """The question that is open for this player; None while the table waits only for others."""
    if view.paused or view.link in STALE or view.went_along:
        return None
    if not sits(view):
        return Question.SEAT
    if view.own_fist_due:
        return Question.HAND
    if view.my_turn:
        return Question.WORD
    seat = view.my_seat
    if view.phase is Phase.GATHERING and seat is not None and not seat.ready:
        return Question.READY
    return None


def moment(view: TableView) -> tuple[object, ...]:
    """A value that changes whenever the player is asked a new question, even of the same kind."""
    question = question_of(view)
    # Others getting ready make it a new question.
    ready = _ready(view) if question is Question.READY else ""
    return (
        question, ready, view.table_id, view.game_number, view.round_number, len(view.words),
        view.winner,
    )  # fmt: skip


def asked_for(view: TableView) -> str | None:
    """What the question asks for, in a word or two for the prompt; None while there is none."""
    question = question_of(view)
    if question is None:
        return None
    return {
        Question.SEAT: "",
        Question.READY: _("Ready?"),
        Question.HAND: _("Your hand"),
        Question.WORD: _("Your call") if view.is_guessing else _("Your turn"),
    }[question]


def question_line(view: TableView, names: Sequence[str]) -> str:
    """The open question as a line; empty if there is none."""
    question = question_of(view)
    if question is None:
        return ""
    if question is Question.WORD:
        return _word(view, names)
    lines = {Question.SEAT: place_words, Question.READY: _ready, Question.HAND: _hand}
    return lines[question](view)


def _ready(view: TableView) -> str:
    others = [seat for seat in sitting(view) if not seat.is_me]
    if not others:
        return _("Nobody else is here yet. You can say “ready” now, or type ? for help.")
    asked = press(_("Enter"), _("ready"))
    if all(seat.ready for seat in others):
        return _("Everybody is ready but you. {press}.").format(press=asked)
    if view.winner is not None:
        return _("Play again? Press Enter, or type quit.")
    return _("{press} when you are ready.").format(press=asked)


def _hand(view: TableView) -> str:
    owned = view.my_seat.coins if view.my_seat else 0
    text = _("Hide 0 to {coins} coins. Nothing shows, not even on this screen. Type a number.")
    if owned == 1:
        text = _("Hide your coin, or nothing. It won’t show, not even on this screen. Type 1 or 0.")
    return f"{_('Your hand')}. {text.format(coins=owned)}{_clock(view)}"


def _word(view: TableView, names: Sequence[str]) -> str:
    if view.is_guessing:
        return _call(view) + _clock(view)
    endings = [word_name(word) for word in view.allowed_endings]
    said = [_numbers(view), *endings] if view.lowest_bid is not None else endings
    asked = f"{_('Your turn')}. {_bid(view, names)} {_('Say {words}.').format(words=_or(said))}"
    return " ".join([asked, *wait_warnings(view)[:1]]) + _clock(view)


def _bid(view: TableView, names: Sequence[str]) -> str:
    if view.standing is None:
        text = ngettext(
            "You open: there is no bid yet, and {most} coin in play.",
            "You open: there is no bid yet, and {most} coins in play.",
            view.most,
        )
        return text.format(most=view.most)
    bidder, bid = view.standing
    text = ngettext(
        "{name} bids {bid} of {most} coin.", "{name} bids {bid} of {most} coins.", view.most
    )
    return text.format(name=names[bidder], bid=bid, most=view.most)


def _numbers(view: TableView) -> str:
    if view.lowest_bid == view.most:
        return str(view.most)
    return _("{low} to {most}").format(low=view.lowest_bid, most=view.most)


def _or(words: Sequence[str]) -> str:
    """The words joined by commas, with "or" before the last one."""
    *first, last = words
    return _("{words} or {last}").format(words=", ".join(first), last=last) if first else last


def _call(view: TableView) -> str:
    free = ", ".join(str(number) for number in view.free)
    text = _("Your call: how many coins are in all fists together? Free numbers: {free}.")
    if view.my_attempts:
        left = max(ATTEMPTS - view.my_attempts, 0)
        text = _("That number is taken: call another one. Attempts left: {left}. Free: {free}.")
        return text.format(free=free, left=left)
    return text.format(free=free)


def _clock(view: TableView) -> str:
    """A sentence, after a space, on the seconds left on the turn clock (G4); empty if there is
    none."""
    seat = view.my_seat
    if seat is None or seat.time_up_from is None:
        return ""
    seconds = max((seat.time_up_from - view.time) // 1000, 0)
    text = ngettext("You have {count} second.", "You have {count} seconds.", seconds)
    return " " + text.format(count=seconds)
