"""What is seen of frames in whatever pieces their bytes come."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from spoof_tui.door.web_frames import CLOSE, MESSAGE, FrameHeads

REQUEST = b"GET /door HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

LENGTHS = 0, 1, 125, 126, 127, 65535, 65536

CONTROL = st.builds(
    Frame,
    opcode=st.sampled_from([Opcode.CLOSE, Opcode.PING, Opcode.PONG]),
    data=st.sampled_from(LENGTHS[:3]).map(bytes),
)
DATA = st.builds(
    Frame,
    opcode=st.sampled_from([Opcode.CONT, Opcode.TEXT, Opcode.BINARY]),
    data=st.sampled_from(LENGTHS).map(bytes),
    fin=st.booleans(),
)


@given(st.lists(CONTROL | DATA, max_size=4), st.lists(st.integers(0, 200_000), max_size=6))
def test_each_frame_is_seen_once_by_its_first_byte(frames: list[Frame], cuts: list[int]) -> None:
    stream = REQUEST + b"".join(each.serialize(mask=True) for each in frames)
    places = [0, *sorted(cuts), len(stream)]
    pieces = [stream[start:end] for start, end in pairwise(places)]
    heads = FrameHeads()
    seen = [head for piece in pieces for head in heads.feed(piece)]
    assert seen == [each.fin << 7 | each.opcode for each in frames]


def test_a_page_sends_whole_messages_and_a_close() -> None:
    assert MESSAGE == 1 << 7 | Opcode.BINARY
    assert CLOSE == 1 << 7 | Opcode.CLOSE
