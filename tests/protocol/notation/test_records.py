"""The records of `protocol/vectors`, read and judged; and records with one fact changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from protocol.notation.checking import check
from protocol.notation.faults import FaultKind
from protocol.notation.records import RecordToken, RoundRecord
from protocol.notation.writing import write
from protocol.rules.game import Game
from tests.helpers.vectors import Case, each_case, every_case
from tests.protocol.notation.games import (
    RULES,
    SCHOOL_RULES,
    document_of,
    faults,
    game_of,
    records,
    school_of,
    text_of,
)
from tests.protocol.stories import very_few


@every_case("records", having="faults")
def test_a_record_has_the_faults_of_the_case_and_no_others(case: Case) -> None:
    checked = [check(record) for record in records("\n".join(case["record"]) + "\n")]
    shown = [fault.as_json() for game in checked for fault in game.faults]
    assert [list(fault.values()) for fault in shown] == case["faults"]
    assert all(fault[-1].isprintable() for fault in case["faults"])


@each_case("records", having="games")
def test_a_record_is_recomputed_as_the_case_shows_it(case: Case) -> None:
    found = [document_of(check(record)) for record in records("\n".join(case["record"]) + "\n")]
    for game in found:
        game.pop("errors")
    assert json.loads(json.dumps(found)) == case["games"]


@pytest.mark.parametrize("kind", [kind for kind in FaultKind if "{text" in kind.value])
def test_what_comes_from_the_file_is_escaped(kind: FaultKind) -> None:
    assert "{text!r}" in kind.value


# One fact of a random game is changed


def with_first(tokens: tuple[RecordToken, ...] | None, sign: str) -> tuple[RecordToken, ...]:
    first, *others = tokens or ()
    return (RecordToken(first.tag, sign), *others)


def of_one(each: RoundRecord) -> tuple[RecordToken, ...]:
    return tuple(RecordToken(each.words[0].tag, word.sign) for word in each.words)


CHANGES: dict[str, Callable[[RoundRecord], RoundRecord]] = {
    "a number that is left out": lambda each: replace(each, number=each.number + 2),
    "who is left afterwards": lambda each: replace(each, after=(each.after or ())[1:]),
    "what somebody has": lambda each: replace(each, after=with_first(each.after, "77")),
    "a hand that nobody can hold": lambda each: replace(each, hands=with_first(each.hands, "77")),
    "a hand that is missing": lambda each: replace(each, hands=(each.hands or ())[1:]),
    "words of one player": lambda each: replace(each, words=of_one(each)),
    "no last word": lambda each: replace(each, words=each.words[:-1]),
    "a number that is too high": lambda each: replace(each, words=with_first(each.words, "77")),
    "changes of everybody": lambda each: replace(
        each, changes=tuple(RecordToken(hand.tag, "-") for hand in each.hands or ())
    ),
}
any_game = st.builds(
    game_of, st.integers(0, 10_000), st.integers(2, 6), st.sampled_from(RULES)
) | st.builds(school_of, st.integers(0, 10_000), st.integers(2, 6), st.sampled_from(SCHOOL_RULES))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@very_few
@given(any_game, st.integers(0, 11))
def test_a_fact_that_is_changed_is_told_where_it_stands(
    change: Callable[[RoundRecord], RoundRecord], game: Game, place: int
) -> None:
    (record,) = records(text_of(game))
    assume(record.rounds)
    place %= len(record.rounds)
    wrong = change(record.rounds[place])
    rounds = (*record.rounds[:place], wrong, *record.rounds[place + 1 :])
    text = write(replace(record, rounds=rounds))
    assume(text != text_of(game))
    assert len(record.headers) + 2 + place in [line for line, _ in faults(text)]
