"""Readers of bytes that stand alone: codec, framing, hello and notation."""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from protocol.encoding.codec import Message, pack, read_message, unpack
from protocol.encoding.framing import FrameReader, frame
from protocol.errors import Malformed, RemoteError
from protocol.limits import MAX_DEPTH, MAX_FRAME
from protocol.notation.checking import check, judged
from protocol.notation.faults import Fault
from protocol.notation.reading import pieces, read
from protocol.notation.writing import write
from protocol.table.statements import HOSTS, PLAYERS
from protocol.version import PROTOCOL
from protocol.wire import messages
from protocol.wire.messages import (
    FROM_GUEST,
    FROM_HOST,
    Greeting,
    Hello,
    is_proven,
    read_from_guest,
    read_from_host,
    sign_hello,
)
from tests.fuzzing.games import states, stories, traffic
from tests.fuzzing.mutation import Target
from tests.protocol.notation.games import (
    KYIV,
    RULES,
    SCHOOL,
    SCHOOL_RULES,
    game_of,
    school_of,
    text_of,
)
from tests.protocol.stories import signing_key

_KINDS: Final = tuple({**FROM_HOST, **FROM_GUEST, **HOSTS, **PLAYERS})
_OPTIONS: Final = (b" cap=3", b" cap=5", b" zero=first-action", b" impossible=allow")
_WORDS: Final = (*map(str.encode, _KINDS), b"milan", b"three-coins", b"hollywood", *_OPTIONS)


# Codec: a value has one spelling, and so has a message.


def _codec(data: bytes) -> None:
    try:
        value = unpack(data)
    except Malformed:
        return
    assert pack(value) == data, "an accepted value has another spelling"
    assert _depth(value) <= MAX_DEPTH
    for known in (FROM_HOST, FROM_GUEST, HOSTS, PLAYERS):
        _message(data, value, known)


def _message(data: bytes, value: object, known: Mapping[str, type[Message]]) -> None:
    try:
        message = read_message(known, value)
        _read_as(data, known)
    except RemoteError as error:
        assert str(error).isprintable(), "what is wrong cannot be told"
        return
    assert pack(message.packable()) == data, "an accepted message writes back differently"
    assert read_message(known, message.packable()) == message
    assert repr(message).isprintable(), "text comes through without the gate"


def _read_as(data: bytes, known: Mapping[str, type[Message]]) -> None:
    if known is FROM_HOST:
        assert pack(read_from_host(data).packable()) == data
    elif known is FROM_GUEST:
        assert pack(read_from_guest(data).packable()) == data


def _depth(value: object) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, tuple) else 0


def _codec_seeds() -> Iterator[bytes]:
    yield from itertools.chain(*traffic())
    for story in stories():
        yield from (pack(entry.statement.packable()) for entry in story.entries)
    for spelling in ("milan cap=5", "milan cap=05", "milan  cap=5", "three-coins cap=3"):
        opened = stories()[0].entries[0].statement.packable()
        yield pack([spelling if field == "milan" else field for field in opened])
    # A kind that no game showed is found by its name, with fields of every type.
    for kind in _KINDS:
        yield pack((kind,))
        yield pack((kind, bytes(32), 0, "milan", None, True, (), bytes(33)))


# Framing: however the stream is cut, the frames are the same, and at most one is held.


def _framing(data: bytes) -> None:
    count = data[0] % 8 if data else 0
    sizes, stream = data[1 : 1 + count], data[1 + count :]
    sent, bad = _frames(stream)
    for cut in ([stream], _cut(stream, sizes)):
        assert _popped(cut) == (sent, bad), "it matters how the stream is cut"


def _frames(stream: bytes) -> tuple[list[bytes], bool]:
    """The whole frames of a stream, and whether an impossible length follows them."""
    sent: list[bytes] = []
    at = 0
    while at + 4 <= len(stream):
        length = int.from_bytes(stream[at : at + 4], "big")
        if not 0 < length <= MAX_FRAME:
            return sent, True
        if at + 4 + length > len(stream):
            break
        sent.append(stream[at + 4 : at + 4 + length])
        at += 4 + length
    return sent, False


def _cut(stream: bytes, sizes: bytes) -> Iterator[bytes]:
    """The stream in pieces of these sizes, repeated; after 200 of them the rest in one."""
    at = 0
    for size in itertools.islice(itertools.cycle(sizes or b"\xff"), 200):
        yield stream[at : at + size]
        at += size
    yield stream[at:]


def _popped(cut: Iterable[bytes]) -> tuple[list[bytes], bool]:
    """What a reader makes of the pieces, and whether it refused one."""
    reader, got = FrameReader(), []
    for piece in cut:
        reader.push(piece)
        try:
            while (payload := reader.pop()) is not None:
                got.append(payload)
        except Malformed:
            return got, True
        assert _held(reader) <= 2 * (MAX_FRAME + 1024), "more than a frame is held"
    return got, False


