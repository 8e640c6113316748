"""Bots in their seats: whole games by what a seat may know, the join code, and when they go."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.table.statements import Fist, GameStarted, Measure, Ready, Say, Speak
from protocol.wire.messages import Farewell
from spoof_tui import beats
from spoof_tui.bots.characters import MIXED, Character, company, lines_of
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.clock import now
from spoof_tui.network import table_server as servers
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Owner, dial
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime.bot_players import BotPlayer, BotPlayers, Refusal
from spoof_tui.visiting import DOOR_VARIABLE, DoorKind
from tests.simulation.substitutes import here
from tests.spoof_tui.runtime.local_table import new_host, new_key, until

WITHIN = 600.0
"""Seconds for a table of bots to play its games."""


def opened(
    games: int = 1, players: int = 3, rules: str = "milan", *, locked: bool = False
) -> TableServer:
    key = new_key()
    host, _ = new_host(rules, start_when=players, games=games, key=key, locked=locked)
    return TableServer(host, lambda blobs: None, key=key)


def names(server: TableServer) -> list[str]:
    return [seat.name.raw for seat in server.host.table.seats]


async def seated(server: TableServer, count: int) -> None:
    await until(lambda: len(names(server)) == count, WITHIN)


async def play(server: TableServer, minds: Sequence[BotMind], pace: float = 0.0) -> None:
    """Everything that these say at the table."""
    bots = [BotPlayer(server.connect, f"Bot {n}", mind, pace) for n, mind in enumerate(minds)]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    await until(lambda: server.host.is_done, WITHIN)
    await server.close()
    await asyncio.gather(*playing)


async def test_bots_get_up_when_they_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, DoorKind.OWN.value)
    server = opened(players=9)
    bots = BotPlayers(server.connect)
    bots.add(3, Level.EASY)
    await seated(server, 3)
    assert not server.host.table.doors, "a bot behind a door is a bot like any other"
    await bots.close()
    await seated(server, 0)


@pytest.mark.parametrize("is_barred", [False, True])
async def test_bots_are_done_when_the_table_closes_or_bars_them(is_barred: bool) -> None:
    server = opened(players=9)
    bots = BotPlayers(server.connect, pace=0)
    bots.add(2, Level.EASY)
    await seated(server, 2)
    if is_barred:
        for seat in server.host.table.seats:
            server.carry_out(server.host.decide(Measure.BAR, seat.key, now()))
    else:
        await server.close()
    async with asyncio.timeout(5):
        await bots.wait()
    assert bots.refused is (Farewell.BARRED if is_barred else None)


async def test_a_bot_without_a_seat_says_why_and_goes_while_the_others_stay() -> None:
    key = new_key()
    host, _ = new_host(seats=2, start_when=9, key=key)
    server = TableServer(host, lambda blobs: None, key=key)
    reasons: list[Refusal] = []
    bots = BotPlayers(server.connect, pace=0, on_refusal=reasons.append)
    bots.add(4, Level.EASY)
    await until(lambda: reasons)
    full = Illegal(Reason.TABLE_FULL, seats=2)
    assert reasons == [full] and bots.refused == full
    await until(lambda: len(list(server.host.connections.inside())) == 2)
    assert len(names(server)) == 2
    await server.close()
    await bots.wait()


async def test_bots_that_play_with_people_get_ready_once_somebody_is() -> None:
    server = opened(players=3)
    bots = BotPlayers(server.connect, pace=0, with_people=True)
    bots.add(2, Level.EASY)
    await seated(server, 2)
    own = {seat.key for seat in server.host.table.seats}
    guest = BotPlayers(server.connect, pace=0)
    guest.add(1, Level.EASY)
    await until(lambda: server.host.table.game is not None, WITHIN)
    said = [entry.intent for entry in server.host.log if entry.intent]
    first = next(intent for intent in said if isinstance(intent.statement, Ready))
    assert first.author not in own
    await server.close()
    await bots.wait()
    await guest.wait()


# How long it takes


async def test_a_bot_takes_its_time_and_lets_people_see_a_count_to_its_end() -> None:
    pauses: dict[float, dict[type, float]] = {}
    for pace in (0.0, 0.5, 1.0):
        server = opened(players=2)
        await play(server, [BotMind(Level.EASY, random.Random(seed)) for seed in range(2)], pace)
        log = [(entry.statement, entry.time / 1000) for entry in server.host.log]
        between = [(type(said), at - before) for (_, before), (said, at) in pairwise(log)]
        first = next(n for n, (kind, _) in enumerate(between) if kind is Speak)
        pauses[pace] = {
            kind: max(pause for each, pause in between[first + 1 :] if each is kind)
            for kind in (Fist, Speak)
        }
    assert max(pauses[0.0].values()) < 1.0
    count = beats.WORD + beats.HELD + beats.LAST + beats.STAMP
    for pace in (0.5, 1.0):
        assert pauses[pace][Fist] >= pace * count
        assert pauses[pace][Speak] + pauses[pace][Fist] >= pace * (count + beats.REST)
    assert here().loop.time() > 2 * count


def _game(server: TableServer) -> int:
    game = server.host.table.game
    return game.number if game else 0


async def test_a_bot_that_is_hurried_while_it_thinks_stops_thinking_at_once() -> None:
    server = opened(players=2)
    bots = BotPlayers(server.connect, pace=100.0)
    bots.add(2, Level.EASY)
    await until(lambda: server.host.table.game is not None, WITHIN)
    await asyncio.sleep(1)
    assert not any(isinstance(each.statement, Speak) for each in server.host.log)
    began = here().loop.time()
    bots.hurry()
    await until(lambda: any(isinstance(each.statement, Speak) for each in server.host.log), WITHIN)
    assert here().loop.time() - began < 1
    await server.close()
    await bots.wait()


async def test_bots_that_are_hurried_play_the_rest_of_a_game_at_once_and_the_next_one_not() -> None:
    server = opened(players=2, games=2)
    bots = BotPlayers(server.connect, pace=1.0)
    bots.add(2, Level.EASY)
    await until(lambda: server.host.table.game is not None, WITHIN)
    await asyncio.sleep(1)
    began = here().loop.time()
    bots.hurry()
    await until(lambda: _game(server) == 2, WITHIN)
    assert here().loop.time() - began < 10
    began = here().loop.time()
    await until(lambda: server.host.is_done, WITHIN)
    assert here().loop.time() - began > 20
    await server.close()
    await bots.wait()


# What a bot knows


# The join code


@pytest.mark.parametrize(
    ("said", "tries", "refused"),
    [("right", 0, None), ("wrong", 1, Farewell.WRONG_CODE), (None, 0, Farewell.NO_CODE)],
)
async def test_one_bot_tries_the_code_for_all(
    said: str | None, tries: int, refused: Farewell | None
) -> None:
    server = opened(players=9, locked=True)
    address = Address("127.0.0.1", await server.start(servers.bound(0, loopback_only=True)))
    right = server.host.admission.code
    assert right
    wrong = "AAAAA" if right != "AAAAA" else "CCCCC"
    dials: list[float] = []

    async def connect(owner: Owner) -> None:
        dials.append(here().loop.time())
        await dial(owner, address)

    code = {"right": right, "wrong": wrong}.get(said) if said else None
    bots = BotPlayers(connect, pace=0, code=code)
    bots.add(4, Level.EASY)
    if refused is None:
        await seated(server, 4)
    else:
        async with asyncio.timeout(60):
            await bots.wait()
        assert names(server) == [] and (len(dials) == tries or tries == 0)
    assert bots.refused is refused


# Characters


async def test_mixed_company_sits_under_its_names_and_talks_after_rounds() -> None:
    server = opened(games=2)
    bots = BotPlayers(server.connect, pace=0.0)
    talkers = [replace(who, talks=1.0) for who in company(MIXED)]
    bots.add(3, Level.EASY, company=talkers)
    await until(lambda: server.host.is_done, WITHIN)
    told = [talk.said.raw for talk in server.host.table.talk if isinstance(talk.said, ForeignText)]
    lines = {line for who in talkers for each in lines_of(who.key).values() for line in each}
    assert set(names(server)) < {who.name for who in talkers}
    assert told and set(told) <= lines
    said = [type(entry.statement) for entry in server.host.log]
    again = said.index(GameStarted, said.index(GameStarted) + 1)
    last = max(place for place in range(again) if said[place] is Speak)
    assert Say in said[:last], "not after the game only"


@pytest.mark.parametrize(
    ("who", "taken", "called"),
    [(company("miser"), ["miser"], ["Miser 2", "Miser 3"]), ((), [], None)],
)
async def test_two_of_a_kind_and_a_person_of_that_name_are_told_apart(
    who: tuple[Character, ...], taken: list[str], called: list[str] | None
) -> None:
    server = opened(players=5)
    bots = BotPlayers(server.connect, pace=0.0)
    bots.add(2, Level.EASY, lambda: taken, who)
    await seated(server, 2)
    assert len(set(names(server))) == 2 and called in (None, sorted(names(server)))
