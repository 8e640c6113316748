"""Several computers on one network, made of network namespaces on this machine.

    with Bridge(3) as bridge:
        host = Terminal(["spoof"], netns=bridge.name(1))
        bridge.run(2, ["ping", "-c1", bridge.address(1)])
        bridge.cut(1)

Namespaces need Linux, `ip` and rights that a container may not have: ask `why_not` first.
There is no way out of the bridge: no default route, no name server, no internet.
"""

import contextlib
import ctypes
import functools
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

_ROOT: Final = Path(__file__).parents[2]
_serial = itertools.count(1)

_NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET of Linux; Python has a name for it from 3.12 on."""


class Bridge:
    """A context manager that gives `count` namespaces, numbered from 1, on one Ethernet bridge.

    Number N has the address 10.77.0.N/24 on `eth0`, and its loopback is up. At the end everything
    that runs in the namespaces is killed, and the namespaces go, whatever happened inside.
    """

    def __init__(self, count: int) -> None:
        if not 1 <= count <= 99:
            raise ValueError(f"a bridge has 1 to 99 namespaces, not {count!r}")
        self.count = count
        self._prefix = f"spoof-{os.getpid()}-{next(_serial)}"
        self._cleanup = contextlib.ExitStack()
        self._wires: dict[int, subprocess.Popen[str]] = {}
        """Programs that act as slow cables, by the namespace at the end of each."""

    def name(self, index: int) -> str:
        """The name of a namespace, as `ip netns` and `Terminal` take it."""
        return f"{self._prefix}-{self._checked(index)}"

    def address(self, index: int) -> str:
        """The address of a namespace on the bridge."""
        return f"10.77.0.{self._checked(index)}"

    def argv(self, index: int, argv: Sequence[str]) -> list[str]:
        """The command line that runs `argv` inside a namespace."""
        return ["ip", "netns", "exec", self.name(index), *argv]

    def run(
        self, index: int, argv: Sequence[str], timeout: float = 10.0
    ) -> "subprocess.CompletedProcess[str]":
        """Run `argv` inside a namespace and wait for it; its output is captured as text."""
        return subprocess.run(
            self.argv(index, argv), capture_output=True, text=True, timeout=timeout, check=False
        )

    # Faults

    def cut(self, index: int) -> None:
        """Pull the cable: the namespace loses its link, and sees that it did."""
        _ip("-n", self._middle, "link", "set", self._port(index), "down")

    def heal(self, index: int) -> None:
        """Put the cable back after `cut`."""
        _ip("-n", self._middle, "link", "set", self._port(index), "up")

    def isolate(self, *indices: int, on: bool = True) -> None:
        """Keep these namespaces from reaching each other, as the client isolation of an access
        point does. Nothing tells them: their links stay up, and packets are lost in silence."""
        for index in indices:
            self._set_port(index, "isolated", on)

    def filter_multicast(self, index: int, on: bool = True) -> None:
        """Deliver no multicast to a namespace any more."""
        self._set_port(index, "mcast_flood", not on)

    def readdress(self, index: int, last: int) -> str:
        """Take the address of a namespace away, and give it 10.77.0.`last` instead: as behind
        another access point, its old connections lead nowhere. Returns the new address."""
        address = f"10.77.0.{last}"
        _ip("-n", self.name(index), "-4", "addr", "flush", "dev", "eth0")
        _ip("-n", self.name(index), "addr", "add", f"{address}/24", "dev", "eth0")
        return address

    def lose(self, index: int, part: float) -> None:
        """Lose this part of all packets from and to a namespace, each by chance; 0 loses none.

        The dice are a classic BPF program: not every kernel has a queue that loses packets.
        """
        port = ("dev", self._port(index))
        with contextlib.suppress(OSError):
            _run("tc", "-n", self._middle, "qdisc", "del", *port, "clsact")
        if not part:
            return
        _run("tc", "-n", self._middle, "qdisc", "add", *port, "clsact")
        for direction in ("ingress", "egress"):
            dice = ("bpf", "direct-action", "bytecode", _dice(part))
            _run("tc", "-n", self._middle, "filter", "add", *port, direction, *dice)

    def slow_down(
        self, index: int, round_trip: float, jitter: float = 0.0, loss: float = 0.0
    ) -> None:
        """Have everything that a namespace sends and gets take half of `round_trip` seconds each
        way, up to `jitter` seconds more or less, and lose this part of it.

        The first time the namespace gets another cable: its old connections are lost.
        """
        if index not in self._wires:
            self._wires[index] = self._put_wire(index)
        told = self._wires[index].stdin
        assert told
        told.write(f"{round_trip / 2} {jitter} {loss}\n")
        told.flush()

    def drop_incoming(self, index: int, protocol: str, port: int = 0) -> None:
        """Have a firewall of a namespace drop what comes in by `udp` or `tcp`, to a port or to all.

        What the namespace sends to a group or to everybody does not come back to itself either.
        """
        _run("ip", "netns", "exec", self.name(index), "tc", "qdisc", "add", "dev", "eth0", "clsact")
        dropping = ("bpf", "direct-action", "bytecode", _dropping(protocol, port))
        inside = ("ip", "netns", "exec", self.name(index))
        _run(*inside, "tc", "filter", "add", "dev", "eth0", "ingress", *dropping)

    def filter_broadcast(self, index: int, on: bool = True) -> None:
        """Deliver no broadcast to a namespace any more; `ip neigh` has to be filled before."""
        self._set_port(index, "bcast_flood", not on)

    def introduce(self) -> None:
        """Tell all namespaces where the others are, so that nobody has to ask everybody."""
        for index in range(1, self.count + 1):
            shown = _ip("-n", self.name(index), "-o", "link", "show", "dev", "eth0")
            hardware = shown.split("link/ether ")[1].split()[0]
            for other in range(1, self.count + 1):
                if other != index:
                    to = (self.address(index), "lladdr", hardware, "dev", "eth0")
                    _ip("-n", self.name(other), "neigh", "replace", *to, "nud", "permanent")

    # Making and unmaking

    def __enter__(self) -> Self:
        with self._cleanup as stack:
            self._add(stack, self._middle)
            _ip("-n", self._middle, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
            _ip("-n", self._middle, "link", "set", "br0", "up")
            for index in range(1, self.count + 1):
                self._add(stack, self.name(index))
                self._connect(index)
            self._cleanup = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._cleanup.close()

    @property
    def _middle(self) -> str:
        return f"{self._prefix}-br"

    def _port(self, index: int) -> str:
        return f"v{self._checked(index)}"

    def _checked(self, index: int) -> int:
        if not 1 <= index <= self.count:
            raise ValueError(f"this bridge has the namespaces 1 to {self.count}, not {index!r}")
        return index

    def _set_port(self, index: int, flag: str, on: bool) -> None:
        state = "on" if on else "off"
        _run("bridge", "-n", self._middle, "link", "set", "dev", self._port(index), flag, state)

    def _add(self, stack: contextlib.ExitStack, name: str) -> None:
        _ip("netns", "add", name)
        stack.callback(_remove, name)

    def _connect(self, index: int) -> None:
        peer = ("peer", "name", "eth0", "netns", self.name(index))
        _ip("-n", self._middle, "link", "add", self._port(index), "type", "veth", *peer)
        self._set_up(index)

    def _put_wire(self, index: int) -> "subprocess.Popen[str]":
        _ip("-n", self._middle, "link", "del", self._port(index))
        ends = (self.name(index), "eth0", self._middle, self._port(index))
        wire = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.wire", *ends],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
        )
        self._cleanup.callback(_end, wire)
        if wire.stdout is None or not wire.stdout.readline():
            raise OSError("no slow cable can be made here")
        self._set_up(index)
        return wire

    def _set_up(self, index: int) -> None:
        name = self.name(index)
        _ip("-n", self._middle, "link", "set", self._port(index), "master", "br0", "up")
        _ip("-n", name, "link", "set", "lo", "up")
        _ip("-n", name, "addr", "add", f"{self.address(index)}/24", "dev", "eth0")
        _ip("-n", name, "link", "set", "eth0", "up")


def enter_network() -> None:
    """Put this thread, and all that it starts from now on, into a network of its own.

    Its loopback is up, and it has the address 10.78.0.1/24 on an `eth0` that leads nowhere. There
    is no way back. Raises OSError where that is not permitted: ask `why_not` first.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NETWORK):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    # While duplicates are looked for, an IPv6 address cannot be bound.
    for each in ("all", "default"):
        path = Path(f"/proc/sys/net/ipv6/conf/{each}/accept_dad")
        if path.exists():
            path.write_text("0")
    _ip("link", "set", "lo", "up")
    _ip("link", "add", "eth0", "type", "veth", "peer", "name", "eth1")
    _ip("addr", "add", "10.78.0.1/24", "dev", "eth0")
    for name in ("eth0", "eth1"):
        _ip("link", "set", name, "up")


