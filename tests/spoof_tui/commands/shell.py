"""A shell for transcripts: it runs `spoof` in this process, in a folder of its own.

    $ spoof check a.spoof < b.spoof    what it prints; on standard error behind `!`, and the status
    $ cat > a.spoof                    makes a file of the lines with `<` that follow
    $ NAME=value                       sets a variable, or forgets it without a value
    $ tables Pier Arms                 has these tables on the network; `Old!` of another version
    $ log a.log lied                   writes one of the logs of `logs.py`
    $ hosted Pier Arms                 has hosted these tables, the last one last
    $ history 60, name Olha, cat FILE, ls FOLDER

There is no network: who looks for a table finds those. Where a screen or an evening in plain lines
would begin it is told whose, and with which launch. `TERMINAL` says what there is: `screen`, or
`dumb`.
"""

from __future__ import annotations

import errno
import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.statements import TableOpened
from protocol.version import PROGRAM, PROTOCOL
from spoof_tui import system
from spoof_tui.__main__ import main
from spoof_tui.commands import doctor, find_table, unit
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.observations import LinkFigures, Observations
from spoof_tui.network.probe import Failure, FoundTable
from spoof_tui.plain import app as plain
from spoof_tui.runtime.launch import Launch
from spoof_tui.storage import paths
from spoof_tui.storage.journal import HostingTerms, Journal
from spoof_tui.storage.settings import Settings
from spoof_tui.ui import app, terminal
from tests.helpers.histories import fill
from tests.helpers.telling import told
from tests.spoof_tui.commands.logs import LOGS
from tests.spoof_tui.network.diagnosis.seen import ALONE, GREETED, HOST, WELL
from tests.spoof_tui.runtime.local_table import new_host, new_key

try:
    os.stat("no-such-file")  # noqa: PTH116
except OSError as error:
    NO_SUCH_FILE: Final = str(error.strerror)
    """What this system says of it."""

WINDOWS_PATH: Final = re.compile(r"\w+(?:\\[\w.-]+)+")
"""A path of several parts, as Windows writes it."""


