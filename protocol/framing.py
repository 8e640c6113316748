"""Frames: four bytes of length, big-endian, then that many bytes of payload."""

from __future__ import annotations

from typing import Final

from protocol.errors import LocalError, Malformed
from protocol.limits import MAX_FRAME

_HEADER: Final = 4


def frame(payload: bytes) -> bytes:
    """`payload` as a frame."""
    if not 0 < len(payload) <= MAX_FRAME:
        raise LocalError(f"a frame holds 1 to {MAX_FRAME} bytes, not {len(payload)}")
    return len(payload).to_bytes(_HEADER, "big") + payload


class FrameReader:
    """Cuts a stream of bytes, in pieces of any size, into frames."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads that `data` completes; raises `Malformed` for an impossible length.

        The length is judged before the payload arrives, so no more than one frame is held.
        """
        self._buffer += data
        payloads = []
        while len(self._buffer) >= _HEADER:
            length = int.from_bytes(self._buffer[:_HEADER], "big")
            if not 0 < length <= MAX_FRAME:
                raise Malformed(f"a frame holds 1 to {MAX_FRAME} bytes, not {length}")
            if len(self._buffer) < _HEADER + length:
                break
            payloads.append(bytes(self._buffer[_HEADER : _HEADER + length]))
            del self._buffer[: _HEADER + length]
        return payloads
