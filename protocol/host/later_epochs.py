"""Whether a host gives way to a later epoch that one seat says it follows, or has promised.

An honest seat says so if it can no longer come back to this host's epoch, but anybody can say so.
What is believed, and why, is in `protocol/FAILOVER.md` ("One seat's word").
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from protocol.host.effects import Stranded, Superseded
from protocol.limits import MAX_EPOCH_STEP
from protocol.table.electorate import can_move, may_support
from protocol.table.state import Table
from protocol.timeouts import Moment
from protocol.wire.messages import Hello

BELIEVED_AGAIN: Final = 30.0
"""Seconds after which a seat that was believed once, and gave no support then, is believed again;
the time doubles with each further time."""


class LaterEpochs:
    """What the seats have told this program about later epochs; kept from one role to the next."""

    def __init__(self) -> None:
        self._believed: dict[bytes, tuple[float, float]] = {}
        """For each seat that was believed: when it may be believed again, in monotonic seconds, and
        how many seconds it has to wait the time after that."""

    def told(
        self, hello: Hello, table: Table, host: bytes, heard: Set[bytes], at: Moment, *, leads: bool
    ) -> list[Stranded | Superseded]:
        """Note that a guest of `host` follows a later epoch; returns the effect by which the host
        gives way, or nothing if the guest is not believed.

        `heard` has the keys whose lease is running, none for a candidate; `leads` is true if no
        other host can have been elected.
        """
        key, epoch = hello.key, hello.epoch
        if epoch > table.epoch + MAX_EPOCH_STEP or key in heard:
            # Who is heard cannot have promised anything.
            return []
        what: Stranded | Superseded = Superseded(epoch)
        is_believed = may_support(table, key)
        if leads:
            # A seat that was removed meanwhile follows no earlier epoch either, and wants to come
            # back. But what this host gives up it has to win back, perhaps without that seat.
            what = Stranded(epoch)
            is_believed = key in table.names and can_move(table, heard | {host}, host)
        return [what] if is_believed and self._takes(key, at.monotonic) else []

    def supported(self, voter: bytes) -> None:
        """Note that this seat has given its support, and so has told the truth."""
        self._believed.pop(voter, None)

    def _takes(self, key: bytes, now: float) -> bool:
        """Whether this seat may be believed now; if so, notes that it was."""
        since, pause = self._believed.get(key, (now, BELIEVED_AGAIN))
        if now < since:
            return False
        self._believed[key] = now + pause, 2 * pause
        return True
