"""What is played for, in words: chips, the pot, rounds paid, on every screen and in `verify`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from protocol.rules.stakes import Stakes
from protocol.rules.words import Bid
from protocol.views import TableView
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording.names import seat_names
from spoof_tui.ui.wording.stakes import own, result, score, signed, standing
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, catch_up, seen, step


@cache
def over(rules: str = "milan") -> MemoryTable:
    return at("over", rules=rules)


def view(rules: str = "milan", client: int = 0) -> TableView:
    return over(rules).clients[client].view


def scene(rules: str = "milan", client: int = 0) -> Scene:
    told = seen(over(rules).clients[client])
    catch_up(told)
    return told


@pytest.mark.parametrize(("chips", "shown"), [(3, "+3"), (-2, "−2"), (0, "0")])
def test_chips_have_their_sign(chips: int, shown: str) -> None:
    assert signed(chips) == shown


def test_everybody_is_told_the_same_of_the_chips_s1() -> None:
    told = {standing(view(client=who), seat_names(view())).count("−1") for who in range(3)}
    assert told == {2}


def test_the_best_stands_first_and_i_am_you() -> None:
    words = standing(view(), seat_names(view()))
    winner = view().winner
    assert winner is not None
    name = "you" if winner == view().me else seat_names(view())[winner]
    assert words.startswith(f"Chips: {name} +2, ")


def test_nothing_is_said_of_what_is_not_kept_s3() -> None:
    none = view("milan stake=none")
    names = seat_names(none)
    assert (standing(none, names), result(none, names), own(none), score(none, 0)) == ("",) * 4


@pytest.mark.parametrize(
    ("chips", "words"),
    [(0, ""), (1, "You are 1 chip up."), (4, "You are 4 chips up."), (-2, "You are 2 chips down.")],
)
def test_i_am_told_how_i_stand(chips: int, words: str) -> None:
    mine = view()
    assert mine.my_seat
    assert own(replace(mine, stakes=Stakes({mine.my_seat.key: chips}))) == words


def test_nobody_pays_a_round_twice_at_a_new_table_s2_g8() -> None:
    drinks = view("milan stake=drinks")
    assert result(replace(drinks, stakes=Stakes()), seat_names(drinks)) == ""


def test_whoever_pays_for_a_school_has_paid_a_round_s2_h12() -> None:
    told = scene("hollywood")
    assert told.view and told.view.winner is not None
    scores = [score(told.view, seat) for seat in range(3)]
    assert scores == ["paid 1×" if seat == told.view.winner else "" for seat in range(3)]


def test_nobody_has_paid_for_a_school_before_its_last_count_is_told() -> None:
    table = at("speaking", 2, "hollywood")
    told = seen(table.clients[0])
    table.say(Bid(1), Bid(3))
    told.look(table.clients[0].view)
    while told.presentation.is_running:
        assert told.view and not any(score(told.view, seat) for seat in range(2))
        step(told)
