"""The stakes in a record: pot, chips and who pays the round, stated and recomputed (S1, S2)."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation import check, game_records
from protocol.notation.records import GameRecord
from protocol.table.statements import Measure
from tests.protocol.notation.games import only
from tests.protocol.stories import Story, very_few

STAKES = ("pot", "drinks", "none")
PRESETS = ("milan", "bid-spoof", "three-coins")

WON = """\
[Rules "{rules}"]
[Seats "S:a D:b M:c"]
[Coins "S1 D1 M1"]
{stated}
[Result "S"]

1. S1 D2 M! (S1 D0 M0) D- = S1 D0 M1
2. M1 S! (S0 M0) M- = S1 M0
"""
"""Everybody owns one coin; D is the first out, and S wins. What is stated is on line 4."""


def won(rules: str, stated: str = "") -> list[tuple[int, str]]:
    """The lines and clauses of the faults of a record that states this."""
    return [
        (each.line, each.clause) for each in only(WON.format(rules=rules, stated=stated)).faults
    ]


def told(rules: str, stated: str = "") -> dict[str, object]:
    """What is recomputed of the stakes."""
    found = only(WON.format(rules=rules, stated=stated)).as_json()
    return {name: found[name] for name in ("pot", "chips", "paid") if name in found}


def of(story: Story) -> tuple[GameRecord, ...]:
    return game_records(story.game, event="", date="2026-11-22")


# Recomputed


def test_the_winner_takes_the_pot_in_a_record_too_s1() -> None:
    assert told("milan") == {"pot": 3, "chips": {"S": 2, "D": -1, "M": -1}}


def test_the_first_one_out_pays_the_round_in_a_record_too_s2() -> None:
    assert told("milan stake=drinks") == {"paid": "D"}


@pytest.mark.parametrize("rules", ["milan stake=none", "three-coins", "bid-spoof"])
def test_nothing_is_told_where_nothing_is_kept_s3(rules: str) -> None:
    assert told(rules) == {}


def test_nobody_has_chips_before_the_game_is_won() -> None:
    found = only('[Rules "milan"]\n[Seats "S:a D:b"]\n[Result "*"]\n').as_json()
    assert (found["pot"], found["chips"]) == (2, None)


# Stated


@pytest.mark.parametrize(
    ("rules", "stated"),
    [
        ("milan", ""),
        ("milan", '[Chips "S+2 D-1 M-1"]'),
        ("milan", '[Chips "M-1 D-1 S+2"]'),
        ("milan", '[Pot "4"] [Chips "S+3 D-1 M-1"]'),
        ("milan stake=drinks", '[Paid "D"]'),
        ("milan stake=drinks", '[Paid "*"]'),
        ("milan stake=none", '[Chips "what you like"] [Paid "you"] [Pot "-"]'),
    ],
)
def test_a_record_may_state_its_stakes(rules: str, stated: str) -> None:
    assert won(rules, stated) == []


@pytest.mark.parametrize(
    ("rules", "stated", "clause"),
    [
        ("milan", '[Chips "S+1 D+0 M-1"]', "S1"),
        ("milan", '[Chips "S-1 D+2 M-1"]', "S1"),
        ("milan", '[Chips "S+2 D-1"]', "notation"),
        ("milan", '[Chips "S+2 D-1 M-1 X+0"]', "notation"),
        ("milan", '[Chips "S2 D-1 M-1"]', "notation"),
        ("milan", '[Chips "S+2 S-1 M-1"]', "notation"),
        ("milan", '[Pot "2"]', "notation"),
        ("milan", '[Pot "10"]', "notation"),
        ("milan", '[Pot "full"]', "notation"),
        ("milan stake=drinks", '[Paid "M"]', "S2"),
        ("milan stake=drinks", '[Paid "X"]', "notation"),
    ],
)
def test_wrong_stakes_are_a_fault_with_its_clause(rules: str, stated: str, clause: str) -> None:
    assert won(rules, stated) == [(4, clause)]


def test_no_chips_are_won_before_the_end_s1() -> None:
    text = '[Rules "milan"]\n[Seats "S:a D:b"]\n[Chips "S+1 D-1"]\n[Result "*"]\n'
    assert [each.clause for each in only(text).faults] == ["S1"]


def test_who_pays_is_somebody_of_a_record_that_begins_with_the_game_s2() -> None:
    (record,) = of(dealt("milan stake=drinks").copy().play_on(11))
    headers = tuple(replace(each, value="*") if each.name == "Paid" else each
                    for each in record.headers)  # fmt: skip
    faults = check(replace(record, headers=headers)).faults
    assert [each.clause for each in faults] == ["S2"]


# Written, and in agreement with the log


@functools.cache
def dealt(rules: str) -> Story:
    return Story(4, rules).start(0, 1, 2, 3).toss(0, 1, 2, 3)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("stake", STAKES)
def test_log_and_record_of_a_game_agree_on_its_stakes(preset: str, stake: str) -> None:
    story = dealt(f"{preset} stake={stake}").copy().play_on(11)
    (record,) = of(story)
    checked, stakes = check(record), story.table.stakes
    found, tags = checked.as_json(), checked.seats
    keys = [player.key for player in story.game.players]
    chips = {tag: stakes.up(key) for tag, key in zip(tags, keys, strict=True)}
    payers = [tag for tag, key in zip(tags, keys, strict=True) if stakes.rounds(key)]
    assert checked.faults == ()
    assert found.get("chips", dict.fromkeys(tags, 0)) == chips
    assert [found["paid"]] == payers if stake == "drinks" else payers == []


@pytest.mark.parametrize(("rules", "names"), [
    ("milan", ["Chips"]), ("milan stake=drinks", ["Paid"]), ("milan stake=none", []),
    ("hollywood", []),
])  # fmt: skip
def test_a_record_states_what_the_game_was_played_for(rules: str, names: list[str]) -> None:
    (record,) = of(dealt(rules).copy().play_on(11))
    found = [each.name for each in record.headers if each.name in ("Chips", "Pot", "Paid")]
    assert found == names


def test_after_a_removal_the_record_says_how_large_the_pot_is_s1_g5() -> None:
    story = dealt("milan").copy()
    while not story.game.past:
        story.play_on(5, steps=1)
    story.decide(Measure.REMOVE, 1).play_on(5)
    *_before, last = of(story)
    winner = story.game.winner
    assert winner is not None and last.value("Pot") == "4"
    chips = check(last).as_json()["chips"]
    assert isinstance(chips, dict) and sorted(chips.values()) == [-1, -1, 3]
    assert story.table.stakes.up(story.game.players[winner].key) == 3


@very_few
@given(st.integers(0, 10_000), st.sampled_from(PRESETS), st.integers(0, 3), st.integers(0, 6))
def test_a_removal_leaves_the_stakes_of_every_part_without_fault(
    seed: int, preset: str, gone: int, rounds: int
) -> None:
    story = dealt(f"{preset} stake=drinks").copy()
    while len(story.game.past) < rounds and story.game.winner is None:
        story.play_on(seed, steps=1)
    if story.game.winner is None:
        story.decide(Measure.REMOVE, gone).play_on(seed)
    checked = [check(record) for record in of(story)]
    assert [each.faults for each in checked] == [()] * len(checked)
    payers = [each.as_json()["paid"] for each in checked]
    paid = story.table.stakes.paid
    assert len([payer for payer in payers if payer]) == len(paid) <= 1
