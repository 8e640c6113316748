"""The judge of the guessing game: every clause, and one slip is told where it stands."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from protocol.errors import Reason
from protocol.notation import Header, RoundRecord, Token, check, record_of, write
from protocol.notation.guessing import CheckedGuessingRound
from protocol.rules.game import Game
from protocol.rules.words import Bid, Direction
from protocol.table.statements import Speak
from tests.helpers.tables import MemoryTable
from tests.protocol.notation.games import (
    NAMES,
    SCHOOL,
    SCHOOL_RULES,
    faults,
    only,
    records,
    school_of,
    text_of,
)
from tests.protocol.notation.test_bidding import Place, any_token, changed, few
from tests.protocol.stories import refused

HEAD = '[Rules "hollywood {}"]\n[Seats "S:a D:b M:c"]\n[Result "*"]\n'
"""Three lines before the first round."""


def told(rounds: str, options: str = "") -> list[str]:
    """Clauses of the faults of a school of S, D and M whose rounds begin on line 4."""
    found = faults(HEAD.format(options) + rounds)
    assert {line for line, _ in found} <= {4}
    return [clause for _, clause in found]


def test_a_school_by_hand_is_right() -> None:
    assert faults(SCHOOL) == []


def test_a_round_is_recomputed_as_the_notation_shows_it() -> None:
    game = only(SCHOOL).as_json()
    rounds = game.pop("rounds")
    assert game == {
        "rules": "hollywood",
        "seats": ["S", "D", "M"],
        "payer": "M",
        "errors": [],
    }
    assert isinstance(rounds, list)
    assert rounds[0] == {
        "round": 1,
        "starter": "S",
        "words": [
            *(["S", 4], ["D", 4, "taken"], ["D", 5]),
            *(["M", 4, "taken"], ["M", 5, "taken"], ["M", 4, "taken"], ["M", 0]),
        ],
        "hands": {"S": 1, "D": 2, "M": 1},
        "total": 4,
        "left": ["S"],
        "fined": ["M", "M"],
        "in": ["D", "M"],
        "next_starter": "D",
    }
    assert (rounds[2]["left"], rounds[2]["in"], rounds[2]["next_starter"]) == (["D"], ["M"], None)


def test_of_an_unfinished_school_nobody_pays_yet() -> None:
    assert only(HEAD.format("")).as_json()["payer"] is None


@pytest.mark.parametrize(
    ("right", "wrong", "line", "clauses"),
    [
        ("D4? D5", "D4 D5", 7, ["H6"]),
        ("D4? D5", "D6? D5", 7, ["H8"]),
        ("D4? D5", "D5", 7, []),
        ("D4? D5 ", "D4 ", 7, ["H6", "H8"]),
        ("D4? D5", "D4? D10", 7, ["H6", "H8", "H7"]),
        ("D4? D5", "D4? D!", 7, ["H6", "H8"]),
        ("D4? D5", "D4? D99999999999", 7, ["notation", "H8"]),
        ("D4? D5", "D4? X5", 7, ["notation"]),
        ("D4? D5", "D4? S5", 7, ["H5"]),
        ("D4? D5", "D4? M5", 7, ["H5"]),
        ("M5? M4? M0", "M5? M4? M4", 7, ["H8", "H13"]),
        ("M5? M4? M0", "M5? M4? M4? M0", 7, ["H8"]),
        ("M5? M4? M0", "M5? M0", 7, ["H13"]),
        ("M5? M4? M0", "M5? M4? M2", 7, ["H13"]),
        ("M5? M4? M0 ", "M5? M4? ", 7, ["H5"]),
        (" M0 (", " M0 S7 (", 7, ["H5"]),
        ("1. S4", "1.> S4", 7, ["H5"]),
        ("1. S4", "1.< S4", 7, ["H5"]),
        ("D2 M1)", "D2 M4)", 7, ["H4", "H11", "H11"]),
        ("D2 M1)", "D2)", 7, ["H4"]),
        ("D2 M1)", "D2 M1 M1)", 7, ["notation"]),
        ("D2 M1)", "D2 M1 X1)", 7, ["notation"]),
        ("D2 M1)", "D2 Mx)", 7, ["notation"]),
        ("S* M$", "M$", 7, ["H10"]),
        ("S* M$", "D* M$", 7, ["H10"]),
        ("S* M$", "S* D* M$", 7, ["H10"]),
        ("S* M$", "S* S* M$", 7, ["notation"]),
        ("S* M$", "S* X$ M$", 7, ["notation"]),
        ("S* M$", "S* M- M$", 7, ["notation"]),
        ("M$ M$", "M$", 7, ["H13"]),
        ("M$ M$", "M$ M$ M$", 7, ["H13"]),
        ("M$ M$", "M$ M$ D$", 7, ["H13"]),
        ("M$ M$ = D M", "M$ M$ = D", 7, ["H10"]),
        ("M$ M$ = D M", "M$ M$ = S D M", 7, ["H10"]),
        ("M$ M$ = D M", "M$ M$ = D M2", 7, ["notation"]),
        ("M$ M$ = D M", "M$ M$ = D M X", 7, ["notation"]),
        ("M$ M$ = D M", "M$ M$ =", 7, ["H10"]),
        ("2. D4 M2", "2. M2 D4", 8, ["H11"]),
        ("2. D4 M2", "2. M4 M2", 8, ["H11"]),
        ("2. D4 M2", "2. S4 M2", 8, ["H10"]),
        ("2. D4 M2", "2. D4 D2", 8, ["H5"]),
        ("(D0 M0)", "(D0 M0 S0)", 8, ["H10"]),
        ("(D0 M0) D$", "(D0 M0) .", 8, ["H7"]),
        ("D$ = D M", "M* D$ = D M", 8, ["H11"]),
        ("D$ = D M", "D$ = D", 8, ["H11"]),
        ("D* = M", "D* = D", 9, ["H10"]),
        ('"M"]', '"D"]', 5, ["H12"]),
        ('"M"]', '"*"]', 5, ["H12"]),
        ('"M"]', '"X"]', 5, ["notation"]),
        ('"M"]', '"M"]\n[Coins "S3 D3 M3"]', 6, ["H4"]),
        ("\n2. ", "\n3. ", 8, ["notation"]),
    ],
)
def test_one_wrong_thing_is_told_with_its_line_and_clause(
    right: str, wrong: str, line: int, clauses: list[str]
) -> None:
    assert right in SCHOOL
    found = faults(SCHOOL.replace(right, wrong, 1))
    assert [clause for at, clause in found if at == line] == clauses


@pytest.mark.parametrize(
    ("rounds", "options", "clauses"),
    [
        ("1. S4 D5 M6 (S0 D0 M0) . = S D M", "", []),
        ("1. M4 S5 D6 (S2 D2 M1) S* = D M", "", []),
        ("1. S2 D8 M6 (S3 D1 M0) S$ = S D M", "", ["H7"]),
        ("1. S2 D9 M6 (S3 D2 M0) S$ D$ = S D M", "", []),
        ("1. S2 D9 M6 (S3 D2 M0) S$ = S D M", "", ["H7"]),
        ("1. S2 D4? D9? D2? D9 M6 (S3 D2 M0) S$ D$ = S D M", "", ["H8", "H8", "H13"]),
        ("1. S2 D9 M6 (S3 D2 M0) S$ D$ = S D M", "impossible=allow", ["H7"]),
        ("1. S2 D9 M6 (S3 D2 M0) . = S D M", "impossible=allow", []),
        ("1. S2 D9 M6 (S3 D3 M0) S$ = S D", "impossible=refuse", ["H10"]),
        ("1. S2 D9 M6 (S3 D3 M0) S$ M* = S D", "impossible=refuse", []),
        ("1. S2 D9 M8 (S3 D3 M0) . = S D M", "impossible=refuse", ["H7"]),
        ("1. S2 D9 M8 (S2 D3 M2) . = S D M", "impossible=refuse", []),
        ("1. S4 D4? D4? D4? D5 M6 (S0 D2 M0) D$ = S D M", "", []),
        ("1. S4 D4? D4? D4? D5 M6 (S0 D2 M0) . = S D M", "", ["H8"]),
        ("1. S4 D4? D4? D5 M6 (S0 D2 M0) D$ = S D M", "", ["H13"]),
        ("1. S4 D5 M6 (S0 D? M0) D$ = S D M", "", []),
        ("1. S4 D4? D4? D4? D5 M6 (S0 D2 M?) M$ = S D M", "", []),
        ("1. S4 D5 M6 (S0 D? M0) . = S D M", "", ["G3"]),
        ("1. S4 D5 M6 (S0 D? M0) S$ = S D M", "", ["G3"]),
        ("1. S4 D5 M6 (S2 D? M2) S* D$ = D M", "", ["G3", "G3"]),
        ("1. S4 D5 M6 (S0 D? M?) M$ = S D M", "", []),
        ("1. S4 D5 M6 (S0 D? M?) . = S D M", "", ["G3"]),
        ("1. S4 D4 M6 (S2 D2 M0) S* = D M", "", ["H6"]),
        ("1. S4 M5 D6 (S0 D0 M0) . = S D M", "", ["H5"]),
        ("1. S4 M5 (S0 D0 M0) . = S D M", "", ["H5"]),
    ],
)
def test_each_round_follows_the_rules(rounds: str, options: str, clauses: list[str]) -> None:
    found = told(rounds, options)
    assert Counter(found) == Counter(clauses)


def test_who_is_out_of_turn_where_a_call_is_missing_is_one_fault_and_nothing_is_counted() -> None:
    (first,) = only(HEAD.format("") + "1. S4 M5 (S0 D0 M0) S* = D M").rounds
    assert first.outcome is None
    assert first.as_json()["in"] == ["D", "M"]


def test_two_calls_of_one_number_make_the_first_one_right_h6() -> None:
    (first,) = only(HEAD.format("") + "1. S4 D4 M6 (S2 D2 M0) S* = D M").rounds
    assert first.as_json()["left"] == ["S"]


def test_even_two_players_who_call_the_same_leave_somebody_to_pay_h12() -> None:
    text = '[Rules "hollywood"]\n[Seats "S:a D:b"]\n[Result "D"]\n1. S4 D4 (S2 D2) S* = D'
    assert faults(text) == [(4, "H6")]


def test_the_first_call_moves_on_from_who_called_first_h11() -> None:
    first = "1. D4 M5 S6 (S0 D0 M0) . = S D M\n"
    for tag, rest in (("S", "D5 M6"), ("D", "M5 S6"), ("M", "S5 D6")):
        text = HEAD.format("") + first + f"2. {tag}4 {rest} (S0 D0 M0) . = S D M"
        assert faults(text) == ([] if tag == "M" else [(5, "H11")])


def test_after_a_toss_anybody_may_call_first_h11() -> None:
    first = "1. D4 M5 S6 (S0 D0 M0) . = S D M\n"
    for tag, rest in (("S", "D5 M6"), ("D", "M5 S6"), ("M", "S5 D6")):
        text = HEAD.format("first_caller=toss") + first
        assert faults(text + f"2. {tag}4 {rest} (S0 D0 M0) . = S D M") == []
    (checked,) = only(HEAD.format("first_caller=toss") + first).rounds
    assert checked.as_json()["next_starter"] is None


def test_after_a_voided_round_the_next_after_the_owner_calls_first_even_with_a_toss_g3() -> None:
    text = HEAD.format("first_caller=toss") + "1. S4 D5 M6 (S0 D? M0) D$ = S D M\n"
    assert faults(text + "2. M4 S5 D6 (S0 D0 M0) . = S D M") == []
    assert faults(text + "2. S4 D5 M6 (S0 D0 M0) . = S D M") == [(5, "H11")]


def test_a_round_after_the_last_one_left_is_told_h12() -> None:
    assert faults(SCHOOL + "4. M1 (M1) . = M\n") == [(10, "H12")]


def test_a_school_that_was_lost_is_believed_from_the_record_h10() -> None:
    text = HEAD.format("") + "1. S4 D5 (S0 D0 M0) S* = D M\n2. D3 M1 (D0 M0) . = D M"
    assert faults(text) == [(4, "H5")]


def test_where_nothing_is_counted_the_changes_and_the_school_are_held_together_h10() -> None:
    text = HEAD.format("") + "1. S4 D5 M6 (S0 D0) S* = S D M"
    assert faults(text) == [(4, "H4"), (4, "H10")]


def test_a_fault_of_a_round_on_several_lines_is_told_on_its_own_line() -> None:
    text = HEAD.format("") + "1. S4\nD5\nM10\n(S0 D0 M0)\nM$\n= S D"
    assert faults(text) == [(6, "H6"), (9, "H11")]


def test_what_the_table_takes_and_fines_where_it_is_refused_is_right_in_its_record_h7() -> None:
    table = MemoryTable(3, rules="hollywood impossible=refuse")
    table.ready()
    table.choose(0, 0, 0)
    first = table.speaker()
    with refused(Reason.CALL_IMPOSSIBLE):
        first.guest.speak(Bid(9))
    # Another program does not ask its own hand.
    table.act(first, first.guest.state(Speak(Bid(9), None)))
    table.say(Bid(1), Bid(2))
    game = table.host.table.game
    assert game is not None
    (played,) = game.past
    assert [game.players[seat].key for seat in played.outcome.fined] == [first.guest.key]
    assert faults(record_of(game, event="", date="2026-11-21")) == []


def test_a_comment_and_lines_do_not_matter() -> None:
    assert faults(SCHOOL.replace("D4? D5", "D4?\n{hm} D5")) == []


# Writing

any_school = st.builds(
    school_of,
    st.integers(0, 10_000),
    st.integers(2, 9),
    st.sampled_from(SCHOOL_RULES),
    st.permutations(NAMES),
)


@settings(max_examples=30)
@given(any_school)
def test_what_the_program_wrote_is_read_without_fault_and_written_the_same(game: Game) -> None:
    text = text_of(game)
    (record,) = records(text)
    assert check(record).faults == ()
    assert write(record) == text


@settings(max_examples=30)
@given(any_school)
def test_a_record_tells_who_left_who_was_fined_and_who_pays(game: Game) -> None:
    checked = only(text_of(game))
    assert checked.winner == (None if game.winner is None else checked.seats[game.winner])
    for found, played in zip(checked.rounds, game.past, strict=True):
        assert isinstance(found, CheckedGuessingRound)
        assert found.said == played.words
        assert found.fists.open == played.hands
        shown = found.as_json()
        assert shown["left"] == [checked.seats[seat] for seat in played.outcome.went_out]
        assert Counter(found.outcome.fined if found.outcome else ()) == Counter(
            played.outcome.fined
        )


def test_the_school_by_hand_is_written_as_it_was_read() -> None:
    (record,) = records(SCHOOL)
    assert write(record) == SCHOOL


def test_a_round_is_written_as_the_notation_shows_it() -> None:
    texts = "".join(text_of(school_of(seed)) for seed in range(40))
    for mark in ("? ", "*", "$ D$", "$ ="):
        assert mark in texts
    assert " . = S D So\n" in texts and "S? " in texts


# One fact of a random school is changed.


@st.composite
def places(draw: st.DrawFn, wanted: Callable[[Place], object] = lambda place: True) -> Place:
    """A round of a random school, the first that is `wanted`."""
    players, rules = draw(st.integers(2, 6)), draw(st.sampled_from(SCHOOL_RULES[:2]))
    for seed in count(draw(st.integers(0, 50))):
        found = [place for place in places_of(seed, players, rules) if wanted(place)]
        if found:
            return draw(st.sampled_from(found))
    raise AssertionError


@functools.cache
def places_of(seed: int, players: int, rules: str) -> list[Place]:
    """Every round of a school."""
    (record,) = records(text_of(school_of(seed, players, rules)))
    return [Place(record, index) for index in range(len(record.rounds))]


def attempts(place: Place) -> list[int]:
    """Where the attempts stand among the calls."""
    return [spot for spot, word in enumerate(place.round.words) if word.sign.endswith("?")]


def standing(place: Place) -> list[int]:
    """Where the calls that stand are."""
    return [spot for spot in range(len(place.round.words)) if spot not in attempts(place)]


def gone(place: Place) -> set[str]:
    """Who left in the round."""
    return {token.tag for token in place.hands} - {token.tag for token in place.round.after or ()}


def clause_of(place: Place) -> str:
    """The clause that decides the round."""
    if any(token.sign == "?" for token in place.hands):
        return "G3"
    return "H10" if any(token.sign == "*" for token in place.round.changes or ()) else "H11"


def without(tokens: tuple[Token, ...] | None, which: int) -> tuple[Token, ...]:
    listed = list(tokens or ())
    del listed[which % len(listed)]
    return tuple(listed)


@few
@given(places(), any_token)
def test_a_school_with_one_too_few_is_the_only_fault_h10_h11(place: Place, which: int) -> None:
    assert place.faults(after=without(place.round.after, which)) == [(place.line, clause_of(place))]


@few
@given(places(gone))
def test_a_school_with_one_too_many_is_the_only_fault_h10(place: Place) -> None:
    after = (*(place.round.after or ()), Token(min(gone(place)), ""))
    assert place.faults(after=after) == [(place.line, clause_of(place))]


def may_be_of_house(place: Place, tag: str) -> bool:
    """Whether a player called once, and the lowest number that was free."""
    calls = [token.sign for token in place.round.words if token.tag == tag]
    before = [token.sign for token in place.round.words]
    before = before[: before.index(calls[0])]
    return len(calls) == 1 and all(str(lower) in before for lower in range(int(calls[0])))


@few
@given(places(lambda place: place.round.changes), any_token)
def test_a_change_that_is_left_out_is_the_only_fault_h13(place: Place, which: int) -> None:
    changes = place.round.changes or ()
    left_out = changes[which % len(changes)]
    # Of the lowest free number nobody can tell whether the clock called it (H13).
    assume(left_out.sign == "*" or not may_be_of_house(place, left_out.tag))
    (found,) = place.faults(changes=without(changes, which))
    if changes[which % len(changes)].sign == "*":
        assert found == (place.line, "H10")
    else:
        assert found[0] == place.line and found[1] in ("H7", "H8", "H13", "G3")


@few
@given(places(), any_token, st.sampled_from("*$"))
def test_a_change_that_did_not_happen_is_the_only_fault_h13(
    place: Place, which: int, sign: str
) -> None:
    more = Token(place.hands[which % len(place.hands)].tag, sign)
    changes = place.round.changes or ()
    assume(sign == "$" or more not in changes)
    (found,) = place.faults(changes=(*changes, more))
    assert found[0] == place.line
    assert found[1] == clause_of(place) if sign == "*" else found[1][0] in "HG"


@few
@given(places(), any_token)
def test_a_hand_above_three_is_refused_h4(place: Place, which: int) -> None:
    found = place.faults(hands=changed(place.hands, which, sign="4"))
    assert (place.line, "H4") in found


@few
@given(places(attempts), any_token)
def test_a_mark_that_is_left_out_is_the_only_fault_h6(place: Place, which: int) -> None:
    words, tried = place.round.words, attempts(place)
    spot = tried[which % len(tried)]
    found = place.faults(words=changed(words, spot, sign=words[spot].sign[:-1]))
    assert found == [(place.line, "H6")]


@few
@given(places(), any_token)
def test_a_mark_at_a_number_that_was_free_is_the_only_fault_h8(place: Place, which: int) -> None:
    words, stands = place.round.words, standing(place)
    spot = stands[which % len(stands)]
    found = place.faults(words=changed(words, spot, sign=words[spot].sign + "?"))
    assert found == [(place.line, "H8")]


@few
@given(places(), any_token)
def test_a_number_above_everything_is_refused_h6(place: Place, which: int) -> None:
    sign = str(3 * len(place.hands) + 1)
    found = place.faults(words=changed(place.round.words, which, sign=sign))
    assert (place.line, "H6") in found


@few
@given(places(), any_token)
def test_a_number_that_is_taken_is_refused_h6_h8(place: Place, which: int) -> None:
    words, stands = place.round.words, standing(place)[1:]
    spot = stands[which % len(stands)]
    found = place.faults(words=changed(words, spot, sign=words[0].sign))
    assert {clause for line, clause in found if line == place.line} & {"H6", "H8"}


@few
@given(places(), any_token, any_token)
def test_a_call_of_somebody_else_is_refused_h5_h11(place: Place, which: int, other: int) -> None:
    words, spot = place.round.words, which % len(place.round.words)
    tag = place.hands[other % len(place.hands)].tag
    found = place.faults(words=changed(words, spot, tag=tag))
    clauses = {clause for line, clause in found if line == place.line}
    if spot:
        assert clauses & {"H5", "H6", "H8"}
    elif place.index:
        assert "H11" in clauses


@few
@given(places(), any_token)
def test_a_call_that_is_left_out_is_refused_h5(place: Place, which: int) -> None:
    words, stands = place.round.words, standing(place)[1:]
    found = place.faults(words=without(words, stands[which % len(stands)]))
    assert {clause for line, clause in found if line == place.line} & {"H5", "H6", "H8"}


@few
@given(places(), st.sampled_from(Direction))
def test_a_direction_is_the_only_fault_h5(place: Place, direction: Direction) -> None:
    assert place.faults(direction=direction) == [(place.line, "H5")]


@few
@given(places(), st.integers(2, 50))
def test_a_wrong_number_is_the_only_fault(place: Place, more: int) -> None:
    assert place.faults(number=place.round.number + more) == [(place.line, "notation")]


@few
@given(places())
def test_a_wrong_result_is_the_only_fault_h12(place: Place) -> None:
    headers = list(place.record.headers)
    right = headers[-1].value
    headers[-1] = Header("Result", place.hands[0].tag if right == "*" else "*")
    text = write(replace(place.record, headers=tuple(headers)))
    assert faults(text) == [(len(headers), "H12")]


SCRAPS = st.sampled_from(
    [
        *("S4", "D4", "D4?", "M4?", "M0", "D99", "X1", "9", "S$", "M*", "D?"),
        *("(", ")", ".", "=", "S", "D", "M"),
    ]
)


@settings(max_examples=30)
@given(st.lists(SCRAPS))
def test_scraps_of_schools_never_stop_the_judge(scraps: list[str]) -> None:
    text = HEAD.format("") + "1. " + " ".join(scraps) + "\n2. S1 D2 M3 (S0 D0 M0) . = S D M\n"
    for fault in only(text).faults:
        assert fault.message.isprintable()


def test_a_flood_of_attempts_is_not_kept() -> None:
    words = tuple(Token("S", "1?") for _ in range(900))
    rounds = (RoundRecord(1, words, (), (), ()),)
    (record,) = records(HEAD.format(""))
    (first,) = check(replace(record, rounds=rounds)).rounds
    assert first.said is not None and len(first.said.words) < 5
