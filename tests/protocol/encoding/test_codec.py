"""msgpack with a stated shape: one spelling for a value, nothing else comes in."""

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.codec import (
    FLAG,
    MARK,
    Message,
    Shape,
    blob,
    choice,
    foreign,
    maybe,
    nested,
    octets,
    pack,
    read_message,
    several,
    shaped,
    unpack,
    whole,
    words,
)
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_DEPTH, MAX_ENTRIES, MAX_FRAME, MAX_NUMBER
from protocol.rules.words import Direction
from tests.protocol.stories import few, typed

scalars = st.none() | st.booleans() | st.integers(0, 2**64 - 1) | st.binary(max_size=8) | typed
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6
).filter(lambda value: depth(value) <= MAX_DEPTH)


def depth(value: object) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


def nest(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = (value,)
    return value


@dataclass(frozen=True, slots=True)
class Marked(Message):
    KIND: ClassVar[str] = "marked"
    number: int = shaped(whole(9))
    mark: bool = shaped(MARK, default=False)


def test_a_mark_is_there_only_where_it_is_true() -> None:
    for said, packed in ((Marked(1), ("marked", 1)), (Marked(1, True), ("marked", 1, True))):
        assert said.packable() == packed
        assert read_message({"marked": Marked}, packed) == said


@pytest.mark.parametrize("last", [False, None, 0, 1, "true"])
def test_a_mark_that_is_not_true_is_malformed(last: object) -> None:
    with pytest.raises(Malformed):
        read_message({"marked": Marked}, ("marked", 1, last))


def test_a_mark_takes_the_place_of_no_other_field() -> None:
    for packed in (("marked",), ("marked", True), ("marked", 1, True, True)):
        with pytest.raises(Malformed):
            read_message({"marked": Marked}, packed)


@few
@given(values)
def test_a_value_is_read_as_it_was_written(value: object) -> None:
    assert unpack(pack(value)) == value


@few
@given(st.binary(max_size=40))
def test_random_bytes_are_a_value_or_malformed(data: bytes) -> None:
    try:
        value = unpack(data)
    except Malformed:
        return
    assert pack(value) == data


def test_nesting_has_a_bound() -> None:
    assert unpack(pack(nest(MAX_DEPTH))) == nest(MAX_DEPTH)
    with pytest.raises(Malformed, match=f"more than {MAX_DEPTH}"):
        unpack(pack(nest(MAX_DEPTH + 1)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\x93\x01\x02",
        pack(1) + pack(2),
        b"\xcc\x01",
        b"\xcd\x00\xff",
        b"\xd9\x01a",
        b"\xdc\x00\x01\x01",
        b"\xc5\x00\x01a",
        b"\xa1\xff",
        b"\xa3\xed\xa0\x80",
        b"\xca\x00\x00\x00\x00",
        b"\x91" * 100_000,
        b"\x91" * 600 + b"\xc0",
        b"\x81\xa1a" * 400 + b"\xc0",
        msgpack.packb({"a": 1}),
        msgpack.packb({1: 1}),
        msgpack.packb(msgpack.ExtType(5, b"x")),
        msgpack.packb(msgpack.Timestamp(1)),
    ],
    ids=lambda data: repr(data)[:30],
)
def test_what_is_not_the_one_spelling_of_a_value_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        unpack(data)


def test_an_array_has_a_bound() -> None:
    assert len(unpack(pack((0,) * MAX_ENTRIES))) == MAX_ENTRIES  # type: ignore[arg-type]
    with pytest.raises(Malformed):
        unpack(pack((0,) * (MAX_ENTRIES + 1)))


@pytest.mark.parametrize("header", [b"\xdc\xff\xff", b"\xdc\x03\xe8", b"\x91"])
def test_a_frame_of_nested_arrays_costs_little(header: bytes) -> None:
    data = (header * 1000).ljust(MAX_FRAME, b"\xc0")
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            unpack(data)
        assert tracemalloc.get_traced_memory()[1] < 200 * MAX_FRAME
    finally:
        tracemalloc.stop()


# Shapes

A, B = bytes(32), b"\x01" * 32

FITTING: list[tuple[Shape, list[Any], list[Any]]] = [
    (octets(32), [A, B], [b"", A[1:], A + b"x", "a" * 32, None, 32]),
    (blob(4), [b"", b"abcd"], [b"abcde", "abcd", None]),
    (whole(), [0, MAX_NUMBER], [-1, MAX_NUMBER + 1, True, 1.0, "1", None]),
    (whole(9, 2), [2, 9], [1, 10, False]),
    (FLAG, [True, False], [0, 1, None, "true"]),
    (words(4), ["", "a b~"], ["abcde", "é", "a\n", "\x1b[m", "\x7f", b"a", None]),
    (maybe(whole(3)), [None, 3], [4, "nil", False]),
    (several(whole(3), 2), [(), (1,), (1, 3)], [(1, 2, 3), (4,), [1], "12", None, 1]),
]


@pytest.mark.parametrize(
    ("shape", "good", "bad"), FITTING, ids=[shape.name for shape, *_ in FITTING]
)
def test_a_shape_fits_what_it_says(shape: Shape, good: list[Any], bad: list[Any]) -> None:
    assert all(shape.fits(value) for value in good)
    assert not any(shape.fits(value) for value in bad)
    assert [shape.decode(unpack(pack(shape.encode(value)))) for value in good] == good


def fits(shape: Shape, raw: object) -> bool:
    try:
        return shape.fits(shape.decode(raw))
    except (Malformed, ValueError):
        return False


@pytest.mark.parametrize("raw", ["", "a" * 5, "éé" * 2, 1, None, b"a", ("a",)])
def test_foreign_text_is_measured_in_bytes(raw: object) -> None:
    assert fits(foreign(4), "éé")
    assert not fits(foreign(4), raw)


@pytest.mark.parametrize("raw", ["", "CLOCKWISE", 1, None, (">",), b">"])
def test_a_choice_is_read_by_its_value(raw: object) -> None:
    assert choice(Direction).decode("<") is Direction.COUNTER_CLOCKWISE
    assert not fits(choice(Direction), raw)


# Messages


@dataclass(frozen=True, slots=True)
class Inner(Message):
    KIND: ClassVar[str] = "inner"
    number: int = shaped(whole(9))


@dataclass(frozen=True, slots=True)
class Outer(Message):
    KIND: ClassVar[str] = "outer"
    inner: Inner = shaped(nested(Inner))
    name: ForeignText = shaped(foreign(5))


KNOWN = {"inner": Inner, "outer": Outer}
OUTER = Outer(Inner(7), ForeignText("\x1b[m"))


def test_a_message_is_an_array_of_its_name_and_its_fields() -> None:
    assert OUTER.packable() == ("outer", ("inner", 7), "\x1b[m")
    assert read_message(KNOWN, OUTER.packable()) == OUTER


@pytest.mark.parametrize("number", [-1, 10, True, "7", None, b"7"])
def test_a_message_cannot_be_built_invalid(number: Any) -> None:
    with pytest.raises(Malformed, match="inner: number is a number from 0 to 9"):
        Inner(number)


@pytest.mark.parametrize(
    "raw",
    [
        (),
        None,
        "inner",
        ["inner", 7],
        ("inner",),
        ("inner", 7, 7),
        ("inner", 10),
        ("inner", "7"),
        ("Inner", 7),
        (b"inner", 7),
        (7, "inner"),
        ("other", 7),
        ("outer", 7, "name"),
        ("outer", ("outer", 7), "name"),
        ("outer", ("inner", 10), "name"),
        ("outer", ("inner", 7), ""),
        ("outer", ("inner", 7), "longer"),
    ],
)
def test_what_is_no_message_is_malformed(raw: object) -> None:
    with pytest.raises(Malformed):
        read_message(KNOWN, raw)


@pytest.mark.parametrize("make", [lambda: Inner("\x1b" * 999), lambda: read_message(KNOWN, "\x1b")])  # type: ignore[arg-type]
def test_an_error_quotes_the_value_escaped_and_cut(make: Callable[[], Message]) -> None:
    with pytest.raises(Malformed) as error:
        make()
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200
