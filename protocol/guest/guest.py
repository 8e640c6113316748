"""A participant's side of its link, sans-IO: the same for a person, a bot and a test.

Feed it connections, bytes and the time, and say what the participant wants; carry out the
effects that it returns, in their order. It keeps the secrets of its own hand and never puts
them into a view: they leave it as `Keep` (to the owner's disk) and in the opening (R11).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from protocol.crypto.join_code import Entropy, ExchangeContext, GuestExchange
from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.errors import REASONS, BrokenLog, Illegal, LocalError, Malformed, Reason, RemoteError
from protocol.guest.effects import (
    Changed,
    CodeWanted,
    Cut,
    GuestEffect,
    Halt,
    HandedOver,
    Hangup,
    Keep,
    LinkState,
    Promise,
    Refused,
    Secret,
    Settle,
    Store,
    Transmit,
)
from protocol.guest.secrets import OwnSecrets
from protocol.limits import MAX_LOG
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Direction, Word
from protocol.table.fold import Phase, Table, check_statement, fold
from protocol.table.log import Entry, Head, Intent, Log, is_by, position_of
from protocol.table.statements import (
    Fist,
    Gesticulate,
    HostMoved,
    Leave,
    Ready,
    Say,
    Sit,
    Speak,
)
from protocol.table.transitions.succession import sign_support
from protocol.timing import (
    LOST_DELAY,
    PING_INTERVAL,
    SUPPORT_DELAY,
    UNSTEADY_DELAY,
    Clocks,
    Moment,
)
from protocol.version import PROGRAM
from protocol.wire.messages import (
    Card,
    Confirm,
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    HandOver,
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
    read_from_host,
    sign_hello,
    write,
)

__all__ = [
    "Changed",
    "CodeWanted",
    "Cut",
    "Guest",
    "GuestEffect",
    "Halt",
    "HandedOver",
    "Hangup",
    "Keep",
    "LinkState",
    "Promise",
    "Refused",
    "Secret",
    "Settle",
    "Store",
    "Transmit",
]

_CODE_FAILED: Final = frozenset({Farewell.WRONG_CODE, Farewell.TOO_MANY_TRIES})
"""Farewells after which the player is asked for the join code anew."""

_OF_ANYBODY: Final = _CODE_FAILED | {Farewell.BEHIND, Farewell.OLD_EPOCH, Farewell.HANDED_OVER}
"""Farewells that are believed whoever says them: a later host, or who stands for it, is not known
as such before its log is here, and these only have one look elsewhere or ask for the code."""


@dataclass(slots=True)
class _Past:
    """Another log than the own one, from some entry on."""

    log: Log
    table: Table
    entries: list[Entry]
    """Those that the own log does not have."""

    @classmethod
    def before(cls, own: Log, position: int) -> _Past:
        """The part of the own log before this position; raises `BrokenLog` if there is none."""
        table: Table | None = None
        for each in own[:position]:
            table = fold(table, each)
        if table is None:
            raise BrokenLog(0, "it opens the table a second time")
        return cls(Log(own[:position]), table, [])

    def take(self, blob: bytes) -> Entry:
        """Add the next entry; raises `Malformed` or `BrokenLog` if it is not the next."""
        entry = Entry.read(blob, self.table.host)
        self.log.check(entry)
        self.table = fold(self.table, entry)
        self.log.append(entry)
        self.entries.append(entry)
        return entry


@dataclass(slots=True)
class _Link:
    channel: bytes
    heard: float
    pinged: float
    host_key: bytes | None
    """Key in the certificate at the other end; None in memory."""
    reader: FrameReader = field(default_factory=FrameReader)
    greeting: Greeting | None = None
    guess: GuestExchange | None = None
    """The proof of the join code, once it was asked for."""
    is_candidate: bool = False
    """Whether who is at the other end stands for host in `epoch`."""
    epoch: int = 0
    ping: int = 0
    """The last ping of the host."""
    is_supported: bool = False
    gives_over: bool = False
    """Whether this host has given its role away."""
    has_confirmed: bool = False
    """Whether the own proof was sent."""
    is_proven: bool = False
    """Whether the host has proven that it knows the code."""
    goal: int | None = None
    """Length of the host's log at the welcome."""
    owes_words: bool = False
    """Whether what has no answer yet is to be said again once the log is here."""
    past: _Past | None = None
    """Entries of this host in places for which the own log has others."""

    @property
    def is_followed(self) -> bool:
        """Whether the host of the table is at the other end, as far as can be known."""
        return self.greeting is not None and not self.is_candidate and not self.gives_over


