"""The host's side of every link, sans-IO: a sequencer whose only powers are order and time.

Feed it connections, bytes and the time; carry out the effects it returns, in that order. `Host`
joins the parts: `sequencer` (the log), `lease` (whether it may still act as host), `entrance` (who
comes in), `later_epochs` (whom it gives way to), `connections` (what the links hold), `new_table`
(when too few are left) and `policy` (what the rules leave to the host).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Final

from protocol.crypto.join_code import Entropy, HostExchange
from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.errors import Illegal, LocalError, Malformed, Reason
from protocol.host.connections import Connections, Fanout, GuestLink
from protocol.host.effects import (
    CodeChanged,
    Disconnect,
    Elected,
    HostEffect,
    LinkId,
    Record,
    Resume,
    Send,
    Stall,
    send,
)
from protocol.host.entrance import Admission, Entrance, Step
from protocol.host.later_epochs import LaterEpochs
from protocol.host.lease import Lease
from protocol.host.new_table import TableOffer
from protocol.host.policy import HostPolicy, due
from protocol.host.rate_limit import ReturnLimits
from protocol.host.sequencer import Sequencer
from protocol.limits import MAX_HELD_BACK
from protocol.rules.options import MAX_PLAYERS
from protocol.table.electorate import groups_of, is_support, may_support, voters_of
from protocol.table.head import EMPTY
from protocol.table.log import Entry, Intent, Log
from protocol.table.state import Phase, Table
from protocol.table.statements import Away, Back, Backing, Decide, HostMoved, Measure, Opening, Seen
from protocol.timeouts import Moment
from protocol.wire.handshake import HostHandshake
from protocol.wire.messages import (
    Agree,
    Card,
    Confirm,
    Entries,
    Farewell,
    GoAlong,
    Goodbye,
    HandOver,
    Hello,
    OtherVersion,
    Pake,
    Ping,
    Propose,
    Refusal,
    Support,
    Welcome,
    write,
)


class Candidacy:
    """One program's bid to host the table in one epoch."""

    def __init__(self, epoch: int, host: bytes) -> None:
        """Stand in `epoch`; `host` is the candidate's public key."""
        self.epoch: Final = epoch
        self._host = host
        self._supports: dict[bytes, bytes] = {}
        self._pledges: tuple[Backing, ...] = ()
        self.to_record: list[Record] = []
        """Entries borrowed from guests, to be saved on disk once this program is host."""

    @property
    def supporters(self) -> frozenset[bytes]:
        """Public keys of those who support this candidate; some of them may have no vote."""
        return frozenset(self._supports)

    def take(self, table: Table, voter: bytes, signature: bytes) -> bool:
        """Note the support of somebody who has or had a seat; returns whether it is valid for the
        log as it is now."""
        if not may_support(table, voter):
            return False
        if not is_support(voter, signature, table.id, self.epoch, self._host, table.head):
            return False
        self._supports[voter] = signature
        return True

    def take_all(self, table: Table, pledges: Iterable[Backing]) -> None:
        """Note the support that was signed in advance, as far as it is valid for the log as it is
        now."""
        self._pledges = tuple(pledges)
        for pledge in self._pledges:
            self.take(table, pledge.voter, pledge.signature)

    def borrow(
        self, blobs: Iterable[bytes], sequencer: Sequencer, fanout: Fanout
    ) -> list[HostEffect]:
        """Append entries that a guest holds beyond this log and that hosts of earlier epochs
        signed; returns the effects that send them on."""
        entries = sequencer.borrow(blobs, self.epoch)
        if entries:
            # The support so far was for a shorter log.
            self._supports.clear()
            self.take_all(sequencer.table, self._pledges)
        self.to_record += [Record(entry) for entry in entries]
        return [effect for entry in entries for effect in fanout.entry(entry)]

    def announcement(self, table: Table) -> HostMoved:
        """The announcement that moves the table to this candidate; whether its support suffices is
        for the fold to judge.

        It has room for `MAX_PLAYERS` supporters; those that belong to the most groups of electors
        come first.
        """
        groups = groups_of(table)
        voters = [key for key in self._supports if key in voters_of(table)]
        voters.sort(key=lambda key: (-sum(key in each for each in groups), key))
        votes = tuple(Backing(key, self._supports[key]) for key in voters[:MAX_PLAYERS])
        return HostMoved(self.epoch, self._host, votes)


