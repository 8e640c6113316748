"""Frames: four bytes of length, big-endian, then that many bytes of payload."""

from __future__ import annotations

from typing import Final

from protocol.errors import LocalError, Malformed
from protocol.limits import MAX_FRAME

_HEADER: Final = 4


def frame(payload: bytes) -> bytes:
    """`payload` as a frame; raises `LocalError` if it is empty or too long."""
    if not 0 < len(payload) <= MAX_FRAME:
        raise LocalError(f"a frame holds 1 to {MAX_FRAME} bytes, not {len(payload)}")
    return len(payload).to_bytes(_HEADER, "big") + payload


class FrameReader:
    """Cuts a stream of bytes, arriving in pieces of any size, into frames."""

    __slots__ = ("_buffer", "most")

    def __init__(self, most: int = MAX_FRAME) -> None:
        self._buffer = bytearray()
        self.most = most
        """Maximum bytes of a payload; smaller until the peer has proven its key."""

    def push(self, data: bytes) -> None:
        """Add bytes from the stream; `pop` takes the frames out."""
        self._buffer += data

    def pop(self) -> bytes | None:
        """The next complete payload; None until all of it has arrived. Raises `Malformed` for an
        impossible length.

        The length is checked before the payload arrives, so at most one frame is held in memory.
        """
        if len(self._buffer) < _HEADER:
            return None
        length = int.from_bytes(self._buffer[:_HEADER], "big")
        if not 0 < length <= self.most:
            raise Malformed(f"a frame holds 1 to {self.most} bytes, not {length}")
        if len(self._buffer) < _HEADER + length:
            return None
        payload = bytes(self._buffer[_HEADER : _HEADER + length])
        del self._buffer[: _HEADER + length]
        return payload

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes from the stream; returns the payloads that are complete now. Raises `Malformed`
        for an impossible length."""
        self.push(data)
        payloads = []
        while (payload := self.pop()) is not None:
            payloads.append(payload)
        return payloads
