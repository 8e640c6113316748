"""Keeping order by keys: the host decides, the players vote."""

from __future__ import annotations

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import Leave, Measure, Say, Vote
from spoof_tui.runtime.notices import ViewChanged
from spoof_tui.ui.messages import Noticed
from spoof_tui.ui.table.controls import Act
from spoof_tui.ui.table.measures_dialog import MeasuresDialog
from spoof_tui.ui.table.screen import TableScreen
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.spoof_tui.ui.table.scenes import at, said, seen
from tests.spoof_tui.ui.tables import AtTable


def in_front_of(table: MemoryTable, client: int = 0) -> AtTable:
    return AtTable(table, table.clients[client])


def vote(table: MemoryTable, voter: SeatedGuest, measure: Measure, about: SeatedGuest) -> None:
    table.act(voter, voter.guest.state(Vote(measure, about.guest.key, yes=True)))


async def test_the_host_mutes_at_once_and_lets_talk_again() -> None:
    app = in_front_of(MemoryTable(3))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        await pilot.press("v")
        assert await app.sees(pilot, "Mute or remove a player", "it counts at once", "do it")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.table.host.table.muted == {app.table.clients[1].guest.key}
        assert await app.sees(pilot, "muted")
        await pilot.press("v")
        assert await app.sees(pilot, "● let talk")
        await pilot.press("enter")
        await pilot.pause()
        assert app.table.host.table.muted == set()


async def test_whom_and_what_are_chosen_by_arrows_or_digits() -> None:
    app = in_front_of(MemoryTable(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        await pilot.press("v", "up", "2", "down", "3", "left", "enter")
        await pilot.pause()
        kept = [seat.key for seat in app.table.host.table.seats]
        assert kept == [app.table.clients[place].guest.key for place in (0, 1, 3)]


async def test_a_player_votes_and_takes_the_vote_back() -> None:
    app = in_front_of(MemoryTable(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("v")
        assert await app.sees(pilot, "Vote at the table", "3 votes carry it", "vote for it")
        await pilot.press("2", "enter")
        await pilot.pause()
        [motion] = app.seat.view.votes
        assert (motion.measure, motion.voters) == (Measure.REMOVE, frozenset({app.seat.guest.key}))
        await pilot.press("v", "2")
        assert await app.sees(pilot, "For it: Player1. 1 of 3 votes.", "take the vote back")
        await pilot.press("enter")
        await pilot.pause()
        assert app.seat.view.votes == ()


async def test_one_key_and_enter_agree_with_the_vote_that_is_running() -> None:
    table = MemoryTable(3)
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        vote(table, table.clients[1], Measure.REMOVE, table.clients[2])
        await app.look(pilot)
        assert await app.sees(pilot, "Player2 votes to", "remove Player3", "v vote too")
        await pilot.press("v")
        assert await app.sees(pilot, "● remove", "For it: Player2. 1 of 2 votes.")
        await pilot.press("enter")
        await pilot.pause()
        assert table.host.table.seat(table.clients[2].guest.key) is None


async def test_the_dialog_follows_what_the_others_do() -> None:
    table = MemoryTable(4)
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("v")
        vote(table, table.clients[2], Measure.MUTE, table.clients[1])
        await app.look(pilot)
        assert await app.sees(pilot, "For it: Player3. 1 of 3 votes.")
        table.decide(Measure.MUTE, table.clients[1].guest.key)
        await app.look(pilot)
        assert await app.sees(pilot, "Who", "● let talk")
        for client in table.clients[1:]:
            table.act(client, client.guest.state(Leave()))
        await app.look(pilot)
        await pilot.press("enter")
        assert await app.sees(pilot, "That is no longer possible: look again.")
        assert not table.host.table.votes
        await pilot.press("escape")
        assert isinstance(app.screen, TableScreen)


async def test_alone_one_can_pause_the_table() -> None:
    app = in_front_of(MemoryTable(1))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("v")
        assert await app.sees(pilot, "the whole table", "● pause")
        await pilot.press("enter")
        await pilot.pause()
        assert app.table.host.table.paused


async def test_a_watcher_has_no_vote() -> None:
    table = MemoryTable(2)
    table.add(sit=False)
    app = in_front_of(table, 2)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("v")
        assert await app.sees(pilot, "You have no seat at this table.")
        assert not isinstance(app.screen, MeasuresDialog)


async def test_who_is_muted_is_told_so_when_talking() -> None:
    table = MemoryTable(2)
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        table.decide(Measure.MUTE, app.seat.guest.key)
        await app.look(pilot)
        await pilot.press("m")
        assert await app.sees(pilot, "You are muted at this table.")


async def test_who_was_removed_asks_for_a_seat_again_by_the_key_for_ready() -> None:
    table = MemoryTable(3)
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        table.decide(Measure.REMOVE, app.seat.guest.key)
        await app.look(pilot)
        assert await app.sees(pilot, "Your seat was taken away", "r sit down")
        await pilot.press("r")
        await pilot.pause()
        assert app.table.host.table.seat(app.seat.guest.key)
        assert await app.sees(pilot, "Press Enter when you are ready")


async def test_in_a_game_the_dialog_lies_over_the_table_and_the_game_goes_on() -> None:
    table = at("choosing")
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("v")
        table.choose(1, 1, 1)
        await app.look(pilot)
        assert isinstance(app.screen, MeasuresDialog)
        await pilot.press("escape")
        assert await app.sees(pilot, "bid, of")


async def test_without_room_for_the_side_votes_and_talk_do_no_harm() -> None:
    table = MemoryTable(3)
    app = in_front_of(table)
    async with app.run_test(size=(60, 20)) as pilot:
        await app.sit_down(pilot)
        vote(table, table.clients[1], Measure.REMOVE, table.clients[2])
        table.act(
            table.clients[1], table.clients[1].guest.state(Say(ForeignText("Are you there?")))
        )
        table.decide(Measure.MUTE, table.clients[1].guest.key)
        await app.look(pilot)
        assert await app.sees(pilot, "v vote", "muted")


async def test_what_happens_while_the_dialog_opens_is_no_trouble() -> None:
    table = MemoryTable(3)
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        screen._acts.do(Act.MEASURE)
        vote(table, table.clients[1], Measure.REMOVE, table.clients[2])
        screen.post_message(Noticed(ViewChanged(app.seat.view)))
        assert await app.sees(pilot, "Vote at the table")


@pytest.mark.parametrize("is_host", [False, True])
async def test_a_ban_of_the_wobble_is_proposed_and_vetoed_for_all_to_hear(is_host: bool) -> None:
    app = in_front_of(MemoryTable(3))
    scenes = [seen(client) for client in app.table.clients]
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=is_host)
        await pilot.press("v", "up", "left")
        assert await app.sees(pilot, "the whole table", "ban the Wobble")
        await pilot.press("down", "3")
        assert await app.sees(pilot, "Mr. A. L. Shearn will hear of it.", "vote for it")
        await pilot.press("enter")
        assert await app.sees(pilot, "Shearn vetoes")
        assert not app.seat.view.votes
        for scene, client in zip(scenes, app.table.clients, strict=True):
            scene.look(client.view)
            assert "Mr. A. L. Shearn vetoes it." in said(scene, "side")
