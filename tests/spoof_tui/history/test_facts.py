"""Facts that one game shows about one of its players."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.history.facts import SOON, Kind, facts_of, takers
from tests.helpers.histories import played_game
from tests.spoof_tui.history.played import rounds

WORKED = json.loads(Path(__file__).with_name("worked.json").read_text("utf-8"))
SEATS = "SDM"


@pytest.mark.parametrize("worked", WORKED, ids=[each["says"] for each in WORKED])
def test_rounds_that_were_worked_by_hand(worked: Mapping[str, Any]) -> None:
    played = rounds(*worked["lines"], rules=worked.get("rules", "milan"))
    for seat, expected in worked.get("facts", {}).items():
        told: dict[str, dict[str, int]] = {kind: {} for kind in expected}
        for fact, n in facts_of(played, SEATS.index(seat)).items():
            told.setdefault(fact.kind.name, {})[f"{fact.first} {fact.second}"] = n
        assert {kind: told[kind] for kind in expected} == expected, seat
    for seat, expected in worked.get("takers", {}).items():
        found = [[SEATS[other], won] for other, won in takers(played[0], SEATS.index(seat))]
        assert found == expected, seat


@given(st.integers(0, 40), st.integers(0, 4))
def test_every_round_with_an_open_hand_is_counted_once(number: int, seat: int) -> None:
    past = played_game(number).past
    me = seat % len(past[0].words.coins)
    found = facts_of(past, me)
    held = sum(me in played.hands for played in past)
    assert sum(n for fact, n in found.items() if fact.kind is Kind.ROUND) == held
    said = [word for played in past for who, word in played.words.words if who == me]
    told = sum(found[f] for f in found if f.kind in (Kind.BID, Kind.ENDING, Kind.GUESS))
    assert told <= len(said)
    assert all(0 <= fact.first <= SOON for fact in found if fact.kind is Kind.STEADY)
