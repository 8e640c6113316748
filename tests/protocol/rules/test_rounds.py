"""The rounds of `protocol/vectors`, played by the engine."""

from __future__ import annotations

import pytest

from protocol.crypto.seals import SealedHand, SealPlace
from protocol.encoding.untrusted import ForeignText
from protocol.errors import REASONS, Illegal, LocalError
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, GamePlayer, round_of
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import PRESETS, Rules
from protocol.rules.words import Bid, Ending, RoundOutcome
from tests.helpers.vectors import Case, every_case, spoken, word_of

ROUNDS = ("bidding", "guessing")

NO_TURN = ("direction-rule", "direction-for-two")


def fist(game: Game, seat: int, coins: int) -> SealedHand:
    place = SealPlace(game.table, game.number, game.round_number, game.players[seat].key)
    return SealedHand(place, coins, bytes([seat]) * 32)


def begun(case: Case) -> Game:
    """The game of a case, with its fists in and its words said."""
    players = [
        GamePlayer(bytes([n]) * 32, ForeignText("P"), b"") for n in range(len(case["coins"]))
    ]
    carried = tuple(case["coins"])
    game = Game(bytes(32), 1, Rules.parse(case["rules"]), tuple(players), 0, carried=carried)
    game = game.with_round(case["starter"])
    for seat in game.fists_missing:
        hand = case["hands"][seat] if "hands" in case else 0
        game = game.put_in(seat, fist(game, seat, hand or 0).seal)
    for said in case["said"]:
        game = game.say(*spoken(said))
    return game


def opened(game: Game, hands: list[int | None]) -> Game:
    for seat in game.fists_shut:
        coins = hands[seat]
        if coins is not None:
            game = game.open(seat, coins, fist(game, seat, coins).nonce)
    return game.void(hands.index(None)) if None in hands else game


def judged(case: Case) -> RoundOutcome:
    game = begun(case)
    if "toss" in case:
        assert isinstance(game.round, GuessingRound)
        return game.round.count(dict(enumerate(case["hands"])), case["toss"])
    return opened(game, case["hands"]).past[-1].outcome


@every_case(*ROUNDS, having="refused")
def test_what_breaks_a_rule_is_refused_for_the_reason_that_the_case_names(case: Case) -> None:
    game = begun(case)
    with pytest.raises(Illegal) as error:
        game.say(*spoken(case["says"])) if "says" in case else opened(game, case["hands"])
    assert error.value.reason is REASONS[case["refused"]]
    if isinstance(game.round, BiddingRound) and case["refused"] in NO_TURN:
        assert not game.round.may_choose_direction


@every_case(*ROUNDS, having="speaker")
def test_a_word_that_is_accepted_passes_the_turn_or_opens_the_fists(case: Case) -> None:
    game, (seat, word, *turn) = begun(case), case["says"]
    assert not turn or (isinstance(game.round, BiddingRound) and game.round.may_choose_direction)
    game = game.say_none(seat) if word is None else game.say(*spoken(case["says"]))
    assert game.round is not None
    assert game.round.words[-1] == (seat, word_of(case.get("means", word)))
    assert game.speakers == (() if case["speaker"] is None else (case["speaker"],))
    assert game.round.is_over == (case["speaker"] is None)


@every_case(*ROUNDS, having="then")
def test_a_round_is_counted(case: Case) -> None:
    outcome, then = judged(case), case["then"]
    seats = range(len(case["coins"]))
    found = {
        "total": outcome.total,
        "right": outcome.verdict.ender_is_right,
        "changes": [outcome.changes.get(seat, 0) for seat in seats],
        "coins": list(outcome.coins),
        "out": list(outcome.went_out),
        "fined": list(outcome.fined),
        "starter": outcome.next_starter,
        "winner": outcome.winner,
    }
    assert {key: found[key] for key in then} == then
    assert outcome.winner == then.get("winner")


def test_only_a_call_with_no_lower_number_free_may_be_one_of_the_house_g3() -> None:
    said = GuessingRound(PRESETS["hollywood"], (3, 3, 3), 0)  # type: ignore[arg-type]
    for seat, number in enumerate((1, 0, 2)):
        said = said.say(seat, Bid(number))
    assert [said.may_be_none(seat) for seat in range(3)] == [False, True, True]


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_a_round_is_counted_after_its_last_word_with_the_hands_of_all_who_are_in(
    rules: str,
) -> None:
    begun = round_of(Rules.parse(rules), (3, 0, 3), 0)
    said = begun.say(0, Bid(1)).say(2, Ending.SPOOF if rules == "milan" else Bid(2))
    for round_, hands in ((begun, {0: 1, 2: 1}), (said, {0: 1}), (said, {0: 1, 1: 0, 2: 1})):
        with pytest.raises(LocalError):
            round_.count(hands)
    for round_, owner in ((begun, 0), (said, 1)):
        with pytest.raises(LocalError):
            round_.void(owner)
    with pytest.raises(LocalError):
        round_of(Rules.parse(rules), (3, 0, 3), 1)
