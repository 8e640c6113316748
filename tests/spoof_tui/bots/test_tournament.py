"""Tournaments: fair seats, the same dice again, and how sure a result is."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.rules.options import PRESETS
from spoof_tui.bots.tournament import (
    PLANS,
    Mind,
    SimpleMind,
    play_one,
    seating,
)


def plans(*names: str) -> list[Mind]:
    return [SimpleMind(PLANS[name], random.Random(seat)) for seat, name in enumerate(names)]


@given(st.integers(2, 9), st.integers(0, 999))
def test_everybody_opens_as_often(entries: int, seed: int) -> None:
    places = [seating(entries, seed, number) for number in range(entries * 3)]
    openers = Counter(place.seats[place.opener] for place in places)
    assert set(openers.values()) == {3}
    assert all(sorted(place.seats) == list(range(entries)) for place in places)


@pytest.mark.parametrize("rules", PRESETS)
def test_the_record_of_a_game_keeps_the_rules(rules: str) -> None:
    names = ["random", "engine:./a b.py", "random-2"]
    seated = plans("random", "value", "random")
    result = play_one(seated, PRESETS[rules], 3, 4, names=names, date="2026-11-21")
    [game] = [check(record) for record in read([result.record.encode()])]
    assert game.faults == ()
    assert len(game.rounds) == result.rounds
