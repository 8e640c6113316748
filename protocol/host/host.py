"""The host's side of every link, sans-IO: a sequencer whose only powers are order and time.

Feed it connections, bytes and the time; carry out the effects that it returns, in their order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from protocol.crypto.join_code import Entropy, ExchangeContext, HostExchange, answer
from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, LocalError, Malformed, Reason
from protocol.host.admission import Admission
from protocol.host.candidacy import Candidacy
from protocol.host.connections import Connection, Connections, LinkId
from protocol.host.effects import (
    CodeChanged,
    Compute,
    Disconnect,
    Elected,
    HostEffect,
    More,
    Record,
    Resume,
    Send,
    Stall,
    Stranded,
    Superseded,
)
from protocol.host.rate_limit import RateLimits
from protocol.host.talk_limit import TalkLimits
from protocol.limits import (
    LOG_RESERVE,
    MAX_BATCH,
    MAX_ENTRIES,
    MAX_EPOCH_STEP,
    MAX_FRAME,
    MAX_HELD_BACK,
    MAX_LOG,
    RETURNS_BURST,
    RETURNS_INTERVAL,
)
from protocol.rules.options import MIN_PLAYERS
from protocol.table.fold import Phase, Table, check_intent, check_statement, fold
from protocol.table.log import EMPTY, Entry, Intent, Log, Term
from protocol.table.statements import (
    RATIONED,
    Admitted,
    Away,
    Back,
    Decide,
    GameStarted,
    Leave,
    Measure,
    TableOpened,
    TimeUp,
    Witness,
)
from protocol.timing import PING_INTERVAL, UNSTEADY_DELAY, Moment
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import (
    Card,
    Confirm,
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    HandOver,
    Hello,
    Locked,
    OtherVersion,
    Pake,
    Ping,
    Presence,
    Propose,
    Refusal,
    State,
    Support,
    Welcome,
    Whereabout,
    Whereabouts,
    is_proven,
    read_from_guest,
    write,
)

__all__ = [
    "CodeChanged",
    "Compute",
    "Disconnect",
    "Elected",
    "Host",
    "HostEffect",
    "HostPolicy",
    "LinkId",
    "More",
    "Record",
    "Resume",
    "Send",
    "Stall",
    "Stranded",
    "Superseded",
]


_PINGS_KEPT: Final = 32
"""Pings whose time of sending is remembered: those that an answer can still tell anything of."""


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """How this host runs its table; nothing here binds the rules."""

    name: ForeignText
    """Who hosts, for the card."""
    start_when: int = MIN_PLAYERS
    """Start as soon as so many are ready and nobody present is not."""
    games: int | None = None
    """Start no more than so many games; None: go on."""


class Host:
    """One table, seen from its host."""

    def __init__(
        self,
        key: SigningKey,
        policy: HostPolicy,
        entries: Iterable[Entry],
        entropy: Entropy,
        standing: int | None = None,
    ) -> None:
        """Serve the table that `entries` say, which were recorded before.

        `entropy` gives so many fresh random bytes. With an epoch in `standing` the table has
        another host, which is gone: this one shows the log as it is, and asks the seats for
        their support, until enough of them want it for the host of that epoch.
        """
        self._key = key
        self._policy = policy
        self.log: Final = Log()
        self._table: Table | None = None
        for entry in entries:
            self._table = fold(self._table, entry)
            self.log.append(entry)
        if standing is None and self.table.host != key.public:
            raise LocalError("only the host's own key can go on with a table")
        self._candidacy = None if standing is None else Candidacy(standing, key.public)
        self._admission = Admission(self.table.opened.locked, entropy)
        self._connections: Final = Connections(lambda key: self.table.seat(key) is not None)
        self._talk = TalkLimits()
        self._returns = RateLimits(RETURNS_BURST, RETURNS_INTERVAL)
        self._unsteady: tuple[bytes, ...] = ()
        self._places: tuple[Whereabout, ...] = ()
        self._ping = 0
        self._pinged: dict[int, tuple[Moment, int]] = {}
        """When each of the last pings was sent, and behind how many entries, by its number."""
        self._electors = frozenset(seat.key for seat in self.table.seats)
        """The seats as most of those before them know them: so many could choose another host."""
        self._seated = 0
        """Length of the log at the last change of the seats."""
        self._ahead: int | None = None
        """By how many milliseconds the clock of the log is ahead of this machine's."""

    @classmethod
    def open(
        cls, key: SigningKey, policy: HostPolicy, opened: TableOpened, at: Moment, entropy: Entropy
    ) -> tuple[Host, list[HostEffect]]:
        """A new table and what to do first."""
        entry = Entry.sign(key, 0, EMPTY, at.wall, opened)
        return cls(key, policy, [entry], entropy), [Record(entry.blob)]

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
            host=self._policy.name,
            rules=table.opened.rules,
            seats=table.opened.seats,
            taken=len(table.seats),
            state=self._state,
            locked=table.opened.locked,
            epoch=self._candidacy.epoch if self._candidacy else table.epoch,
        )

    @property
    def _state(self) -> State:
        if self._candidacy:
            return State.MOVING
        return State.GATHERING if self.table.phase is Phase.GATHERING else State.PLAYING

    @property
    def key(self) -> bytes:
        """The public key of who hosts the table, or stands for it."""
        return self._key.public

    @property
    def is_standing(self) -> bool:
        """Whether the table still has another host, and this one only stands for it."""
        return self._candidacy is not None

    @property
    def code(self) -> str | None:
        """The join code, for the host's screen; None at an open table."""
        return self._admission.code

    @property
    def is_done(self) -> bool:
        """Whether the last of the agreed games is over."""
        game, games = self.table.game, self._policy.games
        if game is None or games is None or self.table.phase is not Phase.GATHERING:
            return False
        return game.number >= games

    @property
    def places(self) -> tuple[Whereabout, ...]:
        """Where the seats that are here could serve the table, as they were told last."""
        return self._places

    def connection(self, link: LinkId) -> Connection | None:
        """What is known of a connection; None once it has ended."""
        return self._connections.get(link)

    def resume(self, at: Moment) -> list[HostEffect]:
        """At the beginning of a reign: say of every seat whether it is connected."""
        effects: list[HostEffect] = []
        if self._candidacy:
            return effects
        for seat in self.table.seats:
            is_here = bool(self._connections.of(seat.key))
            if is_here is seat.away:
                effects += self._append((Back if is_here else Away)(seat.key), at)
        return effects

    def connected(
        self, link: LinkId, challenge: bytes, channel: bytes, at: Moment, address: str | None
    ) -> list[HostEffect]:
        """A connection came from `address`; None is one of this very program.

        `challenge` is 32 fresh random bytes, `channel` the hash of the certificate.
        """
        giving_way = self._connections.room_for(address)
        if giving_way is None:
            return [_send(link, Goodbye(Farewell.TOO_MANY)), Disconnect(link, Farewell.TOO_MANY)]
        effects = self._part_all(giving_way, Farewell.TOO_MANY, at)
        now = at.monotonic
        self._connections[link] = Connection(
            challenge, channel, address, since=now, heard=now, echoed=at
        )
        return [*effects, _send(link, Greeting(PROTOCOL, PROGRAM, self.card, challenge))]

    def lost(self, link: LinkId, at: Moment) -> list[HostEffect]:
        """A connection ended; its seat is away unless the same key is connected anew."""
        gone = self._connections.pop(link)
        self._admission.forget(link)
        if gone is None or gone.key is None or self._connections.of(gone.key):
            return []
        seat = self.table.seat(gone.key)
        if seat is None or seat.away or self._candidacy:
            return []
        return [*self._append(Away(gone.key), at), *self._start_if_due(at)]

    def received(self, link: LinkId, data: bytes, at: Moment) -> list[HostEffect]:
        """Bytes came on a link."""
        state = self._connections.get(link)
        if state is None:
            return []
        state.heard = at.monotonic
        state.reader.push(data)
        return self._read(link, state, at)

    def pump(self, link: LinkId) -> list[HostEffect]:
        """More of the log for a link that has read what was sent before."""
        state = self._connections.get(link)
        if state is None or state.key is None:
            return []
        state.clogged_since = None
        return self._more(link, state)

    def clogged(self, link: LinkId, at: Moment) -> None:
        """More than `MAX_UNSENT` waits to be read on this link: send no more until `pump`."""
        state = self._connections.get(link)
        if state is not None and state.clogged_since is None:
            state.clogged_since = at.monotonic

    def computed(self, link: LinkId, result: HostExchange | None, at: Moment) -> list[HostEffect]:
        """The answer to a guess of the code is worked out; None if it was no guess."""
        state = self._connections.get(link)
        if state is None:
            return []
        if result is None:
            return self._part(link, Farewell.MALFORMED, at)
        state.answer = result
        return [_send(link, Pake(result.message))]

    def decide(self, measure: Measure, seat: bytes, at: Moment) -> list[HostEffect]:
        """As host: mute, remove, refuse or let in again (G5); raises `Illegal`."""
        if self._candidacy:
            raise Illegal(Reason.NOT_NOW)
        decision = Decide(measure, seat)
        check_statement(self.table, None, decision, self._time(at))
        return [*self._append(decision, at), *self._start_if_due(at)]

    def renew_code(self) -> list[HostEffect]:
        """Take another join code: the old one opens nothing any more."""
        if self.code is None:
            return []
        self._admission.renew()
        return [CodeChanged()]

    def tick(self, at: Moment) -> list[HostEffect]:
        """Time passed: call this a few times a second."""
        effects: list[HostEffect] = []
        for link in self._connections:
            effects += self._look_after(link, at)
        effects += [*self._answer_guess(at), *self._ping_if_due(at), *self._presence(at)]
        effects += self._tell_places()
        if not self._candidacy and self.may_go_on(at):
            effects += [*self._take_held_back(at), *self._time_up(at)]
        return effects

    def may_go_on(self, at: Moment) -> bool:
        """Whether no other host can have been chosen: a majority of the seats is needed for one.

        While half of the seats or more answer, there is none. With more of them silent no game
        goes on or begins, for it could be lost. Who sat down since does not count: the silent
        ones know nothing of them.
        """
        heard = {v.key for _, v in self._connections.inside() if v.is_heard(at)}
        seats = frozenset(seat.key for seat in self.table.seats)
        if any(_most(group - heard, group) for group in (self._electors, seats)):
            return False
        knowing = {v.key for _, v in self._connections.inside() if v.reached >= self._seated}
        if not _most(self._electors - knowing, self._electors):
            self._electors = seats
        return True

    def hand_over(self, seat: bytes) -> list[HostEffect]:
        """Give the host's role to a seat that is here; raises `Illegal`.

        Everybody looks for the new host at once; step down next. To the own key: this host wants
        to be chosen anew, because a seat has promised its support to a later one.
        """
        places = {place.key for place in self._places}
        if seat != self._key.public and seat not in places:
            raise Illegal(Reason.NOT_NOW)
        return self._broadcast(HandOver(seat))

    def close(self) -> list[HostEffect]:
        """The table closes: everybody is told."""
        return self._dismiss(Farewell.CLOSED)

    def step_down(self) -> list[HostEffect]:
        """This is the host no more, or was not chosen: everybody looks for another one."""
        return self._dismiss(Farewell.HANDED_OVER)

    def _dismiss(self, why: Farewell) -> list[HostEffect]:
        links = tuple(self._connections)
        self._connections.clear()
        return [Send(links, write(Goodbye(why))), *(Disconnect(link, why) for link in links)]

    def _look_after(self, link: LinkId, at: Moment) -> list[HostEffect]:
        """Read what waited on a link, and end it if it is time."""
        effects: list[HostEffect] = []
        state = self._connections.get(link)
        if state is not None and state.is_stalled:
            effects += self._read(link, state, at)
        state = self._connections.get(link)
        if state is not None and (why := state.overdue(at)):
            effects += self._part(link, why, at)
        return effects

    def _read(self, link: LinkId, state: Connection, at: Moment) -> list[HostEffect]:
        """Take the messages that are here, as many as are taken of one link at a time."""
        effects: list[HostEffect] = []
        try:
            while (payload := state.reader.pop()) is not None:
                state.heard = at.monotonic
                effects += self._message(link, state, read_from_guest(payload), at)
                if link not in self._connections:
                    return effects
                if state.address is not None and not state.budget.take(at.monotonic):
                    return [*effects, *self._stall(link, state)]
        except OtherVersion:
            return [*effects, *self._part(link, Farewell.OTHER_VERSION, at)]
        except Malformed:
            return [*effects, *self._part(link, Farewell.MALFORMED, at)]
        if state.is_stalled:
            state.is_stalled = False
            effects.append(Resume(link))
        return effects

    def _stall(self, link: LinkId, state: Connection) -> list[HostEffect]:
        if state.is_stalled:
            return []
        state.is_stalled = True
        return [Stall(link)]

    def _message(
        self, link: LinkId, state: Connection, message: Message, at: Moment
    ) -> list[HostEffect]:
        if isinstance(message, Goodbye):
            return [*self.lost(link, at), Disconnect(link, message.why)]
        if isinstance(message, Hello):
            return self._hello(link, state, message, at)
        if isinstance(message, Pake):
            return self._guessed(link, state, message, at)
        if isinstance(message, Confirm):
            return self._confirmed(link, state, message, at)
        if state.key is None:
            raise Malformed("the first message of a guest is its hello")
        if isinstance(message, Propose):
            return self._propose(link, state, Intent.read(message.blob), at)
        if isinstance(message, Support):
            return self._supported(state.key, message, at)
        if isinstance(message, Ping):
            if sent := self._pinged.get(message.number):
                state.answer_ping(*sent)
            state.held = max(state.held, min(message.held, state.sent))
            return self._open_if_kept(at)
        return []

    def _hello(self, link: LinkId, state: Connection, hello: Hello, at: Moment) -> list[HostEffect]:
        if state.key is not None or state.hello is not None:
            raise Malformed("a hello is said once")
        if not is_proven(hello, state.challenge, state.channel, self.table.id):
            return self._part(link, Farewell.WRONG_PROOF, at)
        if hello.key in self.table.refused:
            return self._part(link, Farewell.BARRED, at)
        if hello.epoch > self.card.epoch:
            # A stranger can name any epoch, and so can a seat: while most of them follow this
            # host, nobody can have moved the table.
            is_near = hello.epoch <= self.table.epoch + MAX_EPOCH_STEP
            later: list[HostEffect] = []
            if self.table.seat(hello.key) and is_near:
                stays = self.may_go_on(at) and not self._candidacy
                later = [Stranded(hello.epoch) if stays else Superseded(hello.epoch)]
            return [*self._part(link, Farewell.OLD_EPOCH, at), *later]
        if self._common(hello) is None:
            why = Farewell.BEHIND if self._candidacy else Farewell.OTHER_LOG
            return self._part(link, why, at)
        if self._candidacy and not self._knows(hello.key):
            return self._part(link, Farewell.TOO_MANY, at)
        if state.address is None or self._knows(hello.key):
            return self._let_in(link, state, hello, at)
        if self._admission.waits(state.address, at.monotonic):
            return self._part(link, Farewell.TOO_MANY_TRIES, at)
        state.hello, state.since = hello, at.monotonic
        return [_send(link, Locked())]

    def _common(self, hello: Hello) -> int | None:
        """How much of its log a guest keeps; None if it holds another log.

        What it holds beyond the entry by which the table moved to another host has been lost.
        """
        if self.log.holds(hello.held):
            return hello.length
        terms = [Term(each.epoch, each.start) for each in hello.terms]
        return self.log.common(terms, hello.length)

    def _knows(self, key: bytes) -> bool:
        """Whether this key need not prove the join code: it sat here, or proved it before.

        Nor need who opened the table, and may have had no seat at it.
        """
        table = self.table
        is_opener = key == table.opened.host
        return not table.opened.locked or is_opener or key in table.admitted or key in table.names

    def _guessed(self, link: LinkId, state: Connection, pake: Pake, at: Moment) -> list[HostEffect]:
        if state.hello is None or state.key is not None or state.guess is not None:
            raise Malformed("a code is guessed once, after it was asked for")
        state.guess = pake.message
        self._admission.ask(link)
        return self._answer_guess(at)

    def _answer_guess(self, at: Moment) -> list[HostEffect]:
        link = self._admission.answers(at.monotonic)
        state = None if link is None else self._connections.get(link)
        code = self._admission.code
        if link is None or state is None or state.hello is None or code is None:
            return []
        assert state.guess is not None
        state.code = code
        setting = ExchangeContext(state.channel, state.challenge, self.table.id, state.hello.key)
        entropy = self._admission.entropy
        return [Compute(link, partial(_try_answer, code, setting, state.guess, entropy))]

    def _confirmed(
        self, link: LinkId, state: Connection, confirm: Confirm, at: Moment
    ) -> list[HostEffect]:
        if state.answer is None or state.hello is None or state.key is not None:
            raise Malformed("nothing is confirmed before it was answered")
        address = state.address or ""
        if self._admission.waits(address, at.monotonic):
            # Guesses that were begun before the others were wrong are no more tries.
            return self._part(link, Farewell.TOO_MANY_TRIES, at)
        # A code that was changed meanwhile opens nothing, also to who began before.
        if state.code != self.code or not state.answer.is_proven(confirm.mac):
            changed = self._admission.wrong(address, at.monotonic)
            effects = self._part(link, Farewell.WRONG_CODE, at)
            return [*effects, CodeChanged()] if changed else effects
        self._admission.right(address)
        effects = [_send(link, Confirm(state.answer.host))]
        if not self._knows(state.hello.key):
            effects += self._append(Admitted(state.hello.key), at)
        return [*effects, *self._let_in(link, state, state.hello, at)]

    def _let_in(
        self, link: LinkId, state: Connection, hello: Hello, at: Moment
    ) -> list[HostEffect]:
        if not self._returns.take(hello.key, at.monotonic):
            return self._part(link, Farewell.TOO_MANY, at)
        effects: list[HostEffect] = []
        for older in self._connections.of(hello.key):
            self._connections.pop(older)
            effects += [
                _send(older, Goodbye(Farewell.REPLACED)),
                Disconnect(older, Farewell.REPLACED),
            ]
        giving_way = self._connections.place_for(hello.key, state.address)
        if giving_way is None:
            return [*effects, *self._part(link, Farewell.TOO_MANY, at)]
        effects += self._part_all(giving_way, Farewell.TOO_MANY, at)
        state.key, state.sent, state.reader.most = hello.key, self._common(hello) or 0, MAX_FRAME
        state.port, state.reached = hello.port, state.sent
        effects += [_send(link, Welcome(len(self.log))), *self._more(link, state)]
        seat = self.table.seat(hello.key)
        if seat is not None and seat.away and not self._candidacy:
            effects += self._append(Back(hello.key), at)
        effects.append(_send(link, Presence(self._unsteady)))
        # At once: this host may be gone in a moment, and the others have to find the newcomer.
        known = [_send(link, Whereabouts(self._places))] if self._places else []
        effects += self._tell_places() or known
        return [*effects, *self._ask_for_support(link, at)]

    def _ask_for_support(self, link: LinkId, at: Moment) -> list[HostEffect]:
        """Ping at once who has come to this one that stands, and everybody if it is the last."""
        if self._candidacy is None or not self._is_worth_support:
            return []
        return self._ping_if_due(at) or [_send(link, Ping(self._ping))]

    def _supported(self, voter: bytes, support: Support, at: Moment) -> list[HostEffect]:
        """A seat wants this one for host; with enough of them the table has moved."""
        standing = self._candidacy
        if standing is None or not standing.take(self.table, voter, support.signature):
            return []
        moved = standing.result(self.table)
        if moved is None:
            return []
        self._candidacy = None
        return [*self._append(moved, at, moved.epoch), Elected(), *self.resume(at)]

    def _take_held_back(self, at: Moment) -> list[HostEffect]:
        effects: list[HostEffect] = []
        for link, connection in self._connections.inside():
            waiting, connection.held_back = connection.held_back, []
            for intent in waiting:
                effects += self._propose(link, connection, intent, at)
        return effects

    def _time_up(self, at: Moment) -> list[HostEffect]:
        """Whose turn has lasted too long, by the clock of the table (G4)."""
        for seat in self.table.out_of_time(self._time(at)):
            return self._append(TimeUp(seat), at)
        return []

    def _ping_if_due(self, at: Moment) -> list[HostEffect]:
        last = self._pinged.get(self._ping)
        if (
            last and at.monotonic - last[0].monotonic < PING_INTERVAL
        ) or not self._is_worth_support:
            return []
        self._ping += 1
        self._pinged[self._ping] = at, len(self.log)
        self._pinged.pop(self._ping - _PINGS_KEPT, None)
        return self._broadcast(Ping(self._ping))

    @property
    def _is_worth_support(self) -> bool:
        """Whether this is the host, or could be with all who have come to it.

        Who stands alone asks nobody for a promise, and so can go back to the host.
        """
        if self._candidacy is None:
            return True
        here = {connection.key for _, connection in self._connections.inside()}
        seats = {seat.key for seat in self.table.seats}
        return 2 * len(seats & here) > len(seats)

    def _tell_places(self) -> list[HostEffect]:
        """Tell everybody where the seats could serve the table, when that has changed."""
        places = tuple(
            Whereabout(connection.key, connection.address, connection.port)
            for _, connection in self._connections.inside()
            if connection.key
            and connection.address
            and connection.port
            and self.table.seat(connection.key)
        )
        if places == self._places:
            return []
        self._places = places
        return self._broadcast(Whereabouts(places))

    def _propose(
        self, link: LinkId, state: Connection, intent: Intent, at: Moment
    ) -> list[HostEffect]:
        if intent.author != state.key:
            raise Malformed("an intent comes on its author's own link")
        if self._candidacy or intent.sequence <= self.table.sequences.get(intent.author, 0):
            return []
        if not self._may_follow(intent, at):
            if len(state.held_back) < MAX_HELD_BACK:
                state.held_back.append(intent)
            return []
        try:
            self._check(intent, at)
        except Illegal as error:
            return [_send(link, Refusal(intent.sequence, error.reason.code))]
        return [*self._append(intent, at), *self._start_if_due(at)]

    def _may_follow(self, intent: Intent, at: Moment) -> bool:
        """Whether what is said now cannot be lost to another host, as far as that matters."""
        if self.table.phase is Phase.GATHERING:
            return True
        return self.may_go_on(at) and (self._is_kept or not self._opens_fists(intent))

    def _opens_fists(self, intent: Intent) -> bool:
        """Whether this is the last witness of an ending word."""
        table, game = self.table, self.table.game
        if game is None or table.phase is not Phase.WITNESSING:
            return False
        missing = {game.players[seat].key for seat in game.witnesses_missing}
        return isinstance(intent.statement, Witness) and missing == {intent.author}

    @property
    def _is_kept(self) -> bool:
        """Whether half of the seats have the ending word on their disks.

        Without one of these no majority is left that could choose a host who never heard of it.
        """
        held = {v.key for _, v in self._connections.inside() if v.held >= self.table.turn}
        seats = [seat.key for seat in self.table.seats]
        return 2 * sum(key in held for key in seats) >= len(seats)

    def _open_if_kept(self, at: Moment) -> list[HostEffect]:
        """Take the last witness that waited until enough seats had kept the ending word."""
        if self.table.phase is not Phase.WITNESSING or not self._is_kept:
            return []
        return self._take_held_back(at) if self.may_go_on(at) else []

    def _check(self, intent: Intent, at: Moment) -> None:
        if not self.log.holds(intent.seen):
            raise Illegal(Reason.OTHER_LOG)
        check_intent(self.table, intent)
        check_statement(self.table, intent.author, intent.statement, self._time(at))
        is_rationed = isinstance(intent.statement, RATIONED)
        if len(self.log) >= MAX_LOG - (LOG_RESERVE if is_rationed else 0):
            raise Illegal(Reason.LOG_FULL)
        if is_rationed and not self._talk.take(self.table, intent, at.monotonic):
            raise Illegal(Reason.TOO_FAST)

    def _append(
        self, said: Intent | Message, at: Moment, epoch: int | None = None
    ) -> list[HostEffect]:
        before = self.table
        time = self._time(at)
        term = before.epoch if epoch is None else epoch
        entry = Entry.sign(self._key, term, self.log.head, time, said)
        table = fold(before, entry)
        self.log.append(entry)
        self._table = table
        effects: list[HostEffect] = [Record(entry.blob)]
        data, ready = write(Entries((entry.blob,))), []
        for link, state in self._connections.reading():
            if state.sent == len(self.log) - 1:
                state.sent += 1
                ready.append(link)
        if ready:
            effects.append(Send(tuple(ready), data))
        if len(table.seats) != len(before.seats):
            self._seated = len(self.log)
            self._excuse(before, said)
        for key in table.refused - before.refused:
            effects += self._refuse(key, at)
        return effects

    def _excuse(self, before: Table, said: Intent | Message) -> None:
        """Whoever gave its seat up, or was removed by the host's word, is not waited for.

        A vote is not enough: those who are silent could not vote.
        """
        gone = {seat.key for seat in before.seats} - {seat.key for seat in self.table.seats}
        statement = said.statement if isinstance(said, Intent) else said
        if isinstance(statement, Leave | Decide):
            self._electors -= gone

    def _time(self, at: Moment) -> int:
        """The time for the next entry.

        Of a table that another clock led so far, that one's time goes on, not this machine's
        from long before: else nothing that takes a time would ever be over.
        """
        if self._ahead is None:
            self._ahead = max(0, self.table.time - at.wall)
        return max(at.wall + self._ahead, self.table.time)

    def _refuse(self, key: bytes, at: Moment) -> list[HostEffect]:
        """This key is not let in any more, nor by the code that it knows."""
        links = self._connections.of(key)
        return [*self.renew_code(), *self._part_all(links, Farewell.BARRED, at)]

    def _more(self, link: LinkId, state: Connection) -> list[HostEffect]:
        """The next entries that this link has not got, as many as fit into one frame."""
        batch: list[bytes] = []
        size = 0
        for entry in self.log[state.sent : state.sent + MAX_ENTRIES]:
            batch.append(entry.blob)
            size += len(entry.blob)
            if size >= MAX_BATCH:
                break
        if not batch:
            return []
        state.sent += len(batch)
        more = [More(link)] if state.sent < len(self.log) else []
        return [_send(link, Entries(tuple(batch))), *more]

    def _start_if_due(self, at: Moment) -> list[HostEffect]:
        table = self.table
        if table.phase is not Phase.GATHERING or table.paused or self.is_done:
            return []
        if not self.may_go_on(at):
            return []
        ready, present = table.ready_seats, [seat for seat in table.seats if not seat.away]
        if len(ready) < max(MIN_PLAYERS, self._policy.start_when) or len(ready) < len(present):
            return []
        return self._append(GameStarted(tuple(seat.key for seat in ready)), at)

    def _presence(self, at: Moment) -> list[HostEffect]:
        silent = [
            connection.key
            for _, connection in self._connections.inside()
            if connection.key and at.monotonic - connection.heard > UNSTEADY_DELAY
        ]
        unsteady = tuple(sorted(key for key in silent if self.table.seat(key)))
        if unsteady == self._unsteady:
            return []
        self._unsteady = unsteady
        return self._broadcast(Presence(unsteady))

    def _broadcast(self, message: Message) -> list[HostEffect]:
        links = tuple(link for link, _ in self._connections.reading())
        return [Send(links, write(message))] if links else []

    def _part_all(self, links: Iterable[LinkId], why: Farewell, at: Moment) -> list[HostEffect]:
        return [effect for link in links for effect in self._part(link, why, at)]

    def _part(self, link: LinkId, why: Farewell, at: Moment) -> list[HostEffect]:
        """Say goodbye; the seat behind the link is away from now on."""
        return [_send(link, Goodbye(why)), Disconnect(link, why), *self.lost(link, at)]


def _most(part: frozenset[bytes], of: frozenset[bytes]) -> bool:
    """Whether this part of the seats could choose a host: one seat alone has nothing to save."""
    return len(of) >= MIN_PLAYERS and 2 * len(part) > len(of)


def _send(link: LinkId, message: Message) -> Send:
    return Send((link,), write(message))


def _try_answer(
    code: str, setting: ExchangeContext, guess: bytes, entropy: Entropy
) -> HostExchange | None:
    try:
        return answer(code, setting, guess, entropy)
    except Malformed:
        return None
