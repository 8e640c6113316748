"""The cost of playing by ssh: a login, a key on another visitor's screen, nine visitors.

The same is measured for people who run the program themselves, and a round is compared at a quiet
table and at one whose door is besieged.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from spoof_tui.network.addresses import Address
from tests.benchmarks.company import Company
from tests.benchmarks.figures import MEGABYTES, OF_A_CORE, TAIL, Amount, Figure, Ratio, in_turns
from tests.benchmarks.siege import PLAYERS, play_round
from tests.benchmarks.stage import PROGRAMS, Stage, spoof
from tests.end_to_end import markers
from tests.end_to_end.callers import new_key, options_of
from tests.end_to_end.homes import eventually, free_port
from tests.helpers.pty import Terminal

COUNT: Final = 12
VISITORS: Final = 9
REST: Final = 5.0
"""Seconds over which the processor time of idle visitors is measured."""

MEMORY_AIM: Final = 60
"""Megabytes of a visitor, with its part of what is shared."""

AT_TABLE: Final = "q leave"
"""On the line of keys at a table, which is there with its first frame."""

SEATED: Final = "t talk"
"""On the line of keys of a seated player."""

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def measure(count: int = COUNT, visitors: int = VISITORS, rest: float = REST) -> list[Figure]:
    """All of it."""
    return [*_one(count), *_many(visitors, rest), _besieged(count)]


def _one(count: int) -> list[Figure]:
    """A login, and a word that is read elsewhere."""
    with Stage() as stage:
        port, door = _open(stage)
        words = itertools.count(1)
        frame = "login to first frame / start of the program"
        join = spoof("join", f"127.0.0.1:{port}")

        env = stage.state("Ottilie")
        # A player with a key is recognised and asked nothing.
        key = new_key(Path(env["SPOOF_STATE"]) / "ssh.key")

        def start(argv: list[str]) -> float:
            terminal = Terminal(argv, env=env)
            try:
                seconds = terminal.wait(AT_TABLE)
                terminal.send("q")
                terminal.wait(markers.LOBBY)
                return seconds
            finally:
                terminal.close(signal.SIGKILL)
                all_gone(port)

        def login() -> float:
            return start(client(door, "Ottilie", key))

        in_turns(1, login, lambda: start(join))  # the code is known from now on
        ours, direct = in_turns(count, login, lambda: start(join))
        by_ssh = [stage.screen(client(door, name)) for name in ("Ben", "Cleo")]
        at_home = [stage.screen(join, name) for name in ("Dan", "Eva")]
        for each in (*by_ssh, *at_home):
            each.wait(SEATED)
            each.send("u")
        said = _speaking(by_ssh, words), _speaking(at_home, words)
        heard, here = in_turns(count, *said)
    return [
        Ratio(frame, ours, direct, aim=1.5),
        Ratio("key to another visitor's screen / the same without ssh", heard, here, aim=3.0),
    ]


def _speaking(screens: Sequence[Terminal], words: Iterator[int]) -> Callable[[], float]:
    """Have each in turn say something new; returns seconds until the other one sees it."""

    def say() -> float:
        number = next(words)
        speaker, reader = screens[number // 2 % 2], screens[1 - number // 2 % 2]
        speaker.send("t")
        for letter in (word := f"word {number}"):
            speaker.send(letter)
        speaker.wait(word)
        begun = time.perf_counter()
        speaker.send("\r")
        return reader.started + reader.wait(f": {word}") - begun

    return say


def _many(visitors: int, rest: float) -> list[Figure]:
    """The resources of visitors who merely sit there."""
    with Stage() as stage:
        port, door = _open(stage)
        screens = []
        for number in range(visitors):
            screens.append(stage.screen(client(door, f"Guest{number}")))
            screens[-1].wait(AT_TABLE)
        screens[-1].settle(1.0)
        processes = visits(port)
        memory = [proportional(pid) / 1e6 for pid in processes]
        begun, used = time.monotonic(), sum(map(_processor, processes))
        time.sleep(rest)
        part = (sum(map(_processor, processes)) - used) / (time.monotonic() - begun)
    return [
        Amount(f"memory of each of {visitors} visitors", memory, MEMORY_AIM, MEGABYTES),
        Amount(f"processor of {visitors} visitors who rest", [part], 0.4, OF_A_CORE),
    ]


def _besieged(count: int) -> Figure:
    """A round of a table while somebody knocks at its door."""
    with Stage() as stage:
        port, door = _open(stage)
        with Company(Address("127.0.0.1", port), PLAYERS) as company:
            company.wait(lambda: len(company.view.seats) == len(PLAYERS))
            play_round(company)
            rest = [play_round(company) for _ in range(count)]
            with knocking(door):
                besieged = [play_round(company) for _ in range(count)]
    return Ratio("a round while the door is besieged", besieged, rest, 2.0, (TAIL,))


@contextlib.contextmanager
def knocking(port: int, first: str = "SSH-2.0-knocker") -> Iterator[None]:
    """Somebody knocks all the time, with this as the first line."""
    command = [sys.executable, str(PROGRAMS / "knocker.py"), str(port), first]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as knocker:
        assert knocker.stdout
        try:
            while int(knocker.stdout.readline()) < 100:
                pass
            yield
        finally:
            knocker.kill()


def _open(stage: Stage) -> tuple[int, int]:
    """A table with a door: the ports of both."""
    door, ports = free_port(), list[int]()
    stage.afterwards(lambda: all_gone(*ports))
    port = stage.host("--ssh", str(door))
    ports.append(port)
    eventually(lambda: _answers(door), "the door", timeout=30)
    return port, door


def all_gone(*ports: int) -> None:
    for port in ports:
        eventually(partial(_is_empty, port), "the end of the visits", timeout=30)


def _is_empty(port: int) -> bool:
    return not visits(port)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False


def client(port: int, name: str, key: Path | None = None) -> list[str]:
    return ["ssh", *options_of(port, key), f"{name}@127.0.0.1"]


def visits(port: int) -> list[int]:
    """The processes of the visitors of a table."""
    table, found = f"127.0.0.1:{port}".encode(), []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # One that waits for its visitor is in no visitor's directory.
            is_visit = b"spoof_tui.commands.visit" in _words(path) and _is_inside(path)
            if is_visit and table in (*_words(path), *_words(path.with_name(_stat(path)[1]))):
                found.append(int(path.name))
    return found


def _words(process: Path) -> list[bytes]:
    """The words of its command."""
    return (process / "cmdline").read_bytes().split(b"\0")


def _is_inside(process: Path) -> bool:
    """Whether it runs in the directory of a visitor."""
    return "door" in (process / "cwd").readlink().parts


def _stat(process: Path) -> list[str]:
    """The fields behind its name: its state, its parent, and the others."""
    return (process / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()


def proportional(pid: int) -> int:
    """Bytes of memory that a process takes, with its part of what it shares with others."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) * 1024


def _processor(pid: int) -> float:
    """Seconds of processor time that a process has taken."""
    fields = _stat(Path(f"/proc/{pid}"))
    return (int(fields[11]) + int(fields[12])) / _TICKS