@functools.cache
def why_not() -> str | None:
    """Why namespaces cannot be made here, found out by making some; None if they can."""
    if shutil.which("ip") is None or shutil.which("bridge") is None:
        return "ip and bridge (iproute2) are not installed"
    try:
        with Bridge(1) as bridge:
            result = bridge.run(1, ["true"])
    except OSError as error:
        return f"network namespaces are not permitted here: {error}"
    if result.returncode:
        return f"nothing can run in a network namespace here: {result.stderr.strip()}"
    return None


def _end(wire: "subprocess.Popen[str]") -> None:
    with wire:
        wire.kill()


def _dice(part: float) -> str:
    """A program that drops this part of all packets, as `tc` takes it."""
    load_random, below, drop, keep = "32 0 0 4294963256", "53 1 0", "6 0 0 2", "6 0 0 0"
    return f"4,{load_random},{below} {round(part * 0xFFFFFFFF)},{drop},{keep}"


def _dropping(protocol: str, port: int) -> str:
    """A program that drops what comes by IPv4 or IPv6 and a protocol, as `tc` takes it."""
    network = 0xFFF00000
    """Offset of the header of the network layer, wherever the frame begins."""
    number = {"tcp": 6, "udp": 17}[protocol]
    keep, drop = "6 0 0 4294967295", "6 0 0 2"
    # The port comes after a header whose length IPv4 gives and IPv6 does not.
    port_4 = [f"177 0 0 {network}", f"72 0 0 {network + 2}", f"21 0 NO {port}"] if port else []
    port_6 = [f"40 0 0 {network + 42}", f"21 0 NO {port}"] if port else []
    four = [f"48 0 0 {network + 9}", f"21 0 NO {number}", *port_4, drop]
    six = [f"48 0 0 {network + 6}", f"21 0 NO {number}", *port_6, drop]
    program = [f"48 0 0 {network}", "84 0 0 240", f"21 0 {len(four)} 64", *four, *six, keep]
    last = len(program) - 1
    program = [line.replace("NO", str(last - place - 1)) for place, line in enumerate(program)]
    return f"{len(program)},{','.join(program)}"


def _ip(*words: str) -> str:
    return _run("ip", *words)


def _run(*argv: str) -> str:
    """Run a command; its output. Raises OSError with what the command said."""
    result = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=False)
    if result.returncode:
        raise OSError(f"{' '.join(argv)}: {result.stderr.strip() or result.returncode}")
    return result.stdout


def _remove(name: str) -> None:
    """Kill what runs in a namespace, and delete it."""
    end = time.monotonic() + 5
    while (pids := _ip("netns", "pids", name).split()) and time.monotonic() < end:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.01)
    _ip("netns", "delete", name)
