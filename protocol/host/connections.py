"""The connections to one host: which are let in, which give way, and what is sent to all of them.

A link that does not read gets nothing more until it does, and then catches up from the log, so a
slow guest costs its host no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.host.effects import HostEffect, LinkId, More, Send, send
from protocol.host.rate_limit import Bucket, Crowd
from protocol.limits import (
    HELLO_TIMEOUT,
    MAX_EARLY_FRAME,
    MAX_FRAME,
    MAX_HELLO_TIMEOUT,
    MAX_LINKS,
    MAX_UNPROVEN,
    MAX_UNPROVEN_OF_ADDRESS,
    MAX_WATCHERS_OF_ADDRESS,
    MESSAGES_BURST,
    MESSAGES_INTERVAL,
)
from protocol.table.log import Entry, Intent, Log
from protocol.table.state import Table
from protocol.timeouts import LEASE, LOST_DELAY, Moment, RoundTrip
from protocol.wire.handshake import HostHandshake
from protocol.wire.messages import (
    AskEntries,
    Entries,
    Farewell,
    Presence,
    Whereabout,
    Whereabouts,
    read_from_guest,
    write,
)

_PROOF_TRIPS: Final = 9
"""Round trips from asking for the join code to its proof: two, and seven for two lost packets. A
player who is cut off has to type the code again."""


@dataclass(slots=True)
class GuestLink:
    """One connection to a guest, as the host sees it."""

    handshake: HostHandshake
    address: str | None
    """The address it comes from; None for a link within the host's own program, which is
    trusted."""
    since: float
    """When it was made, or when the join code or entries were last asked for, in monotonic
    seconds."""
    heard: float
    """When anything was last received on it, in monotonic seconds."""
    trip: RoundTrip = field(default_factory=RoundTrip)
    """Its measured round trips."""
    key: bytes | None = None
    """Public key of the guest, once it is let in; None before."""
    reader: FrameReader = field(default_factory=lambda: FrameReader(MAX_EARLY_FRAME))
    budget: Bucket = field(default_factory=lambda: Bucket(MESSAGES_BURST, MESSAGES_INTERVAL))
    """Limits how many of its messages are read in a time."""
    is_over_budget: bool = False
    """Whether it sent more than its budget allows, so that some messages are waiting to be read."""
    is_stalled: bool = False
    """Whether the host has stopped reading from it because it is over its budget."""
    clogged_since: float | None = None
    """When the guest stopped reading, so that nothing more is sent, in monotonic seconds; None
    while it reads."""
    sent: int = 0
    """Number of log entries that the guest held or was sent."""
    port: int = 0
    """The port where the guest's program would serve the table if it had to; 0 if it would not."""
    echoed: Moment | None = None
    """When the host sent the newest ping that the guest has answered; None before the first
    answer."""
    held: int = 0
    """Number of log entries that are safely on the guest's disk."""
    asked_behind: int | None = None
    """How many entries this candidate held when it last asked the guest for the rest; None if it
    did not."""
    held_back: list[Intent] = field(default_factory=list)
    """Intents that wait until it is certain that this host has not lost its table."""

    def let_in(self, common: int) -> None:
        """Note that the guest is let in and holds the first `common` entries of the log."""
        hello = self.handshake.let_in()
        self.key, self.sent = hello.key, common
        self.port, self.reader.most = hello.port, MAX_FRAME

    def ask_entries(self, length: int, at: Moment) -> AskEntries:
        """Ask for the entries that the guest holds after the first `length`."""
        self.asked_behind, self.since, self.reader.most = length, at.monotonic, MAX_FRAME
        return AskEntries(length)

    def messages(self, at: Moment) -> Iterator[Message]:
        """The messages received, as many as the budget allows; raises `Malformed`. Sets
        `is_over_budget` if more are waiting."""
        while (payload := self.reader.pop()) is not None:
            self._hear(at)
            yield read_from_guest(payload)
            if self.address is not None and not self.budget.take(at.monotonic):
                self.is_over_budget = True
                return
        self.is_over_budget = False

    def _hear(self, at: Moment) -> None:
        self.heard = at.monotonic
        if not self.trip.is_known:
            # The hello, which answers the greeting.
            self.trip.measured(at.monotonic - self.since)

    def replaces(self, older: GuestLink) -> None:
        """Take over the measured round trips of an older connection of the same key, which this one
        replaces."""
        self.trip = older.trip.renewed(self.trip.mean)

    def answer_ping(self, sent: Moment, at: Moment) -> None:
        """Note that the guest answered, at `at`, the ping that was sent at `sent`."""
        # An older answer that arrives late changes nothing.
        if self.echoed is None or sent.monotonic > self.echoed.monotonic:
            self.echoed = sent
            self.trip.measured(at.monotonic - sent.monotonic)

    def is_unsteady(self, at: Moment) -> bool:
        """Whether the guest has been silent for longer than the network's delays explain."""
        return at.monotonic - self.heard > self.trip.unsteady_delay

    def is_heard(self, at: Moment) -> bool:
        """Whether the guest's `LEASE` still runs, so that its seat can follow no other host; always
        so within one program."""
        if self.address is None:
            return True
        return self.echoed is not None and at.is_surely_within(LEASE, self.echoed)

    def overdue(self, at: Moment) -> Farewell | None:
        """Why this connection has to be closed now; None if it may stay."""
        if at.monotonic - self.heard > self.trip.lost_delay:
            return Farewell.SILENT
        if self.clogged_since is not None and at.monotonic - self.clogged_since > LOST_DELAY:
            return Farewell.TOO_SLOW
        # A slow link gets a few more seconds to prove who is there.
        patience = min(self.trip.limit(HELLO_TIMEOUT, _PROOF_TRIPS), MAX_HELLO_TIMEOUT)
        if self.key is None and at.monotonic - self.since > patience:
            return Farewell.TOO_LATE
        return None


