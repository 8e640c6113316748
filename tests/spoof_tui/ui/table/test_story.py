"""A game that is over, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Bid, Ending
from spoof_tui.ui.table.rounds import coins_by_round, out_in, places
from spoof_tui.ui.table.story import headline, opens_next, standings, story
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import few
from tests.spoof_tui.ui.table.scenes import scene_at


def told(client: int = 0, players: int = 3, rules: str = "milan") -> dict[str, tuple[str, ...]]:
    """The story as one seat reads it."""
    scene = scene_at("over", client, players, rules)
    assert scene.view
    return {each.about: each.ways for each in story(scene.view, scene.names)}


@pytest.mark.parametrize(("rules", "word"), [("milan", "wins"), ("hollywood", "pays")])
def test_the_headline_names_who_won_or_pays_alike_on_every_screen(rules: str, word: str) -> None:
    scenes = [scene_at("over", client, 3, rules) for client in range(3)]
    lines = [headline(scene.view, scene.names) for scene in scenes if scene.view]
    winner = scenes[0].view.winner if scenes[0].view else None
    assert lines == [f"{scenes[0].names[winner or 0]} {word}"] * 3


@few
@given(st.integers(2, 5))
def test_the_standings_are_the_coins_of_every_round_by_place(players: int) -> None:
    scene = scene_at("over", 0, players)
    assert scene.view
    past, order = scene.view.past, places(scene.view.past, players)
    rows = standings(scene.view, scene.names)
    assert [row.place for row in rows] == list(range(1, players + 1))
    assert [list(row.numbers) for row in rows] == [coins_by_round(past, seat) for seat in order]
    assert [row.out for row in rows] == [out_in(past).get(seat) for seat in order]
    assert sum(row.is_me for row in rows) == 1 and rows[0].note == "won"


def test_a_school_shows_calls_and_who_left_when() -> None:
    scene = scene_at("over", 0, 3, "hollywood")
    assert scene.view
    rows = standings(scene.view, scene.names)
    assert [row.note.split()[0] for row in rows] == ["left", "left", "pays"]
    assert [len(row.numbers) for row in rows] == [row.out or len(scene.view.past) for row in rows]


def test_the_story_tells_of_the_boldest_bluff_and_of_me() -> None:
    ways = told(0, 4)
    assert ways["boldest bluff"][0].endswith("(round 1)")
    assert ways["boldest bluff"][1] == ways["boldest bluff"][0].removesuffix(" (round 1)")
    assert "of" in ways["you"][0]


def test_one_missing_coin_makes_a_sharp_call() -> None:
    table = MemoryTable(2, "milan", start_when=2)
    table.ready()
    table.choose(1, 1)
    table.say(Bid(3), Ending.CALL)
    view = table.clients[0].view
    assert "one coin short (round 1)" in story(view, ("A", "B"))[0].ways[0]


def test_in_a_school_my_calls_are_counted() -> None:
    assert set(told(rules="hollywood")) == {"you"}


def test_where_a_lot_opens_the_game_nobody_opens_for_being_out() -> None:
    for rules, opens in (("milan", True), ("three-coins", False), ("hollywood", False)):
        scene = scene_at("over", 0, 3, rules)
        assert scene.view
        assert bool(opens_next(scene.view, scene.names)) == opens
