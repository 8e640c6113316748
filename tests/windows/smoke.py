"""Real processes on Windows: alone, and at one table with others that run on this machine's system.

Every trial returns a figure worth knowing, or nothing; it raises if something does not hold.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tests.end_to_end.homes import TABLE, Home, assert_one_story, eventually, faults, free_port
from tests.end_to_end.line_reader import LineReader
from tests.windows.system import ROOT, Windows, there

PROGRAM: Final = ("-m", "tests.end_to_end.staged", "--swift")
"""The program, with fast counts."""

ENGINE: Final = ROOT / "spoof_tui" / "bots" / "ENGINES.md"

PATIENCE: Final = 300.0
"""Seconds within which anything is reported that will be: Wine is slow, the machine may be, too."""

ASKED: Final = "Press Enter"
"""What a guest is told once there is a seat; what is typed before asks for one."""

WON: Final = r"^(You win the game|\w+ wins\b)"
SAVED: Final = "Game saved: "


class Players:
    """Starts players on either system, and ends them all; a context manager."""

    def __init__(self, windows: Windows, folder: Path) -> None:
        self._windows, self._folder = windows, folder
        self.homes: list[Home] = []
        self._stack = ExitStack()

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def home(self, name: str) -> Home:
        """A new player's home."""
        self.homes.append(Home.make(self._folder, name))
        return self.homes[-1]

    def variables(self, home: Home, is_on_windows: bool) -> Mapping[str, str]:
        """The variables of a program of this player."""
        if is_on_windows:
            return self._windows.environment(SPOOF_STATE=there(home.path))
        return {**os.environ, **home.env}

    def sit(self, home: Home, is_on_windows: bool, *words: str, seed: int = 1) -> LineReader:
        """Start a player's program in plain lines."""
        usual = [sys.executable, *PROGRAM]
        command = self._windows.command(*PROGRAM) if is_on_windows else usual
        variables = self.variables(home, is_on_windows)
        player = LineReader([*command, *words, "--plain"], variables, seed, PATIENCE)
        self._stack.callback(player.close)
        return player

    def host(self, home: Home, is_on_windows: bool) -> tuple[LineReader, str]:
        """Open a table; its host and its address."""
        port = free_port()
        words = ("host", "--open", "--table", TABLE, "--port", str(port))
        host = self.sit(home, is_on_windows, *words)
        host.wait("Nobody else is here yet")
        return host, f"127.0.0.1:{port}"


def demo(windows: Windows, folder: Path) -> str:
    """`spoof demo` by the program that pip has installed."""
    out = windows.run_program("demo", SPOOF_STATE=there(folder))
    assert "The record follows the rules" in out, out
    return ""


def files(windows: Windows, folder: Path) -> str:
    """A folder is told from a file, and a pattern is expanded."""
    state = there(folder)
    for name in ("one.spoof", "two.spoof"):
        (folder / name).write_text("[Event", "utf-8")
    told = windows.run_program("check", there(folder / "*.spoof"), may_fail=True, SPOOF_STATE=state)
    assert "one.spoof" in told and "two.spoof" in told, told
    told = windows.run_program("check", state, may_fail=True, SPOOF_STATE=state)
    assert "directory" in told, told
    return ""


def engine(windows: Windows, folder: Path) -> str:
    """An engine plays whose path has spaces."""
    place = folder / "two words"
    place.mkdir()
    [source] = re.findall(r"```python\n(.*?)```", ENGINE.read_text("utf-8"), re.DOTALL)[:1]
    (place / "player one.py").write_text(source, "utf-8")
    python, player = there(windows.home / "python.exe"), there(place / "player one.py")
    words = (
        "arena",
        f'engine:"{python}" "{player}"',
        "easy",
        "--games",
        "4",
        "--jobs",
        "1",
        "--json",
    )
    told = windows.run_program(*words, SPOOF_STATE=there(folder))
    assert '"Doubter"' in told, told
    return ""


def deaf(windows: Windows, folder: Path) -> str:
    """A table goes on whose lines nobody reads any more."""
    words = ("-m", "spoof_tui", "host", "--headless", "--port", "0", "--bots", "2")
    home = Home.make(folder, "Host")
    with subprocess.Popen(
        windows.command(*words), cwd=ROOT, env=windows.environment(SPOOF_STATE=there(home.path)),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        sizes = [0, 0]

        def grows() -> bool:
            sizes[1] = sum(path.stat().st_size for path in home.logs())
            return sizes[1] > sizes[0] + 4000

        try:
            eventually(grows, "a game", PATIENCE)
            sizes[0] = sizes[1]
            eventually(grows, "the game to go on", PATIENCE)
            assert process.poll() is None
        finally:
            process.kill()
        assert not (said := process.stderr.read()), said
    return ""


def game(host_on_windows: bool) -> Callable[[Windows, Path], str]:
    """A game in plain lines, whose guest is on the other system."""

    def trial(windows: Windows, folder: Path) -> str:
        with Players(windows, folder) as players:
            anna = players.home("Anna")
            host, address = players.host(anna, host_on_windows)
            ben = players.home("Ben")
            guest = players.sit(ben, not host_on_windows, "join", address, seed=2)
            host.wait("Ben sat down")
            guest.wait(ASKED)
            for each in (guest, host):
                each.type("ready")
            for each in (guest, host):
                each.wait(WON)
                each.wait(SAVED)
            assert_one_story(anna, ben)
            [record] = anna.records().values()
            assert not faults(record)
        return ""

    return trial


def killed_host(windows: Windows, folder: Path) -> str:
    """The table of a host on Windows that is killed moves on; the host comes back as a guest."""
    with Players(windows, folder) as players:
        anna = players.home("Anna")
        host, address = players.host(anna, True)
        guests = [
            players.sit(players.home(name), is_on_windows, "join", address, seed=seed)
            for seed, (name, is_on_windows) in enumerate([("Ben", False), ("Cleo", True)], 2)
        ]
        host.wait("Ben sat down")
        host.wait("Cleo sat down")
        for each in guests:
            each.wait(ASKED)
        for each in (*guests, host):
            each.type("ready")
        host.wait(r"^Round 2")
        host.process.kill()
        began = time.monotonic()
        for each in guests:
            each.wait("now hosts the table")
        took = time.monotonic() - began
        players.sit(anna, True, "join", TABLE)
        for each in guests:
            each.wait(WON)
            each.wait(SAVED)
        assert_one_story(*players.homes)
    return f"moved in {took:.1f} s"


TRIALS: Final[Mapping[str, Callable[[Windows, Path], str]]] = {
    "spoof.exe, installed by pip, plays its demo": demo,
    "patterns and folders where files are asked for": files,
    "an engine in a folder with spaces": engine,
    "a table whose lines nobody reads any more": deaf,
    "a Linux guest at a Windows host, in plain lines": game(host_on_windows=True),
    "a Windows guest at a Linux host, in plain lines": game(host_on_windows=False),
    "a Windows host is killed": killed_host,
}
"""What each shows, with how."""