class Shell:
    """One scene of a transcript."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._here = folder
        self._state = folder / "state"
        self._patch = monkeypatch
        self._file = Path()
        self.tables: tuple[FoundTable, ...] = ()
        self._state.mkdir(mode=0o700, parents=True)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("SPOOF_STATE", str(self._state))
        monkeypatch.setenv("COLUMNS", "80")
        for name in ("TERMINAL", "SPOOF_CODE", "NO_COLOR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(find_table, "Browser", lambda changed: Network(self, changed))
        monkeypatch.setattr(find_table, "SEARCH_TIMEOUT", 0.01)
        monkeypatch.setattr(find_table, "SETTLE_DELAY", 0.0)
        monkeypatch.setattr(doctor, "examine", examine)
        monkeypatch.setattr(unit, "HOMES", ())
        monkeypatch.setattr(app, "SpoofApp", partial(begun, "SCREEN"))
        monkeypatch.setattr(terminal, "run_app", lambda status: status)
        monkeypatch.setattr(plain, "run_plain", partial(begun, "LINES"))
        monkeypatch.setattr(system, "has_terminal", lambda: "TERMINAL" in os.environ)
        monkeypatch.setattr(
            system, "has_line_terminal", lambda: os.environ.get("TERMINAL") == "dumb"
        )

    def __call__(self, said: str) -> Iterator[str]:
        if said.startswith("<"):
            with self._file.open("a", encoding="utf-8") as file:
                file.write(said[2:] + "\n")
            return
        match said.removeprefix("$ ").split(" "):
            case ["cat", ">", name]:
                self._file = self._here / name
                self._file.write_bytes(b"")
            case ["cat", name]:
                yield from (self._here / name).read_text("utf-8").splitlines()
            case ["ls", name]:
                yield from sorted(path.name for path in (self._here / name).iterdir())
            case ["tables", *names]:
                self.tables = tuple(found(*each) for each in enumerate(names, 1))
            case ["log", name, which]:
                (self._here / name).write_bytes(LOGS[which]())
            case ["hosted", *names]:
                for number, name in enumerate(names, 1):
                    host(number, name)
            case ["name", name]:
                Settings(name).save()
            case ["history", count]:
                fill(self._state, int(count))
            case [setting] if "=" in setting:
                self._set(*setting.split("="))
            case _:
                yield from self._run(shlex.split(said)[2:])

    def _set(self, name: str, value: str) -> None:
        if value:
            self._patch.setenv(name, value)
        else:
            self._patch.delenv(name, raising=False)

    def _run(self, words: list[str]) -> Iterator[str]:
        typed = b""
        if "<" in words:
            *words, _, name = words
            typed = (self._here / name).read_bytes()
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        out, err, status = io.StringIO(), io.StringIO(), 0
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(words)
            except SystemExit as stop:
                status = int(stop.code or 0)
        yield from self._lines(out)
        # Another test checks what can be said, and Python words it differently from year to year.
        complaints = (line for line in self._lines(err) if not line.startswith(("usage", "  ")))
        yield from (f"! {line.partition(' (choose from')[0]}" for line in complaints)
        if status:
            yield f"= {status}"

    def _lines(self, printed: io.StringIO) -> list[str]:
        text = printed.getvalue().replace(str(self._here), "HERE")
        if sys.platform == "win32":
            text = text.replace(NO_SUCH_FILE, os.strerror(errno.ENOENT))
            text = WINDOWS_PATH.sub(lambda path: path[0].replace("\\", "/"), text)
        return re.sub("ExecStart=.*? (door|host)", r"ExecStart=PROGRAM \1", text).splitlines()


def found(number: int, name: str) -> FoundTable:
    """A table on the network; with a `!` after its name, of another version."""
    if name.endswith("!"):
        return FoundTable(Address("10.0.0.1", number), None, PROTOCOL + 97, "9.9")
    card = replace(new_host()[0].card, name=ForeignText(name.replace("_", " ")))
    return FoundTable(Address("10.0.0.1", number), card, PROTOCOL, PROGRAM)


def host(number: int, name: str) -> None:
    """Keep a table that was hosted here; with a `!` after its name, of another version."""
    version, raw = PROTOCOL + name.count("!"), name.strip("!").replace("_", " ")
    key = new_key()
    title, rules = ForeignText(raw), Rules.parse("milan")
    salt = bytes([number]) * 32
    opened = TableOpened(version, key.public, title, rules, 9, True, 60, 0, salt)
    entry = Entry.sign(key, 0, EMPTY, number, opened)
    Journal(opened.salt, key.public).write(entry, HostingTerms(raw, 2, None, 0, is_public=True))
    [path] = paths.table_folder(opened.salt).glob("*.journal")
    os.utime(path, (number, number))


class Network:
    """A browser that finds the tables of a shell."""

    trouble: str | None = None

    def __init__(self, shell: Shell, changed: Callable[[tuple[FoundTable, ...]], None]) -> None:
        self.tables = shell.tables
        self._changed = changed

    @property
    def is_waiting(self) -> bool:
        return False

    async def start(self) -> None:
        self._changed(self.tables)

    async def close(self) -> None:
        pass


async def examine(request: Request) -> Observations:
    """No answer anywhere, except at addresses that are asked for."""
    return SEEN[request.target.host if request.target else None]


SEEN: Final[Mapping[str | None, Observations]] = {
    None: ALONE,
    HOST.host: WELL,
    "lossy": replace(WELL, target=HOST, figures=LinkFigures(10, 7, 0.1)),
    "silent": replace(
        WELL, target=HOST, attempts=(replace(GREETED, failure=Failure.SILENT, seconds=None),)
    ),
}
"""What is seen of the network when this address is asked for."""


def begun(where: str, settings: Settings, launch: Launch | None, *_aloud: object) -> int:
    """Print what would begin now."""
    print(where, settings.name, told(launch))
    return {"SCREEN": 7, "LINES": 5}[where]
