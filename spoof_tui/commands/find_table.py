"""Finds the table that a command line names."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from spoof_tui.network.addresses import Address
from spoof_tui.network.discovery import Browser
from spoof_tui.network.probe import FoundTable
from spoof_tui.text.i18n import _
from spoof_tui.text.parsing import called, folded
from spoof_tui.text.safe_text import show

SEARCH_TIMEOUT: Final = 5.0
"""Seconds after which a table that was not found counts as missing; once more as many while a table
that was heard has not answered, as on a very slow network."""

SETTLE_DELAY: Final = 1.0
"""Seconds to wait for a second match before the first one counts as the only one."""


class NotFound(Exception):
    """Raised if no table matches, or several do; the text is a sentence for the player."""


async def find(named: Address | str | None) -> Address:
    """This address, or that of the table with this name; raises `NotFound`.

    A part of a name is enough if only one table has it. None: the only table there is.
    """
    return named if isinstance(named, Address) else await _search(named)


async def _search(named: str | None) -> Address:
    changed = asyncio.Event()
    browser = Browser(lambda tables: changed.set())
    await browser.start()
    explaining = asyncio.create_task(_explain(named))
    loop = asyncio.get_running_loop()
    begun = loop.time()
    until = begun + SEARCH_TIMEOUT
    try:
        while loop.time() < until:
            try:
                async with asyncio.timeout_at(until):
                    await changed.wait()
            except TimeoutError:
                is_patient = browser.is_waiting and not _meant(browser.tables, named)
                if not is_patient or until > begun + SEARCH_TIMEOUT:
                    break
                until = begun + 2 * SEARCH_TIMEOUT
                continue
            changed.clear()
            meant = _meant(browser.tables, named)
            if named and any(folded(_title(table)) == folded(named) for table in meant):
                break
            if meant:
                until = min(until, loop.time() + SETTLE_DELAY)
        meant = _meant(browser.tables, named)
        if not meant:
            await asyncio.wait([explaining], timeout=SETTLE_DELAY)
        found_out = explaining.result() if explaining.done() else ""
        return _only(meant, named, found_out or browser.trouble, until - begun)
    finally:
        explaining.cancel()
        await browser.close()


async def _explain(named: str | None) -> str:
    """Why no table may have been found, and what to do, as lines; empty if the network seems
    fine."""
    from spoof_tui.network.diagnosis.examining import Request
    from spoof_tui.runtime.troubleshooting import EXPLAIN_DELAY, find_out
    from spoof_tui.telling.findings import told
    from spoof_tui.telling.sentences import sentence

    await asyncio.sleep(EXPLAIN_DELAY)
    worst = next((each for each in await find_out(Request()) if each.severity), None)
    if worst is None:
        return ""
    words = told(worst)
    return "\n".join((words.means, sentence(words.todo), doctor()))


def doctor() -> str:
    """A sentence that points to `spoof doctor`."""
    return _("`spoof doctor` says more.")


def _meant(tables: Sequence[FoundTable], named: str | None) -> list[FoundTable]:
    playable = [table for table in tables if table.card is not None]
    return playable if named is None else called(named, playable, _title)


def _only(
    meant: Sequence[FoundTable], named: str | None, trouble: str | None, seconds: float
) -> Address:
    if len(meant) == 1:
        return meant[0].address
    if meant:
        titles = ", ".join(f"{_title(table)} ({table.address.text})" for table in meant)
        raise NotFound(
            _("there is more than one table; name one of these: {titles}").format(titles=titles)
        )
    if named is None:
        text = _("no table was found on this network within {seconds} seconds. {trouble}")
    else:
        text = _("no table called {name!r} was found within {seconds} seconds. {trouble}")
    raise NotFound(text.format(name=named, seconds=round(seconds), trouble=trouble or "").strip())


def _title(table: FoundTable) -> str:
    return show(table.card.name, 64) if table.card else ""
