"""`spoof bot`: bots without a screen, at a table on this or another machine."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from protocol.wire.messages import OtherVersion
from spoof_tui import system
from spoof_tui.acts.table_form import COMPANY, LEVEL
from spoof_tui.commands import options
from spoof_tui.commands.printing import Parser, complain
from spoof_tui.network.links import Owner, dial
from spoof_tui.runtime.background import LAST_TIMEOUT
from spoof_tui.runtime.bot_players import BotPlayer, BotPlayers
from spoof_tui.runtime.engine import Engine, EngineFailed
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from protocol.wire.messages import Card
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.locator import Search


def main(words: Sequence[str]) -> int:
    """Play until the table closes; return 0, or 1 if no table was found or its host has cheated."""
    given, last_resort = parser().parse_args(words), system.LastResort()
    try:
        return system.run(_play(given, last_resort))
    finally:
        last_resort.cancel()


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof bot`."""
    parser = Parser(prog="spoof bot", description=_("Add bots to a table."))
    options.add_table(parser)
    parser.add_argument("--count", type=options.whole(1, 9), default=1, help=_("how many (1 to 9)"))
    options.add(parser, LEVEL)
    options.add(parser, COMPANY)
    parser.add_argument(
        "--engine",
        metavar="COMMAND",
        help=_("a program that plays over lines of JSON (spoof help engines)"),
    )
    options.add_time(parser)
    options.add_code(parser)
    return parser


async def _play(given: argparse.Namespace, last_resort: system.LastResort) -> int:
    from spoof_tui.commands.find_table import NotFound, find
    from spoof_tui.network.probe import SLOW_TIMEOUT, ProbeFailed, probe
    from spoof_tui.telling.sentences import cannot_open

    try:
        address = await find(given.table)
        answer = await probe([address], SLOW_TIMEOUT)
    except (NotFound, ProbeFailed) as error:
        complain(error)
        return 1
    if answer.card is None:
        why = cannot_open(OtherVersion(answer.protocol, answer.program))
        complain(why)
        return 1
    try:
        engines = await asyncio.to_thread(_engines, given)
    except EngineFailed as failed:
        complain(str(failed))
        return 1
    try:
        return await _sit(given, address, answer.card, engines, last_resort)
    finally:
        await asyncio.to_thread(_end, engines)


async def _sit(
    given: argparse.Namespace,
    address: Address,
    card: Card,
    engines: list[Engine],
    last_resort: system.LastResort,
) -> int:
    """Have the bots sit down, and play until the table closes or this program is told to exit.

    Returns the exit status.
    """
    from spoof_tui.network.locator import Search, TableLocator
    from spoof_tui.telling.sentences import not_let_in

    code = given.code or (_asked_code() if card.locked else None)

    async def connect(owner: Owner) -> None:
        await dial(owner, address)

    search, table = Search(), card.table
    players = BotPlayers(
        connect,
        code=code,
        follow=lambda guest, new: TableLocator(guest, new or table, (address,), search=search),
        on_refusal=lambda why: complain(not_let_in(why)),
    )
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    system.on_termination(loop, lambda reason: stopped.set(), last_resort)
    for engine in engines:
        players.add_engine(engine)
    if not engines:
        players.add(given.count, given.level, company=given.company)
    print(_("{count} at {address}").format(count=given.count, address=address.text), flush=True)
    waiting = loop.create_task(players.wait())
    stopping = loop.create_task(stopped.wait())
    await asyncio.wait({waiting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    closing = loop.create_task(_close(players, search))
    # A network that does not answer must not keep a program that was told to exit.
    await asyncio.wait({closing}, timeout=LAST_TIMEOUT if stopped.is_set() else None)
    await system.end(closing, waiting)
    return _status(players, stopped.is_set())


def _status(players: BotPlayers, is_stopped: bool) -> int:
    """The exit status; reports what went wrong, if anything, other than refusals, reported
    already."""
    if players.refused is not None:
        return 1
    if deceived := players.deceived:
        complain(_why_broken(deceived))
        return 1
    if players.failed is not None:
        complain(str(players.failed))
        return 1
    return system.STOPPED if is_stopped else 0


def _engines(given: argparse.Namespace) -> list[Engine]:
    """The engines asked for, running; if one cannot be started, raises `EngineFailed` and stops
    all."""
    with contextlib.ExitStack() as stack:
        engines = [
            stack.enter_context(Engine(given.engine, complain, given.time))
            for _number in range(given.count if given.engine is not None else 0)
        ]
        for engine in engines:
            engine.start()
        stack.pop_all()
    return engines


def _end(engines: list[Engine]) -> None:
    for engine in engines:
        engine.close()


async def _close(players: BotPlayers, search: Search) -> None:
    """Have all bots leave, and stop the search for the table."""
    await players.close()
    await search.close()


def _why_broken(player: BotPlayer) -> str:
    """What the host did wrong, and on the next line where the evidence is."""
    from spoof_tui.telling.names import seat_names
    from spoof_tui.telling.sentences import broken, fault

    found, view = player.broken, player.view
    assert found is not None
    why = fault(found.fault, seat_names(view) if view else ()) if found.fault else str(found.error)
    return broken(why, str(found.evidence) if found.evidence else None, "\n")


def _asked_code() -> str | None:
    """The join code that the person at the terminal types; None without a person, or at the end of
    input."""
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    while True:
        try:
            return options.code(input(_("Join code: ")))
        except EOFError:
            return None
        except argparse.ArgumentTypeError as error:
            print(error, file=sys.stderr)
