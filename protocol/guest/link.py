"""One connection of a participant to the host, or to a seat that stands for host; and its join
code.

Whoever types a code expects the host to know it. So a host that never asks for the code, or asks
and does not prove it, is not the one that the code belongs to, but somebody who lets everybody in.
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
"""Farewells that are believed from anybody. A later host or a candidate is not known as such before
its log is here, and these farewells only make the guest look elsewhere or ask for the code."""


_TICK: Final = 0.25
"""Seconds by which a ping may be late because the host looks at its clock only this often."""


@dataclass(slots=True)
class HostLink:
    """What a participant knows of the other end of its link."""

    handshake: GuestHandshake
    heard: float
    """When anything was last received, in monotonic seconds."""
    asked: float
    """When the host last pinged, in monotonic seconds: a host that does not ping may have lost its
    table."""
    pinged: float
    """When this end last sent a ping, in monotonic seconds."""
    trip: RoundTrip = field(default_factory=RoundTrip)
    """The measured round trips of this link."""
    reader: FrameReader = field(default_factory=FrameReader)
    card: Card | None = None
    """The card in the other end's greeting; None before it."""
    is_candidate: bool = False
    """Whether the other end stands for host in `epoch`."""
    epoch: int = 0
    """The epoch in which the other end is host, or would be."""
    ping: int = 0
    """Number of the host's last ping; 0 before the first."""
    is_supported: bool = False
    """Whether this seat's support was sent to the candidate at the other end."""
    places: tuple[Whereabout, ...] | None = None
    """Where the seats could serve the table, as the other end told; None if it told nothing new, or
    once that was accepted."""
    gives_over: bool = False
    """Whether the host at the other end has handed its role over."""
    owes_words: bool = False
    """Whether intents without an answer have to be sent again once the log has been received."""

    @property
    def host_key(self) -> bytes | None:
        """The public key in the certificate of the other end; None for a link within one
        program."""
        return self.handshake.host_key

    @property
    def is_followed(self) -> bool:
        """Whether the other end has greeted as the table's host and has not handed its role
        over."""
        return bool(self.handshake.greeting) and not (self.is_candidate or self.gives_over)

    def lend(self, length: int, log: Log, table: Table | None) -> Entries:
        """The entries after the first `length`, which a candidate lacks, as many as fit into one
        frame.

        Only a candidate that has a seat, or belongs to this program, gets them, so that no stranger
        gets the log by standing for host; raises `Malformed` for any other.
        """
        if not self.is_of_seat(table):
            raise Malformed("only a seat that stands for host asks for entries")
        return Entries(log.batch(length))

    def is_of_host(self, table: Table | None) -> bool:
        """Whether the other end is the host of this copy of the table, by the key in its
        certificate; True without a table, or within one program."""
        return table is None or self.host_key in (None, table.host)

    def is_of_seat(self, table: Table | None) -> bool:
        """Whether the other end stands for host, and has a seat or belongs to this program."""
        is_seated = table is not None and (not self.host_key or table.seat(self.host_key))
        return self.is_candidate and bool(is_seated)

    def grew(self, length: int) -> None:
        """Note that the log has `length` entries now: a candidate that has taken over more entries
        needs to be supported again."""
        goal = self.handshake.goal
        if self.is_candidate and goal is not None and length > goal:
            self.handshake.goal, self.is_supported = length, False

    def is_lost(self, at: Moment) -> bool:
        """Whether the other end has been silent for so long that the link is given up."""
        return at.monotonic - self.heard > self.trip.lost_delay

    def is_unsteady(self, at: Moment) -> bool:
        """Whether the other end, or its pings alone, have been silent for longer than the network's
        delays explain."""
        silent = at.monotonic - min(self.heard, self.asked)
        return silent > UNSTEADY_DELAY and silent > self.trip.unsteady_delay

    def owes_ping(self, at: Moment) -> bool:
        """Whether this end has to ping because the host has not done so for `PING_INTERVAL`."""
        return self.handshake.goal is not None and at.monotonic - self.pinged >= PING_INTERVAL

    def take_ping(self, number: int, at: Moment) -> None:
        """Note ping `number` of the host. A late one counts as a round trip that was longer by its
        delay, except on a link within one program."""
        if self.ping and self.trip.is_known and self.host_key:
            late = max(0.0, at.monotonic - self.asked - PING_INTERVAL - _TICK)
            self.trip.measured(self.trip.best + late)
        self.ping, self.asked = number, at.monotonic

    def next_ping(self, held: int, at: Moment) -> Ping:
        """The ping to send at `at`, which is noted; `held` entries are on this program's disk."""
        self.pinged = at.monotonic
        return Ping(self.ping, held)


class CodeProof:
    """One participant's proof of the join code, kept over several links until it succeeds or
    fails."""

    def __init__(self, key: bytes) -> None:
        """`key` is the participant's public key."""
        self._key = key
        self._typed: tuple[str, Entropy] | None = None
        self._proven: bytes | None = None
        """Public key of a host that has proven the code while this participant had no log yet; None
        if there is none."""

    def use(self, code: str, entropy: Entropy) -> None:
        """Prove this code when the host asks for it."""
        self._typed = code, entropy

    def forget(self) -> None:
        """Stop using this code, because it was accepted or was wrong."""
        self._typed = None

    def step(
        self, handshake: GuestHandshake, message: Locked | Pake | Confirm
    ) -> Pake | Confirm | Farewell | None:
        """The next message of the proof, or why the link ends.

        None while the player has typed no code, and after both sides have proven that they know it.
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
        """The first message of the proof; None if the host has not asked for the code or none was
        typed."""
        if self._typed is None or not handshake.is_asked:
            return None
        return handshake.guess(self._key, *self._typed)

    def accepts(self, handshake: GuestHandshake) -> bool:
        """Whether a welcome from this host is accepted: no code was typed, or the host has proven
        it."""
        is_known = self._proven is not None and self._proven == handshake.host_key
        return self._typed is None or handshake.is_proven or is_known
