"""Links: a host to which anything is said, and a guest whose host says anything."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

from protocol.crypto.join_code import ExchangeContext, GuestExchange
from protocol.crypto.seals import SealedHand, SealPlace
from protocol.encoding.codec import Message, pack, read_message, unpack
from protocol.encoding.framing import frame
from protocol.errors import Malformed
from protocol.guest.effects import GuestEffect, Halt, Secret
from protocol.guest.guest import Guest
from protocol.host import connections as connections
from protocol.limits import MAX_FRAME, MAX_STATEMENT
from protocol.table.fold import Phase, fold
from protocol.table.log import Entry, Intent, Log
from protocol.table.statements import HOSTS, PLAYERS, Open
from protocol.timeouts import Moment
from protocol.wire.messages import (
    Confirm,
    Entries,
    Greeting,
    Hello,
    Pake,
    Propose,
    Welcome,
    sign_hello,
)
from tests.fuzzing.games import Scene, genuine, locked, number_of, scenes, side_talk, traffic
from tests.fuzzing.mutation import Target
from tests.helpers.sides import GuestSide, said_in
from tests.protocol.greetings import greeting_of
from tests.protocol.stories import Desk, Story, signing_key

_NEIGHBOUR: Final = 9
"""A seat that does not play, with its own link, which nothing here may disturb."""

_ADDRESS: Final = "192.0.2.1"

_MAX_LINES: Final = 40
"""Lines of a script that are played."""


def _script(data: bytes) -> tuple[Scene, Any, tuple[Any, ...]] | None:
    """A scene, the participants, and lines; None if the bytes are not a script."""
    try:
        script: Any = unpack(data)
    except Malformed:
        return None
    if not isinstance(script, tuple) or len(script) < 2 or not isinstance(script[0], int):
        return None
    return scenes()[script[0] % len(scenes())], script[1], script[2 : 2 + _MAX_LINES]


# A host: whatever comes on a link, it goes on, and its log holds only what may stand there.


def _host(data: bytes) -> None:
    if (script := _script(data)) is None:
        return
    scene, who, lines = script
    desk = Desk(scene.story)
    neighbour = desk.join(_NEIGHBOUR)
    who = who % 2 if isinstance(who, int) else None
    link = desk.dial(_ADDRESS) if who is None else desk.join(who, address=_ADDRESS)
    desk.heard(link)
    for line in lines:
        if isinstance(line, bytes) and 0 < len(line) <= MAX_FRAME:
            desk.receive(link, frame(line))
        elif isinstance(line, int):
            desk.pass_time(abs(line) % 5 / 2, neighbour)
        elif isinstance(line, tuple) and who is not None:
            _propose(desk, link, who, line)
    assert neighbour not in desk.closed, "somebody else's link is closed"
    authors = _authors(scene.story, desk)
    assert authors <= {signing_key(0 if who is None else who).public}, "a word is forged"
    if who is None and not _greets(lines):
        assert not desk.recorded, "a stranger changes the log"
        assert not [said for said in desk.heard(link) if isinstance(said, Entries | Welcome)]


def _propose(desk: Desk, link: int, who: int, raw: tuple[Any, ...]) -> None:
    """A statement of `who`, as if its author had seen everything."""
    try:
        statement = read_message(PLAYERS, raw)
    except Malformed:
        return
    key, at = signing_key(who), desk.host.log.head
    sequence = desk.host.table.sequences.get(key.public, 0) + 1
    intent = Intent.sign(key, sequence, at, statement)
    if len(intent.blob) <= MAX_STATEMENT:
        desk.propose(link, intent)


def _authors(story: Story, desk: Desk) -> set[bytes]:
    """The authors and statements of what was recorded; raises unless it folds after the story."""
    recorded = [Entry.read(blob, story.host_key.public) for blob in desk.recorded]
    log, table = Log(story.entries), story.table
    for entry in recorded:
        log.append(entry)
        table = fold(table, entry)
    assert list(log) == list(desk.host.log), "the log is not what was recorded"
    assert table == desk.host.table, "the host plays at another table"
    return {entry.intent.author for entry in recorded if entry.intent}


def _hello(story: Story) -> Hello:
    """A message of participant 0 on the second link of a desk."""
    desk = Desk(story)
    desk.dial()
    (greeting,) = desk.heard(desk.dial(_ADDRESS))
    assert isinstance(greeting, Greeting)
    return sign_hello(signing_key(0), "test", greeting, b"channel", desk.host.log.head)


@functools.cache
def _hellos() -> tuple[Hello, ...]:
    return tuple(_hello(scene.story) for scene in scenes())


def _greets(lines: Iterable[Any]) -> bool:
    """Whether the hello that participant 0 signed for this link is among the lines."""
    said = [line for line in lines if isinstance(line, bytes)]
    return any(hello.signature in line for hello in _hellos() for line in said)


def _host_seeds() -> Iterator[bytes]:
    _, to_host = traffic()
    for index, scene in enumerate(scenes()):
        mine = [each for each in scene.following if _author(each) in (0, 1)][:12]
        lines = [each.statement.packable() for each in mine]
        yield pack([index, _author(mine[0]) if mine else 0, 1, *lines])
        talk = [said.packable() for who, said in side_talk() if who is not None]
        yield pack([index, index % 2, *talk])
        yield pack([index, None, pack(_hellos()[index].packable()), *to_host[index * 3 :][:3]])
        signed = [pack(Propose(each.intent.blob).packable()) for each in mine if each.intent]
        yield pack([index, 0, *signed, *to_host[index * 3 :][:2], 9])


def _author(entry: Entry) -> int | None:
    return number_of(entry.intent.author) if entry.intent else None


# A stranger without the join code changes nothing and learns nothing.


def _stranger(data: bytes) -> None:
    try:
        lines: Any = unpack(data)
    except Malformed:
        return
    desk = Desk(locked())
    neighbour, link = desk.join(_NEIGHBOUR), desk.dial(_ADDRESS)
    for line in lines[:_MAX_LINES] if isinstance(lines, tuple) else ():
        if isinstance(line, bytes) and line:
            desk.receive(link, frame(line))
        elif isinstance(line, int):
            desk.pass_time(abs(line) % 5 / 2, neighbour)
    assert neighbour not in desk.closed, "somebody else's link is closed"
    assert not desk.recorded, "a stranger changes the log"
    learned = [said for said in desk.heard(link) if isinstance(said, Entries | Welcome | Confirm)]
    assert not learned, "a stranger is let in"


def _stranger_seeds() -> Iterator[bytes]:
    hello = _hello(locked())
    setting = ExchangeContext(b"channel", bytes([1]) * 32, locked().table.id, hello.key)
    guess = GuestExchange("AAAAA", setting, Random(1).randbytes)
    said = [each.packable() for each in (hello, Pake(guess.message), Confirm(bytes(32)))]
    yield pack([*map(pack, said[:2]), 1, pack(said[2])])
    yield pack([*map(pack, said), 1, *traffic()[1][:5]])
    yield pack([*map(pack, said[1:]), pack(said[0])])
    yield pack([pack(said[0]), *(pack(Propose(blob).packable()) for blob in genuine()[0][:3])])
    for part in (b"", b"A" + bytes(32), b"B" + b"\xff" * 32, b"A\x01" + bytes(31)):
        yield pack([pack(said[0]), pack(("pake", part)), 1, pack(said[2])])


# A guest: whatever its host says, it goes on or stops, and opens no fist before its time.


def _guest(data: bytes) -> None:
    if (script := _script(data)) is None:
        return
    scene, _, lines = script
    client = _Chair(scene)
    for line in lines:
        if isinstance(line, bytes) and 0 < len(line) <= MAX_FRAME:
            client.hear(line)
        elif isinstance(line, int):
            client.carry_out(client.guest.tick(client.later(abs(line) % 9)))
        elif isinstance(line, tuple) and line and (entry := client.forged(line)) is not None:
            client.hear(pack(Entries((entry.blob,)).packable()))
    client.check()


class _Chair(GuestSide):
    """Participant 0 at the table of a scene, whose host has everybody else's keys."""

    def __init__(self, scene: Scene) -> None:
        self._story = scene.story
        story = scene.story
        secrets: list[Secret] = [story.share(0)]
        if (hand := _hand_of(scene)) is not None:
            secrets.append(hand)
        super().__init__(Guest(signing_key(0), None, story.entries, secrets))
        self._seconds = 0.0
        self.carry_out(self.guest.connected(b"channel", self.later(0), None))
        for message in (greeting_of(story), Welcome(len(story.entries))):
            self.hear(pack(message.packable()))

    def later(self, seconds: float) -> Moment:
        """The time this many seconds later."""
        self._seconds += seconds
        return Moment(self._seconds, 1_700_000_001_000 + int(self._seconds * 1000))

    def hear(self, payload: bytes) -> None:
        """Hear this from the host."""
        self.carry_out(self.guest.received(frame(payload), self.later(0)))

    def carry_out(self, effects: Iterable[GuestEffect]) -> None:
        """Check what the guest wants."""
        for effect in effects:
            for message in said_in([effect]):
                if isinstance(message, Propose):
                    assert not self.events(Halt), "it plays on with a broken log"
                    intent = Intent.read(message.blob)
                    if isinstance(intent.statement, Open):
                        self._check_opening(intent.seen.length)
            self.effects.append(effect)

    def _check_opening(self, length: int) -> None:
        """A fist opens after the ending word, and after everybody else has seen it."""
        before = len(self._story.entries)
        table = functools.reduce(fold, self.guest.log[before:length], self._story.table)
        assert table.phase is Phase.OPENING and table.game is not None
        kinds = [entry.statement.KIND for entry in self.guest.log[:length]]
        last_word = max(at for at, kind in enumerate(kinds) if kind == "word")
        witnesses = kinds[last_word:].count("witness")
        assert witnesses >= len(table.game.seals) - 1, "a fist opens unwitnessed"

    def forged(self, line: tuple[Any, ...]) -> Entry | None:
        """What the host claims that somebody said now."""
        who, *raw = line
        try:
            statement = read_message({**PLAYERS, **HOSTS}, tuple(raw))
        except Malformed:
            return None
        head = self.guest.log.head
        said: Intent | Message = statement
        if isinstance(who, int) and statement.KIND in PLAYERS:
            key = signing_key(1 + abs(who) % 18)
            table = self.guest.table
            sequence = table.sequences.get(key.public, 0) + 1 if table else 1
            said = Intent.sign(key, sequence, head, statement)
        elif statement.KIND not in HOSTS:
            return None
        time = self.guest.table.time + 1 if self.guest.table else 1
        return Entry.sign(self._story.host_key, 0, head, time, said)

    def check(self) -> None:
        """The guest's log holds together, and its table follows from it."""
        before = self._story.entries
        log, table = Log(before), self._story.table
        assert self.guest.log[: len(before)] == before
        for entry in self.guest.log[len(before) :]:
            log.append(Entry.read(entry.blob, self._story.host_key.public))
            table = fold(table, entry)
        assert table == self.guest.table, "the guest sits at another table"


