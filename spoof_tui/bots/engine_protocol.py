"""The protocol between this program and an engine that plays a seat, version 1 (ENGINES.md).

The program asks and the engine answers, in one line of JSON each. A question contains everything
that a seat may know, so an engine need not remember anything; it contains nobody else's hand before
the fists open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import Call, GuessingRound
from protocol.rules.options import GuessingRules, Impossible
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.version import PROGRAM
from protocol.views import TableView
from spoof_tui.bots.judging import possible_calls
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show

VERSION: Final = 1
"""Version of the protocol, raised when an engine of the previous version would not understand a
question."""

MAX_LINE: Final = 4096
"""Maximum bytes of an answer."""

MAX_NAME_CELLS: Final = 24

_SHOWN: Final = 60
"""Maximum characters of a wrong answer that a sentence quotes."""


class Lapse(Exception):
    """A mistake of an engine; the message is a part of a sentence for the person who runs it."""


def hello() -> dict[str, object]:
    """The first question, which asks for version and name."""
    return {"ask": "hello", "protocol": VERSION, "program": PROGRAM}


def ask_hand(view: TableView) -> dict[str, object]:
    """The question of which hand to hide."""
    limit = view.seats[view.me or 0].coins
    return {"ask": "hand", **_position(view), "limit": limit, **_game(view)}


def ask_word(view: TableView, hand: int) -> dict[str, object]:
    """The question of which word to say, or which number to call."""
    return {
        "ask": "word",
        **_position(view),
        "hand": hand,
        "direction": view.direction.value,
        "words": _said(view.calls) if view.is_guessing else _words(view.words),
        "legal": _legal(view, hand),
        **_game(view),
    }


def line_of(number: int, question: Mapping[str, object]) -> bytes:
    """A question with its number, encoded as a line."""
    return json.dumps({"id": number, **question}).encode("ascii") + b"\n"


def answer_in(line: bytes, number: int) -> Mapping[str, Any]:
    """The answer in `line` to question `number`, decoded; raises `Lapse`."""
    if len(line) > MAX_LINE:
        raise Lapse(_("its answer is longer than {most} bytes").format(most=MAX_LINE))
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        text = line.decode("utf-8", "replace").strip()
        raise Lapse(_("its answer is not JSON: {answer}").format(answer=_quoted(text))) from None
    if not isinstance(answer, dict):
        raise Lapse(_("its answer is not a JSON object: {answer}").format(answer=_quoted(answer)))
    if answer.get("id") != number:
        text = _("its answer has the id {found}, not {number}")
        raise Lapse(text.format(found=_quoted(answer.get("id")), number=number))
    return answer


def name_in(answer: Mapping[str, Any]) -> str | None:
    """The name that the engine asks for; None if it asks for none. Raises `Lapse` for another
    version."""
    version, name = answer.get("protocol"), answer.get("name")
    if version != VERSION or isinstance(version, bool):
        text = _("it speaks version {found} of the engine protocol; this program speaks {version}")
        raise Lapse(text.format(found=_quoted(version), version=VERSION))
    if not isinstance(name, str) or not name.isprintable():
        return None
    return " ".join(name.split())[:MAX_NAME_CELLS] or None


def hand_in(answer: Mapping[str, Any], view: TableView) -> int:
    """The hand in an answer; raises `Lapse`."""
    hand, coins = answer.get("hand"), view.seats[view.me or 0].coins
    if not isinstance(hand, int) or isinstance(hand, bool) or not 0 <= hand <= coins:
        text = _("a hand is a number from 0 to {coins}, not {hand}")
        raise Lapse(text.format(coins=coins, hand=_quoted(hand)))
    return hand


def word_in(answer: Mapping[str, Any], view: TableView, hand: int) -> tuple[Word, Direction | None]:
    """The word in an answer, and the direction if the engine changes it; raises `Lapse`."""
    said, turned = answer.get("word"), answer.get("direction")
    word = _word_of(said, view, hand)
    if word is None:
        text = _("{word} may not be said now, only {legal}")
        raise Lapse(text.format(word=_quoted(said), legal=_in_words(view, hand)))
    if turned is None or turned == Direction.CLOCKWISE.value:
        return word, None
    if turned != Direction.COUNTER_CLOCKWISE.value:
        raise Lapse(_('a direction is ">" or "<", not {text}').format(text=_quoted(turned)))
    if not view.may_turn or not isinstance(word, Bid):
        raise Lapse(_("the direction cannot be changed now"))
    return word, Direction.COUNTER_CLOCKWISE


def stand_in_word(view: TableView, hand: int) -> Word:
    """The word for an engine that has said nothing legal, the same as for a player who is away
    (G3)."""
    if view.is_guessing:
        return Bid(_callable(view, hand)[0])
    return Ending.CALL if view.words else Bid(1)


def _word_of(said: object, view: TableView, hand: int) -> Word | None:
    """The legal word that an engine means by `said`; None if that is no legal word."""
    if isinstance(said, int) and not isinstance(said, bool):
        if view.is_guessing:
            return Bid(said) if said in _callable(view, hand) else None
        lowest = view.lowest_bid
        return Bid(said) if lowest is not None and lowest <= said <= view.most else None
    return next((word for word in view.allowed_endings if word.value == said), None)


def _callable(view: TableView, hand: int) -> list[int]:
    """The numbers that may be called, in order (H6, H7)."""
    rules = view.rules
    if not isinstance(rules, GuessingRules) or rules.impossible is not Impossible.REFUSE:
        return list(view.free)
    return possible_calls(view, hand)


def _legal(view: TableView, hand: int) -> dict[str, object]:
    if view.is_guessing:
        return {"calls": _callable(view, hand)}
    lowest = view.lowest_bid
    return {
        "bids": None if lowest is None else [lowest, view.most],
        "endings": [word.value for word in view.allowed_endings],
        "turn": view.may_turn,
    }


def _in_words(view: TableView, hand: int) -> str:
    """The legal words as text, for a sentence."""
    if view.is_guessing:
        return ", ".join(map(str, _callable(view, hand)))
    lowest = view.lowest_bid
    bids = [] if lowest is None else [f"{lowest}–{view.most}"]
    return ", ".join([*bids, *(f'"{word.value}"' for word in view.allowed_endings)])


def _position(view: TableView) -> dict[str, object]:
    """The part of a question about the present round, which everybody at the table knows."""
    return {
        "game": view.game_number,
        "round": view.round_number,
        "names": [show(seat.name, MAX_NAME_CELLS) for seat in view.seats],
        "coins": [seat.coins for seat in view.seats],
        "me": view.me,
        "starter": view.starter,
    }


def _game(view: TableView) -> dict[str, object]:
    """The part of a question with the rules and the finished rounds. It comes last, because these
    have fields with the same names as the position."""
    return {"rules": _rules(view), "past": [_played(each) for each in view.past]}


def _rules(view: TableView) -> dict[str, object]:
    rules = view.rules
    values = {name: getattr(rules, name) for name in rules.options}
    plain = {name: v.value if isinstance(v, Enum) else v for name, v in values.items()}
    game = "guessing" if view.is_guessing else "bidding"
    return {"game": game, "preset": rules.preset, **plain}


def _played(played: PlayedRound) -> dict[str, object]:
    said, outcome = played.words, played.outcome
    words = _said(said.calls) if isinstance(said, GuessingRound) else _words(said.words)
    return {
        "starter": said.starter,
        "direction": said.direction.value,
        "coins": list(said.coins),
        "words": words,
        "hands": [played.hands.get(seat) for seat in range(len(said.coins))],
        "total": outcome.total,
        "verdict": outcome.verdict.code,
        "after": list(outcome.coins),
    }


def _words(words: Sequence[tuple[int, Word]]) -> list[dict[str, object]]:
    return [
        {"seat": seat, "word": word.number if isinstance(word, Bid) else word.value}
        for seat, word in words
    ]


def _said(calls: Sequence[Call]) -> list[dict[str, object]]:
    return [{"seat": call.seat, "word": call.number, "taken": call.taken} for call in calls]


def _quoted(value: object) -> str:
    """An invalid value as JSON, shortened and without control characters."""
    text = json.dumps(value).replace("\x7f", "\\u007f")
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
