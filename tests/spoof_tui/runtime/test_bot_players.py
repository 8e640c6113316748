"""Bots in their seats: whole games over links in memory, by what a seat may know."""

from __future__ import annotations

import asyncio
import math
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import PRESETS
from protocol.rules.words import Direction, Word
from protocol.table.fold import Phase, fold
from protocol.table.statements import Gesture, Measure
from protocol.views import TableView
from protocol.wire.messages import Farewell
from spoof_tui import beats
from spoof_tui.bots.arena import view_of_round
from spoof_tui.bots.characters import MIXED, company
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from spoof_tui.bots.remarks import lines_of
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Owner, dial
from spoof_tui.network.server import TableServer
from spoof_tui.runtime import bot_players, connection
from spoof_tui.runtime.bot_players import BotPlayer, BotPlayers
from spoof_tui.runtime.engine import Engine, EngineClosed
from spoof_tui.storage.archive import record_text
from spoof_tui.visiting import DOOR_VARIABLE, DoorKind
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.bots.arena import bidding
from tests.spoof_tui.runtime.engines import PLAYS, engine
from tests.spoof_tui.runtime.local_table import Wire, new_host, new_key, until

WITHIN = 100.0
"""Seconds for a table of bots to play its games; it takes about one, or three for nine bots."""


def opened(
    games: int = 1, players: int = 3, rules: str = "milan", record: list[bytes] | None = None
) -> TableServer:
    key = new_key()
    host, first = new_host(rules, start_when=players, games=games, key=key)
    blobs = record if record is not None else []
    blobs.append(first)
    return TableServer(host, blobs.extend, key=key)


async def close(server: TableServer, *players: BotPlayers) -> None:
    for each in players:
        await each.close()
    await server.close()


def names(server: TableServer) -> list[str]:
    return [seat.name.raw for seat in server.host.table.seats]


class Watched(BotMind):
    """A mind that remembers what it was shown."""

    def __init__(self, seed: int) -> None:
        super().__init__(Level.HARD, random.Random(seed))
        self.seen: list[TableView] = []
        self.held: list[int] = []
        self.chosen: list[int] = []

    def choose_hand(self, view: TableView) -> int:
        self.seen.append(view)
        self.chosen.append(super().choose_hand(view))
        return self.chosen[-1]

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        self.seen.append(view)
        self.held.append(hand)
        return super().choose_word(view, hand)


async def watched_game(seeds: range) -> list[Watched]:
    """The minds of a table that played one game."""
    server = opened(players=len(seeds))
    minds = [Watched(seed) for seed in seeds]
    bots = [BotPlayer(server.connect, "Bot", mind, pace=0) for mind in minds]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    await until(lambda: server.host.is_done, WITHIN)
    await server.close()
    await asyncio.gather(*playing)
    return minds


@pytest.mark.parametrize("rules", sorted(PRESETS))
async def test_a_table_of_bots_finishes_several_games(rules: str) -> None:
    server = opened(games=3, rules=rules)
    bots = BotPlayers(server.connect, pace=0)
    bots.add(3, Level.HARD)
    await until(lambda: server.host.is_done, WITHIN)
    assert server.host.table.game and server.host.table.game.number == 3
    await close(server, bots)


async def test_bots_of_all_levels_play_at_a_full_table() -> None:
    record: list[bytes] = []
    server = opened(players=9, record=record)
    bots = BotPlayers(server.connect, pace=0)
    for level in Level:
        bots.add(3, level)
    await until(lambda: server.host.is_done and len(record) == len(server.host.log), WITHIN)
    folded = None
    for entry in server.host.log:
        folded = fold(folded, entry)
    assert folded == server.host.table
    assert record == [entry.blob for entry in server.host.log]
    game = server.host.table.game
    assert game and "= " in record_text(server.host.table, game)
    await close(server, bots)


async def test_no_two_bots_and_nobody_else_are_called_the_same() -> None:
    server = opened(players=9)
    bots = BotPlayers(server.connect)
    bots.add(3, Level.EASY)
    bots.add(6, Level.EASY, lambda: ["penny", "Crown", "Ducat"])
    await until(lambda: len(names(server)) == 9)
    assert len(set(names(server))) == 9
    assert not {"Penny", "Crown", "Ducat"} & set(names(server)[3:])
    await close(server, bots)


async def test_bots_get_up_when_they_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, DoorKind.OWN.value)
    server = opened(players=9)
    bots = BotPlayers(server.connect, pace=0)
    bots.add(3, Level.EASY)
    await until(lambda: len(names(server)) == 3)
    assert not server.host.table.doors, "a bot behind a door is a bot like any other"
    await bots.close()
    await until(lambda: not names(server))
    await server.close()