def _hand_of(scene: Scene) -> SealedHand | None:
    """The hand in participant 0's fist."""
    game, key = scene.story.table.game, signing_key(0).public
    if game is None or game.seats.get(key) not in game.seals:
        return None
    opened = [each.statement for each in scene.following if _author(each) == 0]
    said = next((each for each in opened if isinstance(each, Open)), None)
    place = SealPlace(scene.story.table.id, game.number, game.round_number, key)
    return SealedHand(place, said.coins, said.nonce) if said else None


def _guest_seeds() -> Iterator[bytes]:
    to_guests, _ = traffic()
    for index, scene in enumerate(scenes()):
        following = scene.following[:10]
        blobs = [pack(Entries((each.blob,)).packable()) for each in following]
        yield pack([index, 0, *blobs])
        lines = [[(_author(each) or 1) - 1, *each.statement.packable()] for each in following]
        talk = [[who, *said.packable()] for who, said in side_talk() if who != 0]
        yield pack([index, 0, *talk])
        yield pack([index, 0, *lines, 4, *to_guests[index * 3 :][:4], 9])


HOST: Final = Target(
    "host", _host, _host_seeds, tuple(signing_key(who).public for who in (0, 1, 2, 9, 255))
)
STRANGER: Final = Target("stranger", _stranger, _stranger_seeds)
GUEST: Final = Target("guest", _guest, _guest_seeds)
