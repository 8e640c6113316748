"""The connections to one host: who is let in, who has to give way, and what all of them are sent.

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
"""Round trips from asking for the join code to its proof: two, and what two losses of a packet
cost. A player who is cut off has to type the code again."""


@dataclass(slots=True)
class GuestLink:
    """One connection as the host sees it."""

    handshake: HostHandshake
    address: str | None
    """The address it comes from; None for a link within the host's own program, which is
    trusted."""
    since: float
    """When it came, or when the join code was asked for, in seconds."""
    heard: float
    """When it was last heard, in seconds."""
    trip: RoundTrip = field(default_factory=RoundTrip)
    """How long its answers take."""
    key: bytes | None = None
    """Public key, once it is let in."""
    reader: FrameReader = field(default_factory=lambda: FrameReader(MAX_EARLY_FRAME))
    budget: Bucket = field(default_factory=lambda: Bucket(MESSAGES_BURST, MESSAGES_INTERVAL))
    """Limits how many of its messages are read."""
    is_over_budget: bool = False
    """Whether it said more than its budget allows, so that some messages are waiting to be read."""
    is_stalled: bool = False
    """Whether the host has stopped reading from it because it is over its budget."""
    clogged_since: float | None = None
    """When it stopped reading, so that nothing more is sent; None while it reads."""
    sent: int = 0
    """Number of entries of the log that it held or was sent."""
    port: int = 0
    """The port where its program would serve the table if it had to; 0 for nowhere."""
    echoed: Moment | None = None
    """When the host sent the last ping that it has answered."""
    held: int = 0
    """Number of entries that are safely on its disk."""
    asked_behind: int | None = None
    """How many entries this candidate held when it asked the guest for the rest."""
    held_back: list[Intent] = field(default_factory=list)
    """Intents held back while the host may have lost its table."""

    def let_in(self, common: int) -> None:
        """Note that its key is let in and that it holds the first `common` entries of the log."""
        hello = self.handshake.let_in()
        self.key, self.sent = hello.key, common
        self.port, self.reader.most = hello.port, MAX_FRAME

    def ask_entries(self, length: int, at: Moment) -> AskEntries:
        """Ask for the entries that the guest holds after the first `length`."""
        self.asked_behind, self.since, self.reader.most = length, at.monotonic, MAX_FRAME
        return AskEntries(length)

    def messages(self, at: Moment) -> Iterator[Message]:
        """The messages it has said, as many as are read in one go; raises `Malformed`."""
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
        """Take the place of an older connection of the same key."""
        self.trip = older.trip.renewed(self.trip.mean)

    def answer_ping(self, sent: Moment, at: Moment) -> None:
        """Note that it has now answered the ping that was sent then."""
        # An older answer that arrives late changes nothing.
        if self.echoed is None or sent.monotonic > self.echoed.monotonic:
            self.echoed = sent
            self.trip.measured(at.monotonic - sent.monotonic)

    def is_unsteady(self, at: Moment) -> bool:
        """Whether it has been silent for longer than its network explains."""
        return at.monotonic - self.heard > self.trip.unsteady_delay

    def is_heard(self, at: Moment) -> bool:
        """Whether its seat can follow no other host, because its `LEASE` still runs."""
        return self.address is None or (self.echoed is not None and at.since(self.echoed) <= LEASE)

    def overdue(self, at: Moment) -> Farewell | None:
        """Why this connection has to end now, if it has to."""
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
        """The links by which this key was let in."""
        return [link for link, connection in self.items() if connection.key == key]

    def replace_by(self, newer: GuestLink, key: bytes) -> list[LinkId]:
        """Remove the older connections of this key, which has come in by a newer one; returns their
        links."""
        links = self.of(key)
        for link in links:
            newer.replaces(self.pop(link))
        return links

    def may_serve(self, key: bytes) -> bool:
        """Whether this key is connected from another machine and could serve the table there."""
        return any(each.key == key and each.port and each.address for _, each in self.inside())

    def inside(self) -> list[tuple[LinkId, GuestLink]]:
        """The connections that were let in, in the order in which they came."""
        return [
            (link, connection) for link, connection in self.items() if connection.key is not None
        ]

    @property
    def seats_here(self) -> frozenset[bytes]:
        """Keys of the seats that are connected."""
        keys = [each.key for each in self.values() if each.key is not None]
        return frozenset(filter(self._has_seat, keys))

    def seats_heard(self, at: Moment) -> frozenset[bytes]:
        """Keys of these that have answered lately."""
        return self.seats_here & {each.key for each in self.values() if each.is_heard(at)}

    def silent(self, at: Moment) -> dict[LinkId, bytes]:
        """Links, with their keys, over which no ping was answered for too long."""
        return {
            link: each.key
            for link, each in self.items()
            if each.key is not None and not each.is_heard(at)
        }

    def reading(self) -> list[tuple[LinkId, GuestLink]]:
        """Those of these links that read what is sent to them."""
        return [(link, each) for link, each in self.inside() if each.clogged_since is None]

    def room_for(self, address: str | None) -> list[LinkId] | None:
        """The link that gives way to one more unproven connection; None if the new one has to go.

        The busiest address loses its oldest one, so a new address always gets in.
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
        """The link that gives way to `key`, which is let in; None if there is no room for it.

        Seats come before watchers, and an address with few of them before the one with the most.
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


class Broadcast:
    """The sending side of one host."""

    def __init__(self, connections: Connections, log: Log) -> None:
        self._connections = connections
        self._log = log
        self._places: tuple[Whereabout, ...] = ()
        """Where the connected seats are, as everybody was last told."""
        self._unsteady: tuple[bytes, ...] = ()

    def all(self, message: Message) -> list[HostEffect]:
        """Send the same message on every known link."""
        links = tuple(link for link, _ in self._connections.reading())
        return [Send(links, write(message))] if links else []

    def entry(self, entry: Entry) -> list[HostEffect]:
        """Send the last entry of the log on every link that has all entries before it."""
        data, ready = write(Entries((entry.blob,))), []
        for link, connection in self._connections.reading():
            if connection.sent == entry.position:
                connection.sent += 1
                ready.append(link)
        return [Send(tuple(ready), data)] if ready else []

    def more(self, link: LinkId, connection: GuestLink) -> list[HostEffect]:
        """The next entries for this link, as many as fit into one frame."""
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
        """What has changed about who is here, and where."""
        return [*self.presence(table, at), *self.whereabouts(table)]

    def presence(self, table: Table, at: Moment) -> list[HostEffect]:
        """The seats that have not been heard for a while, if that has changed."""
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
        """Where the seats are that do not go with this program, if that has changed."""
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
        """Tell a newcomer who is unsteady, and everybody where all seats could serve.

        At once: this host may be gone in a moment, and the others have to find the newcomer.
        """
        known = [send(link, Whereabouts(self._places))] if self._places else []
        return [send(link, Presence(self._unsteady)), *(self.whereabouts(table) or known)]
