"""msgpack with a stated shape, and frames: one spelling for each value, and nothing else is
read."""

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.codec import pack, unpack
from protocol.encoding.framing import FrameReader, frame
from protocol.errors import LocalError, Malformed
from protocol.limits import MAX_DEPTH, MAX_ENTRIES, MAX_FRAME
from protocol.table.statements import LiftFine
from tests.helpers.vectors import Case, each_case, plain
from tests.protocol.stories import few, typed

scalars = st.none() | st.booleans() | st.integers(0, 2**64 - 1) | st.binary(max_size=8) | typed
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6
).filter(lambda value: depth(value) <= MAX_DEPTH)


def depth(value: object) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


@each_case("values", having="value")
def test_a_value_has_the_spelling_of_the_case(case: Case) -> None:
    assert unpack(bytes.fromhex(case["hex"])) == plain(case["value"])
    assert pack(plain(case["value"])).hex() == case["hex"]


@each_case("values", having="malformed")
def test_what_is_not_the_one_spelling_of_a_value_is_malformed(case: Case) -> None:
    with pytest.raises(Malformed) as error:
        unpack(bytes.fromhex(case["hex"]))
    assert len(str(error.value)) < 200


@few
@given(values)
def test_a_value_is_read_as_it_was_written(value: object) -> None:
    assert unpack(pack(value)) == value


@pytest.mark.parametrize("header", [b"\xdc\xff\xff", b"\xdc\x03\xe8", b"\x91"])
def test_a_frame_of_nested_arrays_costs_little(header: bytes) -> None:
    data = (header * MAX_ENTRIES).ljust(MAX_FRAME, b"\xc0")
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            unpack(data)
        assert tracemalloc.get_traced_memory()[1] < 200 * MAX_FRAME
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("index", [-1, 2**53, True, "\x1b" * 999, None])
def test_a_message_cannot_be_built_invalid_and_the_error_quotes_the_value(index: Any) -> None:
    with pytest.raises(Malformed, match="lift: index is a number from 0 to") as error:
        LiftFine(index)
    assert str(error.value).isprintable() and len(str(error.value)) < 200


# Frames


@each_case("frames", having="payloads")
def test_a_stream_is_cut_into_the_payloads_of_the_case(case: Case) -> None:
    stream = bytes.fromhex(case["stream"])
    assert [payload.hex() for payload in FrameReader().feed(stream)] == case["payloads"]
    frames = b"".join(frame(bytes.fromhex(payload)) for payload in case["payloads"])
    assert stream.startswith(frames)


@each_case("frames", having="malformed")
def test_an_impossible_length_is_refused_before_its_payload_comes(case: Case) -> None:
    with pytest.raises(Malformed):
        FrameReader().feed(bytes.fromhex(case["stream"]))


def test_the_largest_frame_passes_and_a_reader_may_take_less() -> None:
    largest = bytes(MAX_FRAME)
    assert FrameReader().feed(frame(largest)) == [largest]
    assert FrameReader(3).feed(frame(b"abc")) == [b"abc"]
    with pytest.raises(Malformed, match="a frame holds 1 to 3 bytes, not 4"):
        FrameReader(3).feed(frame(b"abcd"))


@pytest.mark.parametrize("payload", [b"", bytes(MAX_FRAME + 1)], ids=["empty", "too long"])
def test_an_impossible_frame_is_not_sent(payload: bytes) -> None:
    with pytest.raises(LocalError):
        frame(payload)