def _is_loopback(address: str) -> bool:
    return address.startswith("127.") or address == "::1"


class Connections(dict[LinkId, GuestLink]):
    """All connections to one host, in the order in which they came."""

    def __init__(self, has_seat: Callable[[bytes], bool]) -> None:
        """`has_seat` tells whether a key has a seat at the table now."""
        super().__init__()
        self._has_seat = has_seat
        self._crowd = Crowd()

    def of(self, key: bytes) -> list[LinkId]:
        """The links on which this key was let in."""
        return [link for link, connection in self.items() if connection.key == key]

    def replace_by(self, newer: GuestLink, key: bytes) -> list[LinkId]:
        """Remove the older connections of `key`, which was just let in on `newer`; returns their
        links."""
        links = self.of(key)
        for link in links:
            newer.replaces(self.pop(link))
        return links

    def may_serve(self, key: bytes) -> bool:
        """Whether this key is connected from another program and could serve the table there."""
        return any(each.key == key and each.port and each.address for _, each in self.inside())

    def inside(self) -> list[tuple[LinkId, GuestLink]]:
        """The connections that were let in, in the order in which they came."""
        return [
            (link, connection) for link, connection in self.items() if connection.key is not None
        ]

    @property
    def seats_here(self) -> frozenset[bytes]:
        """Public keys of the seats that are connected."""
        keys = [each.key for each in self.values() if each.key is not None]
        return frozenset(filter(self._has_seat, keys))

    def seats_heard(self, at: Moment) -> frozenset[bytes]:
        """Public keys of the connected seats whose lease still runs."""
        return self.seats_here & {each.key for each in self.values() if each.is_heard(at)}

    def silent(self, at: Moment) -> dict[LinkId, bytes]:
        """The links whose lease has run out because no ping was answered for too long, with their
        public keys."""
        return {
            link: each.key
            for link, each in self.items()
            if each.key is not None and not each.is_heard(at)
        }

    def reading(self) -> list[tuple[LinkId, GuestLink]]:
        """The connections that were let in and whose guests read what is sent to them."""
        return [(link, each) for link, each in self.inside() if each.clogged_since is None]

    def room_for(self, address: str | None) -> list[LinkId] | None:
        """The links to close, one or none, so that one more unproven connection has room; None if
        the new one is refused.

        The address with the most unproven connections loses its oldest one, so a new address always
        gets in.
        """
        if address is None:
            return []
        unproven = {
            link: connection.address
            for link, connection in self.items()
            if connection.key is None and connection.address is not None
        }
        addresses = list(unproven.values())
        if addresses.count(address) >= MAX_UNPROVEN_OF_ADDRESS:
            return None
        if len(addresses) < MAX_UNPROVEN:
            return []
        busiest = self._crowd.gives_way(addresses)
        return [next(link for link, where in unproven.items() if where == busiest)]

    def place_for(self, key: bytes, address: str | None) -> list[LinkId] | None:
        """The links to close, one or none, so that `key` can be let in; None if there is no room
        for it.

        Seats come before watchers, and an address with few watchers before the one with the most.
        """
        inside = self.inside()
        watching = [(link, each) for link, each in inside if self._watches(each)]
        if self._has_seat(key):
            is_full = len(inside) >= MAX_LINKS
            return [watching[-1][0]] if is_full and watching else []
        if address is None:
            return []
        places = [connection.address for _, connection in watching]
        nearby = places.count(address)
        if nearby < MAX_WATCHERS_OF_ADDRESS and len(inside) < MAX_LINKS:
            return []
        busiest = max(places, key=places.count, default=address)
        return [watching[places.index(busiest)][0]] if places.count(busiest) > nearby + 1 else None

    def _watches(self, connection: GuestLink) -> bool:
        has_seat = connection.key is not None and self._has_seat(connection.key)
        return connection.address is not None and not has_seat


