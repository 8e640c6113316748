"""What every known link is sent: the log, in order and no faster than it is read, and who is where.

A link that does not read what was sent gets nothing more until it does; it catches up from the
entries that it has, so that a slow guest costs its host no memory.
"""

from __future__ import annotations

from protocol.encoding.codec import Message
from protocol.host.connections import Connection, Connections, LinkId
from protocol.host.effects import HostEffect, More, Send, send
from protocol.table.log import Entry, Log
from protocol.table.state import Table
from protocol.timing import Moment
from protocol.wire.messages import Entries, Presence, Whereabout, Whereabouts, write


class Broadcast:
    """The sending side of one host."""

    def __init__(self, connections: Connections, log: Log) -> None:
        self._connections = connections
        self._log = log
        self.places: tuple[Whereabout, ...] = ()
        """Where the seats that are here could serve the table, as they were told last."""
        self._unsteady: tuple[bytes, ...] = ()

    def all(self, message: Message) -> list[HostEffect]:
        """The same to every known link."""
        links = tuple(link for link, _ in self._connections.reading())
        return [Send(links, write(message))] if links else []

    def entry(self, entry: Entry) -> list[HostEffect]:
        """The last entry of the log, to every link that has all before it."""
        data, ready = write(Entries((entry.blob,))), []
        for link, connection in self._connections.reading():
            if connection.sent == entry.position:
                connection.sent += 1
                ready.append(link)
        return [Send(tuple(ready), data)] if ready else []

    def more(self, link: LinkId, connection: Connection) -> list[HostEffect]:
        """The next entries that this link has not got, as many as fit into one frame."""
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
        """What has changed of who is there, and where."""
        return [*self.presence(table, at), *self.whereabouts(table)]

    def presence(self, table: Table, at: Moment) -> list[HostEffect]:
        """Who has not been heard for a while, when that has changed."""
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
        """Where the seats could serve the table, when that has changed."""
        places = tuple(
            Whereabout(connection.key, connection.address, connection.port)
            for _, connection in self._connections.inside()
            if connection.key
            and connection.address
            and connection.port
            and table.seat(connection.key)
        )
        if places == self.places:
            return []
        self.places = places
        return self.all(Whereabouts(places))

    def newcomer(self, link: LinkId, table: Table) -> list[HostEffect]:
        """To a peer that has come in: who is unsteady, and where everybody could serve.

        At once: this host may be gone in a moment, and the others have to find the newcomer.
        """
        known = [send(link, Whereabouts(self.places))] if self.places else []
        return [send(link, Presence(self._unsteady)), *(self.whereabouts(table) or known)]