class Host:
    """One table at the program that hosts it, or stands for host."""

    def __init__(
        self,
        key: SigningKey,
        policy: HostPolicy,
        entries: Iterable[Entry],
        entropy: Entropy,
        standing: int | None = None,
        silent: float = 0.0,
        pledges: Iterable[Backing] = (),
        later_epochs: LaterEpochs | None = None,
    ) -> None:
        """Serve the table that `entries` make, which are on disk already.

        `entropy` returns as many random bytes as asked. With an epoch in `standing` the table's
        host is gone: this program shows the log as it is and asks the seats for their support,
        until enough of them want it as host of that epoch. The old host was last heard `silent`
        seconds ago. `pledges` is support that was signed in advance. `later_epochs` is what this
        program noted when it served the table before. Raises `LocalError` if another key is the
        table's host and `standing` is None.
        """
        self.key: Final = key.public
        """Public key of the program that hosts the table, or stands for it."""
        self._policy = policy
        self._sequencer = Sequencer(key, entries)
        self.log: Final[Log] = self._sequencer.log
        if standing is None and self.table.host != key.public:
            raise LocalError("only the host's own key can go on with a table")
        self._candidacy = None if standing is None else Candidacy(standing, key.public)
        self.connections: Final = Connections(lambda key: self.table.seat(key) is not None)
        self.admission: Final = Admission(entropy, locked=self.table.opened.locked)
        """The join code, and who may try it."""
        self._entrance = Entrance(
            self.admission,
            self.connections,
            self.log,
            lambda: self.table,
            lambda: self._candidacy.epoch if self._candidacy else None,
            self._borrow,
        )
        self.later_epochs: Final = later_epochs or LaterEpochs()
        """What the seats have told this host about later epochs."""
        self._fanout = Fanout(self.connections, self.log)
        self.lease: Final = Lease(self.connections, self.log)
        """Which seats have promised to follow no other host for a while."""
        self._returns = ReturnLimits()
        self.new_table: Final = TableOffer(key, self._fanout, entropy, silent)
        if self._candidacy:
            self._candidacy.take_all(self.table, pledges)

    @classmethod
    def open(
        cls, key: SigningKey, policy: HostPolicy, opened: Opening, at: Moment, entropy: Entropy
    ) -> tuple[Host, list[HostEffect]]:
        """A new table that `opened` describes, and the effects to carry out first."""
        entry = Entry.sign(key, 0, EMPTY, at.wall, opened)
        return cls(key, policy, [entry], entropy), [Record(entry)]

    @property
    def table(self) -> Table:
        """The table that the log makes now."""
        return self._sequencer.table

    @property
    def card(self) -> Card:
        """The card of the table, which anybody may see."""
        standing = self._candidacy.epoch if self._candidacy else None
        return self._policy.card(self.table, standing)

    @property
    def is_standing(self) -> bool:
        """Whether this program only stands for host, because the table has another host in the
        log."""
        return self._candidacy is not None

    @property
    def is_done(self) -> bool:
        """Whether the last of the agreed games is over."""
        return self._policy.is_done(self.table)

    def resume(self, at: Moment) -> list[HostEffect]:
        """For every seat whose state has changed, announce that it is away or back; to be called
        when an epoch begins."""
        effects: list[HostEffect] = []
        for seat in self.table.seats if not self._candidacy else ():
            is_here = bool(self.connections.of(seat.key))
            # A seat that is away has no vote, so a removal may be carried meanwhile.
            if is_here is seat.away and self.table.seat(seat.key):
                effects += self._append((Back if is_here else Away)(seat.key), at)
        return effects

    def connected(
        self, link: LinkId, challenge: bytes, channel: bytes, at: Moment, address: str | None
    ) -> list[HostEffect]:
        """Take in a connection from `address`; None for one within this program.

        `challenge` is 32 fresh random bytes, `channel` the hash of the certificate.
        """
        giving_way = self.connections.room_for(address)
        if giving_way is None:
            return [send(link, Goodbye(Farewell.TOO_MANY)), Disconnect(link, Farewell.TOO_MANY)]
        effects = self._part(giving_way, Farewell.TOO_MANY, at)
        handshake, now = HostHandshake(challenge, channel), at.monotonic
        self.connections[link] = GuestLink(handshake, address, since=now, heard=now, echoed=at)
        return [*effects, send(link, handshake.greeting(self.card))]

    def lost(self, link: LinkId, at: Moment) -> list[HostEffect]:
        """Take in that a connection ended; its seat is away unless the same key is connected
        again."""
        gone = self.connections.pop(link, None)
        self.admission.forget(link)
        if gone is None or gone.key is None or self.connections.of(gone.key):
            return []
        if self._candidacy or (seat := self.table.seat(gone.key)) is None or seat.away:
            return []
        return [*self._append(Away(gone.key), at), *self._start_if_due(at)]

    def received(self, link: LinkId, data: bytes, at: Moment) -> list[HostEffect]:
        """Take in bytes that came on a link."""
        if (connection := self.connections.get(link)) is None:
            return []
        connection.heard = at.monotonic
        connection.reader.push(data)
        return self._read(link, connection, at)

    def pump(self, link: LinkId) -> list[HostEffect]:
        """Send more of the log on a link whose guest has read what was sent before."""
        return self._fanout.more(link, it) if (it := self.connections.get(link)) else []

    def clogged(self, link: LinkId, at: Moment) -> None:
        """Note that more than `MAX_UNSENT` bytes wait to be read on this link: nothing more is sent
        until `pump`."""
        if (connection := self.connections.get(link)) and connection.clogged_since is None:
            connection.clogged_since = at.monotonic

    def computed(self, link: LinkId, result: HostExchange | None, at: Moment) -> list[HostEffect]:
        """Send the answer to a guess of the join code, which another thread has worked out; if
        `result` is None, the guess was malformed, and the link ends."""
        if (connection := self.connections.get(link)) is None:
            return []
        if result is None:
            return self._part([link], Farewell.MALFORMED, at)
        return [send(link, connection.handshake.answered(result))]

    def tick(self, at: Moment) -> list[HostEffect]:
        """Do what is due at `at`: call this a few times a second."""
        effects = [each for link in tuple(self.connections) for each in self._look_after(link, at)]
        effects += [*self._entrance.answer_due(at), *self._ping_if_due(at)]
        effects += self._fanout.news(self.table, at)
        supporters = self._candidacy.supporters if self._candidacy else None
        is_stuck = self.lease.is_stuck(self.table, self.key, supporters)
        here = self.connections.seats_here
        effects += self.new_table.tick(self.table, here, at, is_stuck=is_stuck)
        if not self._candidacy and self.may_go_on(at):
            effects += self._take_held_back(at)
            for said in due(self.table, self._sequencer.time(at)):
                effects += self._append(said, at)
            effects += self._start_if_due(at)
        return effects

    def start(self, at: Moment) -> list[HostEffect]:
        """Start the next game without those who are not ready (G9); nothing happens if too few are
        ready."""
        return self._start_if_due(at, waits=False)

    def decide(self, measure: Measure, seat: bytes, at: Moment) -> list[HostEffect]:
        """Take a measure as host, about a seat or the table (G5); raises `Illegal`."""
        if self._candidacy:
            raise Illegal(Reason.NOT_NOW)
        before, effects = self.table, self._append(Decide(measure, seat), at)
        self.lease.removed(seat, before, self.table)
        return [*effects, *self._start_if_due(at)]

    def renew_code(self) -> list[HostEffect]:
        """Take a new join code, so that the old one admits nobody any more; does nothing at a table
        without a code."""
        if self.admission.code is None:
            return []
        self.admission.renew()
        return [CodeChanged()]

    def may_go_on(self, at: Moment) -> bool:
        """Whether no other host can have been elected meanwhile; see `lease`."""
        return self.lease.holds(self.table, at)

    def hand_over(self, seat: bytes, support: bytes | None = None) -> list[HostEffect]:
        """Hand the host's role to a connected seat, perhaps with the signed `support` of the host's
        own seat.

        Everybody then looks for the new host; this program has to step down next. With this host's
        own key, it says that this host wants to be elected again, because a seat has promised its
        support to a later one. Raises `Illegal`.
        """
        if seat != self.key and not self.connections.may_serve(seat):
            raise Illegal(Reason.NOT_NOW)
        # A seat that sat down a moment ago has to be known, too.
        news = self._fanout.whereabouts(self.table)
        return [*news, *self._fanout.all(HandOver(seat, support))]

    def close(self, *, is_moving: bool = False) -> list[HostEffect]:
        """Close the table and tell everybody.

        With `is_moving` only this program stops serving it, and everybody looks for another host.
        """
        why = Farewell.HANDED_OVER if is_moving else Farewell.CLOSED
        links = tuple(self.connections)
        self.connections.clear()
        return [Send(links, write(Goodbye(why))), *(Disconnect(link, why) for link in links)]

    def _look_after(self, link: LinkId, at: Moment) -> list[HostEffect]:
        """Read what waited on a link, and close it if it is overdue."""
        if (connection := self.connections.get(link)) is None:
            return []
        effects = self._read(link, connection, at) if connection.is_stalled else []
        if link in self.connections and (why := connection.overdue(at)):
            effects += self._part([link], why, at)
        return effects

    def _read(self, link: LinkId, connection: GuestLink, at: Moment) -> list[HostEffect]:
        """Handle the messages that came on a link, as many as its budget allows."""
        effects: list[HostEffect] = []
        try:
            for message in connection.messages(at):
                effects += self._message(link, connection, message, at)
                if link not in self.connections:
                    return effects
        except Malformed as error:
            why = Farewell.OTHER_VERSION if isinstance(error, OtherVersion) else Farewell.MALFORMED
            return [*effects, *self._part([link], why, at)]
        if connection.is_over_budget is not connection.is_stalled:
            connection.is_stalled = connection.is_over_budget
            effects.append((Stall if connection.is_stalled else Resume)(link))
        return effects

    def _message(
        self, link: LinkId, connection: GuestLink, message: Message, at: Moment
    ) -> list[HostEffect]:
        match message:
            case Goodbye():
                return [*self.lost(link, at), Disconnect(link, message.why)]
            case Hello() | Entries() | Pake() | Confirm():
                return self._come_in(link, connection, message, at)
        if connection.key is None:
            raise Malformed("the first message of a guest is its hello")
        match message:
            case Propose():
                return self._proposed(link, connection, Intent.read(message.blob), at)
            case Support():
                return self._supported(connection.key, message, at)
            case Agree() | GoAlong():
                return self.new_table.take(connection.key, message, self.table, at)
            case Ping():
                self.lease.answered(connection, message, at)
                may_open = self.lease.may_open(self.table, at)
                return self._take_held_back(at) if may_open else []
        return []

    def _come_in(
        self, link: LinkId, connection: GuestLink, said: Step, at: Moment
    ) -> list[HostEffect]:
        code = self.admission.code
        reply = self._entrance.take(link, connection, said, at)
        if isinstance(reply, Farewell):
            effects = self._part([link], reply, at)
            effects += [] if self.admission.code == code else [CodeChanged()]
            if isinstance(said, Hello) and reply is Farewell.OLD_EPOCH:
                leads = not self._candidacy and self.may_go_on(at)
                heard = set() if self._candidacy else self.lease.heard(at)
                effects += self.later_epochs.told(
                    said, self.table, self.key, heard, at, leads=leads
                )
            return effects
        effects = [*reply.effects, *([send(link, reply.message)] if reply.message else [])]
        if reply.admitted:
            effects += self._append(reply.admitted, at)
        if reply.newcomer:
            effects += self._let_in(link, connection, reply.newcomer, at)
        return [*effects, *self._entrance.answer_due(at)] if isinstance(said, Pake) else effects

    def _let_in(
        self, link: LinkId, connection: GuestLink, hello: Hello, at: Moment
    ) -> list[HostEffect]:
        # No crowd of strangers keeps a player from their seat.
        address = None if self.table.seat(hello.key) else connection.address
        if not self._returns.take(hello.key, address, at.monotonic):
            return self._part([link], Farewell.TOO_MANY, at)
        if any(newer > link for newer in self.connections.of(hello.key)):
            # It has waited here, perhaps longer than its author stayed; an author that is gone says
            # it again.
            return self._part([link], Farewell.TOO_MANY, at)
        older = self.connections.replace_by(connection, hello.key)
        effects = self._part(older, Farewell.REPLACED, at)
        giving_way = self.connections.place_for(hello.key, connection.address)
        if giving_way is None:
            return [*effects, *self._part([link], Farewell.TOO_MANY, at)]
        effects += self._part(giving_way, Farewell.TOO_MANY, at)
        connection.let_in(self._entrance.common(hello) or 0)
        effects += [send(link, Welcome(len(self.log))), *self._fanout.more(link, connection)]
        if (seat := self.table.seat(hello.key)) and seat.away and not self._candidacy:
            effects += self._append(Back(hello.key), at)
        effects += self._fanout.newcomer(link, self.table)
        if self._candidacy and self._most_are_here:
            # At once to a guest that comes to a candidate, and to everybody with the last one
            # needed.
            effects += self._ping_if_due(at) or [send(link, self.lease.ping)]
        return effects

    def _part(self, links: Iterable[LinkId], why: Farewell, at: Moment) -> list[HostEffect]:
        """Say goodbye on these links and close them; their seats are away from now on."""
        effects: list[HostEffect] = []
        for link in links:
            effects += [send(link, Goodbye(why)), Disconnect(link, why), *self.lost(link, at)]
        return effects

    @property
    def _most_are_here(self) -> bool:
        """Whether those who are connected, or support this candidate already, are enough to elect
        it."""
        supporters = self._candidacy.supporters if self._candidacy else frozenset()
        return self.lease.most_are_here(self.table, self.key, supporters)

    def _ping_if_due(self, at: Moment) -> list[HostEffect]:
        if self._candidacy and not self._most_are_here:
            # A candidate on its own asks nobody for a promise, and so can go back.
            return []
        ping = self.lease.next_ping(at)
        return self._fanout.all(ping) if ping else []

    def _supported(self, voter: bytes, support: Support, at: Moment) -> list[HostEffect]:
        """Note a seat's support for this candidate; with enough of it the table moves here."""
        standing = None if self.new_table.founded else self._candidacy
        if standing is None or not standing.take(self.table, voter, support.signature):
            return []
        if voter in voters_of(self.table):
            # Others can support every candidate, and yet win nothing back for this one.
            self.later_epochs.supported(voter)
        before = self.table
        with contextlib.suppress(Illegal):
            self.lease.check_supporters(before, standing.supporters)
            moved = self._sequencer.append(standing.announcement(self.table), at)
            self._candidacy = None
            self.lease.begin()
            effects = [*standing.to_record, *self._publish(moved, before, at), Elected()]
            return [*effects, *self.resume(at), *self._ping_if_due(at)]
        return []

    def _borrow(self, blobs: Sequence[bytes]) -> list[HostEffect]:
        """As a candidate, take the entries that a guest holds beyond this log."""
        standing = None if self.new_table.founded else self._candidacy
        self.lease.log_grows()
        return standing.borrow(blobs, self._sequencer, self._fanout) if standing else []

    def _take_held_back(self, at: Moment) -> list[HostEffect]:
        effects: list[HostEffect] = []
        for link, connection in self.connections.inside():
            waiting, connection.held_back = connection.held_back, []
            for intent in waiting:
                effects += self._proposed(link, connection, intent, at)
        return effects

    def _proposed(
        self, link: LinkId, connection: GuestLink, intent: Intent, at: Moment
    ) -> list[HostEffect]:
        if intent.author != connection.key:
            raise Malformed("an intent comes on its author's own link")
        before = self._sequencer.table
        is_over = self._candidacy or self.new_table.founded
        if is_over or intent.sequence <= before.sequences.get(intent.author, 0):
            return []
        # In their order: a later one would use up the numbers of those that are held back.
        if connection.held_back or not self.lease.may_take(before, intent, at):
            if len(connection.held_back) < MAX_HELD_BACK:
                connection.held_back.append(intent)
            return []
        try:
            entry = self._sequencer.append(intent, at, connection.address)
        except Illegal as error:
            refusal = send(link, Refusal(intent.sequence, error.reason.code))
            is_back = intent.author in before.set_aside and not isinstance(intent.statement, Seen)
            # Everybody who wants to play is ready; a seat that comes later misses this round.
            return [refusal, *(self._append(Back(intent.author), at) if is_back else [])]
        return [*self._publish(entry, before, at), *self._start_if_due(at)]

    def _append(self, said: Message, at: Moment) -> list[HostEffect]:
        """Append an announcement to the log and send it; raises `Illegal` if the rules forbid
        it."""
        before = self._sequencer.table
        return self._publish(self._sequencer.append(said, at), before, at)

    def _publish(self, entry: Entry, before: Table, at: Moment) -> list[HostEffect]:
        """Record the last entry, send it to everybody, and part from those whom it bars."""
        effects: list[HostEffect] = [Record(entry), *self._fanout.entry(entry)]
        table = self._sequencer.table
        if table.seats is not before.seats:
            # At once, as to a newcomer: without this host the others have to find who sat down.
            effects += self._fanout.whereabouts(table)
        for key in table.refused - before.refused if table.barred else ():
            # The key is no longer let in, not even with the code that it knows.
            effects += self.renew_code()
            effects += self._part(self.connections.of(key), Farewell.BARRED, at)
        return effects

    def _start_if_due(self, at: Moment, *, waits: bool = True) -> list[HostEffect]:
        table = self._sequencer.table
        if table.phase is not Phase.GATHERING:
            return []
        silent = self.connections.silent(at)
        game = self._policy.game_due(table, self._sequencer.time(at), silent.values(), waits=waits)
        if game is None or not self.may_go_on(at):
            return []
        links = [link for link, key in silent.items() if key in table.ready_keys]
        return self._part(links, Farewell.SILENT, at) or self._append(game, at)