def _held(reader: FrameReader) -> int:
    return sum(sys.getsizeof(getattr(reader, slot)) for slot in type(reader).__slots__)


def _framing_seeds() -> Iterator[bytes]:
    stream = b"".join(map(frame, traffic()[0][:12]))
    yield from (b"\x00" + stream, b"\x01\x01" + stream[:150], b"\x03\x01\x05\x40" + stream)
    yield b"\x01\xff" + frame(bytes(MAX_FRAME)) + frame(b"x")
    yield from (b"\x00" + length.to_bytes(4, "big") for length in (0, MAX_FRAME + 1, 2**32 - 1))


# Hello: a key is proven on one link only, by a signature that its owner made for that link.

_CHALLENGE, _CHANNEL = bytes(range(32)), b"\x07" * 32


@functools.cache
def _greeting() -> Greeting:
    said = map(read_from_host, traffic()[0])
    card = next(each.card for each in said if isinstance(each, Greeting))
    return Greeting(PROTOCOL, "test", card, _CHALLENGE)


@functools.cache
def _hellos() -> tuple[Hello, ...]:
    """The hellos that their owners signed for this link."""
    heads = [so_far.head for so_far, _ in states(0)[::9]]
    return tuple(
        sign_hello(signing_key(who), "test", _greeting(), _CHANNEL, head)
        for who, head in enumerate(heads)
    )


def _hello(data: bytes) -> None:
    try:
        hello = read_from_guest(data)
    except RemoteError:
        return
    if not isinstance(hello, messages.Hello):
        return
    table = _greeting().card.table
    proven = is_proven(hello, _CHALLENGE, _CHANNEL, table)
    assert proven is (hello in _hellos())
    for changed in ((_CHANNEL, _CHANNEL, table), (_CHALLENGE, b"", table), (_CHALLENGE,) * 3):
        assert not is_proven(hello, *changed), "it is proven on another link"


def _hello_seeds() -> Iterator[bytes]:
    yield from (pack(hello.packable()) for hello in _hellos())
    # Under a key of small order this signature, made by nobody, would hold.
    for key in _SMALL_ORDER:
        forged = replace(_hellos()[0], key=key, signature=_SMALL_ORDER[0] + bytes(32))
        yield pack(forged.packable())


_SMALL_ORDER: Final = (b"\x01" + bytes(31), bytes(32), b"\xec" + b"\xff" * 30 + b"\x7f")
"""Public keys under which signatures can be made that hold for anything at all."""


# Notation: anything is read, faults are reported with their lines, correct records read back.


def _notation(data: bytes) -> None:
    records, lines = list(read([data])), data.count(b"\n") + 1
    pieced = [data[at : at + 7] for at in range(0, len(data), 7)]
    assert list(pieces(pieced)) == list(pieces([data])), "it matters how the file is cut"
    faults = [fault for record in records for fault in check(record).faults]
    piecewise = [each for each in judged(pieces([data])) if isinstance(each, Fault)]
    assert sorted(map(repr, faults)) == sorted(map(repr, piecewise))
    for fault in faults:
        assert 1 <= fault.line <= lines, "a fault is told on a line that is not there"
        assert fault.told().isprintable(), "what is wrong cannot be printed"
    if not any(record.faults for record in records):
        written = "\n".join(map(write, records))
        assert list(read([written.encode()])) == records, "it is read differently once written"
        assert "\n".join(map(write, read([written.encode()]))) == written


_SCRAPS: Final = (
    *(b"1.", b"(", b")", b"=", b".", b"{", b"}", b"[", b"]", b"\n", b"\\", b'"', b" "),
    *(
        b"S1",
        b"D!",
        b"M=",
        b"Smax",
        b"S?",
        b"S0",
        b"S+",
        b"D-",
        b"M*",
        b"M$",
        b"99",
        b"\x1b",
        b"\xff",
    ),
    *(
        b'[Rules "milan cap=5"]',
        b'[Coins "S3 D1 M2"]',
        b'[Crap "S"]',
        b'[Result "*"]',
        b"\xd0\x98\xcc\x86",
    ),
)


def _notation_seeds() -> Iterator[bytes]:
    yield from (KYIV.encode(), SCHOOL.encode(), b"", f"{KYIV}\n{SCHOOL}".encode())
    for seed, written in enumerate((*RULES, *SCHOOL_RULES)):
        make = school_of if written in SCHOOL_RULES else game_of
        yield text_of(make(seed, rules=written)).encode()


CODEC: Final = Target("codec", _codec, _codec_seeds, _WORDS)
FRAMING: Final = Target("framing", _framing, _framing_seeds)
HELLO: Final = Target("hello", _hello, _hello_seeds, (*_SMALL_ORDER, _SMALL_ORDER[0] + bytes(32)))
NOTATION: Final = Target("notation", _notation, _notation_seeds, _SCRAPS)
