"""One round: every ending under every preset, and the laws that hold in all of them."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Illegal, LocalError, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.options import BiddingRules, Starter
from protocol.rules.outcome import RoundOutcome, Verdict, next_in, speaking_order
from protocol.rules.words import Bid, Direction, Ending, Word
from tests.helpers.offenders import offenders
from tests.protocol.stories import few

CALL, CLIFF, SPOOF, ZERO = Ending.CALL, Ending.CLIFF, Ending.SPOOF, Ending.ZERO
LEFT, RIGHT = Direction.COUNTER_CLOCKWISE, Direction.CLOCKWISE

BOTH = ("milan", "bid-spoof")
CAPPED = ("bid-spoof", "three-coins")
ALL = (*BOTH, "three-coins")


@dataclass(frozen=True)
class Row:
    """A round that seat 0 opens, and what the table "After each ending" says of it."""

    name: str
    clause: str
    verdict: Verdict
    coins: tuple[int, ...]
    words: tuple[Word, ...]
    hands: tuple[int, ...]
    after: tuple[int, ...]
    starter: int | None
    """Next starter under milan and bid-spoof."""
    three_coins: int | None
    """Next starter under three-coins."""
    presets: tuple[str, ...] = ALL
    turned: bool = False
    """Whether the opening bid turns the direction."""


V = Verdict
ROWS = [
    # In these rounds E is 1 and L is 0 where two speak, and E is 0 where one speaks.
    Row("a true bid is called", "R7", V.CALL_BID_TRUE,
        (3, 3, 3), (Bid(4), CALL), (2, 1, 1), (3, 2, 3), 1, 1),
    Row("a bid below the total is called", "R7", V.CALL_BID_TRUE,
        (3, 3, 3), (Bid(4), CALL), (3, 3, 3), (3, 2, 3), 1, 1),
    Row("a true bid is called and the ender is out", "R7", V.CALL_BID_TRUE,
        (3, 1, 3), (Bid(4), CALL), (2, 1, 1), (3, 0, 3), 2, 2),
    Row("a false bid is called", "R7", V.CALL_BID_FALSE,
        (3, 3, 3), (Bid(4), CALL), (1, 1, 1), (2, 3, 3), 0, 1),
    Row("a false bid is called and the bidder is out", "R7", V.CALL_BID_FALSE,
        (1, 3, 3), (Bid(4), CALL), (1, 1, 1), (0, 3, 3), 1, 1),
    Row("a false bid is called and two are left", "R7", V.CALL_BID_FALSE,
        (3, 0, 1), (Bid(4), CALL), (2, 0, 1), (2, 0, 1), 0, 2),
    Row("a cliff is right below the cap", "R8", V.CLIFF_RIGHT,
        (3, 2, 3), (Bid(4), CLIFF), (2, 1, 1), (3, 3, 3), 1, 1),
    Row("a cliff is right without a cap", "R8", V.CLIFF_RIGHT,
        (3, 3, 3), (Bid(4), CLIFF), (2, 1, 1), (3, 4, 3), 1, None, ("milan",)),
    Row("a cliff is right at the cap", "R8", V.CLIFF_AT_CAP,
        (3, 3, 3), (Bid(4), CLIFF), (2, 1, 1), (3, 3, 3), 1, 1, CAPPED),
    Row("a cliff is right at a cap of our own", "R8", V.CLIFF_AT_CAP,
        (3, 5, 3), (Bid(4), CLIFF), (2, 1, 1), (3, 5, 3), 1, 1, ("milan cap=5",)),
    Row("a cliff is wrong by one below", "R8", V.CLIFF_WRONG,
        (3, 3, 3), (Bid(4), CLIFF), (1, 1, 1), (3, 2, 3), 1, 1),
    Row("a cliff is wrong by one above", "R8", V.CLIFF_WRONG,
        (3, 3, 3), (Bid(4), CLIFF), (2, 2, 1), (3, 2, 3), 1, 1),
    Row("a cliff is wrong and the ender is out", "R8", V.CLIFF_WRONG,
        (3, 1, 3), (Bid(4), CLIFF), (1, 1, 1), (3, 0, 3), 2, 2),
    Row("spoof is right as the opening word", "R9", V.SPOOF_RIGHT,
        (3, 3, 3), (SPOOF,), (3, 3, 3), (3, 3, 3), 0, 0),
    Row("spoof is right after a bid", "R9", V.SPOOF_RIGHT,
        (3, 1, 2), (Bid(1), SPOOF), (3, 1, 2), (3, 1, 2), 1, 1),
    Row("spoof is wrong as the opening word", "R9", V.SPOOF_WRONG,
        (3, 3, 3), (SPOOF,), (3, 3, 2), (2, 3, 3), 0, 0),
    Row("spoof is wrong and the ender is out", "R9", V.SPOOF_WRONG,
        (3, 1, 3), (Bid(1), SPOOF), (3, 0, 3), (3, 0, 3), 2, 2),
    Row("zero is right", "R10", V.ZERO_RIGHT,
        (3, 3, 3), (ZERO,), (0, 0, 0), (3, 2, 2), 1, 0),
    Row("zero is right and puts the nearest out", "R10", V.ZERO_RIGHT,
        (3, 1, 2), (ZERO,), (0, 0, 0), (3, 0, 1), 2, 0),
    Row("zero is right and puts several out", "R10", V.ZERO_RIGHT,
        (2, 1, 1, 2), (ZERO,), (0, 0, 0, 0), (2, 0, 0, 1), 3, 0),
    Row("zero is right and puts everybody else out", "R10", V.ZERO_RIGHT,
        (1, 1, 1), (ZERO,), (0, 0, 0), (1, 0, 0), None, None),
    Row("zero is right as the second word", "R10", V.ZERO_RIGHT,
        (3, 3, 3), (Bid(1), ZERO), (0, 0, 0), (2, 3, 2), 2, 1, CAPPED),
    Row("zero is right with the direction turned", "R10", V.ZERO_RIGHT,
        (3, 3, 3, 3), (Bid(1), ZERO), (0, 0, 0, 0), (2, 2, 2, 3), 2, None, ("bid-spoof",), True),
    Row("zero is wrong", "R10", V.ZERO_WRONG,
        (3, 3, 3), (ZERO,), (0, 1, 0), (2, 3, 3), 0, 0),
    Row("zero is wrong and the ender is out", "R10", V.ZERO_WRONG,
        (1, 3, 3), (ZERO,), (0, 1, 0), (0, 3, 3), 1, 1),
    Row("an ender who is out is followed in the direction of the round", "R14", V.CALL_BID_TRUE,
        (3, 3, 3, 1), (Bid(1), CALL), (1, 0, 0, 0), (3, 3, 3, 0), 2, None, BOTH, True),
    Row("the last coin of the last opponent wins the game", "R13", V.CALL_BID_FALSE,
        (1, 2), (Bid(3), CALL), (1, 1), (0, 2), None, None),
]  # fmt: skip

CASES = [(row, preset) for row in ROWS for preset in row.presets]


def said(coins: tuple[int, ...], *words: Word, rules: str = "milan", **kw: Any) -> BiddingRound:
    """A round of these words, the first by seat 0 unless `starter` is given."""
    turn = kw.pop("direction", None)
    round_ = BiddingRound(BiddingRules.parse(rules), coins, kw.pop("starter", 0), **kw)
    for word in words:
        assert round_.speaker is not None
        round_, turn = round_.say(round_.speaker, word, turn), None
    return round_


def held(round_: BiddingRound, *hands: int) -> dict[int, int]:
    """The hands of everybody in, from a list with every seat."""
    return {seat: hands[seat] for seat in round_.players}


def counted(row: Row, preset: str) -> None:
    """A round that ends like this row is counted as the row says."""
    direction = LEFT if row.turned else None
    round_ = said(row.coins, *row.words, rules=preset, direction=direction)
    outcome = round_.count(held(round_, *row.hands))
    assert outcome.verdict is row.verdict
    assert outcome.coins == row.after
    assert outcome.total == sum(row.hands)
    assert outcome.next_starter == (row.three_coins if preset == "three-coins" else row.starter)
    assert outcome.ender == round_.words[-1][0]


def test_after_each_ending() -> None:
    assert offenders(counted, CASES) == []


@pytest.mark.parametrize("preset", ALL)
def test_every_ending_of_the_table_has_a_row_for_every_preset(preset: str) -> None:
    rows = {row.verdict for row in ROWS if preset in row.presets}
    at_cap = set() if PRESETS[preset].cap is not None else {Verdict.CLIFF_AT_CAP}
    assert rows == {verdict for verdict in Verdict if verdict.clause[0] == "R"} - at_cap


def test_the_winner_is_the_only_one_left() -> None:
    outcome = said((1, 1, 1), ZERO).count({0: 0, 1: 0, 2: 0})
    assert outcome.winner == 0
    assert outcome.went_out == (1, 2)


def test_there_is_no_winner_while_two_are_in() -> None:
    assert said((2, 1, 1, 2), ZERO).count(dict.fromkeys(range(4), 0)).winner is None


def test_those_who_go_out_together_are_told_in_speaking_order() -> None:
    round_ = said((1, 1, 1, 3), Bid(1), ZERO, rules="bid-spoof", direction=LEFT)
    assert round_.count(dict.fromkeys(range(4), 0)).went_out == (2, 1, 0)


@pytest.mark.parametrize(
    "option,starter", [("zero_starter=ender", 1), ("zero_starter=loser", 2), ("starter=ender", 2)]
)
def test_the_starter_after_a_right_zero_is_its_own_option(option: str, starter: int) -> None:
    round_ = said((3, 3, 3), Bid(1), ZERO, rules=f"bid-spoof {option}")
    assert round_.count({0: 0, 1: 0, 2: 0}).next_starter == starter


# What may be said


@pytest.mark.parametrize(
    "before,word,reason",
    [
        ([], Bid(0), Reason.BID_BELOW_ONE),
        ([], Bid(10), Reason.BID_TOO_HIGH),
        ([Bid(4)], Bid(4), Reason.BID_TOO_LOW),
        ([Bid(4)], Bid(0), Reason.BID_TOO_LOW),
        ([Bid(4)], Bid(10), Reason.BID_TOO_HIGH),
        ([Bid(9)], Bid(10), Reason.BID_TOO_HIGH),
        ([], CALL, Reason.CALL_NEEDS_BID),
        ([], CLIFF, Reason.CLIFF_NEEDS_BID),
        ([Bid(4)], ZERO, Reason.ZERO_OPENS_ONLY),
        ([Bid(4), Bid(5), Bid(6)], ZERO, Reason.ZERO_OPENS_ONLY),
        ([Bid(4), CALL], CALL, Reason.ROUND_IS_OVER),
        ([SPOOF], Bid(5), Reason.ROUND_IS_OVER),
    ],
)
def test_a_forbidden_word_names_its_clause_and_changes_nothing(
    before: list[Word], word: Word, reason: Reason
) -> None:
    round_ = said((3, 3, 3), *before)
    with pytest.raises(Illegal) as error:
        round_.say(round_.speaker or 0, word)
    assert error.value.reason is reason
    assert str(error.value).endswith(f"({reason.clause})")
    assert round_ == said((3, 3, 3), *before)


@pytest.mark.parametrize("words", [[Bid(1)], [Bid(9)], [Bid(1), Bid(9)], [SPOOF], [ZERO]])
def test_the_bounds_of_what_may_be_said(words: list[Word]) -> None:
    assert len(said((3, 3, 3), *words).words) == len(words)


def test_zero_may_be_the_first_word_of_everybody_with_first_action() -> None:
    assert said((3, 3), Bid(1), ZERO, rules="bid-spoof").ending is ZERO


def test_zero_may_not_be_a_second_word_even_with_first_action() -> None:
    with pytest.raises(Illegal) as error:
        said((3, 3), Bid(1), Bid(2), ZERO, rules="bid-spoof")
    assert error.value.reason is Reason.ZERO_FIRST_ONLY


@pytest.mark.parametrize("seat,reason", [(2, Reason.NOT_YOUR_TURN), (1, Reason.IS_OUT)])
def test_only_the_speaker_may_speak(seat: int, reason: Reason) -> None:
    with pytest.raises(Illegal) as error:
        said((3, 0, 3)).check(seat, Bid(1))
    assert error.value.reason is reason


def test_the_sentence_of_a_refusal_holds_its_numbers() -> None:
    with pytest.raises(Illegal, match=r"beat the standing bid of 4\. \(R6\)") as error:
        said((3, 3), Bid(4), Bid(3))
    assert error.value.values == {"standing": 4}


# Direction


def test_the_opening_bid_turns_the_round() -> None:
    round_ = said((3, 3, 3, 3), Bid(1), Bid(2), direction=LEFT)
    assert [seat for seat, _ in round_.words] == [0, 3]
    assert round_.speaker == 2


def test_a_round_is_clockwise_unless_it_is_turned() -> None:
    assert said((3, 3, 3), Bid(1)).speaker == 1
    assert said((3, 3, 3), Bid(1), direction=RIGHT).speaker == 1


@pytest.mark.parametrize(
    "coins,before,word,rules,reason",
    [
        ((3, 3), [], Bid(1), "milan", Reason.DIRECTION_FOR_TWO),
        ((3, 0, 3), [], Bid(1), "milan", Reason.DIRECTION_FOR_TWO),
        ((3, 3, 3), [Bid(1)], Bid(2), "milan", Reason.DIRECTION_FIXED),
        ((3, 3, 3), [], SPOOF, "milan", Reason.DIRECTION_FIXED),
        ((3, 3, 3), [], Bid(1), "three-coins", Reason.DIRECTION_RULE),
        ((3, 3, 3), [], Bid(1), "milan direction=clockwise", Reason.DIRECTION_RULE),
    ],
)
@pytest.mark.parametrize("direction", Direction)
def test_where_there_is_no_direction_to_choose(
    coins: tuple[int, ...],
    before: list[Word],
    word: Word,
    rules: str,
    reason: Reason,
    direction: Direction,
) -> None:
    round_ = said(coins, *before, rules=rules)
    with pytest.raises(Illegal) as error:
        round_.say(round_.speaker or 0, word, direction)
    assert error.value.reason is reason


def test_two_players_speak_in_turns() -> None:
    round_ = said((3, 0, 3, 0), Bid(1), Bid(2), Bid(3))
    assert [seat for seat, _ in round_.words] == [0, 2, 0]
    assert round_.speaker == 2


# A fist that stays shut


@pytest.mark.parametrize(
    "owner,direction,starter", [(1, None, 2), (1, LEFT, 0), (0, None, 1), (0, LEFT, 3)]
)
def test_a_fist_that_stays_shut_costs_its_owner_and_voids_the_round_g3(
    owner: int, direction: Direction | None, starter: int
) -> None:
    round_ = said((3, 3, 3, 3), Bid(12), CALL, direction=direction)
    outcome = round_.void(owner)
    assert (outcome.verdict, outcome.total) == (Verdict.VOID, None)
    assert outcome.changes == {owner: -1}
    assert outcome.next_starter == starter


def test_a_voided_round_can_put_its_owner_out_and_end_the_game() -> None:
    outcome = said((1, 2), Bid(1), CALL).void(0)
    assert (outcome.went_out, outcome.winner) == ((0,), 1)


def test_only_the_fist_of_a_player_in_voids_a_round() -> None:
    with pytest.raises(LocalError):
        said((3, 0, 3), SPOOF).void(1)
    with pytest.raises(LocalError):
        said((3, 3)).void(1)


# Our own mistakes


@pytest.mark.parametrize("hands", [{}, {0: 1}, {0: 1, 1: 1, 2: 0}])
def test_a_round_is_counted_with_every_hand(hands: dict[int, int]) -> None:
    with pytest.raises(LocalError):
        said((3, 3, 0), SPOOF).count(hands)


def test_a_round_is_not_counted_before_its_ending_word() -> None:
    with pytest.raises(LocalError):
        said((3, 3), Bid(1)).count({0: 1, 1: 1})


def test_nobody_who_is_out_starts_a_round() -> None:
    with pytest.raises(LocalError):
        BiddingRound(PRESETS["milan"], (0, 3, 3), 0)


def test_nobody_follows_at_an_empty_table() -> None:
    with pytest.raises(LocalError):
        next_in((0, 0), 0, RIGHT)


# Laws


@st.composite
def rounds(draw: st.DrawFn) -> BiddingRound:
    """A round at its beginning, under any rules, at any table."""
    coins = draw(st.lists(st.integers(0, 4), min_size=2, max_size=5).map(tuple))
    players = [seat for seat, owned in enumerate(coins) if owned]
    if len(players) < 2:
        coins, players = (*coins, 1, 2), [*players, len(coins), len(coins) + 1]
    policy = BiddingRules.parse("milan cap=4 starter=ender")
    rules = draw(st.sampled_from([*PRESETS.values(), policy]))
    return BiddingRound(rules, coins, draw(st.sampled_from(players)))


@st.composite
def ended_rounds(draw: st.DrawFn) -> BiddingRound:
    """A round of legal words up to its ending."""
    round_ = draw(rounds())
    for up in draw(st.lists(st.integers(1, 4), max_size=7)):
        number = (round_.standing or (0, 0))[1] + up
        turn = draw(st.sampled_from(Direction)) if round_.may_choose_direction else None
        if number <= round_.most:
            round_ = round_.say(round_.speaker or 0, Bid(number), turn)
    seat = round_.speaker or 0
    return round_.say(seat, draw(st.sampled_from([e for e in Ending if is_legal(round_, e)])))


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[BiddingRound, dict[int, int], RoundOutcome]:
    """A finished round, its hands, and what came of it; extreme hands are common."""
    round_ = draw(ended_rounds())
    style = draw(st.sampled_from(["all", "none", "some", "some"]))
    hands = {
        seat: draw(st.integers(0, round_.coins[seat]))
        if style == "some"
        else round_.coins[seat] * (style == "all")
        for seat in round_.players
    }
    return round_, hands, round_.count(hands)


def is_legal(round_: BiddingRound, word: Word) -> bool:
    try:
        round_.check(round_.speaker or 0, word)
    except Illegal:
        return False
    return True


WON_OR_LOST = {Verdict.CLIFF_RIGHT: 1, Verdict.CLIFF_AT_CAP: 0, Verdict.SPOOF_RIGHT: 0}


@few
@given(outcomes())
def test_coins_move_as_the_clauses_say(
    played: tuple[BiddingRound, dict[int, int], RoundOutcome],
) -> None:
    round_, hands, outcome = played
    change = sum(outcome.coins) - sum(round_.coins)
    expected = WON_OR_LOST.get(outcome.verdict, -1)
    if outcome.verdict is Verdict.ZERO_RIGHT:
        expected = 1 - len(round_.players)
    assert change == sum(outcome.changes.values()) == expected
    assert min(outcome.coins) >= 0 and max(outcome.coins) > 0
    assert outcome.total == sum(hands.values())
    cap = round_.rules.cap
    grown = [seat for seat, n in outcome.changes.items() if n > 0]
    assert cap is None or all(outcome.coins[seat] <= cap for seat in grown)


@few
@given(outcomes())
def test_a_claim_is_right_when_the_total_says_so(
    played: tuple[BiddingRound, dict[int, int], RoundOutcome],
) -> None:
    round_, _, outcome = played
    total, (_, bid) = outcome.total or 0, round_.standing or (0, 0)
    claims = {CALL: total < bid, CLIFF: total == bid, SPOOF: total == round_.most, ZERO: total == 0}
    assert round_.ending is not None
    assert outcome.verdict.ender_is_right == claims[round_.ending]
    assert (outcome.coins[outcome.ender] < round_.coins[outcome.ender]) == (
        not outcome.verdict.ender_is_right
    )


@few
@given(outcomes())
def test_the_next_starter_is_in_unless_the_game_is_won(
    played: tuple[BiddingRound, dict[int, int], RoundOutcome],
) -> None:
    round_, _, outcome = played
    left = [seat for seat, owned in enumerate(outcome.coins) if owned]
    assert set(outcome.went_out) == set(round_.players) - set(left)
    if len(left) == 1:
        assert (outcome.winner, outcome.next_starter) == (left[0], None)
    else:
        assert outcome.next_starter in left
        assert outcome.winner is None


@few
@given(outcomes())
def test_the_next_starter_is_the_loser_or_the_ender_or_the_next_one_in(
    played: tuple[BiddingRound, dict[int, int], RoundOutcome],
) -> None:
    round_, _, outcome = played
    named = outcome.ender
    if outcome.verdict is Verdict.CALL_BID_FALSE and round_.rules.starter is Starter.LOSER:
        assert round_.standing is not None
        named = round_.standing[0]
    after_zero = outcome.verdict is Verdict.ZERO_RIGHT
    passed_on = after_zero and round_.rules.zero_starter is Starter.LOSER
    order = speaking_order(round_.coins, named, round_.direction)
    left = [seat for seat in order[1 if passed_on else 0 :] if outcome.coins[seat]]
    assert outcome.next_starter in (left[0] if left else None, None)


@few
@given(ended_rounds())
def test_words_go_round_in_one_direction_past_those_who_are_out(round_: BiddingRound) -> None:
    order = speaking_order(round_.coins, round_.starter, round_.direction)
    speakers = [seat for seat, _ in round_.words]
    assert set(order) == set(round_.players)
    assert speakers == [order[turn % len(order)] for turn in range(len(speakers))]


@few
@given(ended_rounds())
def test_bids_rise_and_there_are_at_most_w_of_them(round_: BiddingRound) -> None:
    numbers = [word.number for _, word in round_.words if isinstance(word, Bid)]
    assert numbers == sorted(set(numbers))
    assert len(numbers) <= round_.most
    assert all(1 <= number <= round_.most for number in numbers)


@few
@given(rounds(), st.lists(st.integers(0, 25) | st.sampled_from(Ending), max_size=8), st.data())
def test_what_is_said_is_legal_or_changes_nothing(
    round_: BiddingRound, words: list[int | Ending], data: st.DataObject
) -> None:
    for spoken in words:
        word: Word = Bid(spoken) if isinstance(spoken, int) else spoken
        seat = data.draw(st.integers(0, len(round_.coins) - 1))
        try:
            after = round_.say(seat, word)
        except Illegal:
            continue
        assert round_.ending is None and round_.speaker == seat
        assert after.words == (*round_.words, (seat, word))
        round_ = after


@few
@given(ended_rounds())
def test_a_shut_fist_costs_one_coin_whoever_owns_it(round_: BiddingRound) -> None:
    for owner in round_.players:
        outcome = round_.void(owner)
        assert sum(outcome.coins) == sum(round_.coins) - 1
        assert outcome.coins[owner] == round_.coins[owner] - 1
        following = next_in(outcome.coins, owner, round_.direction)
        assert outcome.next_starter == (None if outcome.winner is not None else following)
