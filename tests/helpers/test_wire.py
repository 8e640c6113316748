"""A wire that delays and loses what it carries."""

import contextlib
import socket
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.wire import Wire

FRAMES = st.lists(st.tuples(st.floats(0, 9), st.integers(0, 1)), max_size=20)
"""When a frame is sent, and by which end."""


class Bench:
    """A wire, and the two machines at its ends."""

    def __init__(self, stack: contextlib.ExitStack, line: str) -> None:
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2)]
        for each in (one for pair in pairs for one in pair):
            each.setblocking(False)
            stack.enter_context(each)
        self.machines = [pair[0] for pair in pairs]
        self.wire = Wire((pairs[0][1].fileno(), pairs[1][1].fileno()))
        self.wire.follow(line)

    def send(self, end: int, frame: bytes, now: float) -> None:
        self.machines[end].send(frame)
        self.wire.take(end, now)

    def arrived(self, end: int) -> list[bytes]:
        found = []
        with contextlib.suppress(BlockingIOError):
            while True:
                found.append(self.machines[end].recv(99))
        return found


@contextlib.contextmanager
def bench(line: str) -> Iterator[Bench]:
    with contextlib.ExitStack() as stack:
        yield Bench(stack, line)


@given(FRAMES, st.floats(0, 0.5))
def test_everything_arrives_once_and_in_order(sent: list[tuple[float, int]], jitter: float) -> None:
    with bench(f"1 {jitter} 0") as table:
        for number, (at, end) in enumerate(sorted(sent)):
            table.send(end, bytes([number]), at)
        table.wire.deliver(20)
        for end in (0, 1):
            expected = [bytes([n]) for n, (_, by) in enumerate(sorted(sent)) if by != end]
            assert table.arrived(end) == expected


def test_nothing_arrives_before_its_time() -> None:
    with bench("0.5 0 0") as table:
        table.send(0, b"x", 10.0)
        assert table.wire.deliver(10.4) == pytest.approx(0.1)
        assert table.arrived(1) == []
        assert table.wire.deliver(10.6) is None
        assert table.arrived(1) == [b"x"]


@pytest.mark.parametrize(("loss", "least", "most"), [(0, 50, 50), (0.3, 20, 48), (1, 0, 0)])
def test_a_part_is_lost(loss: float, least: int, most: int) -> None:
    with bench(f"0 0 {loss}") as table:
        for number in range(50):
            table.send(1, bytes([number]), 0.0)
            table.wire.deliver(0.0)
        assert least <= len(table.arrived(0)) <= most
