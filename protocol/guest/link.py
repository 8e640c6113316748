"""One connection of a participant to the host, or to a seat that stands for it; and its join code.

Whoever types a code expects the host to know it. So a host that never asks for it, or asks and does
not prove it, is not the one that the code was told for, but somebody who lets everybody in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from protocol.crypto.join_code import Entropy
from protocol.encoding.framing import FrameReader
from protocol.errors import Malformed
from protocol.table.log import Log
from protocol.table.state import Table
from protocol.timeouts import PING_INTERVAL, UNSTEADY_DELAY, Moment, RoundTrip
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import (
    Card,
    Confirm,
    Entries,
    Farewell,
    Locked,
    Pake,
    Ping,
    Whereabout,
)

CODE_FAILED: Final = frozenset({Farewell.WRONG_CODE, Farewell.TOO_MANY_TRIES})
"""Farewells after which the player is asked for the join code again."""

OF_ANYBODY: Final = CODE_FAILED | {Farewell.BEHIND, Farewell.OLD_EPOCH, Farewell.HANDED_OVER}
"""Farewells that are believed from anybody: a later host or a candidate is not known as such before
its log is here, and these only make the guest look elsewhere or ask for the code."""


_TICK: Final = 0.25
"""Seconds by which a host may ping late on its own account: how often it looks at the clock."""


@dataclass(slots=True)
class HostLink:
    """What a participant knows of the other end."""

    handshake: GuestHandshake
    heard: float
    """When it was last heard, in seconds."""
    asked: float
    """When it last pinged, in seconds: a host that does not ping may have lost its table."""
    pinged: float
    """When the last ping was sent to it, in seconds."""
    trip: RoundTrip = field(default_factory=RoundTrip)
    """How long answers take on this link."""
    reader: FrameReader = field(default_factory=FrameReader)
    card: Card | None = None
    """The card by which the other end has greeted."""
    is_candidate: bool = False
    """Whether the other end stands for host in `epoch`."""
    epoch: int = 0
    """The epoch in which it is host, or would be."""
    ping: int = 0
    """Number of the host's last ping."""
    is_supported: bool = False
    """Whether the seat's support was sent."""
    places: tuple[Whereabout, ...] | None = None
    """Where the seats could serve the table, as told here, until that may be believed."""
    gives_over: bool = False
    """Whether this host has handed its role over."""
    owes_words: bool = False
    """Whether intents without an answer have to be sent again once the log is here."""

    @property
    def host_key(self) -> bytes | None:
        """Key in the certificate at the other end; None in memory."""
        return self.handshake.host_key

    @property
    def is_followed(self) -> bool:
        """Whether the table's host is at the other end, as far as is known."""
        return bool(self.handshake.greeting) and not (self.is_candidate or self.gives_over)

    def lend(self, length: int, log: Log, table: Table | None) -> Entries:
        """The entries that a candidate with `length` of them lacks; raises `Malformed`.

        Only a candidate with a seat, or of this program, gets them: no stranger gets the log by
        standing for host.
        """
        if not self.is_of_seat(table):
            raise Malformed("only a seat that stands for host asks for entries")
        return Entries(log.batch(length))

    def is_of_host(self, table: Table | None) -> bool:
        """Whether the other end is the host of this copy of the table, as its key shows."""
        return table is None or self.host_key in (None, table.host)

    def is_of_seat(self, table: Table | None) -> bool:
        """Whether the other end is a seat, or of this program, and stands for host."""
        is_seated = table is not None and (not self.host_key or table.seat(self.host_key))
        return self.is_candidate and bool(is_seated)

    def grew(self, length: int) -> None:
        """Note the length of the log: a candidate that has borrowed entries needs new support."""
        goal = self.handshake.goal
        if self.is_candidate and goal is not None and length > goal:
            self.handshake.goal, self.is_supported = length, False

    def is_lost(self, at: Moment) -> bool:
        """Whether it has been silent for so long that it is given up."""
        return at.monotonic - self.heard > self.trip.lost_delay

    def is_unsteady(self, at: Moment) -> bool:
        """Whether it, or its pings, have been silent for longer than the network explains."""
        silent = at.monotonic - min(self.heard, self.asked)
        return silent > UNSTEADY_DELAY and silent > self.trip.unsteady_delay

    def owes_ping(self, at: Moment) -> bool:
        """Whether this end has to ping, because the host did not."""
        return self.handshake.goal is not None and at.monotonic - self.pinged >= PING_INTERVAL

    def take_ping(self, number: int, at: Moment) -> None:
        """Note a ping of the host. A late one was delayed on the way by so much more than usual;
        within one program, only by what else that does."""
        if self.ping and self.trip.is_known and self.host_key:
            late = max(0.0, at.monotonic - self.asked - PING_INTERVAL - _TICK)
            self.trip.measured(self.trip.best + late)
        self.ping, self.asked = number, at.monotonic

    def next_ping(self, held: int, at: Moment) -> Ping:
        """The ping to send now; `held` entries are on disk here."""
        self.pinged = at.monotonic
        return Ping(self.ping, held)


class CodeProof:
    """The code of one participant, until it has done its work."""

    def __init__(self, key: bytes) -> None:
        """`key` is the participant's public one."""
        self._key = key
        self._typed: tuple[str, Entropy] | None = None
        self._proven: bytes | None = None
        """Key of a host that has proven the code before its log was here."""

    def use(self, code: str, entropy: Entropy) -> None:
        """Prove this code when it is asked for."""
        self._typed = code, entropy

    def forget(self) -> None:
        """Stop trying this code: it was right, or it was wrong."""
        self._typed = None

    def step(
        self, handshake: GuestHandshake, message: Locked | Pake | Confirm
    ) -> Pake | Confirm | Farewell | None:
        """The next message of the proof, or why the link ends.

        None while no code is typed, and once both have proven it.
        """
        match message:
            case Locked():
                handshake.ask()
                return self.guess(handshake)
            case Pake():
                return handshake.confirm(message)
        if not handshake.check(message):
            return Farewell.NO_PROOF
        self._proven = handshake.host_key
        return None

    def guess(self, handshake: GuestHandshake) -> Pake | None:
        """The first message of the proof, if this link asks for the code and one was typed."""
        if self._typed is None or not handshake.is_asked:
            return None
        return handshake.guess(self._key, *self._typed)

    def accepts(self, handshake: GuestHandshake) -> bool:
        """Whether this host may welcome a player who has typed a code."""
        is_known = self._proven is not None and self._proven == handshake.host_key
        return self._typed is None or handshake.is_proven or is_known
