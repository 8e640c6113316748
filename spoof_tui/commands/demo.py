"""`spoof demo`: a whole game without a screen, over real discovery and real TCP."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from protocol.rules.options import PRESETS
from spoof_tui import system
from spoof_tui.commands.printing import Parser, complain
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from protocol.host.host import Host

PLAYERS: Final = 3

PLAY_TIMEOUT: Final = 60.0
"""Seconds after which the game is taken to have failed."""


def main(words: Sequence[str]) -> int:
    """Play a game, print its record and check it; return 0 if all is well, otherwise 1."""
    parser().parse_args(words)
    return system.run(_demo())


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof demo`."""
    return Parser(
        prog="spoof demo",
        description=_(
            "Open a table on this computer, let three bots find it and play a game over TCP, "
            "print the record and check it."
        ),
    )


async def _demo() -> int:
    import secrets

    from protocol.crypto.keys import SigningKey
    from spoof_tui.bots.levels import Level
    from spoof_tui.commands.find_table import NotFound, find
    from spoof_tui.network.links import Owner, dial
    from spoof_tui.runtime.bot_players import BotPlayers
    from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
    from spoof_tui.storage.settings import USUAL_PRESET

    name = f"demo {secrets.token_hex(4)}"
    rules = PRESETS[USUAL_PRESET]
    plan = TablePlan(name, _("the house"), rules, PLAYERS, start_when=PLAYERS, games=1, port=0)
    done, say = asyncio.Event(), partial(print, flush=True)
    table = await HostedTable.open(plan, SigningKey(secrets.token_bytes(32)))
    host = table.server.host
    table.listen(lambda: done.set() if host.is_done else None)
    say(_("A table listens on port {port}. Looking for it …").format(port=table.port))
    try:
        address = await find(name)
        say(_("Found at {address}. Three bots sit down.").format(address=address.text))

        async def connect(owner: Owner) -> None:
            await dial(owner, address)

        bots = BotPlayers(connect, pace=0.0, code=table.code)
        bots.add(PLAYERS, Level.MEDIUM)
        try:
            async with asyncio.timeout(PLAY_TIMEOUT):
                await done.wait()
        finally:
            await bots.close()
    except (NotFound, TimeoutError) as error:
        complain(str(error) or _("the game did not end"))
        return 1
    finally:
        await table.close()
    return _judge(host)


def _judge(host: Host) -> int:
    """Print the record, and check it and the whole log; return the exit status."""
    from spoof_tui.storage.archive import record_text
    from spoof_tui.storage.stored_log import folded

    if host.table.game is None:
        return 1
    record = record_text(host.table, host.table.game)
    print(f"\n{record}")
    faults = _faults(record)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults or folded(host.log) != host.table:
        return 1
    text = _("The record follows the rules, and the log of {count} entries holds together.")
    print(text.format(count=len(host.log)))
    return 0


def _faults(record: str) -> list[str]:
    """The faults of a record, a sentence each."""
    from protocol.notation.checking import check
    from protocol.notation.reading import read

    checked = [check(game) for game in read([record.encode()])]
    faults = [f"{fault.told(_)} ({fault.clause})" for game in checked for fault in game.faults]
    return faults if checked else [_("the record holds no game")]
