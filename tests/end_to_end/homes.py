"""Players' homes: a state directory and a name, how to start the program there, what it keeps."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from protocol.encoding.framing import FrameReader
from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.table.fold import Table, fold
from protocol.table.head import Head
from protocol.table.log import Entry, Log
from spoof_tui.storage.stored_log import read_entries
from tests.end_to_end import markers
from tests.helpers import warm
from tests.helpers.pty import Terminal

ROOT = Path(__file__).parents[2]
SPOOF = [sys.executable, "-m", "spoof_tui"]
STAGED = [sys.executable, "-m", "tests.end_to_end.staged"]
SWIFT = [*STAGED, "--swift"]
"""The program with fast counts."""

BRISK = [*STAGED, "--brisk"]
"""The program with fast bots."""

TABLE = f"Snug {os.getpid()}"
"""A table's name that nobody else on this machine uses: strangers may be playing here, too."""

COLUMNS, ROWS = 100, 30


@dataclass(frozen=True)
class Home:
    """One player's state directory."""

    path: Path
    name: str

    @classmethod
    def make(cls, parent: Path, name: str) -> "Home":
        """The home of somebody who has played before: the name is known."""
        path = parent / name
        path.mkdir(mode=0o700)
        settings = {"name": name, "confirm_endings": True}
        (path / "settings.json").write_text(json.dumps(settings), "utf-8")
        return cls(path, name)

    @property
    def env(self) -> dict[str, str]:
        """The program's environment here; the fists of a round open together."""
        state = {"SPOOF_STATE": str(self.path), "PYTHONPATH": str(ROOT)}
        return state | {"TEXTUAL_ANIMATIONS": "none"}

    def start(
        self,
        *words: str,
        program: Sequence[str] = SWIFT,
        netns: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Terminal:
        """The program, in a terminal."""
        return Terminal([*program, *words], COLUMNS, ROWS, self.env | dict(env or {}), netns)

    def spawn(self, *words: str, program: Sequence[str] = SPOOF) -> "subprocess.Popen[str]":
        """The program without a terminal; its output is read as text."""
        env = dict(os.environ) | self.env
        return subprocess.Popen(
            warm.words([*program, *words], env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env,
        )

    def run(self, *words: str, timeout: float = 30) -> "subprocess.CompletedProcess[str]":
        """The program without a terminal, to its end."""
        env = dict(os.environ) | self.env
        return subprocess.run(
            warm.words([*SPOOF, *words], env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=env,
            timeout=timeout,
            check=False,
        )

    @contextmanager
    def headless(self, *words: str) -> "Iterator[Headless]":
        """A table without a screen, inside the context."""
        process = self.spawn("host", "--headless", "--port", "0", *words)
        try:
            assert process.stdout
            port = re.search(r"port (\d+)", process.stdout.readline())
            assert port
            code = process.stdout.readline().removeprefix(markers.JOIN_CODE).strip()
            yield Headless(process, f"127.0.0.1:{port[1]}", code)
        finally:
            process.kill()
            process.communicate()

    # What is kept

    def logs(self) -> list[Path]:
        """Copies of logs: the host's and those of the players here."""
        return sorted(self.path.glob("tables/*/*.journal"))

    def heads(self) -> list[Head]:
        """Where each copy of a log ends, after its chain and signatures were checked."""
        return [Log(entries(path)).head for path in self.logs()]

    def records(self) -> dict[str, str]:
        """The records of finished games, by file name."""
        return {path.name: path.read_text() for path in sorted(self.path.glob("games/*.spoof"))}

    def first_hands(self) -> dict[str, int]:
        """The hands of the first round of the last game, by player."""
        game = table_of(self.logs()[0]).game
        assert game is not None
        return {game.players[seat].name.raw: hand for seat, hand in game.past[0].hands.items()}

    def secrets(self) -> list[Path]:
        """The files that hold secrets of a game."""
        return sorted(self.path.glob("tables/*/*.journal"))


class Headless(NamedTuple):
    """A running table without a screen, and how to join it."""

    process: "subprocess.Popen[str]"
    address: str
    code: str

    def told(self) -> str:
        """The rest of its output, once it has ended."""
        assert self.process.stdout
        return self.process.stdout.read()


def entries(path: Path) -> list[Entry]:
    """The entries in a file of frames."""
    return read_entries(list(FrameReader().feed(path.read_bytes())))


def table_of(path: Path) -> Table:
    """The table that a stored log says."""
    table: Table | None = None
    for entry in entries(path):
        table = fold(table, entry)
    assert table is not None
    return table


def faults(record: str) -> list[str]:
    """The faults in the games of a record; a record without games is one, too."""
    games = [check(game) for game in read([record.encode()])]
    found = [fault.told() for game in games for fault in game.faults]
    return found if games else ["no game"]


def assert_one_story(*homes: Home, games: int = 1) -> None:
    """All logs end at the same head, and everybody keeps the same, faultless records."""
    eventually(lambda: len({head for home in homes for head in home.heads()}) == 1, "one head")
    eventually(lambda: all(len(home.records()) == games for home in homes), "the records")
    kept = homes[0].records()
    assert all(home.records() == kept for home in homes)
    for record in kept.values():
        assert faults(record) == []
    whole = entries(homes[0].logs()[0])
    for archived in (path for home in homes for path in home.path.glob("games/*.log")):
        game = table_of(archived).game
        assert game is not None and game.winner is not None
        kept_entries = entries(archived)
        assert kept_entries == whole[: len(kept_entries)]


def eventually(holds: Callable[[], bool], what: str, timeout: float = 10) -> None:
    """Wait until something holds; AssertionError if it does not in time."""
    end = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < end, f"waited {timeout} s in vain for {what}"
        time.sleep(0.01)


def free_port() -> int:
    """A port that nothing listens on now."""
    with socket.socket() as probe:
        # At an address of no machine: a connection that has just ended at one keeps its port.
        probe.bind(("", 0))
        return int(probe.getsockname()[1])
