"""The count of a recorded round of the bidding game."""

import pytest

from protocol.notation.bidding_count import StatedCoins, add_up, compare, count, state
from protocol.notation.faults import Slip
from protocol.notation.hands import NO_HANDS, Hands
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.tokens import split_token
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BiddingRules
from protocol.rules.words import Bid, Ending

POSITION = Position.first(("S", "D", "M"), (3, 3, 3), 0)
SAID = BiddingRound(BiddingRules.parse("three-coins"), (3, 3, 3), 0)
CALLED = SAID.say(0, Bid(4)).say(1, Bid(6)).say(2, Ending.CALL)
WHOLE = Hands({0: 0, 1: 2, 2: 2}, (), whole=True)


def tokens(text: str) -> tuple[Token, ...]:
    return tuple(Token(*split_token(each)) for each in text.split())


def record_of(changes: str, after: str) -> RoundRecord:
    return RoundRecord(1, (), (), tokens(changes), tokens(after))


def slips(notes: Notes) -> list[Slip]:
    return [fault.slip for fault in notes.faults]


def test_a_record_states_changes_and_coins_by_seat() -> None:
    record = record_of("D-", "S3 D2 M3")
    notes = Notes(record)
    assert state(POSITION, record, notes) == StatedCoins({1: -1}, {0: 3, 1: 2, 2: 3})
    assert slips(notes) == []


@pytest.mark.parametrize("changes", ["D?", "X-", "D- D-", "17"])
def test_what_is_not_clear_is_not_stated(changes: str) -> None:
    record = record_of(changes, "S3 D2 M3")
    notes = Notes(record)
    assert state(POSITION, record, notes).changes is None
    assert len(slips(notes)) == 1


def test_hands_that_are_not_whole_and_calls_of_nothing_are_not_counted() -> None:
    notes = Notes(record_of("", ""))
    nothing = StatedCoins(None, None)
    assert count(CALLED, NO_HANDS, nothing, notes) is None
    assert count(SAID.said(0, Ending.CALL), WHOLE, nothing, notes) is None
    assert count(CALLED, WHOLE, nothing, notes) == CALLED.count(WHOLE.open)


def test_of_several_shut_fists_the_one_that_loses_a_coin_voids_the_round() -> None:
    shut, notes = Hands({0: 1}, (1, 2), whole=True), Notes(record_of("", ""))
    assert count(CALLED, shut, StatedCoins({2: -1}, None), notes) == CALLED.void(2)
    assert slips(notes) == []
    assert count(CALLED, shut, StatedCoins({}, None), notes) is None
    assert slips(notes) == [Slip.SHUT_FISTS]


def test_only_a_record_that_differs_from_the_count_is_at_fault() -> None:
    outcome = CALLED.count(WHOLE.open)
    record = record_of("", "")
    notes = Notes(record)
    coins = dict(enumerate(outcome.coins))
    compare(POSITION, outcome, StatedCoins(outcome.changes, coins), record, notes)
    assert slips(notes) == []
    wrong = dict.fromkeys(coins, 0)
    compare(POSITION, outcome, StatedCoins({0: 1, 1: 1}, wrong), record, notes)
    assert slips(notes) == [Slip.CHANGES, Slip.COINS]
    assert {fault.clause for fault in notes.faults} == {outcome.verdict.clause}


def test_a_round_that_cannot_be_counted_still_has_to_add_up() -> None:
    record = record_of("", "")
    notes = Notes(record)
    add_up(POSITION, StatedCoins({1: -1}, {0: 3, 1: 2, 2: 3}), record, notes)
    assert slips(notes) == []
    add_up(POSITION, StatedCoins({1: -1}, {0: 3, 1: 3, 2: 3}), record, notes)
    assert slips(notes) == [Slip.COINS]
