"""The table screen while somebody is away, the link is lost, or the table moves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import NO_ONE, Measure, Say
from protocol.views import LinkState
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.notices import (
    ContinuedAt,
    Moved,
    Opened,
    OpenElsewhere,
    Standing,
    ViewChanged,
    WhileAway,
)
from spoof_tui.ui.messages import Noticed
from spoof_tui.ui.table import timing
from spoof_tui.ui.table.screen import TableScreen
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import GRACE, stuck
from tests.spoof_tui.ui.lobbies import until
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable


def in_front_of(table: MemoryTable, client: int = 1) -> AtTable:
    return AtTable(table, table.clients[client])


async def lose(app: AtTable, pilot: Pilot[int], state: LinkState = LinkState.DOWN) -> None:
    """The player's link is no longer what it was."""
    await app.hear(pilot, ViewChanged(replace(app.seat.view, link=state)))


async def test_a_lost_link_leaves_the_table_in_sight_and_says_what_is_tried() -> None:
    table = at("speaking")
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        await lose(app, pilot)
        assert await app.sees(pilot, "No connection", "Player1", "connection lost")
        assert await app.sees(pilot, "Your seat, your coins and your fist stay yours.")
        await app.look(pilot)
        assert await app.sees(pilot, "Back at the table.")
        await pilot.press("j")
        assert await app.misses(pilot, "Back at the table.")


async def test_a_screen_without_anybody_away_is_never_painted_by_the_clock() -> None:
    app = in_front_of(at("speaking"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        assert not is_ticking(screen)
        await lose(app, pilot)
        assert is_ticking(screen)
        await app.look(pilot)
        assert not is_ticking(screen)


def is_ticking(screen: TableScreen) -> bool:
    return screen._ticking.is_running


async def test_the_time_of_who_is_away_goes_on_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "TICK_INTERVAL", 0.01)
    table = at("choosing")
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        table.cut(table.clients[0])
        await app.look(pilot)
        began = screen.scene.now
        assert await until(pilot, lambda: screen.scene.now > began)
        assert await app.sees(pilot, "Player1 is away for")


async def test_one_key_votes_to_play_on_after_the_grace_time() -> None:
    table = at("choosing")
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await app.sit_down(pilot)
        table.cut(table.clients[0])
        await app.look(pilot)
        await pilot.press("y")
        assert await app.sees(pilot, "You can vote on that in")
        assert not table.host.table.votes
        table.time += 61
        screen.scene.ahead = table.now(0).wall - screen.scene.wall
        await pilot.press("y")
        await pilot.pause()
        [(measure, key)] = table.host.table.votes
        assert (measure, key) == (Measure.PLAY_ON, table.clients[0].guest.key)


async def test_the_host_pauses_by_one_key_and_goes_on_by_the_same() -> None:
    app = in_front_of(at("speaking"), 0)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        await pilot.press("p")
        assert await app.sees(pilot, "Paused", "Press p to go", "the table rests")
        await pilot.press("p")
        assert await app.misses(pilot, "the table rests")
        assert not app.table.host.table.paused


async def test_a_player_votes_for_a_pause_and_takes_the_vote_back() -> None:
    app = in_front_of(at("speaking"))
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("p")
        assert await app.sees(pilot, "votes for a pause")
        assert list(app.table.host.table.votes) == [(Measure.PAUSE, NO_ONE)]
        await pilot.press("p")
        assert await app.misses(pilot, "votes for a pause")


async def test_a_watcher_talks_not_and_may_sit_at_the_next_game() -> None:
    table = at("speaking")
    table.add(sit=False)
    app = in_front_of(table, 3)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, "You are watching. Press r to sit down for the next game.")
        await pilot.press("t")
        assert await app.sees(pilot, "You have no seat at this table.")
        await pilot.press("r")
        assert await app.sees(pilot, "You have a seat, and play from the next game on.")


async def test_what_was_missed_stands_above_what_is_to_be_done() -> None:
    table = at("speaking")
    seat = next(client for client in table.clients if not client.view.my_turn)
    app = AtTable(table, seat)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        talker = table.clients[0]
        table.act(talker, talker.guest.state(Say(ForeignText("anybody there?"))))
        await app.hear(pilot, WhileAway(tuple(seat.guest.log[-1:])))
        assert await app.sees(pilot, "While you were away", "“anybody there?”", "turn")


async def test_a_table_that_moves_here_says_so_with_its_code() -> None:
    table = at("speaking")
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await app.sit_down(pilot)
        await app.hear(pilot, Standing())
        assert screen.scene.is_standing
        mine = replace(app.seat.view, host=app.seat.guest.key, epoch=1)
        await app.hear(pilot, ViewChanged(mine))
        await app.hear(pilot, Moved(me=True))
        await app.hear(pilot, Opened(7763, None, "K7M4Q"))
        assert await app.sees(pilot, "This computer now hosts the table.", "tell them K7M4Q")
        other = replace(mine, host=table.clients[0].guest.key, epoch=2)
        await app.hear(pilot, ViewChanged(other))
        await app.hear(pilot, Moved(me=False))
        assert await app.sees(pilot, "Player1 now hosts the table.")
        assert screen.scene.code is None and not screen.scene.may_add_bots


async def test_a_table_that_lives_elsewhere_meanwhile_is_come_back_to() -> None:
    app = in_front_of(at("speaking"))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await app.come()
        screen.post_message(Noticed(OpenElsewhere(ForeignText("Maria"))))
        await app.look(pilot)
        assert await app.sees(pilot, "Maria now hosts the table: you come back")
        assert isinstance(app.screen, TableScreen)


# Too many are gone (G8)


async def test_one_key_agrees_to_go_on_at_a_new_table_and_takes_that_back() -> None:
    table = stuck()
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, "A new table", "3 of 5 are gone.", "Press y.", "0 of 2 agree.")
        await pilot.press("y")
        assert await app.sees(pilot, "1 of 2 agree.")
        await pilot.press("y")
        assert await app.sees(pilot, "0 of 2 agree.")


async def test_before_the_grace_time_is_over_the_key_says_when() -> None:
    app = in_front_of(stuck(waited=GRACE / 2))
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, "3 of 5 are gone.")
        await pilot.press("y")
        assert await app.sees(pilot, "You can decide on that in 0:")


async def test_who_has_gone_along_comes_back_by_a_key() -> None:
    table = stuck()
    for client in table.clients[:2]:
        table.act(client, client.guest.departure.agree())
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, "You have gone along to a new table.")
        await pilot.press("r")
        assert await app.misses(pilot, "You have gone along to a new table.")


async def test_who_comes_back_late_goes_by_one_key_where_the_game_went() -> None:
    table = stuck()
    app = AtTable(table, table.clients[4])
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        await app.hear(
            pilot, ContinuedAt(Address("10.0.0.7", 7763), table.host.card, table.host.log[0])
        )
        assert await app.sees(pilot, "The game goes on at a new table", "Press y to go there.")
        await pilot.press("y")
        assert app.followed == 1


async def test_the_new_table_tells_nothing_of_the_old_one() -> None:
    table = stuck()
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await app.sit_down(pilot)
        await app.hear(
            pilot, ContinuedAt(Address("10.0.0.7", 7763), table.host.card, table.host.log[0])
        )
        new = replace(at("choosing", 2).clients[1].view, table_id=b"n" * 32)
        await app.hear(pilot, ViewChanged(new))
        assert screen.scene.continued is None and not screen.scene.events
