"""Reads what kind each frame of a browser is, before a library handles it, sans-IO.

A library answers every ping and joins fragmented messages, without a limit. A page sends neither,
so a connection with such frames is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

MESSAGE: Final = 0x82
"""The first byte of a frame that is a whole binary message."""

CLOSE: Final = 0x88
"""The first byte of a frame that closes the connection."""

_REQUEST_ENDS: Final = b"\r\n\r\n"
_MASK: Final = 4
_WIDE: Final = {126: 2, 127: 8}
"""For each of these lengths in a frame's head, the number of bytes that follow with the actual
length."""


class FrameHeads:
    """Finds the heads of frames in the bytes of one connection, in whatever pieces they come."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._is_request = True
        self._left = 0
        """Bytes of the current frame that have not come yet."""

    def feed(self, data: bytes) -> Iterator[int]:
        """The first byte of each frame that begins in `data`."""
        at = 0
        while at < len(data):
            if self._left:
                skipped = min(self._left, len(data) - at)
                self._left -= skipped
                at += skipped
                continue
            self._head.append(data[at])
            at += 1
            if self._is_request:
                del self._head[: -len(_REQUEST_ENDS)]
                if self._head == _REQUEST_ENDS:
                    self._is_request = False
                    self._head.clear()
            elif len(self._head) == 1:
                yield data[at - 1]
            elif (size := _size_after(self._head)) is not None:
                self._left = size
                self._head.clear()


def _size_after(head: bytearray) -> int | None:
    """Number of bytes that follow the head of a masked frame; None if the head is not complete."""
    length = head[1] & 0x7F
    wide = _WIDE.get(length, 0)
    if len(head) < 2 + wide + _MASK:
        return None
    return int.from_bytes(head[2 : 2 + wide], "big") if wide else length
