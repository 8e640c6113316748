"""`spoof bot`: players without a screen, at a table on this or another machine."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from protocol.wire.messages import OtherVersion
from spoof_tui import system
from spoof_tui.bots.levels import Level
from spoof_tui.commands import options
from spoof_tui.network.links import Owner, dial
from spoof_tui.runtime.background import LAST_TIMEOUT
from spoof_tui.runtime.bot_players import BotPlayer, BotPlayers
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.network.locator import Search


def main(words: Sequence[str]) -> int:
    """Play until the table closes; 0 then, 1 if no table was found or its host has cheated."""
    given, last_resort = _parser().parse_args(words), system.LastResort()
    try:
        return system.run(_play(given, last_resort))
    finally:
        last_resort.cancel()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spoof bot", description=_("Add bots to a table."))
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE | HOST:PORT",
        help=_("the table’s name or a part of it, or its address (default: the only one there is)"),
    )
    parser.add_argument("--count", type=options.whole(1, 9), default=1, help=_("how many (1 to 9)"))
    parser.add_argument(
        "--level",
        type=options.level,
        default=Level.MEDIUM,
        help=_("easy, medium or hard (default: medium)"),
    )
    options.add_code(parser)
    return parser


async def _play(given: argparse.Namespace, last_resort: system.LastResort) -> int:
    from spoof_tui.commands.finding import NotFound, find
    from spoof_tui.network.locator import Search, TableLocator
    from spoof_tui.network.probe import SLOW_TIMEOUT, ProbeFailed, probe
    from spoof_tui.ui.wording.sentences import cannot_open, not_let_in

    try:
        address = await find(given.table)
        answer = await probe(address, SLOW_TIMEOUT)
    except (NotFound, ProbeFailed) as error:
        print(f"spoof: {error}", file=sys.stderr)
        return 1
    if answer.card is None:
        why = cannot_open(OtherVersion(answer.protocol, answer.program))
        print(f"spoof: {why}", file=sys.stderr)
        return 1

    code = given.code or (_asked_code() if answer.card.locked else None)

    async def connect(owner: Owner) -> None:
        await dial(owner, address)

    search, table = Search(), answer.card.table
    players = BotPlayers(
        connect,
        code=code,
        follow=lambda guest, new: TableLocator(guest, new or table, (address,), search=search),
    )
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    system.on_termination(
        loop, lambda reason: stopped.set(), interrupt=True, last_resort=last_resort
    )
    players.add(given.count, given.level)
    print(_("{count} at {address}").format(count=given.count, address=address.text), flush=True)
    waiting = loop.create_task(players.wait())
    stopping = loop.create_task(stopped.wait())
    await asyncio.wait({waiting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    closing = loop.create_task(_close(players, search))
    # A network that does not answer keeps no program that is told to end.
    await asyncio.wait({closing}, timeout=LAST_TIMEOUT if stopped.is_set() else None)
    for task in (closing, waiting, stopping):
        task.cancel()
    await asyncio.gather(closing, waiting, stopping, return_exceptions=True)
    if players.refused is not None:
        print(f"spoof: {not_let_in(players.refused)}", file=sys.stderr)
        return 1
    if deceived := players.deceived:
        print(f"spoof: {_why_broken(deceived)}", file=sys.stderr)
        return 1
    return system.STOPPED if stopped.is_set() else 0


async def _close(players: BotPlayers, search: Search) -> None:
    """Have all bots get up, and look for nothing any more."""
    await players.close()
    await search.close()


def _why_broken(player: BotPlayer) -> str:
    """What the host did wrong, and below that where the evidence is."""
    from spoof_tui.ui.wording.names import seat_names
    from spoof_tui.ui.wording.sentences import broken, fault

    found, view = player.broken, player.view
    assert found is not None
    why = fault(found.fault, seat_names(view) if view else ()) if found.fault else str(found.error)
    return broken(why, str(found.evidence) if found.evidence else None, "\n")


def _asked_code() -> str | None:
    """The join code from the person at the terminal; None where nobody sits there, or wants to."""
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    while True:
        try:
            return options.code(input(_("Join code: ")))
        except EOFError:
            return None
        except argparse.ArgumentTypeError as error:
            print(error, file=sys.stderr)
