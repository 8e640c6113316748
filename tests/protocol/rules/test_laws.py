"""Both games against the tables of `protocol/TABLE.md`, told here once more and otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Illegal, LocalError
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Round, round_of
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Direction, Ending, RoundOutcome, Word

CALL, CLIFF, SPOOF, ZERO = Ending
BIDDING = (
    *("milan", "bid-spoof", "three-coins", "milan cap=4 starter=ender zero=first-action"),
    *("milan zero_starter=ender direction=clockwise", "three-coins starter=loser cap=none"),
)
GUESSING = ("fine", "refuse", "allow")

Told = tuple[int, Word, Direction | None]


def following(coins: Sequence[int], seat: int, step: int) -> int:
    """The nearest seat that is in; itself if nobody else is."""
    seats = [(seat + n * step) % len(coins) for n in range(1, len(coins) + 1)]
    return next(each for each in seats if coins[each])


def option(rules: Rules, name: str) -> str:
    value = getattr(rules, name)
    return str(getattr(value, "value", value))


# The bidding game


def why_not(round_: BiddingRound, told: Told) -> str | None:
    """The code of the first row of "Words" that does not hold."""
    (seat, word, turn), coins, words = told, round_.coins, round_.words
    bids = [said.number for _, said in words if isinstance(said, Bid)]
    due = round_.starter
    for _ in words:
        due = following(coins, due, round_.direction.step)
    number = word.number if isinstance(word, Bid) else None
    rows = [
        ("round-is-over", not words or isinstance(words[-1][1], Bid)),
        ("is-out", coins[seat]),
        ("not-your-turn", seat == due),
        ("bid-too-low", number is None or not bids or number > bids[-1]),
        ("bid-below-one", number is None or number >= 1),
        ("bid-too-high", number is None or number <= sum(coins)),
        ("call-needs-bid", word is not CALL or bids),
        ("cliff-needs-bid", word is not CLIFF or bids),
        (
            "zero-opens-only",
            word is not ZERO or not words or option(round_.rules, "zero") == "first-action",
        ),
        ("zero-first-only", word is not ZERO or seat not in dict(words)),
        ("direction-rule", turn is None or option(round_.rules, "direction") == "starter"),
        ("direction-for-two", turn is None or len([n for n in coins if n]) > 2),
        ("direction-fixed", turn is None or (not words and number is not None)),
    ]
    return next((code for code, holds in rows if not holds), None)


def due_count(round_: BiddingRound, hands: dict[int, int]) -> tuple[list[int], int | None]:
    """Coins afterwards, and who opens, by the rows of "The count"."""
    coins, rules, total = list(round_.coins), round_.rules, sum(hands.values())
    ender, word = round_.words[-1]
    bidder, bid = next(((s, w.number) for s, w in reversed(round_.words) if isinstance(w, Bid)),
                       (ender, 0))  # fmt: skip
    opener = ender
    if word is CALL and total < bid:
        coins[bidder] -= 1
        opener = bidder if option(rules, "starter") == "loser" else ender
    elif word is CLIFF and total == bid:
        cap = option(rules, "cap")
        coins[ender] += cap == "None" or coins[ender] < int(cap)
    elif word is ZERO and total == 0:
        coins = [max(0, n - (seat != ender)) for seat, n in enumerate(coins)]
        if option(rules, "zero_starter") == "loser":
            opener = following(coins, ender, round_.direction.step)
    elif word is not SPOOF or total < sum(coins):
        coins[ender] -= 1
    if not coins[opener]:
        opener = following(coins, opener, round_.direction.step)
    return coins, opener if sum(map(bool, coins)) > 1 else None


# The guessing game


def heard(round_: GuessingRound) -> tuple[dict[int, int], list[int]]:
    """The calls that stand, by seat, and who failed, once for each attempt."""
    stands: dict[int, int] = {}
    failed: list[int] = []
    for caller, said in round_.words:
        assert isinstance(said, Bid)
        if said.number in stands.values():
            failed.append(caller)
        else:
            stands[caller] = said.number
    return stands, failed


def why_no_call(round_: GuessingRound, told: Told) -> str | None:
    """The code of the first row of "Calls" that does not hold."""
    (seat, word, turn), coins = told, round_.coins
    stands, failed = heard(round_)
    due = round_.starter
    while due in stands and len(stands) < len(round_.players):
        due = following(coins, due, 1)
    number = word.number if isinstance(word, Bid) else 0
    rows = [
        ("calls-are-over", len(stands) < len(round_.players)),
        ("has-left", coins[seat]),
        ("not-your-call", seat == due),
        ("numbers-only", isinstance(word, Bid)),
        ("direction-rule", turn is None),
        ("call-too-high", 0 <= number <= sum(coins)),
        ("call-from-free", failed.count(seat) < 3 or number not in stands.values()),
    ]
    return next((code for code, holds in rows if not holds), None)


def due_fines(round_: GuessingRound, hands: dict[int, int]) -> list[int]:
    """The fines of the house."""
    (stands, failed), fines = heard(round_), list[int]()
    allowed = option(round_.rules, "impossible") == "allow"
    for seat, number in stands.items():
        most = hands[seat] + 3 * (len(hands) - 1)
        impossible = not hands[seat] <= number <= most
        fines += [seat] * ((failed.count(seat) == 3) + (impossible and not allowed))
    return fines


# Rounds of anything that may be tried


@st.composite
def tables(draw: st.DrawFn, rules: Rules, owned: st.SearchStrategy[int]) -> Round:
    """A round at its beginning."""
    coins = draw(st.lists(owned, min_size=2, max_size=5))
    if sum(map(bool, coins)) < 2:
        coins += [3, 3]
    starter = draw(st.sampled_from([seat for seat, n in enumerate(coins) if n]))
    return round_of(rules, tuple(coins), starter)


def play(draw: st.DataObject, round_: Round, tries: int) -> Round:
    """Whatever is tried is refused for the reason that is due, or said."""
    words = st.integers(0, 6).map(Bid) | st.integers(0, sum(round_.coins) + 1).map(Bid)
    for _ in range(tries):
        if isinstance(round_, BiddingRound) and round_.speaker is not None:
            turned = (round_.speaker, Bid(round_.most), Direction.COUNTER_CLOCKWISE)
            assert round_.may_choose_direction == (why_not(round_, turned) is None)
        speaker = round_.speaker if round_.speaker is not None else round_.starter
        seat = draw.draw(st.just(speaker) | st.integers(0, len(round_.coins) - 1))
        word = draw.draw(words | st.sampled_from(Ending))
        turn = draw.draw(st.none() | st.none() | st.sampled_from(Direction))
        is_bidding = isinstance(round_, BiddingRound)
        told = seat, word, turn
        due = why_not(round_, told) if is_bidding else why_no_call(round_, told)  # type: ignore[arg-type]
        if due is None:
            before, round_ = round_, round_.say(*told)
            assert round_.words == (*before.words, (seat, word))
        else:
            with pytest.raises(Illegal) as error:
                round_.say(*told)
            assert error.value.reason.code == due
    while not round_.is_over:
        assert round_.speaker is not None
        round_ = round_.say(round_.speaker, round_.none)
    return round_


def held(draw: st.DataObject, round_: Round) -> dict[int, int]:
    """Hands; that all or nothing is out is common."""
    share = draw.draw(st.sampled_from([0, 1, None, None]))
    return {
        seat: draw.draw(st.integers(0, round_.coins[seat]))
        if share is None
        else share * round_.coins[seat]
        for seat in round_.players
    }


def holds_together(round_: Round, outcome: RoundOutcome) -> None:
    left = [seat for seat, coins in enumerate(outcome.coins) if coins]
    assert sorted(outcome.went_out) == sorted(set(round_.players) - set(left))
    assert outcome.winner == (left[0] if len(left) == 1 else None)
    assert outcome.changes == {
        seat: after - before
        for seat, (before, after) in enumerate(zip(round_.coins, outcome.coins, strict=True))
        if after != before and isinstance(round_, BiddingRound)
    }


@given(st.sampled_from(BIDDING), st.integers(0, 9), st.data())
def test_the_bidding_game_is_played_and_counted_as_its_tables_say(
    rules: str, tries: int, draw: st.DataObject
) -> None:
    start = draw.draw(tables(Rules.parse(rules), st.integers(0, 4)))
    round_ = play(draw, start, tries)
    assert isinstance(round_, BiddingRound)
    hands = held(draw, round_)
    outcome = round_.count(hands)
    coins, opener = due_count(round_, hands)
    assert (list(outcome.coins), outcome.next_starter) == (coins, opener)
    holds_together(round_, outcome)
    moved = {CALL: "R7", CLIFF: "R8", SPOOF: "R9", ZERO: "R10"}
    assert round_.ending is not None and outcome.verdict.clause == moved[round_.ending]
    ender = outcome.ender
    assert outcome.verdict.ender_is_right == (outcome.coins[ender] >= round_.coins[ender])


@given(st.sampled_from(GUESSING), st.integers(0, 12), st.data())
def test_the_guessing_game_is_played_and_counted_as_its_tables_say(
    impossible: str, tries: int, draw: st.DataObject
) -> None:
    rules = Rules.parse(f"hollywood impossible={impossible}")
    round_ = play(draw, draw.draw(tables(rules, st.sampled_from([0, 3, 3]))), tries)
    assert isinstance(round_, GuessingRound)
    hands = held(draw, round_)
    outcome, total = round_.count(hands), sum(hands.values())
    right = [seat for seat, number in round_.called.items() if number == total]
    coins = [0 if seat in right else n for seat, n in enumerate(round_.coins)]
    assert list(outcome.coins) == coins and list(outcome.went_out) == right
    assert list(outcome.fined) == due_fines(round_, hands)
    opener = following(coins, round_.starter, 1) if sum(coins) > 3 else None
    assert outcome.next_starter == opener
    assert sorted({*round_.called.values(), *round_.free}) == [*range(sum(round_.coins) + 1)]
    holds_together(round_, outcome)


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_a_round_is_counted_after_its_last_word_with_the_hands_of_all_who_are_in(
    rules: str,
) -> None:
    begun = round_of(Rules.parse(rules), (3, 0, 3), 0)
    said = begun.say(0, Bid(1)).say(2, SPOOF if rules == "milan" else Bid(2))
    for round_, hands in ((begun, {0: 1, 2: 1}), (said, {0: 1}), (said, {0: 1, 1: 0, 2: 1})):
        with pytest.raises(LocalError):
            round_.count(hands)
    for round_, owner in ((begun, 0), (said, 1)):
        with pytest.raises(LocalError):
            round_.void(owner)
    with pytest.raises(LocalError):
        round_of(Rules.parse(rules), (3, 0, 3), 1)
