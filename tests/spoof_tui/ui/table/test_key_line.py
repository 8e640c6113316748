"""The line of keys: what can be done now."""

from __future__ import annotations

import pytest

from protocol.table.statements import Measure, Vote
from spoof_tui.ui.table.scene import Page, Scene
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, counted, foot, said, scene_at, seen, step


def test_talk_is_typed_on_the_last_line() -> None:
    scene = scene_at("answering")
    scene.talking = "Start us off"
    assert "Start us off" in foot(scene)


def test_of_a_long_line_of_talk_the_end_is_seen() -> None:
    scene = scene_at("answering")
    scene.talking = "word " * 30 + "the end"
    assert "the end" in foot(scene, 40)


@pytest.mark.parametrize("moment", ["gathering", "choosing", "answering", "over"])
def test_the_keys_are_whole_or_not_there_and_the_way_out_always_is(moment: str) -> None:
    full = foot(scene_at(moment), 200).split("  ")
    for width in range(40, 130, 9):
        line = foot(scene_at(moment), width).rstrip().split("  ")
        assert {key.strip() for key in line} <= {key.strip() for key in full}
        assert [key.strip() for key in line[-2:]] == ["? keys", "q leave"]


def test_before_there_is_a_table_and_when_it_is_over_no_key_is_told_that_does_nothing() -> None:
    assert foot(Scene()).split() == ["q", "leave"]
    scene = scene_at("choosing")
    scene.over = "The host has closed the table."
    assert foot(scene).split() == ["q", "leave"]


def test_a_vote_to_join_has_its_key() -> None:
    table = MemoryTable(3)
    about = table.clients[1].guest.key
    table.act(table.clients[0], table.clients[0].guest.state(Vote(Measure.MUTE, about, yes=True)))
    assert "v vote" in foot(seen(table.clients[2]))
    assert "v vote" not in foot(seen(table.clients[0]))
    assert "v vote" not in foot(seen(table.clients[1]))


def test_the_key_to_play_on_is_there_when_it_means_something() -> None:
    table = at("answering")
    gone = table.speaker()
    other = next(client for client in table.clients if client is not gone)
    table.cut(gone)
    scene = seen(other)
    assert "y play on" not in foot(scene)
    scene.wall = scene.now + 60_000
    assert "y play on" in foot(scene)


def test_a_watcher_is_offered_no_fist_and_no_voice() -> None:
    table = at("speaking")
    keys = foot(seen(table.add(sit=False)))
    assert "r sit down" in keys
    assert not any(each in keys for each in ("talk", "peek", "shout", "pause"))


def test_while_a_count_is_told_any_key_leads_to_its_verdict() -> None:
    scene = counted()
    while not scene.is_judged:
        assert "any key to the verdict" in said(scene) and "peek" not in said(scene)
        step(scene)
    assert "peek" in said(scene) and "to the verdict" not in said(scene)


def test_the_rounds_of_the_game_have_their_key_once_there_are_any() -> None:
    assert "g rounds" not in foot(scene_at("answering"), 80)
    table = at("counted")
    scene = seen(table.clients[0])
    assert scene.view and scene.view.past
    assert "g rounds" in foot(scene, 80)


def test_tab_says_what_it_turns_up() -> None:
    scene = scene_at("answering")
    told = []
    for scene.page in (Page.TABLE, Page.ROUNDS, Page.TALK):
        told += [each.strip() for each in foot(scene).split("  ") if "Tab" in each]
    assert told == ["Tab page", "Tab talk", "Tab table"]


@pytest.mark.parametrize("page", [Page.ROUND, Page.ROUNDS, Page.TALK])
def test_the_way_back_from_a_page_is_told_however_little_room_there_is(page: Page) -> None:
    scene = scene_at("answering")
    assert "Tab" not in foot(scene, 40)
    scene.page = page
    assert "Tab" in foot(scene, 40)
