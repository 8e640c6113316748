"""Strict msgpack: bytes to values of a stated shape, and back.

Each message class lists its fields with a `Shape`; a value that does not fit its shape can neither
be built, sent nor received. Every message is encoded as an array: its name, then its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, ClassVar, Final, Self

import msgpack

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_DEPTH, MAX_ENTRIES, MAX_NUMBER


def pack(value: object) -> bytes:
    """`value`, encoded as msgpack."""
    packed: bytes = msgpack.Packer().pack(value)
    return packed


def unpack(data: bytes) -> object:
    """The one msgpack value in `data`; raises `Malformed` for anything else.

    Only the shortest encoding is accepted, so each value has exactly one.
    """
    try:
        # The protocol has no maps or extensions. An array is allocated as long as it claims to be,
        # before its values arrive.
        value = msgpack.unpackb(
            data, use_list=False, max_array_len=MAX_ENTRIES, max_map_len=0, max_ext_len=0
        )
    except (ValueError, RecursionError, msgpack.UnpackException) as error:
        # Not its repr: the value may be nested too deep for that.
        raise Malformed(f"not msgpack: {type(error).__name__}") from None
    # What holds no array is nested no deeper than one, and most values are like that.
    if type(value) is tuple and tuple in map(type, value) and _too_deep(value, MAX_DEPTH):
        raise Malformed(f"nested more than {MAX_DEPTH} deep")
    try:
        is_shortest = msgpack.Packer().pack(value) == data
    except (ValueError, TypeError, OverflowError):
        is_shortest = False
    if not is_shortest:
        raise Malformed("not the shortest encoding of its value")
    return value


def _too_deep(value: tuple[object, ...], most: int) -> bool:
    """Whether arrays are nested deeper than `most`; looks at one depth at a time."""
    level = [value]
    for _ in range(most):
        level = [inner for each in level for inner in each if type(inner) is tuple]
        if not level:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Shape:
    """The values that one field may have, and how they are encoded."""

    name: str
    """What error messages call the shape."""
    fits: Callable[[Any], bool]
    """Whether a value of the program has this shape."""
    decode: Callable[[Any], Any] | None = None
    """Turns the value from msgpack into the program's; may raise `Malformed` or `ValueError`. None
    if both are the same."""
    encode: Callable[[Any], Any] | None = None
    """Turns the program's value into the one for msgpack; None if both are the same."""

    def decoded(self, raw: Any) -> Any:
        """The program's value for a value that msgpack has decoded; raises as `decode` does."""
        return self.decode(raw) if self.decode else raw

    def encoded(self, value: Any) -> Any:
        """The value that msgpack is to encode for this value of the program."""
        return self.encode(value) if self.encode else value


def octets(length: int) -> Shape:
    """The shape of exactly `length` bytes."""
    return Shape(f"{length} bytes", lambda v: isinstance(v, bytes) and len(v) == length)


def blob(most: int, least: int = 0) -> Shape:
    """The shape of `least` to `most` bytes."""
    name = f"{least} to {most} bytes" if least else f"up to {most} bytes"
    return Shape(name, lambda v: isinstance(v, bytes) and least <= len(v) <= most)


def whole(most: int = MAX_NUMBER, least: int = 0) -> Shape:
    """The shape of a whole number from `least` to `most`."""
    return Shape(
        f"a number from {least} to {most}",
        lambda v: type(v) is int and least <= v <= most,
    )


MARK: Final = Shape(
    "true or left out",
    lambda v: isinstance(v, bool),
    decode=lambda raw: _mark(raw),
)
"""The shape of a last field that is encoded only if it is true."""


def _mark(raw: object) -> bool:
    if raw is not True:
        raise Malformed("what is not true is left out")
    return True


FLAG: Final = Shape("true or false", lambda v: isinstance(v, bool))


def words(most: int) -> Shape:
    """The shape of text that programs make, such as codes: up to `most` printable ASCII
    characters."""
    return Shape(
        f"printable ASCII up to {most} characters",
        lambda v: isinstance(v, str) and len(v) <= most and v.isascii() and v.isprintable(),
    )


def foreign(most: int) -> Shape:
    """The shape of text that a person typed, 1 to `most` bytes of UTF-8."""
    return Shape(
        f"text of 1 to {most} bytes",
        lambda v: isinstance(v, ForeignText) and 1 <= len(v.raw.encode()) <= most,
        decode=lambda raw: ForeignText(_typed(raw, str)),
        encode=lambda value: value.raw,
    )