async def test_bots_are_done_when_the_table_closes() -> None:
    server = opened(players=2)
    bots = BotPlayers(server.connect, pace=0)
    bots.add(2, Level.EASY)
    await until(lambda: server.host.table.game)
    await server.close()
    async with asyncio.timeout(5):
        await bots.wait()


async def test_a_bot_that_lost_its_connection_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MIN_RETRY_DELAY", 0.001)
    server = opened(players=2)
    wire = Wire(server.connect)
    bots = [
        BotPlayer(dial, name, BotMind(Level.EASY, random.Random(1)), pace=0)
        for dial, name in ((wire, "Loose"), (server.connect, "Firm"))
    ]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    for rounds in (1, 2):
        await until(lambda rounds=rounds: _rounds(server) >= rounds, WITHIN)  # type: ignore[misc]
        if server.host.table.phase is not Phase.GATHERING:
            wire.cut()
    await until(lambda: server.host.is_done, WITHIN)
    await server.close()
    await asyncio.gather(*playing)


def _rounds(server: TableServer) -> int:
    return server.host.table.game.round_number if server.host.table.game else 0


async def test_a_bot_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WORD", "HELD", "LAST", "STAMP", "REST"):
        monkeypatch.setattr(beats, name, 0.01)
    server = opened(players=2)
    thought: list[float] = []

    class Slow(BotMind):
        def think_seconds(self, view: TableView, pace: float = 1.0) -> float:
            thought.append(pace)
            return 0.0

    bots = [
        BotPlayer(server.connect, name, Slow(Level.EASY, random.Random(2)), pace=0.5)
        for name in ("Ann", "Bob")
    ]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    await until(lambda: server.host.is_done, WITHIN)
    assert set(thought) == {0.5}
    await server.close()
    await asyncio.gather(*playing)


async def test_a_bot_lets_people_see_a_count_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    def patience(view: TableView, since: float) -> float:
        waited.append(since)
        return 0.0

    monkeypatch.setattr(bot_players, "patience", patience)
    server = opened(players=2)
    mind = BotMind(Level.EASY, random.Random(3))
    monkeypatch.setattr(mind, "think_seconds", lambda *_: 0.0)
    bots = [BotPlayer(server.connect, name, mind, pace=1.0) for name in ("Ann", "Bob")]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    await until(lambda: server.host.is_done, WITHIN)
    await server.close()
    await asyncio.gather(*playing)
    assert waited[0] == math.inf
    assert any(since < math.inf for since in waited)


# What a bot knows


async def test_no_shut_fist_is_in_what_a_bot_sees() -> None:
    minds = await watched_game(range(3))
    for view in [view for mind in minds for view in mind.seen]:
        assert {seat.hand for seat in view.seats} == {None}


async def test_a_bot_is_told_its_own_hand_only() -> None:
    for mind in await watched_game(range(4)):
        assert set(mind.held) <= set(mind.chosen)
        assert len(mind.held) <= len(mind.seen) - len(mind.chosen)


async def test_a_bot_chooses_one_hand_for_a_round() -> None:
    for mind in await watched_game(range(3)):
        choices = [view.round_number for view in mind.seen if view.phase is Phase.CHOOSING]
        assert all(before < after for before, after in pairwise(choices))


def test_what_a_bot_sees_is_the_same_whatever_the_others_hold() -> None:
    views = []
    for hands in ((1, 0, 0), (1, 3, 2)):
        table = MemoryTable(3, seed=4)
        table.ready()
        table.choose(*hands)
        views.append(table.clients[0].view)
    assert views[0] == replace(views[1])


def test_a_gesture_is_not_chosen_by_the_hand() -> None:
    table = MemoryTable(2, seed=1)
    table.ready()
    table.choose(3, 3)
    view = replace(table.speaker().view, lowest_bid=5)
    gestures = [
        [BotMind(Level.HARD, random.Random(seed)).choose_gesture(view, hand) for seed in range(200)]
        for hand in (0, 3)
    ]
    assert gestures[0] == gestures[1]
    assert Gesture.MITT_FULL in gestures[0]


# The join code


def locked() -> TableServer:
    key = new_key()
    host, _ = new_host(start_when=9, key=key, locked=True)
    return TableServer(host, lambda blobs: None, key=key)


async def listening(server: TableServer, code: str | None, count: int) -> BotPlayers:
    """So many bots that come over the network."""
    address = Address("127.0.0.1", await server.start(0, loopback_only=True))

    async def connect(owner: Owner) -> None:
        await dial(owner, address)

    bots = BotPlayers(connect, pace=0, code=code)
    bots.add(count, Level.EASY)
    return bots


async def test_bots_with_the_code_are_all_let_in() -> None:
    server = locked()
    bots = await listening(server, server.host.admission.code, 3)
    await until(lambda: len(names(server)) == 3)
    assert bots.refused is None
    await close(server, bots)


