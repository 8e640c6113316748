"""Tournaments: fair seats, the same dice again, and how sure a result is."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation import check, read
from protocol.rules.options import PRESETS, Rules
from spoof_tui.bots.arena import Mind
from spoof_tui.bots.simple import PLANS, SimpleMind
from spoof_tui.bots.tournament import (
    Result,
    Tally,
    dice,
    numbered,
    play_one,
    seating,
    share_of,
)


def plans(*names: str) -> list[Mind]:
    return [SimpleMind(PLANS[name], random.Random(seat)) for seat, name in enumerate(names)]


def tally(won: list[int | None], players: list[str], rules: str = "milan") -> Tally:
    counted = Tally(players, Rules.parse(rules))
    for number, entry in enumerate(won):
        counted.add(Result(number, entry, 5, ""))
    return counted


@given(st.integers(2, 9), st.integers(0, 999))
def test_everybody_opens_as_often(entries: int, seed: int) -> None:
    places = [seating(entries, seed, number) for number in range(entries * 3)]
    openers = Counter(place.seats[place.opener] for place in places)
    assert set(openers.values()) == {3}
    assert all(sorted(place.seats) == list(range(entries)) for place in places)


def test_everybody_has_every_seat_and_every_neighbour() -> None:
    places = [seating(3, 1, number) for number in range(90)]
    assert {place.seats.index(0) for place in places} == {0, 1, 2}
    after = {place.seats[(place.seats.index(0) + 1) % 3] for place in places}
    assert after == {1, 2}


def test_the_dice_of_a_game_depend_on_the_seed_and_its_number_only() -> None:
    assert dice(5, 7).random() == dice(5, 7).random()
    assert len({dice(seed, number).random() for seed in (1, 2) for number in (1, 2)}) == 4


@pytest.mark.parametrize("rules", PRESETS)
def test_the_record_of_a_game_keeps_the_rules(rules: str) -> None:
    names = ["random", "engine:./a b.py", "random-2"]
    seated = plans("random", "value", "random")
    result = play_one(seated, PRESETS[rules], 3, 4, names=names, date="2026-11-21")
    [game] = [check(record) for record in read([result.record.encode()])]
    assert game.faults == ()
    assert len(game.rounds) == result.rounds


def test_without_names_nothing_is_recorded() -> None:
    assert play_one(plans("random", "random"), PRESETS["milan"], 1, 0).record == ""


def test_a_win_is_the_entrys_wherever_it_sits() -> None:
    seated = plans("value", "random", "random")
    won = Counter(play_one(seated, PRESETS["milan"], 1, number).entry for number in range(60))
    assert won[0] > won[1] + won[2]


def test_equal_players_are_one_row_with_the_rate_of_each() -> None:
    best, other = tally([0, 0, 1, 2], ["hard", "random", "random"]).rows
    assert (best.player, best.seats, best.count, best.rate) == ("hard", 1, 2, 0.5)
    assert (other.player, other.seats, other.count, other.rate) == ("random", 2, 2, 0.25)
    assert other.error == pytest.approx(best.error / 2)


def test_who_pays_least_is_the_best_in_the_guessing_game() -> None:
    counted = tally([0, 0, 0, 1], ["small", "hard"], "hollywood")
    assert [row.player for row in counted.rows] == ["hard", "small"]
    assert counted.as_json()["players"] == [
        {"player": "hard", "seats": 1, "paid": 1, "rate": 0.25, "error": counted.rows[0].error},
        {"player": "small", "seats": 1, "paid": 3, "rate": 0.75, "error": counted.rows[1].error},
    ]


def test_undecided_games_count_for_nobody() -> None:
    counted = tally([0, None, 1, None], ["a", "b"])
    assert counted.undecided == 2 and counted.games == 4
    assert [row.rate for row in counted.rows] == [0.5, 0.5]
    assert tally([None], ["a", "b"]).rows[0].rate == 0.0


@given(st.integers(0, 500), st.integers(1, 500))
def test_a_share_is_never_taken_for_certain(count: int, more: int) -> None:
    part, error = share_of(count, count + more)
    assert 0.0 <= part < 1.0
    assert 0.0 < error < 0.3


def test_the_error_is_the_binomial_one_with_many_games() -> None:
    assert share_of(5000, 10000)[1] == pytest.approx(0.005, rel=0.01)


def test_equal_names_are_numbered() -> None:
    assert numbered(["a", "b", "a", "a"]) == ["a", "b", "a-2", "a-3"]
