"""What the keys of the table do, and who is told that they cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from protocol.table.statements import Gesture
from spoof_tui.door.opening import DoorOpened
from spoof_tui.runtime.notices import DoorChanged
from spoof_tui.ui.table.acts import _ON_ACT
from spoof_tui.ui.table.controls import Act
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable, _Chair


@pytest.fixture
def table() -> Iterator[MemoryTable]:
    """Three players who speak; the first of them is looked on."""
    yield at("speaking")


def in_front_of(table: MemoryTable, client: int = 0) -> AtTable:
    return AtTable(table, table.clients[client])


def test_every_act_is_done_by_somebody() -> None:
    assert set(_ON_ACT) == set(Act)


async def test_an_empty_fist_is_told_when_there_is_nothing_to_look_at() -> None:
    app = in_front_of(at("choosing"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("space")
        assert await app.sees(pilot, "There is nothing in your fist yet.")


async def test_a_shout_is_heard(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("m")
        assert app.seat.view.talk[-1].said is Gesture.MITT_FULL


@pytest.mark.parametrize("key", ["t", "m", "j", "p", "y", "v"])
async def test_who_only_watches_has_no_voice(table: MemoryTable, key: str) -> None:
    app = AtTable(table, table.add(sit=False))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press(key)
        assert screen.scene.remark and screen.scene.talking is None


@pytest.mark.parametrize("key", ["b", "n", "e", "a"])
async def test_what_only_a_host_may_do_is_told_to_a_guest(table: MemoryTable, key: str) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press(key)
        assert screen.scene.remark


async def test_the_host_of_an_open_table_locks_it_and_opens_it_again(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot, is_host=True)
        client = cast(_Chair, app.client)
        client.is_shut = False
        told = []
        for _ in range(2):
            await pilot.press("n")
            told.append((client.is_shut, str(screen.scene.remark).partition(":")[0]))
        assert told == [
            (True, "The table is locked"),
            (False, "The table is open to everybody again."),
        ]


async def test_a_host_opens_the_door_by_one_key_and_closes_it_by_two(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot, is_host=True)
        screen.scene.may_add_bots = True
        await pilot.press("a")
        await app.hear(pilot, DoorChanged(DoorOpened(2222, "SHA256:x")))
        await pilot.press("a", "w", "escape", "a")
        assert app.doors == [True]
        assert "Press a again" in screen.scene.remark
        await pilot.press("a")
        assert app.doors == [True, False]


@pytest.mark.parametrize(
    ("key", "words"), [("w", "Why?"), ("h", "Milan"), ("question_mark", "Keys now")]
)
async def test_what_is_read_lies_over_the_table_and_goes_by_escape(
    table: MemoryTable, key: str, words: str
) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press(key)
        assert await app.sees(pilot, words)
        assert app.screen is not screen
        await pilot.press("escape")
        assert app.screen is screen


async def test_there_is_no_slate_outside_of_the_guessing_game(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("f")
        assert screen.scene.remark and app.screen is screen


@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c", "q"])
async def test_whoever_would_be_missed_is_asked_by_every_key_that_leaves(
    table: MemoryTable, key: str
) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        await pilot.press(key)
        assert await app.sees(pilot, "Leave the table?")
        await pilot.press("escape", "h", key if key != "q" else "ctrl+q")
        assert await app.sees(pilot, "Leave the table?")
        assert app.is_running
        await pilot.press("ctrl+q", "enter")
        assert await app.shows(pilot, lambda lines: app.heirs == [None])
