"""The host's side of every link, sans-IO: a sequencer whose only powers are order and time.

Feed it connections, bytes and the time; carry out the effects that it returns, in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from protocol.codec import Message
from protocol.errors import Illegal, LocalError, Malformed, Reason
from protocol.foreign import ForeignText
from protocol.framing import FrameReader
from protocol.keys import SigningKey
from protocol.limits import HELLO_WITHIN, MAX_BATCH, MAX_LINKS, TALK_BURST, TALK_EVERY
from protocol.log import Entry, Head, Intent, Log
from protocol.messages import (
    Card,
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    Hello,
    OtherVersion,
    Ping,
    Presence,
    Propose,
    Refusal,
    State,
    Welcome,
    is_proven,
    read_from_guest,
    write,
)
from protocol.rules import MIN_PLAYERS
from protocol.statements import RATIONED, Away, Back, GameStarted, TableOpened
from protocol.table import Phase, Table, check_intent, check_statement, fold
from protocol.timing import LOST_AFTER, PING_EVERY, UNSTEADY_AFTER, Moment
from protocol.version import PROGRAM, PROTOCOL

LinkId = int
"""What the caller calls a connection."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send the bytes on each of these links."""

    links: tuple[LinkId, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """Put the entry on disk before anything that follows is carried out."""

    blob: bytes


@dataclass(frozen=True, slots=True)
class Hangup:
    """Close the link once what was sent on it is out."""

    link: LinkId
    why: Farewell


HostEffect = Send | Record | Hangup


@dataclass(slots=True)
class _Link:
    """One connection as the host sees it."""

    challenge: bytes
    channel: bytes
    since: float
    heard: float
    reader: FrameReader = field(default_factory=FrameReader)
    key: bytes | None = None
    """Public key, once the hello is proven."""


@dataclass(slots=True)
class _Ration:
    """The talk that one participant has left, whatever connections it comes by."""

    left: float = float(TALK_BURST)
    told: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more line is allowed now; takes it from the ration."""
        self.left = min(float(TALK_BURST), self.left + (now - self.told) / TALK_EVERY)
        self.told = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass(frozen=True, slots=True)
class House:
    """How this host runs its table; nothing here binds the rules."""

    name: ForeignText
    """Who hosts, for the card."""
    start_when: int = MIN_PLAYERS
    """Start as soon as so many are ready and nobody present is not."""
    games: int | None = None
    """Start no more than so many games; None: go on."""


class Host:
    """One table, seen from its host."""

    def __init__(self, key: SigningKey, house: House, entries: Iterable[Entry]) -> None:
        """Serve the table that `entries` say; they were recorded before."""
        self._key = key
        self._house = house
        self.log: Final = Log()
        self._table: Table | None = None
        for entry in entries:
            self._table = fold(self._table, entry)
            self.log.append(entry)
        if self.table.opened.host != key.public:
            raise LocalError("only the host's own key can go on with a table")
        self._links: dict[LinkId, _Link] = {}
        self._rations: dict[bytes, _Ration] = {}
        self._unsteady: tuple[bytes, ...] = ()
        self._pinged = float("-inf")

    @classmethod
    def open(
        cls, key: SigningKey, house: House, opened: TableOpened, at: Moment
    ) -> tuple[Host, list[HostEffect]]:
        """A new table and what to do first."""
        entry = Entry.sign(key, 0, Head(0, bytes(32)), at.wall, opened)
        return cls(key, house, [entry]), [Record(entry.blob)]

    @property
    def table(self) -> Table:
        """The table as the log says it."""
        if self._table is None:
            raise LocalError("a table begins with its first entry")
        return self._table

    @property
    def card(self) -> Card:
        """The table as anybody may see it."""
        table = self.table
        return Card(
            table=table.id,
            name=table.opened.name,
            host=self._house.name,
            rules=table.opened.rules,
            seats=table.opened.seats,
            taken=len(table.seats),
            state=State.GATHERING if table.phase is Phase.GATHERING else State.PLAYING,
        )

    @property
    def is_done(self) -> bool:
        """Whether the last of the agreed games is over."""
        game, games = self.table.game, self._house.games
        if game is None or games is None or self.table.phase is not Phase.GATHERING:
            return False
        return game.number >= games

    def resume(self, at: Moment) -> list[HostEffect]:
        """After a restart nobody is connected: say so of every seat."""
        effects: list[HostEffect] = []
        for seat in self.table.seats:
            if not seat.away:
                effects += self._append(Away(seat.key), at)
        return effects

    def connected(
        self, link: LinkId, challenge: bytes, channel: bytes, at: Moment
    ) -> list[HostEffect]:
        """A connection came; `challenge` is 32 fresh random bytes, `channel` its TLS binding."""
        if len(self._links) >= MAX_LINKS:
            return [_send(link, Goodbye(Farewell.TOO_MANY)), Hangup(link, Farewell.TOO_MANY)]
        self._links[link] = _Link(challenge, channel, at.monotonic, at.monotonic)
        return [_send(link, Greeting(PROTOCOL, PROGRAM, self.card, challenge))]

    def lost(self, link: LinkId, at: Moment) -> list[HostEffect]:
        """A connection ended; its seat is away unless the same key is connected anew."""
        gone = self._links.pop(link, None)
        if gone is None or gone.key is None or self._links_of(gone.key):
            return []
        seat = self.table.seat(gone.key)
        if seat is None or seat.away:
            return []
        return [*self._append(Away(gone.key), at), *self._start_if_due(at)]

    def received(self, link: LinkId, data: bytes, at: Moment) -> list[HostEffect]:
        """Bytes came on a link."""
        state = self._links.get(link)
        if state is None:
            return []
        state.heard = at.monotonic
        effects: list[HostEffect] = []
        try:
            for payload in state.reader.feed(data):
                effects += self._message(link, state, read_from_guest(payload), at)
                if link not in self._links:
                    break
        except OtherVersion:
            effects += self._part(link, Farewell.OTHER_VERSION, at)
        except Malformed:
            effects += self._part(link, Farewell.MALFORMED, at)
        return effects

    def tick(self, at: Moment) -> list[HostEffect]:
        """Time passed: call this a few times a second."""
        effects: list[HostEffect] = []
        for link, state in list(self._links.items()):
            if state.key is None and at.monotonic - state.since > HELLO_WITHIN:
                effects += self._part(link, Farewell.TOO_LATE, at)
            elif at.monotonic - state.heard > LOST_AFTER:
                effects += self._part(link, Farewell.SILENT, at)
        if at.monotonic - self._pinged >= PING_EVERY:
            self._pinged = at.monotonic
            effects += self._broadcast(Ping())
        return [*effects, *self._presence(at)]

    def close(self) -> list[HostEffect]:
        """The table closes: everybody is told."""
        farewell = write(Goodbye(Farewell.CLOSED))
        links = tuple(self._links)
        self._links.clear()
        return [Send(links, farewell), *(Hangup(link, Farewell.CLOSED) for link in links)]

    def _message(
        self, link: LinkId, state: _Link, message: Message, at: Moment
    ) -> list[HostEffect]:
        if isinstance(message, Goodbye):
            return [*self.lost(link, at), Hangup(link, message.why)]
        if isinstance(message, Hello):
            return self._hello(link, state, message, at)
        if state.key is None:
            raise Malformed("the first message of a guest is its hello")
        if isinstance(message, Propose):
            return self._propose(link, state, Intent.read(message.blob), at)
        return []

    def _hello(self, link: LinkId, state: _Link, hello: Hello, at: Moment) -> list[HostEffect]:
        if state.key is not None:
            raise Malformed("a hello is said once")
        if not is_proven(hello, state.challenge, state.channel, self.table.id):
            return self._part(link, Farewell.WRONG_PROOF, at)
        if not self.log.holds(hello.held):
            return self._part(link, Farewell.OTHER_LOG, at)
        effects: list[HostEffect] = []
        for older in self._links_of(hello.key):
            del self._links[older]
            effects += [_send(older, Goodbye(Farewell.REPLACED)), Hangup(older, Farewell.REPLACED)]
        effects.append(_send(link, Welcome(len(self.log))))
        effects += [_send(link, batch) for batch in _batches(self.log[hello.length :])]
        state.key = hello.key
        seat = self.table.seat(hello.key)
        if seat is not None and seat.away:
            effects += self._append(Back(hello.key), at)
        return [*effects, _send(link, Presence(self._unsteady))]

    def _propose(self, link: LinkId, state: _Link, intent: Intent, at: Moment) -> list[HostEffect]:
        if intent.author != state.key:
            raise Malformed("an intent comes on its author's own link")
        if intent.sequence <= self.table.sequences.get(intent.author, 0):
            return []
        try:
            self._check(intent, at)
        except Illegal as error:
            return [_send(link, Refusal(intent.sequence, error.reason.code))]
        return [*self._append(intent, at), *self._start_if_due(at)]

    def _check(self, intent: Intent, at: Moment) -> None:
        if not self.log.holds(intent.seen):
            raise Illegal(Reason.OTHER_LOG)
        check_intent(self.table, intent)
        check_statement(self.table, intent.author, intent.statement)
        if isinstance(intent.statement, RATIONED):
            ration = self._rations.setdefault(intent.author, _Ration())
            if not ration.take(at.monotonic):
                raise Illegal(Reason.TOO_FAST)

    def _append(self, said: Intent | Message, at: Moment) -> list[HostEffect]:
        time = max(at.wall, self.table.time)
        entry = Entry.sign(self._key, self.table.epoch, self.log.head, time, said)
        table = fold(self._table, entry)
        self.log.append(entry)
        self._table = table
        return [Record(entry.blob), *self._broadcast(Entries((entry.blob,)))]

    def _start_if_due(self, at: Moment) -> list[HostEffect]:
        table = self.table
        if table.phase is not Phase.GATHERING or self.is_done:
            return []
        ready, present = table.ready_seats, [seat for seat in table.seats if not seat.away]
        if len(ready) < max(MIN_PLAYERS, self._house.start_when) or len(ready) < len(present):
            return []
        return self._append(GameStarted(tuple(seat.key for seat in ready)), at)

    def _presence(self, at: Moment) -> list[HostEffect]:
        unsteady = tuple(
            sorted(
                link.key
                for link in self._links.values()
                if link.key is not None
                and at.monotonic - link.heard > UNSTEADY_AFTER
                and self.table.seat(link.key)
            )
        )
        if unsteady == self._unsteady:
            return []
        self._unsteady = unsteady
        return self._broadcast(Presence(unsteady))

    def _broadcast(self, message: Message) -> list[HostEffect]:
        links = tuple(link for link, state in self._links.items() if state.key is not None)
        return [Send(links, write(message))] if links else []

    def _part(self, link: LinkId, why: Farewell, at: Moment) -> list[HostEffect]:
        """Say goodbye; the seat behind the link is away from now on."""
        return [_send(link, Goodbye(why)), Hangup(link, why), *self.lost(link, at)]

    def _links_of(self, key: bytes) -> list[LinkId]:
        return [link for link, state in self._links.items() if state.key == key]


def _send(link: LinkId, message: Message) -> Send:
    return Send((link,), write(message))


def _batches(entries: Iterable[Entry]) -> Iterator[Entries]:
    batch: list[bytes] = []
    size = 0
    for entry in entries:
        batch.append(entry.blob)
        size += len(entry.blob)
        if size >= MAX_BATCH:
            yield Entries(tuple(batch))
            batch, size = [], 0
    if batch:
        yield Entries(tuple(batch))
