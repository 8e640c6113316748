"""One seat and two windows of the same person: the newer one asks, and the older one gives its
identity up.

They communicate through the folder of the identities. An older program that hangs never answers,
and keeps its lock until it ends: then the person is told which process to end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from spoof_tui.clock import now
from spoof_tui.storage import disk as disks
from spoof_tui.storage import identity as identities
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.storage.journal import is_seated

LOOK_INTERVAL: Final = 0.25
"""Seconds between two checks whether another program asks for this identity."""

ASK_INTERVAL: Final = 0.1
"""Seconds between two checks whether the identity is free."""

ASK_TIMEOUT: Final = 4.0
"""Seconds within which a program that works gives its identity up."""


async def take_over(key: bytes, asked: Holder) -> Identity | Holder:
    """Ask the program `asked` to give up the identity with this public key; returns that identity.

    Returns `asked` if it does not answer, and the program that now holds the identity if a third
    one was quicker.
    """
    until = now().monotonic + ASK_TIMEOUT
    await disks.DISK.run(partial(identities.ask_for, key))
    while (taken := await disks.DISK.run(partial(Identity.of, key))) is None:
        holder = await disks.DISK.run(partial(Identity.holder, key))
        if holder is not None and holder.pid not in (0, asked.pid):
            return holder
        if now().monotonic > until:
            await disks.DISK.run(partial(identities.ask_no_more, key))
            return asked
        await asyncio.sleep(ASK_INTERVAL)
    return taken


async def give_up_when_asked(
    identity: Identity, leave: Callable[[Holder], Awaitable[None]]
) -> None:
    """Wait until another program asks for `identity`; then call `leave` with it, and release the
    identity."""
    while identity.may_be_wanted:
        asker = await disks.DISK.run(identity.wanted)
        if asker is not None:
            await leave(asker)
            identity.release()
            return
        await asyncio.sleep(LOOK_INTERVAL)


GoOn = Callable[[], Coroutine[Any, Any, None]]
"""A function that continues to join or resume a table, once the player has chosen which seat to
use."""


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat of this user that another running program of theirs has."""

    key: bytes
    holder: Holder
    go_on: GoOn
    is_other_free: bool
    """Whether the player can also sit down with another key."""


def held_seat(table: bytes, own: bytes, go_on: GoOn) -> HeldSeat | None:
    """This user's seat at the table with the id `table` that another program has; None if there is
    none.

    `own` is the public key of this program.
    """
    for key in identities.keys_in_use():
        holder = Identity.holder(key)
        if key != own and holder and is_seated(table, key):
            return HeldSeat(key, holder, go_on, is_other_free=True)
    return None