class Fanout:
    """The sending side of one host."""

    def __init__(self, connections: Connections, log: Log) -> None:
        self._connections = connections
        self._log = log
        self._places: tuple[Whereabout, ...] = ()
        """Where the connected seats are, as all guests were last told."""
        self._unsteady: tuple[bytes, ...] = ()

    def all(self, message: Message) -> list[HostEffect]:
        """The effects that send the same message to all guests that are reading."""
        links = tuple(link for link, _ in self._connections.reading())
        return [Send(links, write(message))] if links else []

    def entry(self, entry: Entry) -> list[HostEffect]:
        """The effects that send the last entry of the log to all guests that have every entry
        before it."""
        data, ready = write(Entries((entry.blob,))), []
        for link, connection in self._connections.reading():
            if connection.sent == entry.position:
                connection.sent += 1
                ready.append(link)
        return [Send(tuple(ready), data)] if ready else []

    def more(self, link: LinkId, connection: GuestLink) -> list[HostEffect]:
        """The effects that send this guest the next entries, as many as fit into one frame; empty
        if it has all or is not let in. Notes that the guest reads again."""
        if connection.key is None:
            return []
        connection.clogged_since = None
        batch = self._log.batch(connection.sent)
        if not batch:
            return []
        connection.sent += len(batch)
        more = [More(link)] if connection.sent < len(self._log) else []
        return [send(link, Entries(batch)), *more]

    def news(self, table: Table, at: Moment) -> list[HostEffect]:
        """The effects that tell all guests what has changed in `presence` and `whereabouts`."""
        return [*self.presence(table, at), *self.whereabouts(table)]

    def presence(self, table: Table, at: Moment) -> list[HostEffect]:
        """The effects that tell all guests which seats have not been heard from for a while; empty
        if these are still the same."""
        silent = [
            connection.key
            for _, connection in self._connections.inside()
            if connection.key and connection.is_unsteady(at)
        ]
        unsteady = tuple(sorted(key for key in silent if table.seat(key)))
        if unsteady == self._unsteady:
            return []
        self._unsteady = unsteady
        return self.all(Presence(unsteady))

    def whereabouts(self, table: Table) -> list[HostEffect]:
        """The effects that tell all guests where the seats are whose programs do not end with this
        one; empty if that has not changed."""
        places = tuple(
            Whereabout(connection.key, connection.address, connection.port)
            for _, connection in self._connections.inside()
            if connection.key and connection.address and table.seat(connection.key)
            # What serves nothing and is on this machine is a visitor of its door, or a bot.
            if connection.port or not _is_loopback(connection.address)
        )
        if places == self._places:
            return []
        self._places = places
        return self.all(Whereabouts(places))

    def newcomer(self, link: LinkId, table: Table) -> list[HostEffect]:
        """The effects that tell a guest that was just let in who is unsteady, and everybody where
        the seats could serve the table.

        They are sent at once: this host may be gone in a moment, and the others then have to find
        the new guest.
        """
        known = [send(link, Whereabouts(self._places))] if self._places else []
        return [send(link, Presence(self._unsteady)), *(self.whereabouts(table) or known)]
