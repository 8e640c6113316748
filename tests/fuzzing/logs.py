"""The log: what nobody can change without the keys, and what can be said with them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from typing import Any, Final

from protocol.crypto.seals import digest
from protocol.encoding.codec import pack, read_message, unpack
from protocol.encoding.framing import FrameReader, frame
from protocol.errors import BrokenLog, Illegal, Malformed
from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.notation.writing import record_of
from protocol.table.fold import Phase, Table, check_intent, check_statement, fold
from protocol.table.head import Head
from protocol.table.log import Entry, Intent
from protocol.table.statements import HOSTS, PLAYERS, Fist, Open
from protocol.table.verify import verify
from protocol.views import view_of
from tests.fuzzing.games import genuine, number_of, scenes, side_talk, states, stories
from tests.fuzzing.mutation import Target
from tests.protocol.stories import signing_key

_HOST_KEY: Final = signing_key(255).public

# Without the keys: no byte can be changed, and what does not follow is refused at its place.


def _log(data: bytes) -> None:
    _only_genuine(data)
    _judged(data)
    try:
        blobs = FrameReader().feed(data)
    except Malformed:
        return
    for blob in blobs[:4]:
        _only_genuine(blob)
    which = next((n for n, told in enumerate(genuine()) if told[0] in blobs[:1]), 0)
    told = genuine()[which]
    same = sum(
        1 for _ in itertools.takewhile(lambda two: two[0] == two[1], zip(told, blobs, strict=False))
    )
    if same < len(blobs):
        _refused(which, same, blobs[same])


def _judged(data: bytes) -> None:
    """A file is judged to hold only if it was cut at the end of an entry and not changed
    otherwise."""
    told = next((told for told in genuine() if data.startswith(frame(told[0]))), ())
    ends = list(itertools.accumulate(len(frame(blob)) for blob in told))
    cuts = (at for at, end in enumerate(ends) if data[:end] != _stream(told[: at + 1]))
    same = next(cuts, len(ends))
    verdict = verify([data[at : at + 500] for at in range(0, len(data), 500)])
    if same and len(data) == ends[same - 1]:
        assert verdict.holds and verdict.length == same
        return
    assert verdict.fault is not None, "a file that somebody changed is judged to hold"
    assert verdict.fault.entry == verdict.length == same, "another entry is blamed"
    assert verdict.fault.message.isprintable(), "what is wrong cannot be printed"


def _stream(blobs: Iterable[bytes]) -> bytes:
    return b"".join(map(frame, blobs))


def _only_genuine(blob: bytes) -> None:
    """An entry or an intent that can be read is one that was signed."""
    for host in (_HOST_KEY, None):
        try:
            entry = Entry.read(blob, host)
        except Malformed:
            continue
        assert any(blob in told for told in genuine()), f"forged: {entry}"
    try:
        intent = Intent.read(blob)
    except Malformed:
        return
    assert intent.blob == blob and blob in _intents(), f"forged: {intent}"


@functools.cache
def _intents() -> frozenset[bytes]:
    said = (entry.intent for story in stories() for entry in story.entries)
    return frozenset(intent.blob for intent in said if intent)


def _refused(which: int, position: int, blob: bytes) -> None:
    """The entry of a log that is not the genuine one is refused by its position."""
    so_far, table = states(which)[position]
    try:
        entry = Entry.read(blob, None if table is None else _HOST_KEY)
        so_far.check(entry)
        fold(table, entry)
    except BrokenLog as error:
        assert error.position == position, "another entry is blamed"
    except Malformed:
        pass
    else:
        raise AssertionError(f"entry {position} is accepted, though nobody said it there")


def _log_seeds() -> Iterator[bytes]:
    yield _stream(genuine()[0])
    yield _stream((*genuine()[0], genuine()[0][-1]))
    yield _stream(genuine()[0][:6]) + b"\0"
    yield _stream(genuine()[0][:6])[:-1]
    for told in genuine():
        yield from (told[0], told[4], told[-1])
        yield _stream(told[:12])
        yield _stream((*told[:4], *told[5:9]))
        yield _stream((*told[:4], told[5], told[4], *told[6:9]))
    yield from sorted(_intents())[:6]


# With the keys: each statement is taken or refused, and the table stays whole.


def _told(data: bytes) -> None:
    try:
        script: Any = unpack(data)
    except Malformed:
        return
    if not isinstance(script, tuple) or not script or not isinstance(script[0], int):
        return
    so_far = scenes()[script[0] % len(scenes())].story.table
    for line in script[1:60]:
        if (entry := _entry(so_far, line)) is not None:
            so_far = _after(so_far, entry)
    for who in (0, 1, 2, 9, 19, 255):
        repr(view_of(so_far, signing_key(who).public))
    _check_record(so_far)


def _entry(so_far: Table, line: object) -> Entry | None:
    """The next entry by a line of the script; unsigned, since folding does not ask for it."""
    match line:
        case [int() | None as who, int(jump), int(back), int(later), tuple() as raw]:
            pass
        case _:
            return None
    try:
        statement = read_message({**PLAYERS, **HOSTS}, raw)
    except Malformed:
        return None
    intent = None
    if who is not None:
        key = signing_key(who % 256).public
        seen = Head(max(0, so_far.head.length - back % 64), so_far.head.hash)
        sequence = max(0, so_far.sequences.get(key, 0) + jump)
        intent = Intent(key, sequence, seen, statement, b"")
    position, time = so_far.head.length, so_far.time + later
    hash_ = digest(b"told", (position.to_bytes(8, "big"), pack(raw)))
    return Entry(0, position, so_far.head.hash, time, intent, statement, hash_, b"")


def _after(before: Table, entry: Entry) -> Table:
    """The table after an entry, or the same one if the entry is refused."""
    try:
        after = fold(before, entry)
    except BrokenLog as error:
        assert error.position == entry.position, "another entry is blamed"
        assert not _is_legal(before, entry), "a host would take what a guest refuses"
        return before
    assert _is_legal(before, entry), "a host would refuse what a guest takes"
    assert after.head == entry.head
    _check_table(after)
    _check_step(before, after, entry)
    return after


def _is_legal(before: Table, entry: Entry) -> bool:
    """Whether a host would put this into its log."""
    author = entry.intent.author if entry.intent else None
    try:
        if entry.intent:
            check_intent(before, entry.intent)
        check_statement(before, author, entry.statement, entry.time)
    except Illegal:
        return False
    return True


def _check_table(after: Table) -> None:
    """Laws that hold for every table."""
    keys = [seat.key for seat in after.seats]
    assert len(set(keys)) == len(keys) <= after.opened.seats
    playing = after.game
    if playing is None or after.phase is Phase.GATHERING:
        return
    assert all(coins >= 0 for coins in playing.coins)
    none = [hand for seat, hand in playing.hands.items() if seat not in playing.seals]
    assert not any(none), "a fist without a seal holds something"
    assert all(hand <= playing.coins[seat] for seat, hand in playing.hands.items())
    if after.phase in (Phase.LOT, Phase.CHOOSING, Phase.SPEAKING, Phase.WITNESSING):
        assert not playing.hands.keys() & playing.seals.keys(), "a fist is open before its time"
    if after.phase in (Phase.SPEAKING, Phase.WITNESSING, Phase.OPENING):
        assert not playing.fists_missing, "the game went on without a fist"


def _check_step(before: Table, after: Table, entry: Entry) -> None:
    """A fist is put in and opened only by its owner."""
    was, now = before.game, after.game
    if was is None or now is None or was.number != now.number or len(was.past) != len(now.past):
        return
    author = entry.intent.author if entry.intent else b""
    for fists, fists_now in ((was.seals, now.seals), (was.hands, now.hands)):
        assert fists.items() <= fists_now.items(), "a fist is exchanged"
        changed = dict(fists_now.items() - fists.items())
        if fists_now is now.hands:
            changed = {seat: hand for seat, hand in changed.items() if seat in now.seals}
        assert {now.players[seat].key for seat in changed} <= {author}


def _check_record(after: Table) -> None:
    """A finished game gives a record without faults."""
    if after.game is not None and after.phase is Phase.GATHERING:
        text = record_of(after.game, event="Fuzzing", date="2026-11-21")
        faults = [fault for record in read([text.encode()]) for fault in check(record).faults]
        assert not faults, f"{faults} in\n{text}"


def _told_seeds() -> Iterator[bytes]:
    yield from _too_many_coins()
    for index, scene in enumerate(scenes()):
        lines = [_line(entry) for entry in scene.following[:36]]
        yield pack([index, *lines])
        yield pack([index, *lines[:3], *map(_line, scenes()[index - 1].following[:8])])
        yield pack([index, *([who, 1, 0, 1, said.packable()] for who, said in side_talk())])


def _too_many_coins() -> Iterator[bytes]:
    """Rounds in which participant 0 seals and opens more coins than it owns."""
    for index, scene in enumerate(scenes()):
        if scene.story.table.phase is not Phase.CHOOSING:
            continue
        hand = scene.story.hand(0, 9)
        lines = [_line(entry) for entry in scene.following[:20]]
        for line in lines:
            if line[0] == 0 and line[-1][0] == "fist":
                line[-1] = Fist(hand.seal).packable()
            elif line[0] == 0 and line[-1][0] == "open":
                line[-1] = Open(hand.coins, hand.nonce).packable()
        yield pack([index, *lines])


def _line(entry: Entry) -> list[Any]:
    author = entry.intent and number_of(entry.intent.author)
    return [author, 1, 0, 1, entry.statement.packable()]


LOG: Final = Target("log", _log, _log_seeds)
TOLD: Final = Target(
    "told", _told, _told_seeds, tuple(signing_key(who).public for who in (0, 1, 2, 9, 255))
)
