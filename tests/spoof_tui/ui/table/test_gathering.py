"""Between games: what to press, who is awaited, and how others come."""

from __future__ import annotations

from protocol.table.statements import Measure
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import sentences
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    at,
    drawn,
    foot,
    said,
    scene_at,
    seen,
    text,
)


def test_between_games_the_key_for_ready_is_named() -> None:
    assert "Press Enter when you are ready" in said(scene_at("gathering"))
    assert "Enter ready" in foot(scene_at("gathering"))


def test_who_is_ready_is_told_who_is_awaited() -> None:
    panel = said(scene_at("ready"))
    assert "You are ready" in panel and "Player2" in panel and "Player3" in panel


def test_the_own_table_says_how_others_come() -> None:
    scene = scene_at("gathering")
    scene.address, scene.trouble = "10.0.0.1:7763", "Nobody hears of it."
    panel = said(scene)
    assert "spoof join 10.0.0.1 " in panel and "Nobody hears of it." in panel


def test_the_host_is_told_to_tell_the_code_and_why_it_is_another_one() -> None:
    scene = scene_at("gathering")
    scene.address, scene.code = "10.0.0.1:7763", "K7M4Q"
    assert "asked once for the code: tell them K7M4Q." in said(scene)
    scene.code_news = sentences.code_renewed(CodeChange.GUESSED, "K7M4Q")
    assert "Too many wrong codes were tried." in said(scene)


def removed(moment: str) -> Scene:
    """What somebody sees whose seat was taken away in this moment."""
    table = at(moment)
    scene = seen(table.clients[1])
    table.decide(Measure.REMOVE, table.clients[1].guest.key)
    return seen(table.clients[1], scene)


def test_who_was_removed_is_told_and_can_ask_for_a_seat_again() -> None:
    scene = removed("gathering")
    assert "Your seat was taken away, by the host" in said(scene)
    assert "Press r to ask for a seat again." in said(scene)
    assert "r sit down" in foot(scene)


def test_who_was_removed_in_a_game_waits_for_its_end() -> None:
    scene = removed("choosing")
    assert "Your seat was taken away" in said(scene)
    assert "When the game is over you can ask for a seat again." in said(scene)


def test_the_command_that_leads_to_the_own_table_is_never_broken() -> None:
    scene = scene_at("gathering")
    scene.address = "192.168.100.200:47763"
    lines = text(drawn(scene, 80, 24)["panel"]).splitlines()
    assert any("spoof join 192.168.100.200:47763" in line for line in lines)


def test_everybody_is_told_how_long_a_game_waits_for_those_who_are_not_ready() -> None:
    table = MemoryTable(3)
    table.ready(*table.clients[:2])
    ready, late = seen(table.clients[0]), seen(table.clients[2])
    assert "The game begins without you in 0:" not in said(ready)
    for scene in (ready, late):
        scene.wall = table.clients[0].view.time + 18_000 - scene.ahead
    assert "Waiting for Player3. 0:4" in said(ready)
    assert "The game begins without you in 0:4" in said(late)
