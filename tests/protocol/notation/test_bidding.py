"""The judge of the bidding game: every clause, and one slip is told where it stands."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from protocol.errors import Reason
from protocol.notation import GameRecord, Header, RoundRecord, Slip, Token, write
from protocol.notation.bidding import CheckedBiddingRound
from protocol.notation.signs import SIGNS
from protocol.rules.words import Direction
from tests.protocol.notation.games import (
    KYIV,
    RULES,
    faults,
    game_of,
    records,
    rounds_of,
    text_of,
)

HEAD = '[Rules "{}"]\n[Seats "S:a D:b M:c"]\n[Result "*"]\n'
"""Three lines before the first round."""


def told(rounds: str, rules: str = "three-coins") -> list[tuple[int, str]]:
    """Faults of a game of S, D and M whose rounds begin on line 4."""
    return faults(HEAD.format(rules) + rounds)


def played(rounds: str, rules: str = "three-coins") -> list[CheckedBiddingRound]:
    """The rounds of the same game."""
    return rounds_of(HEAD.format(rules) + rounds)


@pytest.mark.parametrize(
    ("right", "wrong", "line", "clauses"),
    [
        ("(S0 D2 M2)", "(S0 D2 M4)", 7, ["R2", "R7", "R7"]),
        ("(S0 D2 M2)", "(S0 D2)", 7, ["R2"]),
        ("(S0 D2 M2)", "(S0 D2 M2 M2)", 7, ["notation"]),
        ("(S0 D2 M2)", "(S0 D2 M2 X2)", 7, ["notation"]),
        ("(S0 D2 M2)", "(S0 D2 M2 7)", 7, ["notation"]),
        ("(S0 D2 M2)", "(S0 D2 M02)", 7, ["notation"]),
        ("(S0 D2 M2)", "(S0 D2 M99999999999)", 7, ["notation"]),
        ("(S0 D2 M2)", "(S0 D? M?)", 7, []),
        ("(S0 D2 M2)", "(S? D? M2)", 7, ["G3"]),
        ("(S0 D2 M2)", "(S0 D? M2)", 7, ["G3", "G3"]),
        ("D2 M3 S4", "M3 S4", 8, ["R4"]),
        ("D2 M3 S4", "D2 D3 S4", 8, ["R4"]),
        ("D2 M3 S4", "D2 X3 S4", 8, ["notation"]),
        ("D2 M3 S4", "D2 M+ S4", 8, ["R5"]),
        ("D2 M3 S4", "D2 ?? S4", 8, ["R5"]),
        ("D2 M3 S4", "D2 M99999999999 S4", 8, ["notation"]),
        ("S4 D! ", "S4 D5 ", 8, ["R5"]),
        ("S4 D! ", "S4 D! M! S! ", 8, ["R5"]),
        ("S4 D! ", "S4 D!D- ", 8, ["R5"]),
        ("D2 M3 S4", "D1 M3 S4", 8, ["R6"]),
        ("M3 S4 D!", "M3 S9 D!", 8, ["R6", "R7", "R7"]),
        ("S1 D2 M3 S4 D!", "S!", 8, ["R7"]),
        ("S1 D2 M3 S4 D!", "S=", 8, ["R8"]),
        ("S4 D!", "S0", 8, ["R10", "R10", "R10"]),
        ("2. S1 D2 M3 S4 D!", "2. D2 M3 S4 D!", 8, ["R14"]),
        ("2. S1 D2", "2.< S1 D2", 8, ["R4"]),
        ("M- =", "D- =", 7, ["R7"]),
        ("M- =", ". =", 7, ["R7"]),
        ("M- =", "M- S- =", 7, ["R7"]),
        ("M- =", "M+ =", 7, ["R7"]),
        ("M- =", "M- M- =", 7, ["notation"]),
        ("M- =", "M* =", 7, ["notation"]),
        ("M+ =", "M- =", 9, ["R8"]),
        ("= S3 D3 M2", "= S3 D3 M1", 7, ["R7"]),
        ("= S3 D3 M2", "= S3 D3", 7, ["R7"]),
        ("= S3 D3 M2", "= S3 D3 M2 X2", 7, ["notation"]),
        ("= S3 D3 M2", "= S3 D3 M?", 7, ["notation"]),
        ("= S3 D3 M2", "=", 7, ["R7"]),
        ("= S3 D2 M3", "= S3 D2 M2", 9, ["R8"]),
    ],
)
def test_one_wrong_thing_is_told_with_its_line_and_clause(
    right: str, wrong: str, line: int, clauses: list[str]
) -> None:
    found = faults(KYIV.replace(right, wrong, 1))
    assert [fault for fault in found if fault[0] == line] == [(line, c) for c in clauses]


@pytest.mark.parametrize(
    ("rules", "rounds", "clauses"),
    [
        ("milan", "1.< S4 M! (S3 D3 M3) M- = S3 D3 M2", []),
        ("milan", "1.> S4 D! (S3 D3 M3) D- = S3 D2 M3", []),
        ("three-coins", "1.> S4 D! (S3 D3 M3) D- = S3 D2 M3", []),
        ("three-coins", "1.< S4 D! (S3 D3 M3) D- = S3 D2 M3", ["R4"]),
        ("milan", "1.< Smax (S3 D3 M3) . = S3 D3 M3", ["R4"]),
        ("milan", "1.< S4 D! (S3 D3 M3) D- = S3 D2 M3", ["R4"]),
        ("milan", "1. S4 D= (S3 D1 M0) D+ = S3 D4 M3", []),
        ("milan cap=3", "1. S4 D= (S3 D1 M0) D+ = S3 D4 M3", ["R8", "R8"]),
        ("milan cap=3", "1. S4 D= (S3 D1 M0) . = S3 D3 M3", []),
        ("milan", "1. S4 D= (S3 D1 M1) D- = S3 D2 M3", []),
        ("milan", "1. S4 Dmax (S3 D3 M3) D- = S3 D2 M3", ["R9", "R9"]),
        ("milan", "1. S4 Dmax (S3 D3 M2) . = S3 D3 M3", ["R9", "R9"]),
        ("milan", "1. S4 D0 (S0 D0 M0) S- M- = S2 D3 M2", ["R10"]),
        ("bid-spoof", "1. S4 D0 (S0 D0 M0) S- M- = S2 D3 M2", []),
        ("bid-spoof", "1. S4 D5 M6 S0 (S0 D0 M0) D- M- = S3 D2 M2", ["R10"]),
        ("bid-spoof", "1. S4 D0 (S0 D0 M0) D- = S3 D2 M3", ["R10", "R10"]),
        ("milan", "1. S4 D! (S3 D? M3) D- = S3 D2 M3", []),
        ("milan", "1. S4 D! (S3 D? M?) D- = S3 D2 M3", []),
        ("milan", "1. S4 D! (S3 D? M3) S- = S2 D3 M3", ["G3", "G3"]),
    ],
)
def test_each_ending_and_direction_follows_the_rules(
    rules: str, rounds: str, clauses: list[str]
) -> None:
    assert told(rounds, rules) == [(4, clause) for clause in clauses]


@pytest.mark.parametrize(
    ("rules", "first", "starter"),
    [
        ("milan", "1. S9 D! (S3 D0 M3) S- = S2 D3 M3", "S"),
        ("three-coins", "1. S9 D! (S3 D0 M3) S- = S2 D3 M3", "D"),
        ("milan", "1.< S9 M! (S3 D3 M3) M- = S3 D3 M2", "M"),
        ("milan", "1. S0 (S0 D0 M0) D- M- = S3 D2 M2", "D"),
        ("three-coins", "1. S0 (S0 D0 M0) D- M- = S3 D2 M2", "S"),
        ("milan", "1.< S9 M! (S3 D? M3) D- = S3 D2 M3", "S"),
        ("milan", "1. S9 D! (S3 D? M3) D- = S3 D2 M3", "M"),
    ],
)
def test_only_one_player_may_open_the_next_round_r14(rules: str, first: str, starter: str) -> None:
    for tag in "SDM":
        clauses = [clause for _, clause in told(f"{first}\n2. {tag}max (", rules)]
        assert clauses == (["notation"] if tag == starter else ["notation", "R14"])


def test_the_first_out_of_the_last_game_opens_if_the_rules_say_so_r15() -> None:
    rounds = '[Crap "M"]\n1. Smax (S3 D3 M3) . = S3 D3 M3\n2. Smax (S3 D3 M3) . = S3 D3 M3'
    assert told(rounds, "milan") == [(5, "R15")]
    assert told(rounds, "milan game_starter=lot") == []


def test_who_is_out_neither_speaks_nor_shows_a_hand_r12() -> None:
    head = HEAD.format("milan") + '[Coins "S2 D2 M0"]\n'
    assert faults(head + "1. S1 M2 S! (S2 D2) S- = S1 D2") == [(5, "R12")]
    assert faults(head + "1. S1 D! (S2 D2 M0) D- = S2 D1") == [(5, "R12")]
    assert faults(head + "1. S1 D! (S2 D2) D- = S2 D1 M0") == [(5, "R7")]


def test_who_goes_out_is_listed_and_the_next_opens_r12_r14() -> None:
    head = HEAD.format("milan") + '[Coins "S3 D1 M1"]\n'
    (first,) = rounds_of(head + "1. S1 D! (S3 D1 M1) D- = S3 D0 M1")
    assert (first.out, first.next_starter) == (("D",), "M")


def test_a_wrong_count_neither_hides_nor_causes_another() -> None:
    text = KYIV.replace("= S3 D3 M2", "= S3 D3 M3").replace("= S3 D2 M2", "= S3 D2 M3")
    assert faults(text) == [(7, "R7"), (8, "R7")]
    assert rounds_of(text)[2].coins == {"S": 3, "D": 2, "M": 3}


def test_after_a_round_that_cannot_be_counted_its_own_coins_are_believed() -> None:
    rounds = "1. S9 D! (S3 D0) S- = S2 D3 M3\n2. M8 S! (S2 D3 M3) S- = S1 D3 M3"
    assert told(rounds) == [(4, "R2")]
    assert told(rounds.replace("(S3 D0) S-", "(S3 D0) D-")) == [(4, "R2"), (4, "R11")]
    assert told(rounds.replace("= S2 D3 M3", "= S2 D3")) == [(4, "R2"), (4, "R11"), (5, "R7")]


def test_one_wrong_tag_is_one_fault_of_the_turn_r4() -> None:
    rounds = "1. S1 D2 M3 S4 D5 M! (S3 D3 M3) M- = S3 D3 M2"
    for wrong in ("S2", "M2"):
        assert told(rounds.replace("D2", wrong)) == [(4, "R4")]


def test_a_fault_of_a_round_on_several_lines_is_told_on_its_own_line() -> None:
    assert told("1. S1\nD1\nM!\n(S3 D3 M9)\nM-\n= S3 D3 M3") == [
        (5, "R6"),
        (7, "R2"),
        (9, "R7"),
    ]


def test_a_void_round_has_no_total_and_nobody_is_right_g3() -> None:
    (first,) = played("1. S1 D! (S3 D? M3) D- = S3 D2 M3")
    shown = first.as_json()
    assert (shown["total"], shown["right"], shown["hands"]) == (
        None,
        None,
        {"S": 3, "D": None, "M": 3},
    )


def test_every_kind_of_fault_of_a_word_names_the_same_clause_as_the_engine() -> None:
    shared = {slip.name: slip.clause for slip in Slip if slip.name in Reason.__members__}
    assert shared == {name: Reason[name].clause for name in shared}
    assert {"BID_TOO_LOW", "CALL_NEEDS_BID", "ZERO_FIRST_ONLY", "DIRECTION_RULE"} <= set(shared)


# One fact of a random game is changed.


@dataclass
class Place:
    """A round of a random record, which `faults` puts into it changed."""

    record: GameRecord
    index: int

    @property
    def round(self) -> RoundRecord:
        return self.record.rounds[self.index]

    @property
    def line(self) -> int:
        """Line of the round in the text."""
        return len(self.record.headers) + 2 + self.index

    @property
    def clause(self) -> str:
        """The clause that decides the round."""
        if any(token.sign == "?" for token in self.hands):
            return "G3"
        return {"!": "R7", "=": "R8", "max": "R9", "0": "R10"}[self.round.words[-1].sign]

    @property
    def hands(self) -> tuple[Token, ...]:
        return self.round.hands or ()

    def faults(self, **changes: Any) -> list[tuple[int, str]]:
        """Line and clause of what is wrong with the record when its round is so changed."""
        wrong = replace(self.round, **changes)
        assume(wrong != self.round)
        rounds = list(self.record.rounds)
        rounds[self.index] = wrong
        return faults(write(replace(self.record, rounds=tuple(rounds))))


def changed(
    tokens: tuple[Token, ...] | None, which: int, tag: str | None = None, sign: str | None = None
) -> tuple[Token, ...]:
    """The tokens with one of them changed."""
    listed = list(tokens or ())
    place = which % len(listed)
    old = listed[place]
    listed[place] = Token(old.tag if tag is None else tag, old.sign if sign is None else sign)
    return tuple(listed)


@st.composite
def places(draw: st.DrawFn) -> Place:
    game = game_of(
        draw(st.integers(0, 10_000)), draw(st.integers(2, 6)), draw(st.sampled_from(RULES))
    )
    (record,) = records(text_of(game))
    assume(record.rounds)
    return Place(record, draw(st.integers(0, len(record.rounds) - 1)))


any_token = st.integers(0, 59)
few = settings(max_examples=20)


@few
@given(places(), any_token)
def test_a_wrong_coin_count_is_the_only_fault(place: Place, which: int) -> None:
    found = place.faults(after=changed(place.round.after, which, sign="77"))
    assert found == [(place.line, place.clause)]


@few
@given(places(), st.sampled_from("+-"))
def test_a_change_that_did_not_happen_is_the_only_fault(place: Place, sign: str) -> None:
    wrong = () if place.round.changes else (Token(place.hands[0].tag, sign),)
    assert place.faults(changes=wrong) == [(place.line, place.clause)]


@few
@given(places(), any_token)
def test_a_hand_above_the_coins_is_refused_r2(place: Place, which: int) -> None:
    found = place.faults(hands=changed(place.hands, which, sign="77"))
    # What cannot be counted may leave another result, which stands further up.
    assert (place.line, "R2") in found


@few
@given(places(), any_token, any_token)
def test_a_word_of_somebody_else_is_refused_r4_r14_r15(
    place: Place, which: int, other: int
) -> None:
    tag = place.hands[other % len(place.hands)].tag
    found = place.faults(words=changed(place.round.words, which, tag=tag))
    clauses = {clause for line, clause in found if line == place.line}
    if which % len(place.round.words):
        assert "R4" in clauses
    elif place.index:
        assert "R14" in clauses
    elif place.record.value("Crap"):
        assert "R15" in clauses


@few
@given(places(), any_token)
def test_a_bid_that_does_not_rise_is_refused_r6(place: Place, which: int) -> None:
    words = place.round.words
    later = [n for n, word in enumerate(words) if n and word.sign.isdecimal() and word.sign != "0"]
    assume(later)
    spot = later[which % len(later)]
    found = place.faults(words=changed(words, spot, sign=words[spot - 1].sign))
    assert (place.line, "R6") in found


@few
@given(places(), st.integers(2, 50))
def test_a_wrong_number_is_the_only_fault(place: Place, more: int) -> None:
    assert place.faults(number=place.round.number + more) == [(place.line, "notation")]


@few
@given(places())
def test_a_direction_against_the_rules_is_refused_r4(place: Place) -> None:
    assume(place.round.direction is None)
    bid = place.round.words[0].sign not in SIGNS
    free = bid and len(place.hands) > 2 and "three" not in (place.record.value("Rules") or "")
    # Where it is allowed the second word is out of turn, or the next round opens elsewhere.
    found = place.faults(direction=Direction.COUNTER_CLOCKWISE)
    assert found[:1] == [(place.line, "R4")] or free


@few
@given(places())
def test_a_wrong_result_is_the_only_fault_r13(place: Place) -> None:
    headers = list(place.record.headers)
    right = headers[-1].value
    headers[-1] = Header("Result", place.hands[0].tag if right == "*" else "*")
    text = write(replace(place.record, headers=tuple(headers)))
    assert faults(text) == [(len(headers), "R13")]
