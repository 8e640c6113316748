"""One round of the guessing game: its clauses one by one, and the laws that hold in every round."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Illegal, LocalError, Reason
from protocol.rules.guessing import ATTEMPTS, GuessingRound
from protocol.rules.options import START_COINS, FirstCaller, GuessingRules
from protocol.rules.outcome import RoundOutcome, Verdict
from protocol.rules.words import Bid, Direction, Ending, Word
from tests.protocol.stories import few, refused


def school(
    *numbers: int, players: int = 3, left: tuple[int, ...] = (), rules: str = "", starter: int = 0
) -> GuessingRound:
    """A round of this school in which these numbers were called, attempts too."""
    coins = tuple(0 if seat in left else START_COINS for seat in range(players))
    round_ = GuessingRound(GuessingRules.parse(f"hollywood {rules}"), coins, starter)
    for number in numbers:
        assert round_.speaker is not None
        round_ = round_.say(round_.speaker, Bid(number))
    return round_


def counted(round_: GuessingRound, *hands: int, lot: int = 0) -> RoundOutcome:
    """What comes of a round with these hands of the players in the school."""
    return round_.count(dict(zip(round_.players, hands, strict=True)), lot)


# H4: three coins


def test_everybody_in_the_school_has_three_coins_in_every_round_h4() -> None:
    first = school(4, 5, 6, players=4, left=(1,))
    assert counted(first, 1, 2, 2).coins == (3, 0, 0, 3)
    assert counted(first, 0, 0, 0).coins == (3, 0, 3, 3)


def test_nobody_ever_wins_or_loses_a_coin_h4() -> None:
    assert counted(school(4, 5, 6), 1, 2, 2).changes == {}


# H5: who calls


@pytest.mark.parametrize(
    "starter,left,order", [(0, (), [0, 1, 2, 3]), (2, (), [2, 3, 0, 1]), (2, (3,), [2, 0, 1])]
)
def test_the_first_caller_calls_then_clockwise_h5(
    starter: int, left: tuple[int, ...], order: list[int]
) -> None:
    round_ = school(*range(len(order)), players=4, left=left, starter=starter)
    assert [call.seat for call in round_.calls] == order
    assert round_.direction is Direction.CLOCKWISE


def test_everybody_calls_once_h5() -> None:
    round_ = school(4, 5, 6)
    assert (round_.is_over, round_.speaker) == (True, None)
    with refused(Reason.CALLS_ARE_OVER):
        round_.say(0, Bid(7))


@pytest.mark.parametrize("seat,reason", [(2, Reason.NOT_YOUR_CALL), (1, Reason.HAS_LEFT)])
def test_only_the_caller_calls_h5(seat: int, reason: Reason) -> None:
    with refused(reason):
        school(left=(1,)).check(seat, Bid(1))


def test_who_has_left_is_no_first_caller_h5() -> None:
    with pytest.raises(LocalError):
        school(starter=1, left=(1,))


# H6: what is called


@pytest.mark.parametrize("number", [0, 9])
def test_a_call_is_from_0_to_3n_h6(number: int) -> None:
    assert school(number).called == {0: number}


@pytest.mark.parametrize("left,most", [((), 12), ((1,), 9), ((1, 2), 6)])
def test_n_is_the_number_of_players_in_the_school_h6(left: tuple[int, ...], most: int) -> None:
    round_ = school(players=4, left=left)
    assert round_.most == most
    assert round_.free == tuple(range(most + 1))
    with refused(Reason.CALL_TOO_HIGH):
        round_.check(0, Bid(most + 1))


def test_a_negative_number_is_no_call_h6() -> None:
    with refused(Reason.CALL_TOO_HIGH):
        school().check(0, Bid(-1))


@pytest.mark.parametrize("word", Ending)
def test_a_call_is_a_number_h6(word: Ending) -> None:
    with refused(Reason.NUMBERS_ONLY):
        school().check(0, word)


@pytest.mark.parametrize("direction", Direction)
def test_there_is_no_direction_to_choose_h5(direction: Direction) -> None:
    with refused(Reason.DIRECTION_RULE):
        school().check(0, Bid(1), direction)


def test_a_call_is_unique_in_the_round_h6() -> None:
    round_ = school(4, 4)
    assert round_.called == {0: 4}
    assert [call.taken for call in round_.calls] == [False, True]
    assert round_.speaker == 1
    assert 4 not in round_.free


# H7: what is possible


@pytest.mark.parametrize(
    "number,hand,possible",
    [(2, 2, True), (1, 2, False), (8, 2, True), (9, 2, False), (9, 3, True), (0, 0, True)],
)
def test_a_call_is_possible_for_a_hand_h7(number: int, hand: int, possible: bool) -> None:
    assert school().is_possible(number, hand) == possible


def test_an_impossible_call_is_accepted_and_fined_when_the_fists_open_h7() -> None:
    outcome = counted(school(0, 9, 4), 3, 0, 0)
    assert outcome.fined == (0, 1)


def test_an_impossible_call_may_be_allowed_h7() -> None:
    round_ = school(0, 9, 4, rules="impossible=allow")
    round_.check_hand(9, 0)
    assert counted(round_, 3, 0, 0).fined == ()


def test_an_impossible_call_may_be_refused_by_the_own_program_h7() -> None:
    round_ = school(rules="impossible=refuse")
    round_.check_hand(3, 3)
    with refused(Reason.CALL_IMPOSSIBLE):
        round_.check_hand(2, 3)
    school().check_hand(2, 3)


def test_the_table_accepts_what_a_dishonest_program_let_through_and_fines_it_h7() -> None:
    assert counted(school(0, 9, 4, rules="impossible=refuse"), 3, 0, 0).fined == (0, 1)


# H8: attempts


def test_there_are_three_attempts_at_a_unique_call_h8() -> None:
    for failed in range(ATTEMPTS):
        round_ = school(4, *[4] * failed)
        round_.check(1, Bid(4))
        assert round_.attempts(1) == failed


def test_the_third_failure_costs_a_fine_h8() -> None:
    assert counted(school(4, 4, 4, 5, 6), 0, 0, 0).fined == ()
    assert counted(school(4, 4, 4, 4, 5, 6), 0, 0, 0).fined == (1,)


def test_after_the_third_failure_the_player_calls_from_the_free_numbers_h8() -> None:
    round_ = school(4, 4, 4, 4)
    assert round_.speaker == 1
    with refused(Reason.CALL_FROM_FREE):
        round_.check(1, Bid(4))
    assert round_.say(1, Bid(5)).speaker == 2


def test_attempts_are_counted_for_each_player_alone_h8() -> None:
    round_ = school(4, 4, 4, 5, 5, 4, 6)
    assert [round_.attempts(seat) for seat in range(3)] == [0, 2, 2]
    assert counted(round_, 0, 0, 0).fined == ()


def test_two_offences_of_one_player_are_two_fines_h8_h7() -> None:
    assert counted(school(4, 4, 4, 4, 0, 5), 0, 3, 0).fined == (1, 1)


# H9: opening


def test_the_first_caller_opens_first_then_the_others_clockwise_h9() -> None:
    assert school(players=4, starter=2, left=(3,)).order == (2, 0, 1)


# H10: leaving


def test_the_exact_guess_leaves_the_school_h10() -> None:
    outcome = counted(school(4, 5, 6), 1, 2, 2)
    assert (outcome.verdict, outcome.total, outcome.went_out) == (Verdict.GUESSED, 5, (1,))
    assert outcome.coins == (3, 0, 3)


def test_an_attempt_at_the_right_number_does_not_leave_h10() -> None:
    assert counted(school(4, 4, 5, 6), 2, 1, 1).went_out == (0,)


def test_an_impossible_call_is_never_right_h7_h10() -> None:
    outcome = counted(school(2, 5, 6), 3, 1, 1)
    assert (outcome.fined, outcome.went_out) == ((0,), (1,))


# H11: the others play again


def test_if_nobody_is_right_all_stay_and_the_first_call_moves_on_h11() -> None:
    outcome = counted(school(4, 5, 6), 0, 0, 0)
    assert outcome.verdict is Verdict.NOT_GUESSED
    assert (outcome.went_out, outcome.coins, outcome.next_starter) == ((), (3, 3, 3), 1)


@pytest.mark.parametrize(
    "hands,starter,left,following",
    [((3, 1, 0), 0, (), 1), ((3, 1, 1), 0, (), 2), ((2, 2, 2), 2, (), 0), ((3, 1), 0, (1,), 2)],
)
def test_the_first_call_moves_to_the_next_player_still_in_h11(
    hands: tuple[int, ...], starter: int, left: tuple[int, ...], following: int
) -> None:
    numbers = (4, 5, 6)[: 3 - len(left)]
    if left:
        numbers = (3, 6)
    outcome = counted(school(*numbers, starter=starter, left=left), *hands)
    assert outcome.next_starter == following


def test_the_first_caller_may_be_tossed_for_among_those_who_stay_h11() -> None:
    round_ = school(4, 5, 6, 7, players=4, rules="first_caller=toss")
    tossed = [counted(round_, 1, 1, 1, 1, lot=lot).next_starter for lot in range(6)]
    assert tossed == [1, 2, 3, 1, 2, 3]
    stayed = [counted(round_, 0, 0, 0, 0, lot=lot).next_starter for lot in range(4)]
    assert stayed == [0, 1, 2, 3]


# H12: the last one


def test_the_last_one_left_is_honoured_to_pay_h12() -> None:
    outcome = counted(school(4, 5, players=2), 3, 2)
    assert (outcome.winner, outcome.next_starter, outcome.coins) == (0, None, (3, 0))


def test_while_two_are_left_nobody_pays_h12() -> None:
    assert counted(school(4, 5, players=2), 0, 0).winner is None


# G3: a fist that stays shut


@pytest.mark.parametrize("owner,following", [(0, 2), (2, 0)])
def test_a_shut_fist_is_a_fine_and_all_stay_g3(owner: int, following: int) -> None:
    outcome = school(4, 4, 4, 4, 5, left=(1,)).void(owner)
    assert (outcome.verdict, outcome.total, outcome.fined) == (Verdict.VOID, None, (owner,))
    assert (outcome.coins, outcome.went_out, outcome.next_starter) == ((3, 0, 3), (), following)


def test_only_the_fist_of_a_player_in_voids_a_round_and_after_the_last_call_only() -> None:
    with pytest.raises(LocalError):
        school(4, 5, left=(1,)).void(1)
    with pytest.raises(LocalError):
        school(4, left=(1,)).void(0)


# Our own mistakes


@pytest.mark.parametrize("hands", [{}, {0: 1, 2: 1}, {0: 1, 1: 1, 2: 1, 3: 1}])
def test_a_round_is_counted_with_every_hand(hands: dict[int, int]) -> None:
    with pytest.raises(LocalError):
        school(4, 5, 6).count(hands)


def test_a_round_is_not_counted_before_the_last_call() -> None:
    with pytest.raises(LocalError):
        school(4, 5).count({0: 1, 1: 1, 2: 1})


# Laws


@dataclass(frozen=True)
class Played:
    """A round to its end."""

    round: GuessingRound
    hands: dict[int, int]
    outcome: RoundOutcome


@st.composite
def beginnings(draw: st.DrawFn) -> GuessingRound:
    """A round at its beginning, of any school."""
    coins = draw(st.lists(st.sampled_from([0, START_COINS]), min_size=2, max_size=6).map(tuple))
    if sum(coins) < 2 * START_COINS:
        coins = (*coins, START_COINS, START_COINS)
    impossible = draw(st.sampled_from(["fine", "refuse", "allow"]))
    first = draw(st.sampled_from(["rotate", "toss"]))
    rules = GuessingRules.parse(f"hollywood impossible={impossible} first_caller={first}")
    players = [seat for seat, owned in enumerate(coins) if owned]
    return GuessingRound(rules, coins, draw(st.sampled_from(players)))


@st.composite
def rounds(draw: st.DrawFn) -> Played:
    """A round to its end: few numbers are popular, so attempts are common."""
    round_ = draw(beginnings())
    popular = draw(st.lists(st.integers(0, round_.most), min_size=1, max_size=3))
    while (speaker := round_.speaker) is not None:
        number = draw(st.sampled_from([*popular, *round_.free]))
        if not is_legal(round_, speaker, Bid(number)):
            number = round_.free[0]
        round_ = round_.say(speaker, Bid(number))
    hands = {seat: draw(st.integers(0, START_COINS)) for seat in round_.players}
    return Played(round_, hands, round_.count(hands, draw(st.integers(0, 2**256))))


def is_legal(round_: GuessingRound, seat: int, word: Word) -> bool:
    try:
        round_.check(seat, word)
    except Illegal:
        return False
    return True


@few
@given(rounds())
def test_the_calls_that_stand_are_unique_and_in_range(played: Played) -> None:
    round_ = played.round
    numbers = list(round_.called.values())
    assert len(set(numbers)) == len(numbers) == len(round_.players)
    assert all(0 <= number <= 3 * len(round_.players) for number in numbers)
    assert set(numbers) | set(round_.free) == set(range(round_.most + 1))


@few
@given(rounds())
def test_the_order_of_calls_is_clockwise_from_the_first_caller(played: Played) -> None:
    round_ = played.round
    seats = [call.seat for call in round_.calls if not call.taken]
    assert tuple(seats) == round_.order
    turns = [(seat - round_.starter) % len(round_.coins) for seat in seats]
    assert turns == sorted(turns)
    assert [seat for seat, _ in round_.words] == sorted(
        (call.seat for call in round_.calls), key=seats.index
    )


@few
@given(rounds())
def test_nobody_fails_more_than_three_times(played: Played) -> None:
    round_ = played.round
    stands: set[int] = set()
    for call in round_.calls:
        assert call.taken == (call.number in stands)
        stands.add(call.number)
    assert all(round_.attempts(seat) <= ATTEMPTS for seat in round_.players)


@few
@given(rounds())
def test_exactly_the_guesser_leaves_and_one_at_most(played: Played) -> None:
    round_, outcome = played.round, played.outcome
    right = [seat for seat, number in round_.called.items() if number == sum(played.hands.values())]
    assert list(outcome.went_out) == right and len(right) <= 1
    staying = [seat for seat in round_.players if seat not in right]
    assert outcome.coins == tuple(3 if seat in staying else 0 for seat in range(len(round_.coins)))
    assert outcome.total == sum(played.hands.values())


@few
@given(rounds())
def test_the_house_fines_what_the_clauses_say_and_nothing_else_h13(played: Played) -> None:
    round_, allowed = played.round, played.round.rules.impossible.value == "allow"
    most = 3 * (len(round_.players) - 1)
    expected = []
    for seat in round_.order:
        held, number = played.hands[seat], round_.called[seat]
        expected += [seat] * (round_.attempts(seat) == ATTEMPTS)
        expected += [seat] * (not allowed and not held <= number <= held + most)
    assert list(played.outcome.fined) == expected


@few
@given(rounds())
def test_somebody_still_in_calls_first_or_the_last_one_pays(played: Played) -> None:
    outcome = played.outcome
    staying = [seat for seat, coins in enumerate(outcome.coins) if coins]
    if len(staying) == 1:
        assert (outcome.winner, outcome.next_starter) == (staying[0], None)
    else:
        assert outcome.next_starter in staying
        assert outcome.winner is None
        if played.round.rules.first_caller is FirstCaller.ROTATE:
            behind = [(seat - played.round.starter - 1) % len(outcome.coins) for seat in staying]
            assert outcome.next_starter == staying[behind.index(min(behind))]


@few
@given(beginnings(), st.lists(st.integers(-1, 20) | st.sampled_from(Ending)), st.data())
def test_what_is_called_is_legal_or_changes_nothing(
    round_: GuessingRound, words: list[int | Ending], data: st.DataObject
) -> None:
    for spoken in words:
        word: Word = Bid(spoken) if isinstance(spoken, int) else spoken
        seat = data.draw(st.integers(0, len(round_.coins) - 1))
        before = round_
        try:
            round_ = round_.say(seat, word)
        except Illegal:
            continue
        assert before.speaker == seat
        assert round_.words == (*before.words, (seat, word))
