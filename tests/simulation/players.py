"""What the players of a simulated table want: who sits, what they choose and say, how they vote."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.guest import Guest, GuestEffect, LinkState, Secret
from protocol.guest.secrets import OwnSecrets
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Ending, Word
from protocol.table.fold import Phase, Table
from protocol.table.log import Entry
from protocol.table.statements import NO_ONE, Gesticulate, Gesture, Measure, Open, Say, Vote
from protocol.timing import Moment

THINKS: Final = (0.1, 1.5)
"""Seconds that a player thinks before it does anything, from and to."""

PLAYS_ON_DELAY: Final = 6.0
"""Seconds between two votes to play on."""


@dataclass(frozen=True, slots=True)
class Character:
    """What kind of a player this is."""

    name: str
    sits: bool = True
    """Whether it plays; a spectator does not."""
    opens: bool = True
    """Whether it opens its fist; a bad loser does not."""
    chatter: float = 0.02
    """How often it talks instead of playing."""
    motions: float = 0.005
    """How often it votes for something: a pause, to mute or remove somebody."""


class ShutPapers(OwnSecrets):
    """The secrets of somebody who never opens a fist."""

    def owed(self, table: Table) -> Message | None:
        owed = super().owed(table)
        return None if isinstance(owed, Open) else owed


class StubbornGuest(Guest):
    """A guest whose owner never opens a fist."""

    def __init__(
        self,
        key: SigningKey,
        table: bytes,
        entries: Iterable[Entry],
        secrets: Iterable[Secret],
        promise: int,
        port: int,
    ) -> None:
        super().__init__(key, table, entries, (), promise, port)
        self._secrets = ShutPapers(key.public, secrets)


class Player:
    """The mind in one chair; `act` carries out what a guest wants."""

    def __init__(
        self, character: Character, games: int, dice: random.Random, may_move: Callable[[], bool]
    ) -> None:
        """Play so many games. `may_move` tells whether people still want to change things."""
        self.character: Final = character
        self._games = games
        self._random = dice
        self._may_move = may_move
        self._next = 0.0
        self._next_vote = 0.0

    def think(self, guest: Guest, at: Moment) -> Iterable[GuestEffect]:
        """What the guest does now, if anything."""
        table, now = guest.table, at.monotonic
        if now < self._next or table is None or not self.character.sits:
            return ()
        self._next = now + self._random.uniform(*THINKS)
        if guest.link is not LinkState.UP and self._random.random() < 0.8:
            return ()
        with contextlib.suppress(Illegal):
            return self._act(guest, table, at)
        return ()

    def _act(self, guest: Guest, table: Table, at: Moment) -> Iterable[GuestEffect]:
        seat = table.seat(guest.key)
        if seat is None:
            name = ForeignText(self.character.name)
            return () if guest.asks_for_seat or guest.key in table.barred else guest.sit(name)
        if table.paused and (not self._may_move() or self._random.random() < 0.1):
            return guest.state(Vote(Measure.GO_ON, NO_ONE, yes=True))
        whim = self._random.random()
        if whim < self.character.chatter:
            return self._chat(guest)
        if whim > 1 - self.character.motions and self._may_move():
            return self._move(guest, table)
        return self._play(guest, table, at)

    def _play(self, guest: Guest, table: Table, at: Moment) -> Iterable[GuestEffect]:
        played = table.game.number if table.game else 0
        seat = table.seat(guest.key)
        if table.phase is Phase.GATHERING and played < self._games:
            is_ready = seat is not None and seat.share_seal is not None
            return () if is_ready else guest.ready(self._bytes(), self._bytes())
        index = table.playing(guest.key)
        is_asked = guest.key in table.waiting_for and not table.paused
        if is_asked and index is not None and table.game is not None and table.game.round:
            if table.phase is Phase.CHOOSING:
                coins = self._random.randint(0, table.game.coins[index])
                return guest.choose(coins, self._bytes())
            if table.phase is Phase.SPEAKING:
                return self._speak(guest, table)
        if at.monotonic >= self._next_vote:
            return self._play_on(guest, table, at)
        return ()

    def _speak(self, guest: Guest, table: Table) -> Iterable[GuestEffect]:
        for word in self._words(table):
            with contextlib.suppress(Illegal):
                return guest.speak(word)
        return ()

    def _words(self, table: Table) -> list[Word]:
        """Words in the order in which they are tried: the first one that is allowed is said."""
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

    def _play_on(self, guest: Guest, table: Table, at: Moment) -> Iterable[GuestEffect]:
        self._next_vote = at.monotonic + PLAYS_ON_DELAY
        for key in table.waiting_for:
            since = table.waiting_since.get(key, table.time)
            voted = table.votes.get((Measure.PLAY_ON, key), frozenset())
            if guest.key not in (key, *voted) and at.wall - since > table.opened.grace * 1000:
                with contextlib.suppress(Illegal):
                    return guest.state(Vote(Measure.PLAY_ON, key, yes=True))
        return ()

    def _chat(self, guest: Guest) -> Iterable[GuestEffect]:
        if self._random.random() < 0.5:
            return guest.state(Gesticulate(Gesture.MITT_FULL))
        return guest.state(Say(ForeignText(f"{self._random.randrange(1000)}")))

    def _move(self, guest: Guest, table: Table) -> Iterable[GuestEffect]:
        measure = self._random.choice((Measure.PAUSE, Measure.MUTE, Measure.UNMUTE, Measure.REMOVE))
        if measure is Measure.PAUSE:
            return guest.state(Vote(measure, NO_ONE, yes=True))
        return guest.state(Vote(measure, self._random.choice(table.seats).key, yes=True))

    def _bytes(self) -> bytes:
        return self._random.randbytes(HASH_BYTES)
