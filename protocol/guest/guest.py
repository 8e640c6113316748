"""A participant's side of its link, sans-IO: the same for a person, a bot and a test.

Feed it connections, bytes and the time, and say what the participant wants; carry out the effects
it returns, in that order. It holds the secrets of its own hand and never puts them into a view:
they leave it only as `Keep` (to the owner's disk) and in the opening (R11).

`Guest` joins the parts: `link` (the other end), `log_copy` (the log, and when to halt), `outbox`
(its own words), `secrets` (what they seal), `voter` (whom to follow) and `new_table` (`Departure`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Final

from protocol.crypto.join_code import Entropy
from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.errors import Illegal, Malformed, RemoteError
from protocol.guest.effects import (
    Changed,
    CodeWanted,
    Cut,
    GuestEffect,
    Halt,
    HandedOver,
    Hangup,
    Secret,
    Store,
    Sync,
    Transmit,
)
from protocol.guest.link import CODE_FAILED, OF_ANYBODY, CodeProof, HostLink
from protocol.guest.log_copy import LogCopy
from protocol.guest.new_table import Departure
from protocol.guest.outbox import Outbox
from protocol.guest.secrets import OwnSecrets
from protocol.guest.voter import Voter
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Direction, Word
from protocol.table.fold import check_statement
from protocol.table.log import Entry, Log
from protocol.table.statements import Fist, Leave, Ready, Seen, Sit, Speak
from protocol.timeouts import Clocks, Moment, RoundTrip
from protocol.views import LinkState
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import (
    AskEntries,
    Card,
    Confirm,
    Continued,
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    HandOver,
    Locked,
    Offer,
    OtherVersion,
    Pake,
    Ping,
    Presence,
    Refusal,
    State,
    Welcome,
    Whereabout,
    Whereabouts,
    read_from_host,
    write,
)

_HERE: Final = (LinkState.UP, LinkState.UNSTEADY)
"""The states of a link to the table's host, not to a candidate."""


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
        departed: bytes | None = None,
    ) -> None:
        """Continue from `entries`, `secrets`, `promise` and `departed`, as read from disk.

        `table` is the id of the table to expect; None takes the first one that greets. `promise` is
        as in `Voter`, `departed` the mark in `Departure`. `port` is where this program would serve
        the table if its host were gone; 0 if it would not.
        """
        self._key = key
        self.key: Final = key.public
        """The participant's public key."""
        self._copy = LogCopy(table, entries)
        self.log: Final[Log] = self._copy.log
        self.table = self._copy.table
        """The table, folded from this copy of the log; None before its first entry."""
        self._secrets = OwnSecrets(key.public, secrets)
        self._outbox = Outbox(key)
        self.voter = Voter(key, promise)
        self.departure: Final = Departure(key, departed)
        """This seat's part in founding a new table (G8)."""
        self._link: HostLink | None = None
        self._code = CodeProof(key.public)
        self._port = port
        self._clocks = Clocks()
        self._halted = False
        self.places: tuple[Whereabout, ...] = ()
        """The seats whose programs could serve the table, with address and port, as the host last
        told."""
        self.elsewhere = frozenset[bytes]()
        """Public keys of the seats whose program does not end when the host's does, as the host
        last told."""
        self.card: Card | None = None
        """The card in the last greeting; None before the first."""
        self.unsteady: tuple[bytes, ...] = ()
        """Public keys of the seats that the host has not heard from for 3 s or more."""
        self.link = LinkState.DOWN
        """The state of the link to the host."""
        self.trip = RoundTrip()
        """The measured round trips of the link; whoever owns the link replaces it for each
        connection."""

    @property
    def epoch(self) -> int:
        """The highest epoch seen or promised: no host of an earlier one is followed."""
        return self.voter.epoch(self._copy.epoch)

    @property
    def waiting(self) -> tuple[Message, ...]:
        """The statements of this participant that have no answer yet: they are neither in the log
        nor refused."""
        return self._outbox.waiting

    @property
    def asks_for_seat(self) -> bool:
        """Whether the participant asked for a seat and has no answer yet."""
        return self._outbox.holds(Sit)

    @property
    def own_hand(self) -> int | None:
        """The coins in this participant's fist this round, for their own eyes only; never part of a
        view."""
        hand = self._secrets.hand(self.table) if self.table else None
        return hand.coins if hand else None

    @property
    def lacks_secret(self) -> bool:
        """Whether the secret of what this seat has sealed is missing here, because another computer
        with the same key has it."""
        return self.table is not None and self._secrets.lacks(self.table)

    def hears_other_end(self, at: Moment) -> bool:
        """Whether there is a link that has not been silent for longer than the network's delays
        explain."""
        return self._link is not None and not self._link.is_unsteady(at)

    def use_code(self, code: str, entropy: Entropy) -> list[GuestEffect]:
        """Prove this join code when the host asks for it, and hang up on a host that does not ask.

        `entropy` returns as many fresh random bytes as it is asked for. Returns the first message
        of the proof if the host is already waiting for it.
        """
        self._code.use(code, entropy)
        guess = self._code.guess(self._link.handshake) if self._link else None
        return [Transmit(write(guess))] if guess else []

    def connected(self, channel: bytes, at: Moment, host_key: bytes | None) -> list[GuestEffect]:
        """Take in that a connection to the host is up.

        `channel` is the hash of its certificate and `host_key` the key in it; empty and None for a
        link within one program.
        """
        handshake = GuestHandshake(channel, host_key)
        now = at.monotonic
        self._link = HostLink(handshake, heard=now, asked=now, pinged=now, trip=self.trip)
        self._copy.forget_branch()
        self.voter.begin(at)
        return self._now(LinkState.MEETING)

    def disconnected(self) -> list[GuestEffect]:
        """Take in that the connection ended.

        If the proof of the join code was half done, the player is asked for the code again:
        otherwise a relay between guest and host could guess once with every new connection.
        """
        link, self._link = self._link, None
        self.departure.parted()
        effects = self._now(LinkState.DOWN)
        if link is None or not link.handshake.is_half_proven:
            return effects
        self._code.forget()
        return [*effects, CodeWanted(Farewell.NO_CODE)]

    def received(self, data: bytes, at: Moment) -> list[GuestEffect]:
        """Take in bytes from the host."""
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
        if self._link is link:
            effects += self._owed(link, at)
        return [*effects, *self._steadiness(at)]

    def tick(self, at: Moment) -> list[GuestEffect]:
        """Do what is due at `at`: call this a few times a second."""
        self.voter.begin(at)
        self.departure.tick(at, is_served=self.link in _HERE)
        link, slept = self._link, self._clocks.jumped(at)
        if link is None:
            return []
        if slept or link.is_lost(at):
            # After a sleep the connection may be dead without knowing it: a new one is quicker.
            return self._part(Farewell.SILENT)
        ping = self._ping(link, at) if link.owes_ping(at) else []
        return [*ping, *self._support(link, at), *self._steadiness(at)]

    def ready(self, share: bytes, nonce: bytes) -> list[GuestEffect]:
        """Be ready for the next game; `share` and `nonce` are 32 fresh random bytes each (G1).
        Raises `Illegal`."""
        secret = self._secrets.seal_share(self._copy.known_table, share, nonce)
        stated = self.propose(Ready(secret.seal))
        is_kept = self._secrets.share(secret.place) is not None
        return stated if is_kept else [self._secrets.remember(secret), *stated]

    def choose(self, coins: int, nonce: bytes) -> list[GuestEffect]:
        """Seal a hand of this many coins and put the fist in; `nonce` is 32 fresh random bytes
        (R2). Raises `Illegal`."""
        table = self._copy.known_table
        if self._secrets.hand_place(table) is None:
            check_statement(table, self.key, Fist(nonce))
        secret = self._secrets.seal_hand(table, coins, nonce)
        stated = self.propose(Fist(secret.seal))
        return [self._secrets.remember(secret), *stated]

    def speak(self, word: Word, direction: Direction | None = None) -> list[GuestEffect]:
        """Say a word (R4 to R10), or call a number (H5 to H8); raises `Illegal`."""
        table = self._copy.known_table
        running = table.game.round if table.game else None
        if isinstance(running, GuessingRound) and isinstance(word, Bid):
            hand = self.own_hand
            if hand is not None:
                running.check_hand(word.number, hand)
        return self.propose(Speak(word, direction))

    def propose(self, statement: Message) -> list[GuestEffect]:
        """Sign a statement that keeps no secret, and propose it until the log answers.

        Raises `Illegal` if the table does not allow it now. But a `Leave` is always proposed while
        a request for a seat has no answer yet: then the host decides.
        """
        table = self._copy.known_table
        self.departure.check()
        self._outbox.check_word(statement, table.turn)
        if not (isinstance(statement, Leave) and self.asks_for_seat):
            check_statement(table, self.key, statement)
        proposed = self._outbox.sign(statement, table, self.log.head)
        link = self._link
        is_heard = link is not None and link.handshake.goal is not None and not link.is_candidate
        return [proposed, Changed()] if is_heard else [Changed()]

    def farewell(self) -> list[GuestEffect]:
        """The message by which this connection ends on purpose; the seat stays."""
        return [Transmit(write(Goodbye(Farewell.CLOSED)))] if self._link else []

    def _message(self, link: HostLink, message: Message, at: Moment) -> list[GuestEffect]:
        match message:
            case Greeting():
                return self._greeted(link, message)
            case Goodbye():
                return self._dismissed(link, message.why)
        if link.handshake.greeting is None:
            raise Malformed("a host greets first")
        match message:
            case Locked() | Pake() | Confirm():
                return self._prove_code(link, message)
            case AskEntries():
                return [Transmit(write(link.lend(message.length, self.log, self.table)))]
            case Welcome():
                return self._welcomed(link, message)
        if link.handshake.goal is None:
            raise Malformed("a host that has not welcomed its guest has nothing to say")
        return self._told(link, message, at)

    def _told(self, link: HostLink, message: Message, at: Moment) -> list[GuestEffect]:
        match message:
            case Entries():
                return self._entries(link, message.blobs)
            case Refusal():
                return self._refused(message)
            case Presence():
                self.unsteady = message.unsteady
                return [Changed()]
            case Ping():
                link.take_ping(message.number, at)
                return self._ping(link, at)
            case Whereabouts():
                link.places = message.places
                return self._places(link)
            case Offer() | Continued():
                silence = self.voter.silence(at)
                effects = self.departure.hear(link, message, self.log, self.table, silence, at)
                self._halted = any(isinstance(effect, Halt) for effect in effects)
                if self.departure.signed:
                    self._outbox.forget()
                return [*(self._part(Farewell.OTHER_LOG) if self._halted else ()), *effects]
            case HandOver() if not link.is_candidate and link.is_of_host(self.table):
                self.voter.dismiss()
                link.gives_over = True
                return [HandedOver(message.seat, message.support)]
        return []

    def _greeted(self, link: HostLink, greeting: Greeting) -> list[GuestEffect]:
        link.handshake.greet(greeting)
        card, table = greeting.card, self.table
        if self._copy.table_id not in (None, card.table):
            return self._part(Farewell.OTHER_LOG)
        has_moved = table is not None and card.epoch == table.epoch
        is_standing = card.state is State.MOVING and not has_moved
        # Only a host of an earlier epoch needs to know the promise, and a candidate that it binds
        # against. Any other has to know which log this is, to tell what was lost of it.
        is_bound = is_standing and self.voter.is_bound(card.epoch, link.host_key or self.key)
        is_old = card.epoch < self.epoch or is_bound
        epoch = self._copy.epoch if table and not is_old else self.epoch
        hello = link.handshake.hello(self._key, self.log.head, epoch, self._port, self.log.terms)
        said = Transmit(write(hello))
        if is_old:
            # It may not know yet that the table has moved on: the hello tells it.
            return [said, *self._part(Farewell.OLD_EPOCH)]
        if has_moved and not link.is_of_host(self.table):
            return self._part(Farewell.IMPOSTOR)
        # A host may have greeted on this link before it was chosen.
        link.is_candidate = is_standing
        if link.is_candidate:
            # Whom its old host listed need not have come to this one.
            self.elsewhere = frozenset()
        link.epoch = card.epoch
        self.card = link.card = card
        self._copy.table_id = card.table
        return [said]

    def _dismissed(self, link: HostLink, why: Farewell) -> list[GuestEffect]:
        is_of_anybody = why in OF_ANYBODY and not (why in CODE_FAILED and self._has_played)
        if not (is_of_anybody or link.is_of_host(self.table)):
            # Only its host can say that the table closes, or that somebody may not come in.
            return self._part(Farewell.IMPOSTOR)
        effects = self._part(why)
        if why in CODE_FAILED:
            self._code.forget()
            effects.append(CodeWanted(why))
        return effects

    def _prove_code(self, link: HostLink, message: Locked | Pake | Confirm) -> list[GuestEffect]:
        """One step of the proof that both sides know the join code."""
        if self._has_played and not link.is_of_host(self.table):
            return self._part(Farewell.IMPOSTOR)
        answer = self._code.step(link.handshake, message)
        if isinstance(answer, Farewell):
            return self._part(answer)
        if link.handshake.is_asked:
            # The link is kept open: a player who types quickly needs no new one, which takes three
            # round trips.
            return [CodeWanted(Farewell.NO_CODE)]
        return [Transmit(write(answer))] if answer else []

    def _welcomed(self, link: HostLink, welcome: Welcome) -> list[GuestEffect]:
        if not len(self.log) and not self._code.accepts(link.handshake):
            # A program in between would let anybody in, whatever the code.
            return self._part(Farewell.NO_PROOF)
        self._code.forget()
        link.handshake.goal = welcome.length
        # Where the table has moved, this log may have to be cut first.
        link.owes_words = self.table is None or self.table.epoch != link.epoch
        is_waiting = link.is_candidate or link.owes_words
        again = [] if is_waiting else self._outbox.say_again(self.log)
        return [*again, *self._caught_up(link)]

    def _entries(self, link: HostLink, blobs: Iterable[bytes]) -> list[GuestEffect]:
        effects: list[GuestEffect] = []
        for blob in blobs:
            try:
                taken = self._copy.take(blob, link, self._outbox.signed)
            except RemoteError as error:
                if self._copy.is_by_stranger(blob, link):
                    return [*effects, *self._part(Farewell.IMPOSTOR)]
                self._halted = True
                return [*effects, *self._part(Farewell.OTHER_LOG), Halt(error, blob)]
            self.table = self._copy.table
            if taken.cut is not None:
                self._outbox.cut()
                effects.append(Cut(taken.cut))
            turn = self._copy.known_table.turn
            for entry in taken.entries:
                effects += [Store(entry), *self._outbox.strike_off(entry.intent, turn)]
            if link.is_candidate and taken.has_moved and self._copy.epoch == link.epoch:
                # The table's host is at the other end now: play goes on. An earlier move, unknown
                # to this copy, would have made another one the host.
                link.is_candidate = False
                effects += [*self._outbox.say_again(self.log), *self._now(LinkState.UP)]
        link.grew(self.log.head.length)
        return [*effects, Changed(), *self._caught_up(link)]

    def _caught_up(self, link: HostLink) -> list[GuestEffect]:
        goal = link.handshake.goal
        if self.link is not LinkState.MEETING or goal is None or len(self.log) < goal:
            return []
        if link.is_candidate:
            return self._now(LinkState.MOVING)
        if self.table and self.table.epoch < link.epoch:
            # The entry by which the table moved is still to come, and may cut this log.
            return []
        if not link.is_of_host(self.table):
            return self._part(Farewell.IMPOSTOR)
        again = self._outbox.say_again(self.log) if link.owes_words else []
        link.owes_words = False
        return [*again, *self._now(LinkState.UP)]

    def _refused(self, refusal: Refusal) -> list[GuestEffect]:
        refused = self._outbox.refused(refusal)
        if refused and isinstance(refused.statement, Speak):
            try:
                check_statement(self._copy.known_table, self.key, refused.statement)
            except Illegal:
                # This copy of the table agrees with the refusal: another word may be said.
                self._outbox.take_back_word()
        return [refused, Changed()] if refused else []

    def _owed(self, link: HostLink, at: Moment) -> list[GuestEffect]:
        """The effects of what this participant owes the table without being asked, in this order.

        What a witness or `seen` confirms is on this disk before it is sent. A seal that was kept
        before a crash is sent again as it was, never a different one. So is a word that was refused
        or lost, while it is still this participant's turn.
        """
        effects: list[GuestEffect] = []
        if link.is_followed:
            self.voter.hear(at, is_host=link.is_of_host(self.table))
            if link.handshake.goal is not None and self._copy.has_to_sync:
                self._copy.on_disk = self.log.head.length
                effects += [Sync(), *self._ping(link, at)]
        is_here = link.handshake.goal is not None and self.link in _HERE
        if (table := self.table) and is_here and not self._outbox.was_refused(self.log.head):
            owes_seen = self.voter.owes_seen(link, table) and not self._outbox.holds(Seen)
            if owes_seen and not self.departure.signed:
                self._copy.on_disk = self.log.head.length
                effects += [Sync(), *self._pay(Seen())]
            owed = self._secrets.owed(table) or self._outbox.owed_word(table.turn)
            effects += self._pay(owed)
        return [*effects, *self._support(link, at)]

    def _pay(self, owed: Message | None) -> list[GuestEffect]:
        if owed is None or self._outbox.holds(type(owed)):
            return []
        with contextlib.suppress(Illegal):
            return self.propose(owed)
        return []

    def _support(self, link: HostLink, at: Moment) -> list[GuestEffect]:
        # A seat that is being given up, or has gone along to a new table, has no weight to support
        # with.
        if not link.is_candidate or self._outbox.holds(Leave) or self.departure.signed:
            return []
        return self.voter.support(link, self.table, at)

    def _places(self, link: HostLink) -> list[GuestEffect]:
        """Accept where the seats are, if the table's host told it or a seat that stands for
        host."""
        if link.places is None or not (link.is_of_host(self.table) or link.is_of_seat(self.table)):
            return []
        self.places = tuple(each for each in link.places if each.port)
        self.elsewhere = frozenset(each.key for each in link.places)
        link.places = None
        return [Changed()]

    @property
    def _has_played(self) -> bool:
        """Whether this key has played in a game at this table, so that every possible host knows
        it."""
        return self.table is not None and self.key in self.table.played

    def _ping(self, link: HostLink, at: Moment) -> list[GuestEffect]:
        # Before the host's `HostMoved` is here, another host may still cut this log.
        is_moved = self.table is not None and self.table.epoch == link.epoch
        return [Transmit(write(link.next_ping(self._copy.on_disk if is_moved else 0, at)))]

    def _part(self, why: Farewell) -> list[GuestEffect]:
        self._link = None
        self.departure.parted()
        return [Hangup(why), *self._now(LinkState.DOWN)]

    def _steadiness(self, at: Moment) -> list[GuestEffect]:
        link = self._link
        if link is None or self.link in (LinkState.MEETING, LinkState.MOVING):
            return []
        return self._now(LinkState.UNSTEADY if link.is_unsteady(at) else LinkState.UP)

    def _now(self, state: LinkState) -> list[GuestEffect]:
        before, self.link = self.link, state
        places = self._places(self._link) if self._link else []
        return places or ([] if state is before else [Changed()])
