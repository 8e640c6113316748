"""What the players of a simulated table want: who sits, what they choose and say, how they vote."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.effects import GuestEffect
from protocol.guest.guest import Guest
from protocol.guest.link import HostLink
from protocol.guest.secrets import OwnSecrets
from protocol.host.effects import HostEffect
from protocol.host.host import Host
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Drink, Ending, Offence, Word
from protocol.table.fold import Phase, Table, check_statement
from protocol.table.statements import (
    NO_ONE,
    AwardFine,
    Elect,
    Gesticulate,
    Gesture,
    LiftFine,
    Measure,
    Open,
    Order,
    Say,
    Speak,
    Vote,
)
from protocol.timeouts import LEASE, Moment
from protocol.version import PROGRAM
from protocol.views import LinkState
from protocol.wire.messages import Card, Greeting, State, Support, read_from_host, sign_hello, write
from spoof_tui.network.links import Link
from spoof_tui.runtime.session import Session

THINKS: Final = (0.1, 1.5)
"""Least and most seconds that a player thinks before doing anything."""

PLAYS_ON_DELAY: Final = 3.0
"""Seconds between two votes to play on."""

QUIET: Final = LEASE + 2.0
"""Seconds for which a liar answers no ping, and then does."""

STRANGER: Final = "stranger"
"""How the names of strangers begin."""

CLEARS_DELAY: Final = 8.0
"""Seconds that somebody may sit at an open table without getting ready before others mind."""


@dataclass(frozen=True, slots=True)
class Character:
    """What kind of a player this is."""

    name: str
    sits: bool = True
    """Whether it plays; a spectator does not."""
    opens: bool = True
    """Whether it opens its fist; a bad loser does not."""
    is_bot: bool = False
    """Whether it is a program without a person, which keeps nothing and restarts as another."""
    is_headless: bool = False
    """Whether it is a headless host, with nobody playing there."""
    is_stranger: bool = False
    """Whether it only takes a seat, and never gets ready."""
    lies: float = 0.0
    """Seconds after which it says again that it follows a later epoch, and it supports nobody; 0
    for somebody honest."""
    serves: bool = False
    """Whether it serves the table at its own port, falsely: as host of an epoch that never was."""
    chatter: float = 0.02
    """How often it talks instead of playing."""
    motions: float = 0.005
    """How often it votes for something: a pause, or muting or removing somebody."""


class ShutSecrets(OwnSecrets):
    """The secrets of a player who never opens a fist."""

    def owed(self, table: Table) -> Message | None:
        owed = super().owed(table)
        return None if isinstance(owed, Open) else owed


def close_fist(guest: Guest) -> None:
    """Make the owner of a guest never open its fist."""
    guest._secrets.__class__ = ShutSecrets


class LyingGuest(Guest):
    """The guest of a player who supports nobody."""

    is_quiet = False
    """Whether it answers no ping now, as if it were elsewhere."""

    def _support(self, link: HostLink, at: Moment) -> list[GuestEffect]:
        return []

    def _ping(self, link: HostLink, at: Moment) -> list[GuestEffect]:
        return [] if self.is_quiet else super()._ping(link, at)


class FalseHost(Host):
    """A server that nobody has chosen, and whose card says that somebody has."""

    @property
    def card(self) -> Card:
        card = super().card
        return replace(card, state=State.PLAYING) if card.epoch % 2 else card

    def _supported(self, voter: bytes, support: Support, at: Moment) -> list[HostEffect]:
        return []


class Lie:
    """One hello over a link of its own: its author follows a later epoch, it says."""

    def __init__(self, guest: Guest, step: int) -> None:
        """`step` is the number of epochs by which it is later than that of the greeting."""
        self._guest = guest
        self._step = step
        self._reader = FrameReader()

    def opened(self, link: Link) -> None:
        """The link is up."""

    def received(self, link: Link, data: bytes) -> None:
        """The greeting has come, or a farewell."""
        guest = self._guest
        for said in map(read_from_host, self._reader.feed(data)):
            if isinstance(said, Greeting):
                epoch, log = said.card.epoch + self._step, guest.log
                hello = sign_hello(
                    guest._key, PROGRAM, said, link.channel, log.head, epoch, 0, log.terms
                )
                link.send(write(hello))

    def drained(self, link: Link) -> None:
        """Nothing waits any more."""

    def lost(self, link: Link) -> None:
        """The link is gone."""


class Person:
    """The mind in one seat."""

    def __init__(
        self, character: Character, games: int, dice: random.Random, may_move: Callable[[], bool]
    ) -> None:
        """Play this many games. `may_move` tells whether people still want to change things."""
        self.character: Final = character
        self._games = games
        self._random = dice
        self._may_move = may_move
        self._next_vote = 0.0
        self._ahead = 0
        """Milliseconds by which the clock of the table is ahead of the player's own."""
        self._heard = 0
        """Entries that have come."""
        self._has_sat = False
        """Whether a stranger has asked for a seat, which happens once."""
        self._idle_since: dict[bytes, float] = {}
        """When others sat down there without getting ready."""

    @property
    def thinks(self) -> float:
        """Seconds until it does something again."""
        return self._random.uniform(*THINKS)

    def act(self, session: Session, at: Moment) -> None:
        """Do what is to be done now, if anything."""
        guest, table = session.guest, session.guest.table
        if table is None or not self.character.sits:
            return
        if guest.link is not LinkState.UP and self._random.random() < 0.8:
            return
        if len(guest.log) != self._heard:
            self._heard, self._ahead = len(guest.log), table.time - at.wall
        seat = table.seat(guest.key)
        if self.character.is_stranger:
            if not self._has_sat:
                self._has_sat = True
                session.sit()
        elif seat is None:
            if not guest.asks_for_seat and guest.key not in table.barred:
                session.sit()
        elif table.paused and (not self._may_move() or self._random.random() < 0.1):
            session.do(Guest.propose, Vote(Measure.GO_ON, NO_ONE, yes=True))
        else:
            self._seated(session, table, at)

    def _seated(self, session: Session, table: Table, at: Moment) -> None:
        whim = self._random.random()
        if whim < self.character.chatter:
            self._chat(session)
        elif whim < 0.5 and (due := self._due(session.guest)):
            session.do(Guest.propose, due)
        elif whim > 1 - self.character.motions and self._may_move():
            self._move(session, table)
        else:
            self._play(session, table, at)

    def _due(self, guest: Guest) -> Message | None:
        """What a winner, or the first one out, may do now."""
        may = (Gesticulate(Gesture.GLOAT), Order(Drink.PORT))
        return next((each for each in may if _is_allowed(guest, each)), None)

    def _play(self, session: Session, table: Table, at: Moment) -> None:
        guest = session.guest
        played = table.game.number if table.game else 0
        seat = table.seat(guest.key)
        if table.phase is Phase.GATHERING and played < self._games:
            if seat is not None and seat.share_seal is None:
                session.ready()
            for key in sorted(self.idlers(table, guest.key, at)):
                vote = Vote(Measure.REMOVE, key, yes=True)
                if _is_allowed(guest, vote):
                    session.do(Guest.propose, vote)
            return
        index = table.playing(guest.key)
        is_asked = guest.key in table.waiting_for and not table.paused
        if is_asked and index is not None and table.game is not None and table.game.round:
            if table.phase is Phase.CHOOSING:
                session.choose(self._random.randint(0, table.game.coins[index]))
                return
            if table.phase is Phase.SPEAKING:
                self._speak(session, table)
                return
        if at.monotonic >= self._next_vote:
            self._play_on(session, table, at)

    def _speak(self, session: Session, table: Table) -> None:
        if any(isinstance(each, Speak) for each in session.guest.waiting):
            return
        for word in self._words(table):
            if _is_allowed(session.guest, Speak(word)):
                session.do(Guest.speak, word)
                return

    def _words(self, table: Table) -> list[Word]:
        """Words in the order in which they are tried: the first that is allowed is said."""
        running = table.game.round if table.game else None
        if running is None or isinstance(running, GuessingRound):
            numbers = running.free if running else ()
            return [Bid(number) for number in self._random.sample(numbers, len(numbers))]
        standing = running.standing
        raises: list[Word] = [Bid((standing[1] if standing else 0) + self._random.randint(1, 2))]
        endings: list[Word] = list(Ending)
        self._random.shuffle(endings)
        if standing is None or self._random.random() < 0.3:
            return [*raises, *endings]
        return [*endings, *raises]

    def _play_on(self, session: Session, table: Table, at: Moment) -> None:
        """One key votes about everybody who is due."""
        own, time = session.guest.key, at.wall + self._ahead
        for key in table.waiting_for:
            due = table.play_on_from(key)
            voted = table.votes.get((Measure.PLAY_ON, key), frozenset())
            if due is not None and due < time and own not in (key, *voted):
                self._next_vote = at.monotonic + PLAYS_ON_DELAY
                vote = Vote(Measure.PLAY_ON, key, yes=True)
                if _is_allowed(session.guest, vote):
                    session.do(Guest.propose, vote)

    def idlers(self, table: Table, own: bytes, at: Moment) -> list[bytes]:
        """Keys of the strangers for whom an open table has waited long enough to begin.

        People know each other: a seat that a host takes away counts as gone for good.
        """
        is_waiting = table.phase is Phase.GATHERING and not table.opened.locked
        strange = [s for s in table.seats if s.name.encoded().startswith(STRANGER.encode())]
        idle = {s.key for s in strange if is_waiting and not (s.share_seal or s.away)} - {own}
        self._idle_since = {key: self._idle_since.get(key, at.monotonic) for key in idle}
        return [k for k, since in self._idle_since.items() if at.monotonic - since > CLEARS_DELAY]

    def _chat(self, session: Session) -> None:
        table, dice = session.guest.table, self._random
        assert table is not None
        somebody = dice.choice(table.seats).key
        session.do(
            Guest.propose,
            dice.choice(
                (
                    Gesticulate(Gesture.MITT_FULL),
                    Say(ForeignText(f"{dice.randrange(1000)}")),
                    Elect(somebody),
                    AwardFine(somebody, dice.choice(list(Offence))),
                    LiftFine(dice.randrange(3)),
                )
            ),
        )

    def _move(self, session: Session, table: Table) -> None:
        measure = self._random.choice((Measure.PAUSE, Measure.MUTE, Measure.UNMUTE, Measure.REMOVE))
        seat = NO_ONE if measure is Measure.PAUSE else self._random.choice(table.seats).key
        session.do(Guest.propose, Vote(measure, seat, yes=True))


def _is_allowed(guest: Guest, statement: Message) -> bool:
    assert guest.table is not None
    with contextlib.suppress(Illegal):
        check_statement(guest.table, guest.key, statement)
        return True
    return False
