"""The log of a table at its host: each statement gets its place and time there, or is refused.

The host also limits how much each participant may say outside the game.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.errors import Illegal, LocalError, Reason, RemoteError
from protocol.host.rate_limit import Bucket, RateLimits
from protocol.limits import (
    LOG_RESERVE,
    MAX_LOG,
    SEATING_BURST,
    SEATING_INTERVAL,
    SEATING_OF_ADDRESS_BURST,
    SEATING_OF_ADDRESS_INTERVAL,
    TALK_BURST,
    TALK_INTERVAL,
    TALK_OF_ROUND,
)
from protocol.table.fold import Replica, advance, epoch_of, placed
from protocol.table.log import Entry, Intent, position_of
from protocol.table.state import Table
from protocol.table.statements import RATIONED, Leave, Sit
from protocol.timeouts import Moment


class TalkLimits:
    """How much each participant may say outside the game at one table."""

    def __init__(self) -> None:
        self._talk = RateLimits(TALK_BURST, TALK_INTERVAL)
        self._rounds: dict[bytes, tuple[tuple[int, int], int]] = {}
        """For each author, the last round in which they said something outside the game, and how
        many things."""
        self._seating = Bucket(SEATING_BURST, SEATING_INTERVAL)
        self._nearby = RateLimits(SEATING_OF_ADDRESS_BURST, SEATING_OF_ADDRESS_INTERVAL)

    def take(self, table: Table, intent: Intent, now: float, address: str | None = None) -> bool:
        """Whether the author, at `address`, may say one more thing at `now`, in monotonic seconds;
        if so, it counts as said.

        Without an address, the author belongs to the host's own program, which is trusted.
        """
        game = table.game
        running = (game.number, game.round_number) if game and game.round else (0, 0)
        last, said = self._rounds.get(intent.author, (running, 0))
        if last != running:
            said = 0
        if running != (0, 0) and said >= TALK_OF_ROUND:
            return False
        # Its own ration first: a player who has used it up takes nothing of what all share.
        if not self._talk.take(intent.author, now):
            return False
        if isinstance(intent.statement, Sit | Leave):
            if address is not None and not self._nearby.take(address, now):
                return False
            if not self._seating.take(now):
                return False
        # Only for players whom the log names, so that keys that cost nothing fill no memory.
        self._rounds[intent.author] = running, said + 1
        return True


class Sequencer(Replica):
    """The log of a host, which decides only order and time: the rules of the table decide what may
    be said."""

    table: Table

    def __init__(self, key: SigningKey, entries: Iterable[Entry]) -> None:
        """Continue after these entries, signing with `key`; raises `BrokenLog`."""
        super().__init__(entries)
        if not len(self.log):
            raise LocalError("a table begins with its first entry")
        self._key = key
        self._talk = TalkLimits()
        self._ahead = 0
        """Milliseconds by which the clock of the log is ahead of this machine's."""
        self._wall = 0
        """The time that this machine's clock last showed, in milliseconds since 1970."""

    def append(self, said: Intent | Message, at: Moment, address: str | None = None) -> Entry:
        """Append to the log an intent that came from `address`, or an announcement of the host.

        Raises `Illegal` if the table, or this host's limits, forbid it; then nothing has changed.
        The rules are checked once, by folding, and only what they allow is signed.
        """
        if isinstance(said, Intent) and not self.log.holds(said.seen):
            raise Illegal(Reason.OTHER_LOG)
        before, time = self.table, self.time(at)
        after = advance(before, said, time)
        if isinstance(said, Intent):
            self._check_limits(said, at, address)
        entry = Entry.sign(self._key, epoch_of(before, said), self.log.head, time, said)
        self.put(entry, placed(before, after, entry))
        return entry

    def borrow(self, blobs: Iterable[bytes], below: int) -> list[Entry]:
        """Append those of these encoded entries that follow and that hosts of epochs below `below`
        signed; returns them.

        Entries that are here already are skipped. At the first entry that does not follow it stops.
        """
        borrowed: list[Entry] = []
        with contextlib.suppress(RemoteError):
            for blob in blobs:
                if position_of(blob) < len(self.log):
                    continue
                entry = Entry.read(blob, self.table.host)
                if entry.epoch >= below or len(self.log) >= MAX_LOG:
                    break
                self.follow(entry)
                borrowed.append(entry)
        return borrowed

    def _check_limits(self, intent: Intent, at: Moment, address: str | None) -> None:
        """Raise `Illegal` for an intent that this host does not take although the rules allow
        it."""
        is_rationed = isinstance(intent.statement, RATIONED)
        if self.log.head.length >= MAX_LOG - (LOG_RESERVE if is_rationed else 0):
            raise Illegal(Reason.LOG_FULL)
        is_from_outside = address is not None and not self.table.knows(intent.author)
        if self.table.shut and is_from_outside and isinstance(intent.statement, Sit):
            raise Illegal(Reason.TABLE_LOCKED)
        if is_rationed and not self._talk.take(self.table, intent, at.monotonic, address):
            raise Illegal(Reason.TOO_FAST)

    def time(self, at: Moment) -> int:
        """The time for the next entry, in milliseconds since 1970.

        It continues from the last entry, this host's own or an earlier host's, even if that is
        ahead of this machine's clock because another clock led the table or this one was set back.
        Otherwise no delay would ever be over.
        """
        set_back = max(self._wall - at.wall, 0)
        self._ahead = max(self._ahead + set_back, self.table.time - at.wall)
        self._wall = at.wall
        return at.wall + self._ahead
