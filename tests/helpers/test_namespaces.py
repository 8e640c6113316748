"""Several computers on one network."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.pty import Terminal

ROOT = Path(__file__).parents[2]

LISTEN = """
import socket
server = socket.create_server(("", 4000))
print("listening", flush=True)
while True: server.accept()[0].sendall(b"hello")
"""

CONNECT = """
import socket, sys
print(socket.create_connection((sys.argv[1], 4000), timeout=float(sys.argv[2])).recv(5).decode())
"""

COUNT = """
import socket
counter = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
counter.bind(("", 4000))
print("counting", flush=True)
number = 0
while counter.recv(9) != b"enough": number += 1
print("counted", number, flush=True)
"""

SCATTER = """
import socket, sys
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(200): sender.sendto(b"x", (sys.argv[1], 4000))
"""

ENOUGH = SCATTER.replace('b"x"', 'b"enough"')

OBSTACLE = why_not()

pytestmark = [
    pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or ""),
]


ROUND_TRIP = """
import socket, sys, time
begun = time.monotonic()
socket.create_connection((sys.argv[1], 4000), timeout=10)
print(time.monotonic() - begun)
"""


def test_a_slow_cable_delays_what_it_carries() -> None:
    with Bridge(2) as bridge:
        bridge.slow_down(2, 0.2)
        with Terminal([sys.executable, "-c", LISTEN], netns=bridge.name(1)) as host:
            host.wait("listening")
            slow = bridge.run(2, [sys.executable, "-c", ROUND_TRIP, bridge.address(1)])
            assert float(slow.stdout) >= 0.2
            bridge.slow_down(2, 0)
            fast = bridge.run(2, [sys.executable, "-c", ROUND_TRIP, bridge.address(1)])
            assert float(fast.stdout) < float(slow.stdout)


def names() -> str:
    command = ["ip", "netns", "list"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def bridge() -> Iterator[Bridge]:
    with (
        Bridge(2) as bridge,
        Terminal([sys.executable, "-c", LISTEN], netns=bridge.name(1)) as host,
    ):
        host.wait("listening")
        yield bridge


def greeting(bridge: Bridge, timeout: float = 5) -> str:
    """What the second namespace hears from the first, "" if it cannot reach it."""
    argv = [sys.executable, "-c", CONNECT, bridge.address(1), str(timeout)]
    return bridge.run(2, argv).stdout.strip()


def test_isolation_and_its_end(bridge: Bridge) -> None:
    bridge.isolate(1, 2)
    assert greeting(bridge, 0.3) == ""
    bridge.isolate(1, 2, on=False)
    assert greeting(bridge) == "hello"


def test_a_cut_and_its_healing(bridge: Bridge) -> None:
    bridge.cut(2)
    assert greeting(bridge, 0.3) == ""
    bridge.heal(2)
    assert greeting(bridge) == "hello"


def test_a_part_of_all_packets_is_lost_in_both_directions(bridge: Bridge) -> None:
    with Terminal([sys.executable, "-c", COUNT], netns=bridge.name(1)) as counter:
        counter.wait("counting")
        # Whose link address is not known yet gets a few packets only while that is asked for.
        assert greeting(bridge) == "hello"
        bridge.lose(2, 0.2)
        bridge.run(2, [sys.executable, "-c", SCATTER, bridge.address(1)])
        bridge.run(2, [sys.executable, "-c", ENOUGH, bridge.address(1)])
        counter.wait("counted")
        kept = int(counter.text().split("counted")[1])
    assert 130 < kept < 190
    bridge.lose(2, 1.0)
    assert greeting(bridge, 0.3) == ""
    bridge.lose(2, 0)
    assert greeting(bridge) == "hello"


def test_nothing_is_left_after_a_failure() -> None:
    with pytest.raises(ZeroDivisionError), Bridge(1) as bridge:
        name = bridge.name(1)
        assert name in names()
        sleeper = Terminal(["sh", "-c", "trap '' HUP; echo asleep; sleep 60"], netns=name)
        sleeper.wait("asleep")
        raise ZeroDivisionError
    assert sleeper.wait_exit() == -signal.SIGKILL
    sleeper.close()
    assert name not in names()
