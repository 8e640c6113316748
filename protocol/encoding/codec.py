"""msgpack with a stated shape: bytes to values and back, strictly.

Each message class lists its fields with a `Shape`; a value that does not fit its shape can
neither be built, sent nor received. Everything on the wire is an array: a name, then fields.
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
    """`value` as msgpack."""
    packed: bytes = msgpack.Packer().pack(value)
    return packed


def unpack(data: bytes) -> object:
    """The one msgpack value in `data`; raises `Malformed` for anything else.

    Only the shortest encoding is accepted, so each value has one spelling.
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
    """Whether arrays nest more than this deep; looks at one depth at a time."""
    level = [value]
    for _ in range(most):
        level = [inner for each in level for inner in each if type(inner) is tuple]
        if not level:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Shape:
    """How one field looks on the wire."""

    name: str
    """What the shape is called in an error."""
    fits: Callable[[Any], bool]
    """Whether a value in the program has this shape."""
    decode: Callable[[Any], Any] | None = None
    """From what msgpack gave to the program's value; may raise `Malformed` or `ValueError`.
    None where both are the same."""
    encode: Callable[[Any], Any] | None = None
    """From the program's value to what msgpack takes; None where both are the same."""

    def decoded(self, raw: Any) -> Any:
        """The program's value."""
        return self.decode(raw) if self.decode else raw

    def encoded(self, value: Any) -> Any:
        """What msgpack takes."""
        return self.encode(value) if self.encode else value


def octets(length: int) -> Shape:
    """Exactly `length` bytes."""
    return Shape(f"{length} bytes", lambda v: isinstance(v, bytes) and len(v) == length)


def blob(most: int, least: int = 0) -> Shape:
    """From `least` to `most` bytes."""
    name = f"{least} to {most} bytes" if least else f"up to {most} bytes"
    return Shape(name, lambda v: isinstance(v, bytes) and least <= len(v) <= most)


def whole(most: int = MAX_NUMBER, least: int = 0) -> Shape:
    """A whole number from `least` to `most`."""
    return Shape(
        f"a number from {least} to {most}",
        lambda v: type(v) is int and least <= v <= most,
    )


MARK: Final = Shape(
    "true or left out",
    lambda v: isinstance(v, bool),
    decode=lambda raw: _mark(raw),
)
"""For a last field that is on the wire only if it is true."""


def _mark(raw: object) -> bool:
    if raw is not True:
        raise Malformed("what is not true is left out")
    return True


FLAG: Final = Shape("true or false", lambda v: isinstance(v, bool))


def words(most: int) -> Shape:
    """Printable ASCII of up to `most` characters, defined by the protocol."""
    return Shape(
        f"printable ASCII up to {most} characters",
        lambda v: isinstance(v, str) and len(v) <= most and v.isascii() and v.isprintable(),
    )


def foreign(most: int) -> Shape:
    """Text that a person typed, 1 to `most` bytes of UTF-8."""
    return Shape(
        f"text of 1 to {most} bytes",
        lambda v: isinstance(v, ForeignText) and 1 <= len(v.raw.encode()) <= most,
        decode=lambda raw: ForeignText(_typed(raw, str)),
        encode=lambda value: value.raw,
    )


def choice(kind: type[Enum]) -> Shape:
    """A member of the enumeration `kind`, by its value."""
    return Shape(
        f"one of {', '.join(str(member.value) for member in kind)}",
        lambda v: isinstance(v, kind),
        decode=lambda raw: kind(_typed(raw, str)),
        encode=lambda value: value.value,
    )


def maybe(inner: Shape) -> Shape:
    """`inner` or nil."""
    return Shape(
        f"{inner.name} or nil",
        lambda v: v is None or inner.fits(v),
        decode=lambda raw: None if raw is None else inner.decoded(raw),
        encode=lambda value: None if value is None else inner.encoded(value),
    )


def several(inner: Shape, most: int) -> Shape:
    """An array of up to `most` values of `inner`."""
    return Shape(
        f"up to {most} of {inner.name}",
        lambda v: isinstance(v, tuple) and len(v) <= most and all(map(inner.fits, v)),
        decode=lambda raw: tuple(map(inner.decode, _typed(raw, tuple))) if inner.decode else raw,
        encode=lambda value: tuple(map(inner.encode, value)) if inner.encode else value,
    )


def nested(kind: type[Message]) -> Shape:
    """Another message, as an array in the place of the field."""
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
    """A dataclass field of the given shape."""
    return field(metadata={"shape": shape}, **options)


@dataclass(frozen=True, slots=True)
class Message:
    """Base of everything that is sent: a frozen dataclass that is valid by construction."""

    KIND: ClassVar[str]
    """The name, first on the wire."""

    def __post_init__(self) -> None:
        for name, shape in _SHAPES[type(self)]:
            value = getattr(self, name)
            if not shape.fits(value):
                raise Malformed(f"{self.KIND}: {name} is {shape.name}, not {value!r:.80}")

    def packable(self) -> tuple[object, ...]:
        """The message as the array that goes on the wire."""
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
        """Build the message from unpacked fields; raises `Malformed`."""
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
    """The fields of each kind of message, as they are asked for."""

    def __missing__(self, kind: type[Message]) -> tuple[tuple[str, Shape], ...]:
        self[kind] = tuple((field.name, field.metadata["shape"]) for field in fields(kind))
        return self[kind]


_SHAPES: Final = _Shapes()


def read_message(known: Mapping[str, type[Message]], raw: object) -> Message:
    """One of the `known` messages from an unpacked array; raises `Malformed`."""
    if not isinstance(raw, tuple) or not raw or not isinstance(raw[0], str):
        raise Malformed(f"a message is an array that begins with its name, not {raw!r:.80}")
    if raw[0] not in known:
        raise Malformed(f"no message is called {raw[0]!r:.80}")
    return known[raw[0]].from_fields(raw[1:])
