"""A slow wire between two network namespaces, made of two TAP devices and a program between them.

    python -m tests.helpers.wire NAMESPACE DEVICE NAMESPACE DEVICE

It makes both devices, says `ready`, and carries frames from one to the other until its standard
input ends. Each line there says how, from now on: seconds of delay each way, seconds by which that
varies, and the part of the frames that is lost. Not every kernel has a queue that does this.
"""

from __future__ import annotations

import ctypes
import heapq
import os
import random
import select
import struct
import sys
import time
from pathlib import Path
from typing import Final

_NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET of Linux."""

_SET_DEVICE: Final = 0x400454CA
"""TUNSETIFF of Linux."""

_FRAMES: Final = 0x1002
"""IFF_TAP and IFF_NO_PI: a device of whole frames, and nothing before them."""

_MAX_FRAME: Final = 65535
_BATCH: Final = 64
"""Frames taken from one end before the other has its turn."""


class Wire:
    """Carries frames between two open devices."""

    def __init__(self, ends: tuple[int, int], seed: int = 1) -> None:
        self._ends = ends
        self._delay = self._jitter = self._loss = 0.0
        self._chance = random.Random(seed)
        self._under_way: list[tuple[float, int, int, bytes]] = []
        """When a frame arrives, its number, the end at which it does, and the frame."""
        self._last = [0.0, 0.0]
        """When the last frame arrives at each end: none overtakes another."""
        self._number = 0

    def follow(self, line: str) -> None:
        """Do as a line says from now on."""
        self._delay, self._jitter, self._loss = map(float, line.split())

    def take(self, end: int, now: float) -> None:
        """Take what came in at one end."""
        for _ in range(_BATCH):
            try:
                frame = os.read(self._ends[end], _MAX_FRAME)
            except OSError:
                return
            if self._chance.random() >= self._loss:
                self._send(1 - end, frame, now)

    def _send(self, to: int, frame: bytes, now: float) -> None:
        due = now + self._delay + self._chance.uniform(-1, 1) * self._jitter
        self._last[to] = max(due, self._last[to])
        self._number += 1
        heapq.heappush(self._under_way, (self._last[to], self._number, to, frame))

    def deliver(self, now: float) -> float | None:
        """Deliver everything that has arrived by now; returns the seconds until the next frame
        does."""
        while self._under_way and self._under_way[0][0] <= now:
            _, _, to, frame = heapq.heappop(self._under_way)
            try:
                os.write(self._ends[to], frame)
            except OSError:
                continue  # the device is down, as a cut cable is
        return self._under_way[0][0] - now if self._under_way else None


def _open(namespace: str, device: str) -> int:
    """Make a device in a namespace; frames sent there can be read from it."""
    import fcntl

    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/self/ns/net").open() as here, Path("/run/netns", namespace).open() as there:
        if libc.setns(there.fileno(), _NEW_NETWORK):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), namespace)
        try:
            opened = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(opened, _SET_DEVICE, struct.pack("16sH22x", device.encode(), _FRAMES))
        finally:
            libc.setns(here.fileno(), _NEW_NETWORK)
    return opened


def main(namespace: str, device: str, other_namespace: str, other_device: str) -> None:
    """Carry frames until standard input ends."""
    ends = _open(namespace, device), _open(other_namespace, other_device)
    wire, told = Wire(ends), sys.stdin.fileno()
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([*ends, told], [], [], wire.deliver(time.monotonic()))
        for source in ready:
            if source != told:
                wire.take(ends.index(source), time.monotonic())
            elif line := sys.stdin.readline():
                wire.follow(line)
            else:
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