async def test_a_wrong_code_is_tried_once_and_ends_them_all() -> None:
    server = locked()
    tries: list[str] = []
    wrong = server.host.admission.wrong

    def count(address: str, now: float) -> bool:
        tries.append(address)
        return wrong(address, now)

    server.host.admission.wrong = count  # type: ignore[method-assign]
    code = "AAAAA" if server.host.admission.code != "AAAAA" else "CCCCC"
    bots = await listening(server, code, 9)
    async with asyncio.timeout(5):
        await bots.wait()
    assert bots.refused is Farewell.WRONG_CODE
    assert len(tries) == 1
    await close(server, bots)


async def test_without_a_code_bots_are_not_let_in_and_end() -> None:
    server = locked()
    bots = await listening(server, None, 2)
    async with asyncio.timeout(5):
        await bots.wait()
    assert bots.refused is Farewell.NO_CODE
    await close(server, bots)


async def test_a_bot_that_is_refused_later_ends_too() -> None:
    server = opened(players=9)
    bots = BotPlayers(server.connect, pace=0)
    bots.add(2, Level.EASY)
    await until(lambda: len(names(server)) == 2)
    for seat in server.host.table.seats:
        server.carry_out(server.host.decide(Measure.BAR, seat.key, now()))
    async with asyncio.timeout(5):
        await bots.wait()
    assert bots.refused is Farewell.BARRED
    await close(server, bots)


# Engines


def started(folder: Path, plays: str = PLAYS) -> tuple[Engine, list[str]]:
    """An engine that runs, and what is told of it."""
    told: list[str] = []
    player = Engine(engine(folder, plays), told.append, WITHIN)
    player.start()
    return player, told


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
async def test_engines_play_a_game_with_bots_under_names_of_their_own(
    rules: str, tmp_path: Path
) -> None:
    server = opened(rules=rules)
    bots = BotPlayers(server.connect, pace=0.0)
    engines = [started(tmp_path), started(tmp_path)]
    for player, _ in engines:
        bots.add_engine(player)
    bots.add(1, Level.EASY)
    await until(lambda: len(server.host.table.seats) == 3, within=WITHIN)
    assert {"Doubter", "Doubter 2"} < set(names(server))
    await until(lambda: server.host.is_done, within=WITHIN)
    await close(server, bots)
    assert [told for _, told in engines] == [[], []]
    assert bots.failed is None


async def test_an_engine_that_fails_again_gets_up_and_the_others_stay(tmp_path: Path) -> None:
    server = opened()
    bots = BotPlayers(server.connect, pace=0.0)
    player, told = started(tmp_path, "    sys.exit(4)\n")
    bots.add(2, Level.EASY)
    bots.add_engine(player)
    await until(lambda: bots.failed is not None, within=WITHIN)
    assert "it ended with status 4" in str(bots.failed)
    assert len(told) == 1
    await close(server, bots)
    with pytest.raises(EngineClosed):
        player.choose_hand(view_of_round(bidding((3, 3)), 0))


async def test_a_bot_gets_up_while_its_engine_thinks(tmp_path: Path) -> None:
    server, asked = opened(players=2), tmp_path / "asked"
    bots = BotPlayers(server.connect, pace=0.0)
    thinks = f"    open({str(asked)!r}, 'w')\n    time.sleep(1000)\n"
    bots.add_engine(started(tmp_path, thinks)[0])
    bots.add(1, Level.EASY)
    await until(asked.exists, within=WITHIN)
    async with asyncio.timeout(WITHIN):
        await close(server, bots)
    assert bots.failed is None


# Characters


async def test_mixed_company_sits_under_its_names_and_talks_after_rounds() -> None:
    server = opened(games=2)
    bots = BotPlayers(server.connect, pace=0.0)
    talkers = [replace(who, talks=1.0) for who in company(MIXED)]
    bots.add(3, Level.EASY, company=talkers)
    await until(lambda: server.host.is_done, within=WITHIN)
    told = list(server.host.table.talk)
    names_of = {who.name for who in talkers}
    lines = {line for who in talkers for each in lines_of(who.key).values() for line in each}
    await close(server, bots)
    assert {name.raw for name in server.host.table.names.values()} < names_of
    assert told and {talk.said.raw for talk in told if isinstance(talk.said, ForeignText)} <= lines


async def test_two_of_a_kind_and_a_person_of_that_name_are_told_apart() -> None:
    server = opened(players=5)
    bots = BotPlayers(server.connect, pace=0.0)
    bots.add(2, Level.EASY, lambda: ["miser"], company("miser"))
    await until(lambda: len(server.host.table.seats) == 2, within=WITHIN)
    assert sorted(names(server)) == ["Miser 2", "Miser 3"]
    await close(server, bots)
