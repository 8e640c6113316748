"""Mutation: new inputs from known ones, by bytes or along their msgpack structure.

An input that is a msgpack array is changed as one, including leaves that are msgpack arrays: a
signed entry, say, holds its payload as bytes. Anything that does not parse is changed byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgpack

LONGEST: Final = 1 << 17
"""Bytes of an input: two of the longest frames."""

NUMBERS: Final = (
    *(0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 99, 100, 127, 128, 255, 256, 1000, 1001),
    *(2**16 - 1, 2**16, 2**16 + 1, 2**31, 2**32 - 1, 2**53 - 1, 2**53, 2**63, 2**64 - 1, -1),
)
"""Numbers at which encodings change their length, or limits lie."""

_INWARD: Final = 0.8
"""How often a change is made inside an array rather than to the array itself."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes bytes, and the laws that hold for any bytes."""

    name: str
    run: Callable[[bytes], None]
    """Raises if a law is broken; catches what the code may refuse."""
    seeds: Callable[[], Iterable[bytes]]
    """Seed inputs, mostly from real games."""
    words: tuple[bytes, ...] = ()
    """Fragments that chance would not find."""


def tree_of(data: bytes) -> list[Any] | None:
    """The array that `data` is in msgpack; None if it is something else."""
    try:
        value = msgpack.unpackb(data, strict_map_key=False)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        return None
    return value if isinstance(value, list) else None


def mutated(data: bytes, other: bytes, words: Sequence[bytes], draw: Random) -> bytes:
    """`data` after 1 to 4 changes; pieces come from `other` and from `words`."""
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        tree = tree_of(data)
        if tree is not None and draw.random() < 0.8:
            data = _packed(_changed(tree, tree_of(other) or [], words, draw), data)
        else:
            data = draw.choice(_BY_BYTES)(data, other, words, draw)
    return data[:LONGEST]


def _packed(value: object, otherwise: bytes) -> bytes:
    try:
        packed: bytes = msgpack.packb(value)
    except (ValueError, TypeError, OverflowError):
        return otherwise
    return packed


def _changed(value: Any, donor: list[Any], words: Sequence[bytes], draw: Random) -> Any:
    """`value` with one change somewhere inside."""
    if isinstance(value, list) and value and draw.random() < _INWARD:
        at = draw.randrange(len(value))
        return [*value[:at], _changed(value[at], donor, words, draw), *value[at + 1 :]]
    if isinstance(value, bytes) and draw.random() < _INWARD and (inner := tree_of(value)):
        return _packed(_changed(inner, donor, words, draw), value)
    if donor and draw.random() < 0.2:
        return _part(donor, draw)
    if draw.random() < 0.25:
        # Of another type, which no other change leads to.
        number = draw.choice(NUMBERS)
        return draw.choice((number, number, number, None, True, "", b"", bytes(32), []))
    return _other(value, donor, words, draw)


def _part(tree: Any, draw: Random) -> Any:
    """A random part of `tree`."""
    while isinstance(tree, list) and tree and draw.random() < _INWARD:
        tree = draw.choice(tree)
    return tree


def _other(value: Any, donor: list[Any], words: Sequence[bytes], draw: Random) -> Any:
    if isinstance(value, list):
        return _rearranged(value, donor, draw)
    if isinstance(value, bool):
        return draw.choice((not value, int(value)))
    if isinstance(value, int):
        return draw.choice((value + 1, value - 1, -value, draw.choice(NUMBERS)))
    if isinstance(value, bytes):
        return draw.choice(_BY_BYTES)(value, b"", words, draw)
    if isinstance(value, str):
        changed = draw.choice(_BY_BYTES)(value.encode(), b"", words, draw)
        return changed.decode(errors="replace")
    return value


def _rearranged(value: list[Any], donor: list[Any], draw: Random) -> list[Any]:
    at, to = draw.randint(0, len(value)), draw.randint(0, len(value))
    if draw.random() < 0.2:
        return [value]
    ways: list[list[Any]] = [
        value[:at] + value[at + 1 :],
        value[:at] + value[to:],
        [*value[:at], *value[at : at + 1], *value[at:]],
        [*value[:at], _part(donor, draw), *value[at:]],
        [*value[:at], *value[to : to + 1], *value[at + 1 :]],
    ]
    return draw.choice(ways)


def _flip(data: bytes, _: bytes, __: Sequence[bytes], draw: Random) -> bytes:
    at = draw.randrange(len(data) or 1)
    return (
        data[:at]
        + bytes(byte ^ 1 << draw.randrange(8) for byte in data[at : at + 1])
        + data[at + 1 :]
    )


def _set(data: bytes, _: bytes, __: Sequence[bytes], draw: Random) -> bytes:
    at = draw.randrange(len(data) or 1)
    return data[:at] + draw.randbytes(1) + data[at + 1 :]


def _insert(data: bytes, _: bytes, words: Sequence[bytes], draw: Random) -> bytes:
    at = draw.randint(0, len(data))
    piece = draw.choice(words) if words and draw.random() < 0.8 else draw.randbytes(1)
    return data[:at] + piece + data[at:]


def _delete(data: bytes, _: bytes, __: Sequence[bytes], draw: Random) -> bytes:
    at = draw.randrange(len(data) or 1)
    return data[:at] + data[at + draw.randint(1, 8) :]


def _repeat(data: bytes, _: bytes, __: Sequence[bytes], draw: Random) -> bytes:
    at = draw.randrange(len(data) or 1)
    return data[:at] + data[at : at + draw.randint(1, 16)] * draw.choice((2, 2, 3, 40)) + data[at:]


def _splice(data: bytes, other: bytes, _: Sequence[bytes], draw: Random) -> bytes:
    start = draw.randint(0, len(other))
    return data[: draw.randint(0, len(data))] + other[start:]


def _number(data: bytes, _: bytes, __: Sequence[bytes], draw: Random) -> bytes:
    at, size = draw.randint(0, len(data)), draw.choice((1, 2, 4, 8))
    number = draw.choice(NUMBERS) % (1 << 8 * size)
    return data[:at] + number.to_bytes(size, "big") + data[at + size :]


def _cut(data: bytes, _: bytes, __: Sequence[bytes], draw: Random) -> bytes:
    return data[: len(data) - draw.choice((1, 2, 4, draw.randint(0, len(data))))]


_HEADS: Final = ((0x00, 0x7F, b"\xcc"), (0xA0, 0xBF, b"\xd9"), (0x90, 0x9F, b"\xdc\0"))
"""The first and the last one-byte head of a type, and what a longer head begins with."""


def _respell(data: bytes, _: bytes, __: Sequence[bytes], draw: Random) -> bytes:
    """A small number, text, bytes or array of msgpack with a longer header than it needs."""
    at = draw.randrange(len(data) or 1)
    head = data[at : at + 1]
    for least, most, longer in _HEADS:
        if head and least <= head[0] <= most:
            return data[:at] + longer + bytes([head[0] - least]) + data[at + 1 :]
    return data[:at] + b"\xc5\0" + data[at + 1 :] if head == b"\xc4" else data


_BY_BYTES: Final[tuple[Callable[[bytes, bytes, Sequence[bytes], Random], bytes], ...]] = (
    *(_flip, _set, _insert, _delete, _repeat, _splice, _number, _cut, _respell),
)
