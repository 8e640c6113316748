"""What a host keeps of one table: the log, and how it runs the table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.rules.options import MIN_PLAYERS
from protocol.table.log import Entry
from protocol.table.state import Table
from spoof_tui.storage import files, folders, reading
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.stored_log import NUMBER, read_entries
from spoof_tui.text.safe_text import show

HOST_LOG: Final = "host.log"
_TERMS: Final = "host.json"


@dataclass(frozen=True, slots=True)
class HostingTerms:
    """How a host runs its table, for the day when it goes on with it."""

    host: str
    """What the host is called."""
    start_when: int
    games: int | None
    port: int
    """Where the table listened."""
    is_public: bool


def assumed_terms(table: Table | None) -> HostingTerms:
    """Terms where a crash has lost them: the host is called as its seat is."""
    name = table.names.get(table.host, table.opened.name) if table else ForeignText("")
    return HostingTerms(show(name, MAX_NAME), MIN_PLAYERS, None, 0, True)


class HostFiles:
    """What a host keeps of one table: the log, and its terms."""

    is_lasting = True
    """Whether the table outlives the program."""

    def __init__(self, table: bytes) -> None:
        self._table = table
        self._frames: Frames | None = None

    @property
    def _log(self) -> Frames:
        if self._frames is None:
            self._frames = Frames(folders.table_folder(self._table) / HOST_LOG)
            self._frames.cut_torn_end()
        return self._frames

    def entries(self) -> list[Entry]:
        """The log; raises `OSError`."""
        return read_entries(self._log.each())

    def record(self, blobs: Iterable[bytes]) -> None:
        """Append entries to the log; raises `OSError`."""
        self._log.append(*blobs)

    def begin(self, blobs: Iterable[bytes]) -> None:
        """Have this log on the disk and no other, in one step; raises `OSError`."""
        self._log.replace(blobs)

    def terms(self) -> HostingTerms | None:
        """The terms; None if they were not kept."""
        try:
            return _read_terms(reading.read_json(folders.table_folder(self._table) / _TERMS))
        except (OSError, ValueError):
            return None

    def note(self, terms: HostingTerms) -> None:
        """Keep the terms; raises `OSError`."""
        folder = folders.table_folder(self._table)
        files.make_private_directory(folder)
        files.write_private(folder / _TERMS, json.dumps(asdict(terms), indent=1).encode())

    def close(self) -> None:
        """Let go of the log."""
        if self._frames:
            self._frames.close()


class NoHostFiles(HostFiles):
    """Keeps nothing: for a table that ends with its program."""

    is_lasting = False

    def record(self, blobs: Iterable[bytes]) -> None:
        pass

    def begin(self, blobs: Iterable[bytes]) -> None:
        pass

    def note(self, terms: HostingTerms) -> None:
        pass


def host_files(table: bytes) -> HostFiles:
    """Where a host keeps its table: nowhere, if there is no folder that can be written.

    That is not so of a disk that is only full: there is nothing to lose by waiting for room.
    """
    try:
        folders.table_folder(table)
    except OSError:
        return NoHostFiles(table)
    return HostFiles(table)


def _read_terms(raw: object) -> HostingTerms | None:
    if not isinstance(raw, dict) or set(raw) != {each.name for each in fields(HostingTerms)}:
        return None
    terms = HostingTerms(**raw)
    numbers = (terms.start_when, terms.port, 0 if terms.games is None else terms.games)
    is_sound = (
        isinstance(terms.host, str)
        and isinstance(terms.is_public, bool)
        and all(NUMBER.fits(number) for number in numbers)
    )
    return terms if is_sound else None


def host_logs() -> list[Path]:
    """The logs of all tables that were hosted here, the last one first; raises `OSError`."""
    return reading.newest_first((folders.home() / "tables").glob(f"*/{HOST_LOG}"))
