"""Logs without links, and links without guests: for tests of what no correct guest would do."""

from __future__ import annotations

import contextlib
import functools
import random
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Final, Self

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES, SealedHand, SealedShare, SealPlace, draw_lot
from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.guest.effects import GuestEffect, Hangup, Secret, Transmit
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.rules.game import Game
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Word
from protocol.table.electorate import owes_seen, sign_support
from protocol.table.fold import fold
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent
from protocol.table.state import Phase
from protocol.table.statements import (
    NO_ONE,
    Away,
    Back,
    Backing,
    Decide,
    Fist,
    GameStarted,
    HostMoved,
    Measure,
    Open,
    Ready,
    Seen,
    Sit,
    Speak,
    TableOpened,
    Toss,
    Vote,
    Witness,
)
from protocol.version import PROTOCOL
from protocol.views import view_of
from protocol.wire.messages import (
    Greeting,
    Ping,
    Propose,
    sign_hello,
    write,
)
from tests.helpers.sides import GuestSide, HostSide, read_all

few: Final = settings(max_examples=settings().max_examples // 3)
"""For properties whose examples take about a millisecond."""

very_few: Final = settings(max_examples=settings().max_examples // 10)
"""For properties whose examples take about ten."""

# Drawing from all of Unicode first builds a table of it, which takes a second.
typed: Final = st.text(
    "aZ0 '\"\\[]{}%\n\t\x00\x1b\x7f\x9b\xadéїЖ٣\u202e\u200d\ufe0f\ufeff界✊😀\U000e0001"
)
"""Text from other people's keyboards: anything."""


PARTICIPANTS: Final[tuple[int, ...]] = (*range(20), 255)
"""The possible participants of a story; the last one is its host."""

GRACE: Final = 60
"""Seconds that the tables of stories wait for somebody (G3)."""


PAUSE: Final = Decide(Measure.PAUSE, NO_ONE)
"""The host's announcement of a pause."""


@contextlib.contextmanager
def refused(reason: Reason) -> Iterator[None]:
    """The code inside must be refused for this reason."""
    with pytest.raises(Illegal) as error:
        yield
    assert error.value.reason is reason


@functools.cache
def signing_key(who: int) -> SigningKey:
    """The key of a participant, by number."""
    return SigningKey(bytes([who]) * 32)


def public(who: int) -> bytes:
    """The key by which everybody knows a participant."""
    return signing_key(who).public


def share_of(who: int, number: int) -> bytes:
    """The share of a participant in the lot of a game."""
    return bytes([who, number] * 16)


def vote(measure: Measure, who: int, yes: bool = True) -> Vote:
    """A vote about a participant."""
    return Vote(measure, public(who), yes)


def decision(measure: Measure, who: int) -> Decide:
    """A host's decision about a participant."""
    return Decide(measure, public(who))


def first_entry(rules: str, seats: int, salt: int, locked: bool = False, clock: int = 0) -> Entry:
    """The entry that opens a table."""
    opened = TableOpened(
        PROTOCOL,
        public(255),
        ForeignText("Table"),
        Rules.parse(rules),
        seats,
        locked,
        GRACE,
        clock,
        bytes([salt]) * HASH_BYTES,
    )
    return Entry.sign(signing_key(255), 0, EMPTY, 1_700_000_000_000, opened)


def steered(players: int, rules: str, seats: int, opener: int = 0, clock: int = 0) -> Entry:
    """The entry that opens a table whose first lot, of all players, falls on `opener`."""
    return _steered(SigningKey.sign, players, rules, seats, opener, clock)


@functools.cache
def _steered(_sign: object, players: int, rules: str, seats: int, opener: int, clock: int) -> Entry:
    # Where signatures are replaced, as in the simulator, another entry is found and kept.
    shares = [share_of(who, 1) for who in range(players)] or [b""]
    entries = (first_entry(rules, seats, salt, clock=clock) for salt in range(256))
    return next(entry for entry in entries if draw_lot(entry.hash, 1, shares) == opener)


class Story:
    """A signed log told statement by statement, with no link in between.

    A participant is a number, from which its key, share and nonces follow; None is the host. What
    does not fold raises `BrokenLog`.
    """

    def __init__(
        self,
        players: int = 3,
        rules: str = "milan",
        seats: int = 9,
        salt: int | None = None,
        opener: int = 0,
        clock: int = 0,
    ) -> None:
        """The first lot falls on participant `opener` unless a salt is given."""
        self.host_key = signing_key(255)
        self.now = 0
        """Milliseconds since 1970, if time has passed since the last entry."""
        self.hands: dict[int, SealedHand] = {}
        """The hands of this round, by participant."""
        first = (
            steered(players, rules, seats, opener, clock)
            if salt is None
            else first_entry(rules, seats, salt, clock=clock)
        )
        self.entries = [first]
        self.table = fold(None, first)
        self.sit(*range(players)).confirm()

    @classmethod
    def of(cls, first: Entry) -> Self:
        """A table that begins with this entry, and nothing else."""
        story = cls.__new__(cls)
        story.host_key, story.now, story.hands = signing_key(255), 0, {}
        story.entries, story.table = [first], fold(None, first)
        if story.table.host != story.host_key.public:
            keys = map(signing_key, PARTICIPANTS)
            story.host_key = next(key for key in keys if key.public == story.table.host)
        return story

    @property
    def game(self) -> Game:
        """The running or last game."""
        assert self.table.game is not None
        return self.table.game

    @property
    def speaker(self) -> int:
        """The participant who speaks next."""
        assert self.game.round is not None and self.game.round.speaker is not None
        return self.who(self.game.round.speaker)

    def who(self, seat: int) -> int:
        """The participant at a seat of the game."""
        key = self.game.players[seat].key
        return next(who for who in PARTICIPANTS if public(who) == key)

    def copy(self) -> Story:
        """A story with the same past."""
        twin = copy(self)
        twin.entries, twin.hands = list(self.entries), dict(self.hands)
        return twin

    def intent(
        self,
        who: int,
        statement: Message,
        seen: Head | None = None,
        sequence: int | None = None,
    ) -> Intent:
        """The intent that `who` would send now."""
        key = signing_key(who)
        following = self.table.sequences.get(key.public, 0) + 1
        return Intent.sign(key, sequence or following, seen or self.table.head, statement)

    def entry(self, who: int | None, statement: Message) -> Entry:
        """The next entry, if this were said."""
        said = statement if who is None else self.intent(who, statement)
        time = max(self.table.time + 1, self.now)
        return Entry.sign(self.host_key, self.table.epoch, self.table.head, time, said)

    def wait(self, seconds: float = GRACE) -> Self:
        """Time passes before the next entry; the grace time unless told otherwise."""
        self.now = self.table.time + round(seconds * 1000)
        return self

    def away(self, *who: int) -> Self:
        """The host loses these."""
        return self.tell(None, *(Away(public(each)) for each in who))

    def back(self, *who: int) -> Self:
        """These are back."""
        return self.tell(None, *(Back(public(each)) for each in who))

    def confirm(self) -> Self:
        """Everybody who is here and asked confirms the last change of the electors."""
        here = [seat.key for seat in self.table.seats if not seat.away]
        for who in reversed([each for each in PARTICIPANTS if public(each) in here]):
            if owes_seen(self.table, public(who)):
                return self.tell(who, Seen()).confirm()
        return self

    def pause(self) -> Self:
        """The host pauses the game."""
        return self.tell(None, PAUSE)

    def go_on(self) -> Self:
        """The host ends the pause."""
        return self.tell(None, Decide(Measure.GO_ON, NO_ONE))

    def support(self, who: int, epoch: int, host: int) -> Backing:
        """The support of a seat for a host after this log."""
        key, candidate = signing_key(who), public(host)
        signed = sign_support(key, self.table.id, epoch, candidate, self.table.head)
        return Backing(key.public, signed)

    def moving(self, host: int, *voters: int, epoch: int | None = None) -> HostMoved:
        """The announcement of `host`, with the support of these; for the next epoch unless told."""
        epoch = self.table.epoch + 1 if epoch is None else epoch
        votes = tuple(self.support(who, epoch, host) for who in voters)
        return HostMoved(epoch, public(host), votes)

    def moved_entry(self, moved: HostMoved, host: int) -> Entry:
        """The entry by which `host` takes the table over."""
        time = max(self.table.time + 1, self.now)
        return Entry.sign(signing_key(host), moved.epoch, self.table.head, time, moved)

    def move(self, host: int, *voters: int) -> Self:
        """The table moves to `host`, whom these support."""
        self.take(self.moved_entry(self.moving(host, *voters), host))
        self.host_key = signing_key(host)
        return self

    def take(self, entry: Entry) -> Self:
        """Append this entry."""
        self.table = fold(self.table, entry)
        self.entries.append(entry)
        return self

    def tell(self, who: int | None, *statements: Message) -> Self:
        """Say this, one entry after the other."""
        for statement in statements:
            self.take(self.entry(who, statement))
        return self

    def vote(self, measure: Measure, about: int, *voters: int) -> Self:
        """These vote for a measure about a participant."""
        for each in voters:
            self.tell(each, vote(measure, about))
        return self

    def decide(self, measure: Measure, about: int) -> Self:
        """The host decides about a participant."""
        return self.tell(None, decision(measure, about))

    def sit(self, *who: int) -> Self:
        """These take seats."""
        for each in who:
            self.tell(each, Sit(ForeignText(f"Player{each}")))
        return self

    def ready(self, *who: int) -> Self:
        """These are ready for the next game."""
        for each in who:
            self.tell(each, Ready(self.share(each).seal))
        return self

    def start(self, *who: int) -> Self:
        """A game of these, up to its lot or, when crap opens, to its first fists."""
        return self.ready(*who).tell(None, self.starting()).confirm()

    def call_off(self, *who: int) -> Self:
        """A game of these is called off in its lot: the table is between games, and not fresh."""
        *others, last = who
        self.start(*who).away(last).wait()
        for each in others:
            if last in self.awaited:
                self.vote(Measure.PLAY_ON, last, each)
        return self.back(last).confirm()

    def starting(self) -> GameStarted:
        """The announcement of a game that is due."""
        return GameStarted(tuple(seat.key for seat in self.table.ready_seats))

    def share(self, who: int) -> SealedShare:
        """The share of `who` in the running lot, or in the next one."""
        number = self.table.game.number if self.table.game else 0
        number += self.table.phase is Phase.GATHERING
        place = SealPlace(self.table.id, number, 0, public(who))
        return SealedShare(place, share_of(who, number), bytes([number, who] * 16))

    def toss(self, *who: int) -> Self:
        """These open their shares of the lot."""
        for each in who:
            share = self.share(each)
            self.tell(each, Toss(share.share, share.nonce))
        return self

    def hand(self, who: int, coins: int) -> SealedHand:
        """A hand of `who` for this round."""
        game = self.game
        place = SealPlace(self.table.id, game.number, game.round_number, public(who))
        return SealedHand(place, coins, bytes([who, game.round_number] * 16))

    def secrets(self, who: int) -> list[Secret]:
        """What `who` keeps of the lot and of this round."""
        return [self.share(who), *([self.hands[who]] if who in self.hands else [])]

    def fists(self, *hands: int) -> Self:
        """Fists with these hands, in the order of the seats that owe one."""
        seats = self.game.fists_missing
        return self.fists_of(dict(zip(map(self.who, seats), hands, strict=True)))

    def fists_of(self, hands: Mapping[int, int]) -> Self:
        """Fists of these participants, with these hands."""
        for who, coins in hands.items():
            self.hands[who] = self.hand(who, coins)
            self.tell(who, Fist(self.hands[who].seal))
        return self

    def say(self, *words: Word) -> Self:
        """These words, each by the player whose turn it is."""
        for word in words:
            self.tell(self.speaker, Speak(word))
        return self

    def witness(self, *who: int) -> Self:
        """These, or all who still have to, confirm the ending word."""
        for each in who or [self.who(seat) for seat in self._unwitnessed()]:
            self.tell(each, Witness())
        return self

    def open(self, *who: int) -> Self:
        """These, or all, open their fists, after everybody has seen the ending word."""
        self.witness()
        for each in who or [self.who(seat) for seat in self.game.fists_shut]:
            hand = self.hands[each]
            self.tell(each, Open(hand.coins, hand.nonce))
        return self

    def play_on(self, seed: int = 0, raise_odds: float = 0.6, steps: int = -1) -> Self:
        """Random play from here to the end of the game, or for this many entries."""
        draw = random.Random(seed)
        while self.table.phase is not Phase.GATHERING and steps:
            self.act(self.awaited[0], draw, raise_odds)
            steps -= 1
        return self

    @property
    def awaited(self) -> tuple[int, ...]:
        """The participants whom the table waits for."""
        keys = self.table.waiting_for
        return tuple(
            self.who(s) for s, player in enumerate(self.game.players) if player.key in keys
        )

    def act(self, who: int, draw: random.Random, raise_odds: float = 0.6) -> None:
        """A random statement that the table waits for from `who`."""
        if self.table.phase is Phase.SPEAKING:
            self.say(self._some_word(draw, raise_odds))
        elif self.table.phase is Phase.LOT:
            self.toss(who)
        elif self.table.phase is Phase.CHOOSING:
            coins = self.game.coins[self.game.seats.get(public(who), 0)]
            self.fists_of({who: draw.randint(0, coins)})
        elif self.table.phase is Phase.WITNESSING:
            self.witness(who)
        else:
            self.open(who)

    def _unwitnessed(self) -> tuple[int, ...]:
        return self.game.witnesses_missing if self.table.phase is Phase.WITNESSING else ()

    def _some_word(self, draw: random.Random, raise_odds: float) -> Word:
        view = view_of(self.table, signing_key(self.speaker).public)
        if view.is_guessing:
            tried = draw.randint(0, view.most)
            return Bid(tried if view.my_attempts < 3 else draw.choice(view.free))
        if view.lowest_bid is not None and draw.random() < raise_odds:
            return Bid(draw.randint(view.lowest_bid, min(view.lowest_bid + 2, view.most)))
        return draw.choice([option.word for option in view.options if option.forbidden is None])


class Desk(HostSide):
    """A host and raw links to it: for messages that no correct guest sends."""

    def __init__(
        self,
        story: Story,
        start_when: int = 99,
        games: int | None = None,
        together: bool = True,
    ) -> None:
        """`together`: the seats count as heard, whether they are connected or not."""
        super().__init__()
        self.host = Host(
            story.host_key,
            HostPolicy(ForeignText("HostPolicy"), start_when, games),
            story.entries,
            random.Random(0).randbytes,
        )
        if together:
            lease = self.host.lease
            lease.holds = lambda table, at: True  # type: ignore[method-assign]
            lease.is_kept = lambda *_: True  # type: ignore[method-assign]
        self.said: dict[int, list[Message]] = {}
        """What the host has said on each link since the last look."""

    def dial(self, address: str | None = None) -> int:
        """A link on which nothing was said; without an address, one of the host's own program."""
        link = len(self.said)
        self.said[link] = []
        challenge = bytes([link % 256]) * 32
        self.carry_out(self.host.connected(link, challenge, b"channel", self.now(), address))
        return link

    def join(self, who: int, held: Head | None = None, address: str | None = None) -> int:
        """A link on which `who` said hello, holding the whole log unless told otherwise."""
        link = self.dial(address)
        (greeting,) = self.heard(link)
        assert isinstance(greeting, Greeting)
        held = self.host.log.head if held is None else held
        self.send(link, sign_hello(signing_key(who), "test", greeting, b"channel", held))
        return link

    def send(self, link: int, *messages: Message) -> None:
        """Say something on a link."""
        for message in messages:
            self.receive(link, write(message))

    def receive(self, link: int, data: bytes) -> None:
        """Put bytes on a link."""
        self.carry_out(self.host.received(link, data, self.now()))

    def propose(self, link: int, intent: Intent) -> None:
        """Propose an intent."""
        self.send(link, Propose(intent.blob))

    def drop(self, link: int) -> None:
        """The connection ends."""
        self.carry_out(self.host.lost(link, self.now()))

    def heard(self, link: int) -> list[Message]:
        """The host's messages on a link since the last look."""
        said, self.said[link] = self.said[link], []
        return said

    def pass_time(self, seconds: float, *speaking: int) -> None:
        """Tick until this much time has passed; the links in `speaking` ping all the time."""
        end = self.time + seconds
        while self.time < end:
            self.time += 0.25
            for link in speaking:
                self.send(link, Ping(0))
            self.carry_out(self.host.tick(self.now()))

    def sent(self, link: int, data: bytes) -> None:
        self.said[link] += read_all(data)


class Pair(GuestSide):
    """A host and one guest of a story, joined in memory.

    The guest holds the first `known` entries, or all; `host_story` is what the host holds if it
    went on without the guest.
    """

    def __init__(
        self,
        story: Story,
        who: int = 0,
        host_story: Story | None = None,
        secrets: Iterable[Secret] | None = None,
        connect: bool = True,
        known: int | None = None,
    ) -> None:
        kept = story.secrets(who) if secrets is None else secrets
        super().__init__(Guest(signing_key(who), None, story.entries[:known], kept))
        self.who = who
        self.desk = Desk(host_story or story)
        if connect:
            self.connect()

    @property
    def logged(self) -> list[Message]:
        """The statements in the host's log."""
        return [entry.statement for entry in self.desk.host.log]

    def connect(self, read: bool = True) -> None:
        """A new link; without `read` the guest hears no more than the greeting."""
        self.link = self.desk.dial()
        self.act(self.guest.connected(b"channel", self.desk.now(), None), read=False)
        (greeting,) = self.desk.heard(self.link)
        self.hear(greeting, read=read)

    def cut(self) -> None:
        """The link breaks, and what was on its way to the guest is lost."""
        assert self.link is not None
        self.desk.drop(self.link)
        self.link = None
        self.act(self.guest.disconnected())

    def hear(self, *messages: Message, read: bool = True) -> None:
        """The guest hears this from its host."""
        for message in messages:
            self.act(self.guest.received(write(message), self.desk.now()), read)

    def act(self, effects: Iterable[GuestEffect], read: bool = True) -> None:
        """Carry out what the guest wants; then, with `read`, everything that follows."""
        for effect in effects:
            self.effects.append(effect)
            if isinstance(effect, Transmit) and self.link is not None:
                self.desk.receive(self.link, effect.data)
            elif isinstance(effect, Hangup):
                self.link = None
        if read and self.link is not None and (said := self.desk.heard(self.link)):
            self.hear(*said)
