"""Frames in any slicing, and never more than one of them held."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.framing import FrameReader, frame
from protocol.errors import LocalError, Malformed
from protocol.limits import MAX_FRAME
from tests.protocol.stories import few

payloads = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


@few
@given(payloads, st.binary(min_size=1, max_size=12))
def test_any_slicing_gives_the_same_frames(sent: list[bytes], sizes: bytes) -> None:
    reader, got = FrameReader(), []
    stream, turns = b"".join(map(frame, sent)), itertools.cycle(sizes)
    while stream:
        size = next(turns) or 1
        got += reader.feed(stream[:size])
        stream = stream[size:]
    assert got == sent


def test_byte_by_byte() -> None:
    reader = FrameReader()
    stream = frame(b"one") + frame(b"two")
    got = [reader.feed(stream[at : at + 1]) for at in range(len(stream))]
    assert [len(each) for each in got] == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]


def test_a_frame_is_its_length_and_its_payload() -> None:
    assert frame(b"abc") == b"\x00\x00\x00\x03abc"


def test_the_largest_frame_passes() -> None:
    payload = bytes(MAX_FRAME)
    assert FrameReader().feed(frame(payload)) == [payload]


@pytest.mark.parametrize("length", [0, MAX_FRAME + 1, 2**31, 2**32 - 1])
def test_an_impossible_length_is_refused_before_its_payload_comes(length: int) -> None:
    with pytest.raises(Malformed, match=f"not {length}$"):
        FrameReader().feed(length.to_bytes(4, "big"))


@pytest.mark.parametrize("payload", [b"", bytes(MAX_FRAME + 1)], ids=["empty", "too long"])
def test_an_impossible_frame_is_not_sent(payload: bytes) -> None:
    with pytest.raises(LocalError):
        frame(payload)


@few
@given(st.binary(max_size=60))
def test_random_bytes_give_frames_or_are_malformed(data: bytes) -> None:
    try:
        got = FrameReader().feed(data)
    except Malformed:
        return
    assert data.startswith(b"".join(map(frame, got)))