class Guest:
    """One participant of one table."""

    def __init__(
        self,
        key: SigningKey,
        table: bytes | None = None,
        entries: Iterable[Entry] = (),
        secrets: Iterable[Secret] = (),
        promise: int = 0,
        port: int = 0,
    ) -> None:
        """Go on where `entries`, `secrets` and `promise`, read from the disk, end.

        `table` is the id of the table to expect; None takes the first one that greets. `port`
        is where this program would serve the table if its host were gone; 0 is nowhere.
        """
        self._key = key
        self._table_id = table
        self.log: Final = Log()
        self.table: Table | None = None
        for entry in entries:
            self.table = fold(self.table, entry)
            self.log.append(entry)
        if self.table is not None:
            self._table_id = self.table.id
        self._secrets = OwnSecrets(key.public, secrets)
        self._pending: dict[int, Intent] = {}
        self._sequence = 0
        self._refused_at: Head | None = None
        self._word: tuple[int, Speak] | None = None
        self._link: _Link | None = None
        self._code: tuple[str, Entropy] | None = None
        self._proven: bytes | None = None
        """Key of a host that has proven the join code, before its log was here."""
        self._on_disk = len(self.log)
        """Entries that are safely on the disk."""
        self._promise = promise
        self._promised_to: bytes | None = None
        self._port = port
        self._host_heard: float | None = None
        self._clocks = Clocks()
        self.places: tuple[Whereabout, ...] = ()
        """Where the seats could serve the table, as its host told last."""
        self._halted = False
        self.card: Card | None = None
        """The card of the last greeting."""
        self.unsteady: tuple[bytes, ...] = ()
        """Seats that the host has not heard of for 3 s."""
        self.link = LinkState.DOWN
        """How the way to the host is."""

    @property
    def key(self) -> bytes:
        """The participant's public key."""
        return self._key.public

    def use_code(self, code: str, entropy: Entropy) -> None:
        """Prove this join code when the table asks for one.

        `entropy` gives so many fresh random bytes. Who gives a code expects the host to know it:
        at a table that lets anybody in, or whose host does not prove it, this side hangs up.
        """
        self._code = code, entropy

    def connected(self, channel: bytes, at: Moment, host_key: bytes | None) -> list[GuestEffect]:
        """A connection to the host stands.

        `channel` is the hash of its certificate and `host_key` the key in that; empty and None
        for a link inside of one program.
        """
        self._link = _Link(channel, at.monotonic, at.monotonic, host_key)
        self._note_start(at)
        return self._now(LinkState.MEETING)

    def disconnected(self) -> list[GuestEffect]:
        """The connection ended."""
        link, self._link = self._link, None
        return [*self._now(LinkState.DOWN), *self._doubt_code(link)]

    def _doubt_code(self, link: _Link | None) -> list[GuestEffect]:
        """Ask for the code again if the link broke when it was half proven.

        Whoever stands between would get one guess at it with every new connection.
        """
        if link is None or not link.has_confirmed or link.is_proven or link.goal is not None:
            return []
        self._code = None
        return [CodeWanted(Farewell.NO_CODE)]

    def received(self, data: bytes, at: Moment) -> list[GuestEffect]:
        """Bytes came from the host."""
        link = self._link
        if link is None or self._halted:
            return []
        link.heard = at.monotonic
        effects: list[GuestEffect] = []
        link.reader.push(data)
        try:
            while self._link is link and (payload := link.reader.pop()) is not None:
                effects += self._message(link, read_from_host(payload), at)
        except OtherVersion:
            effects += self._dismissed(link, Farewell.OTHER_VERSION)
        except Malformed:
            effects += self._part(Farewell.MALFORMED)
        except _Stopped as stop:
            effects += stop.done
            if stop.halt is None:
                effects += self._part(Farewell.IMPOSTOR)
            else:
                effects += [*self._part(Farewell.OTHER_LOG), stop.halt]
        if link.is_followed and self._link is link:
            self._host_heard = at.monotonic
        # Before the own witness leaves, what it confirms is on the disk.
        due = [*self._attest(link, at), *self._due(), *self._support(at)]
        return [*effects, *due, *self._steadiness(at)]

    def tick(self, at: Moment) -> list[GuestEffect]:
        """Time passed: call this a few times a second."""
        self._note_start(at)
        link, slept = self._link, self._clocks.jumped(at)
        if link is None:
            return []
        if slept or at.monotonic - link.heard > LOST_DELAY:
            # After a sleep the connection may be dead without knowing it: a new one is quicker.
            return self._part(Farewell.SILENT)
        effects: list[GuestEffect] = []
        if at.monotonic - link.pinged >= PING_INTERVAL and link.goal is not None:
            effects += self._ping(link, at)
        return [*effects, *self._support(at), *self._steadiness(at)]

    def host_silent(self, at: Moment) -> float:
        """For how many seconds nothing was heard of the host of the table."""
        self._note_start(at)
        return at.monotonic - (self._host_heard or 0.0)

    @property
    def epoch(self) -> int:
        """The highest epoch that was seen or promised: no earlier one is followed."""
        return max(self._promise, self.table.epoch if self.table else 0)

    def _note_start(self, at: Moment) -> None:
        # Before a crash a host may have been answered: it counts on that for a while.
        if self._host_heard is None:
            self._host_heard = at.monotonic

    def _attest(self, link: _Link, at: Moment) -> list[GuestEffect]:
        """Tell the host at once that an ending word is on the own disk, too.

        The fists open once half of the seats have it: then no other host can be chosen who has
        never heard of it.
        """
        table = self.table
        is_new = table is not None and self._on_disk < table.turn <= len(self.log)
        if not is_new or table is None or table.phase is not Phase.WITNESSING:
            return []
        if self._link is not link or not link.is_followed or link.goal is None:
            return []
        self._on_disk = len(self.log)
        return [Settle(), *self._ping(link, at)]

    def _ping(self, link: _Link, at: Moment) -> list[GuestEffect]:
        link.pinged = at.monotonic
        return [Transmit(write(Ping(link.ping, self._on_disk)))]

    def sit(self, name: ForeignText) -> list[GuestEffect]:
        """Take a seat (G2, G6)."""
        return self._state(Sit(name))

    def leave(self) -> list[GuestEffect]:
        """Give the seat up, also one that was asked for a moment ago."""
        return self._state(Leave(), is_known=not self.asks_for_seat)

    @property
    def asks_for_seat(self) -> bool:
        """Whether a seat was asked for, and there is no answer yet."""
        return any(isinstance(statement, Sit) for statement in self.waiting)

    def ready(self, share: bytes, nonce: bytes) -> list[GuestEffect]:
        """Be ready for the next game; both arguments are 32 fresh random bytes (G1)."""
        table = self._need_table()
        number = table.game.number + 1 if table.game else 1
        place = Place(table.id, number, 0, self.key)
        kept = self._secrets.share(place)
        secret = kept or SealedShare(place, share, nonce)
        statement = Ready(secret.seal)
        check_statement(table, self.key, statement)
        stated = self._state(statement)
        return stated if kept else [self._secrets.remember(secret), *stated]

    def choose(self, coins: int, nonce: bytes) -> list[GuestEffect]:
        """Put the fist in with this hand; `nonce` is 32 fresh random bytes (R2)."""
        table = self._need_table()
        place = self._secrets.hand_place(table)
        if place is None:
            check_statement(table, self.key, Fist(nonce))
            raise Illegal(Reason.NO_GAME)
        if self._secrets.hand(place):
            raise Illegal(Reason.FIST_IS_IN)
        assert table.game is not None
        owned = table.game.coins[table.game.seat_of(self.key) or 0]
        if not 0 <= coins <= owned:
            raise Illegal(Reason.HAND_TOO_BIG, coins=owned)
        secret = SealedHand(place, coins, nonce)
        statement = Fist(secret.seal)
        stated = self._state(statement)
        return [self._secrets.remember(secret), *stated]

    def speak(self, word: Word, direction: Direction | None = None) -> list[GuestEffect]:
        """Say a word (R4 to R10), or call a number (H5 to H8)."""
        table, hand = self._need_table(), self.own_hand
        running = table.game.round if table.game else None
        if isinstance(running, GuessingRound) and isinstance(word, Bid) and hand is not None:
            running.check_hand(word.number, hand)
        statement = Speak(word, direction)
        # A host that holds two signed words of one turn could choose between them.
        if self._word is not None and self._word[0] == table.turn and self._word[1] != statement:
            raise Illegal(Reason.REPEATED)
        effects = self._state(statement)
        self._word = table.turn, statement
        return effects

    def state(self, statement: Message) -> list[GuestEffect]:
        """Say anything that keeps no secret: talk, a gesture, a vote, what the slate asks for.

        Raises `Illegal` if the table does not allow it now.
        """
        return self._state(statement)

    def farewell(self) -> list[GuestEffect]:
        """Tell the host that this connection ends on purpose; the seat stays."""
        if self._link is None:
            return []
        return [Transmit(write(Goodbye(Farewell.CLOSED)))]

    @property
    def own_hand(self) -> int | None:
        """The coins in the own fist this round, for a peek; never part of a view."""
        if self.table is None:
            return None
        hand = self._secrets.hand(self._secrets.hand_place(self.table))
        return hand.coins if hand else None

    @property
    def waiting(self) -> tuple[Message, ...]:
        """What was said and is not in the log yet."""
        return tuple(intent.statement for intent in self._pending.values())

    def _message(self, link: _Link, message: Message, at: Moment) -> list[GuestEffect]:
        if isinstance(message, Greeting):
            return self._greeted(link, message)
        if isinstance(message, Goodbye):
            return self._dismissed(link, message.why)
        if link.greeting is None:
            return self._part(Farewell.MALFORMED)
        if isinstance(message, Locked | Pake | Confirm):
            return self._prove_code(link, link.greeting, message)
        if isinstance(message, Welcome):
            return self._welcomed(link, message)
        if link.goal is None:
            # Of whoever has not proven the code nothing counts, least of all a log.
            return self._part(Farewell.MALFORMED)
        if isinstance(message, Entries):
            effects: list[GuestEffect] = []
            for blob in message.blobs:
                effects += self._entry(blob, effects)
            return [*effects, Changed(), *self._caught_up(link)]
        if isinstance(message, Refusal):
            return self._refused(message)
        if isinstance(message, Presence):
            self.unsteady = message.unsteady
            return [Changed()]
        if isinstance(message, Ping):
            link.ping = message.number
            return self._ping(link, at) if link.goal is not None else []
        if isinstance(message, Whereabouts):
            self.places = message.places
        if isinstance(message, HandOver) and not link.is_candidate:
            self._host_heard, link.gives_over = float("-inf"), True
            return [HandedOver(message.seat)]
        return []

    def _dismissed(self, link: _Link, why: Farewell) -> list[GuestEffect]:
        if self.table and link.host_key not in (None, self.table.host) and why not in _OF_ANYBODY:
            # Only its host can say that the table closes, or who may not come in.
            return self._part(Farewell.IMPOSTOR)
        effects = self._part(why)
        if why not in _CODE_FAILED:
            return effects
        self._code = None
        return [*effects, CodeWanted(why)]

    def _prove_code(
        self, link: _Link, greeting: Greeting, message: Locked | Pake | Confirm
    ) -> list[GuestEffect]:
        """One step of the proof that both sides know the join code."""
        if isinstance(message, Locked) and link.guess is None and link.goal is None:
            if self._code is None:
                return [*self._part(Farewell.NO_CODE), CodeWanted(Farewell.NO_CODE)]
            code, entropy = self._code
            setting = ExchangeContext(
                link.channel, greeting.challenge, greeting.card.table, self.key
            )
            link.guess = GuestExchange(code, setting, entropy)
            return [Transmit(write(Pake(link.guess.message)))]
        if link.guess is None or isinstance(message, Locked):
            return self._part(Farewell.MALFORMED)
        if isinstance(message, Pake):
            link.has_confirmed = True
            return [Transmit(write(Confirm(link.guess.proof(message.message))))]
        link.is_proven = link.guess.is_proven(message.mac)
        if not link.is_proven:
            return self._part(Farewell.NO_PROOF)
        self._proven = link.host_key
        return []

    def _welcomed(self, link: _Link, welcome: Welcome) -> list[GuestEffect]:
        is_known = link.is_proven or (self._proven and self._proven == link.host_key)
        if self._code is not None and not is_known and not len(self.log):
            # Whoever stands between would let anybody in, whatever the code.
            return self._part(Farewell.NO_PROOF)
        self._code = None
        link.goal = welcome.length
        # Where the table has moved, this log may have to be cut first.
        link.owes_words = self.table is None or self.table.epoch != link.epoch
        again = [] if link.is_candidate or link.owes_words else self._say_again()
        return [*again, *self._caught_up(link)]

    def _say_again(self) -> list[GuestEffect]:
        """Propose anew what has no answer yet, and forget what answered to entries that are lost.

        The opening of a round that is played anew would show the hand before the ending word.
        """
        lost = [number for number, each in self._pending.items() if not self.log.holds(each.seen)]
        refused = [Refused(self._pending.pop(number).statement, Reason.STALE) for number in lost]
        again = [Transmit(write(Propose(intent.blob))) for intent in self._pending.values()]
        return [*refused, *again]

    def _greeted(self, link: _Link, greeting: Greeting) -> list[GuestEffect]:
        if link.greeting is not None:
            # A second hello would be a signature over whatever somebody else was asked.
            return self._part(Farewell.MALFORMED)
        link.greeting = greeting
        if self._table_id not in (None, greeting.card.table):
            return self._part(Farewell.OTHER_LOG)
        card = greeting.card
        if card.epoch < self.epoch:
            # It may not know yet that the table has moved on: the hello tells.
            return [*self._say_hello(link, greeting), *self._part(Farewell.OLD_EPOCH)]
        is_same = self.table is not None and card.epoch == self.table.epoch
        if self.table and is_same and link.host_key not in (None, self.table.host):
            return self._part(Farewell.IMPOSTOR)
        link.is_candidate, link.epoch = card.state is State.MOVING, card.epoch
        self.card = card
        self._table_id = card.table
        return self._say_hello(link, greeting)

    def _say_hello(self, link: _Link, greeting: Greeting) -> list[GuestEffect]:
        # A promise matters to a host of an earlier epoch only. Any other one has to know which
        # log this is, to tell what was lost of it.
        is_old = greeting.card.epoch < self.epoch
        epoch = self.epoch if is_old or self.table is None else self.table.epoch
        head = self.log.head
        hello = sign_hello(
            self._key, PROGRAM, greeting, link.channel, head, epoch, self._port, self.log.terms
        )
        return [Transmit(write(hello))]

    def _entry(self, blob: bytes, done: list[GuestEffect]) -> list[GuestEffect]:
        try:
            if len(self.log) >= MAX_LOG:
                raise BrokenLog(len(self.log), f"a log has {MAX_LOG} entries at the most")
            if self._is_of_other_past(blob):
                return self._other_past(blob)
            entry = Entry.read(blob, self.table.host if self.table else None)
            self.log.check(entry)
            table = fold(self.table, entry)
            if self.table is None:
                self._check_first(table)
        except RemoteError as error:
            if self._is_of_stranger(blob):
                raise _Stopped(done, None) from error
            self._halted = True
            raise _Stopped(done, Halt(error, blob)) from error
        self.log.append(entry)
        self.table = table
        lost = self._settled(entry.intent) if entry.intent else []
        moved = self._followed() if isinstance(entry.statement, HostMoved) else []
        return [Store(entry), *lost, *moved]

    def _is_of_other_past(self, blob: bytes) -> bool:
        """Whether a later host says what was in a place where this log has an entry already."""
        link, table = self._link, self.table
        if link is None or table is None or link.epoch <= table.epoch:
            return False
        return link.past is not None or position_of(blob) < len(self.log)

    def _other_past(self, blob: bytes) -> list[GuestEffect]:
        """Take an entry that this log does not have, though it is long enough.

        It counts for nothing until the table has moved, by the support of most seats, to a later
        host than the last one of this log: then what this log held in its place was never said.
        """
        link = self._link
        assert link is not None and self.table is not None
        past = link.past or _Past.before(self.log, position_of(blob))
        entry = past.take(blob)
        link.past = past
        if not isinstance(entry.statement, HostMoved) or entry.epoch <= self.table.epoch:
            return []
        link.past, kept = None, len(past.log) - len(past.entries)
        self._on_disk = min(self._on_disk, kept)
        self.log.cut(kept)
        effects: list[GuestEffect] = [Cut(kept)]
        for each in past.entries:
            self.log.append(each)
            effects.append(Store(each))
            effects += self._settled(each.intent) if each.intent else []
        self.table, self._word, self._refused_at = past.table, None, None
        return [*effects, *self._followed()]

    def _is_of_stranger(self, blob: bytes) -> bool:
        """Whether an entry that does not follow proves nothing against the table's host.

        Who claims to be a later host, or stands for it, can sign anything in its own name.
        """
        link, table = self._link, self.table
        if link is None or table is None or link.host_key in (None, table.host):
            return False
        return not is_by(table.host, blob)

    def _followed(self) -> list[GuestEffect]:
        """The table has another host: if that is the one at the other end, play goes on."""
        link = self._link
        if link is None or not link.is_candidate:
            return []
        link.is_candidate = False
        return [*self._say_again(), *self._now(LinkState.UP)]

    def _support(self, at: Moment) -> list[GuestEffect]:
        """Support who stands for host, if the host has been silent and nobody else was promised."""
        link, table = self._link, self.table
        if link is None or table is None or not link.is_candidate or link.is_supported:
            return []
        if not link.ping:
            # It pings once most seats have come: a promise to anybody else would help nobody.
            return []
        host = link.host_key or self.key
        is_free = link.epoch > self.epoch or self._promised_to == host
        if link.goal != len(self.log) or not is_free or table.seat(self.key) is None:
            return []
        if self.host_silent(at) < SUPPORT_DELAY:
            return []
        link.is_supported = True
        self._promise, self._promised_to = link.epoch, host
        signature = sign_support(self._key, table.id, link.epoch, host, self.log.head)
        return [Promise(link.epoch), Transmit(write(Support(signature)))]

    def _check_first(self, table: Table) -> None:
        """Raise `BrokenLog` unless this is the table that was shown, at the host that it names."""
        card, opened, link = self.card, table.opened, self._link
        if table.id != self._table_id:
            raise BrokenLog(0, "it opens another table than the greeting named")
        if link and link.epoch == 0 and link.host_key not in (None, opened.host):
            raise BrokenLog(0, "it names another host than the certificate of this connection")
        shown = card and (card.name, card.rules, card.seats, card.locked)
        if shown != (opened.name, opened.rules, opened.seats, opened.locked):
            raise BrokenLog(0, "it opens another table than the card showed")

    def _settled(self, said: Intent) -> list[GuestEffect]:
        """Forget what is in the log, and what never gets there: its number is used up.

        That happens when a refusal was lost with its link, and when this key spoke elsewhere.
        """
        if said.author != self.key:
            return []
        used_up = [sequence for sequence in self._pending if sequence <= said.sequence]
        statements = [self._pending.pop(sequence).statement for sequence in used_up]
        return [Refused(each, Reason.STALE) for each in statements if each != said.statement]

    def _caught_up(self, link: _Link) -> list[GuestEffect]:
        if link.goal is None or len(self.log) < link.goal or self.link is not LinkState.MEETING:
            return []
        if link.is_candidate:
            return self._now(LinkState.MOVING)
        if self.table and self.table.epoch < link.epoch:
            # The entry by which the table moved is still to come, and may cut this log.
            return []
        if self.table and link.host_key not in (None, self.table.host):
            return self._part(Farewell.IMPOSTOR)
        again = self._say_again() if link.owes_words else []
        link.owes_words = False
        return [*again, *self._now(LinkState.UP)]

    def _refused(self, refusal: Refusal) -> list[GuestEffect]:
        intent = self._pending.pop(refusal.sequence, None)
        if intent is None:
            return []
        # What was late may be said again at once: the log that it had seen is not the present one.
        self._refused_at, statement = intent.seen, intent.statement
        if isinstance(statement, Speak) and self._forbids(statement):
            self._word = None
        return [Refused(statement, REASONS.get(refusal.code, Reason.NOT_NOW)), Changed()]

    def _forbids(self, statement: Message) -> bool:
        """Whether the own copy of the table bears a refusal out."""
        try:
            check_statement(self._need_table(), self.key, statement)
        except Illegal:
            return True
        return False

    def _part(self, why: Farewell) -> list[GuestEffect]:
        self._link = None
        return [Hangup(why), *self._now(LinkState.DOWN)]

    def _steadiness(self, at: Moment) -> list[GuestEffect]:
        link = self._link
        if link is None or self.link in (LinkState.MEETING, LinkState.MOVING):
            return []
        silent = at.monotonic - link.heard > UNSTEADY_DELAY
        return self._now(LinkState.UNSTEADY if silent else LinkState.UP)

    def _now(self, state: LinkState) -> list[GuestEffect]:
        if state is self.link:
            return []
        self.link = state
        return [Changed()]

    def _state(self, statement: Message, is_known: bool = True) -> list[GuestEffect]:
        """Sign a statement and propose it; kept until it is in the log or refused.

        What depends on a statement that is still on its way (not `is_known`) is left for the
        host to check.
        """
        table = self._need_table()
        if is_known:
            check_statement(table, self.key, statement)
        if any(type(waiting) is type(statement) for waiting in self._moves_waiting(statement)):
            raise Illegal(Reason.REPEATED)
        self._sequence = max(self._sequence, table.sequences.get(self.key, 0)) + 1
        intent = Intent.sign(self._key, self._sequence, self.log.head, statement)
        self._pending[intent.sequence] = intent
        if self._link is None or self._link.goal is None or self._link.is_candidate:
            return [Changed()]
        return [Transmit(write(Propose(intent.blob))), Changed()]

    def _moves_waiting(self, statement: Message) -> tuple[Message, ...]:
        return () if isinstance(statement, Say | Gesticulate) else self.waiting

    def _due(self) -> list[GuestEffect]:
        """What this participant owes the table without being asked: openings, and its seal.

        A seal that was kept before a crash is sent again as it was, never another one.
        """
        table = self.table
        if table is None or table.game is None or self._link is None or self._link.goal is None:
            return []
        if self.link in (LinkState.MEETING, LinkState.MOVING) or self._refused_at == self.log.head:
            return []
        owed = self._secrets.owed(table)
        if owed is None or any(type(owed) is type(waiting) for waiting in self.waiting):
            return []
        try:
            return self._state(owed)
        except Illegal:
            return []

    def _need_table(self) -> Table:
        if self.table is None:
            raise LocalError("nothing can be said before the table is known")
        return self.table


class _Stopped(Exception):
    """Reading stopped at an entry that does not follow."""

    def __init__(self, done: list[GuestEffect], halt: Halt | None) -> None:
        super().__init__("an entry does not follow")
        self.done = done
        """What was carried out before."""
        self.halt = halt
        """What the host has to answer for; None for what anybody could have sent."""