def choice(kind: type[Enum]) -> Shape:
    """The shape of a member of the enumeration `kind`, encoded as its value."""
    return Shape(
        f"one of {', '.join(str(member.value) for member in kind)}",
        lambda v: isinstance(v, kind),
        decode=lambda raw: kind(_typed(raw, str)),
        encode=lambda value: value.value,
    )


def maybe(inner: Shape) -> Shape:
    """The shape of `inner` or nil."""
    return Shape(
        f"{inner.name} or nil",
        lambda v: v is None or inner.fits(v),
        decode=lambda raw: None if raw is None else inner.decoded(raw),
        encode=lambda value: None if value is None else inner.encoded(value),
    )


def several(inner: Shape, most: int) -> Shape:
    """The shape of an array of up to `most` values of the shape `inner`."""
    return Shape(
        f"up to {most} of {inner.name}",
        lambda v: isinstance(v, tuple) and len(v) <= most and all(map(inner.fits, v)),
        decode=lambda raw: tuple(map(inner.decode, _typed(raw, tuple))) if inner.decode else raw,
        encode=lambda value: tuple(map(inner.encode, value)) if inner.encode else value,
    )


def nested(kind: type[Message]) -> Shape:
    """The shape of another message, encoded as an array within the array of the message around
    it."""
    return Shape(
        f"a {kind.KIND}",
        lambda v: isinstance(v, kind),
        decode=lambda raw: read_message({kind.KIND: kind}, raw),
        encode=lambda value: value.packable(),
    )


def _typed(raw: object, kind: type) -> Any:
    if not isinstance(raw, kind):
        raise Malformed(f"{raw!r:.80} is no {kind.__name__}")
    return raw


def shaped(shape: Shape, **options: Any) -> Any:
    """A dataclass field with this shape; `options` are those of `dataclasses.field`."""
    return field(metadata={"shape": shape}, **options)


@dataclass(frozen=True, slots=True)
class Message:
    """Base class of everything that is sent: a frozen dataclass whose fields are checked when it is
    built."""

    KIND: ClassVar[str]
    """The name of the message, the first item of its array."""

    def __post_init__(self) -> None:
        for name, shape in _SHAPES[type(self)]:
            value = getattr(self, name)
            if not shape.fits(value):
                raise Malformed(f"{self.KIND}: {name} is {shape.name}, not {value!r:.80}")

    def packable(self) -> tuple[object, ...]:
        """The message as the array to be encoded."""
        shapes = _SHAPES[type(self)]
        if shapes and shapes[-1][1] is MARK and not getattr(self, shapes[-1][0]):
            shapes = shapes[:-1]
        packable: list[object] = [self.KIND]
        for name, shape in shapes:
            value = getattr(self, name)
            packable.append(shape.encode(value) if shape.encode else value)
        return tuple(packable)

    @classmethod
    def from_fields(cls, raw: tuple[object, ...]) -> Self:
        """Build the message from its decoded fields; raises `Malformed`."""
        shapes = _SHAPES[cls]
        if shapes and shapes[-1][1] is MARK and len(raw) == len(shapes) - 1:
            shapes = shapes[:-1]
        if len(raw) != len(shapes):
            raise Malformed(f"{cls.KIND} has {len(shapes)} fields, not {len(raw)}")
        values = {}
        for (name, shape), value in zip(shapes, raw, strict=True):
            try:
                values[name] = shape.decode(value) if shape.decode else value
            except ValueError:
                raise Malformed(f"{cls.KIND}: {name} is {shape.name}, not {value!r:.80}") from None
        return cls(**values)


class _Shapes(dict[type[Message], tuple[tuple[str, Shape], ...]]):
    """The names and shapes of the fields of each message class, worked out when first asked for."""

    def __missing__(self, kind: type[Message]) -> tuple[tuple[str, Shape], ...]:
        self[kind] = tuple((field.name, field.metadata["shape"]) for field in fields(kind))
        return self[kind]


_SHAPES: Final = _Shapes()


def read_message(known: Mapping[str, type[Message]], raw: object) -> Message:
    """The message in a decoded array, of one of the `known` kinds; raises `Malformed`."""
    if not isinstance(raw, tuple) or not raw or not isinstance(raw[0], str):
        raise Malformed(f"a message is an array that begins with its name, not {raw!r:.80}")
    if raw[0] not in known:
        raise Malformed(f"no message is called {raw[0]!r:.80}")
    return known[raw[0]].from_fields(raw[1:])
