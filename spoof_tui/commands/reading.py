"""How commands read a file whose contents cannot be trusted: in pieces, within limits,
interruptibly.

A record or log often comes from somebody else. Whatever its name refers to (a pipe, a device, a
file of any size), reading it uses little memory, shows progress once it takes more than a moment,
ends at Ctrl-C, and stops with a sentence if it is larger than any evening could make it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from protocol.encoding.framing import FrameReader
from protocol.errors import Malformed
from protocol.limits import MAX_ENTRY
from spoof_tui.commands.printing import shown
from spoof_tui.commands.progress import Meter
from spoof_tui.storage import files
from spoof_tui.storage.paths import LOG
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of

if TYPE_CHECKING:
    from spoof_tui.storage.archive import GameLog

STANDARD_INPUT: Final = "-"
"""The name that means standard input."""

MAX_BYTES: Final = 1 << 28
"""The most bytes read of one file: a hundred times the longest evening of nine players."""

_CHUNK: Final = 64 * 1024
_MEGABYTE: Final = 1 << 20


class CannotRead(Exception):
    """Raised if a file cannot be read to its end; the text says why."""


def chunks(name: str) -> Iterator[bytes]:
    """The bytes of a file, or of standard input for "-", piece by piece; raises `CannotRead`."""
    try:
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise CannotRead(_("it is closed"))
            with contextlib.closing(
                Meter(_("reading"), None, is_size=True, is_typed=sys.stdin.isatty())
            ) as meter:
                yield from _parts(sys.stdin.buffer, meter)
        else:
            # Before it is opened: opening a pipe waits for a writer.
            meter = Meter(_("reading"), _size(Path(name)), is_size=True)
            with contextlib.closing(meter), Path(name).open("rb") as file:
                yield from _parts(file, meter)
    except OSError as error:
        raise CannotRead(reason_of(error)) from error
    except ValueError as error:
        # A name that no file can have, such as one with a NUL.
        raise CannotRead(str(error)) from error


def log_chunks(name: str) -> Iterator[bytes]:
    """The bytes of a saved log, piece by piece; raises `CannotRead`, also if the file begins as no
    log does."""
    return _checked(chunks(name), _check_log)


def record_chunks(name: str) -> Iterator[bytes]:
    """The bytes of a game record, piece by piece; raises `CannotRead`, also if the file begins as
    no text does."""
    return _checked(chunks(name), _check_record)


def _checked(parts: Iterator[bytes], check: Callable[[bytes], None]) -> Iterator[bytes]:
    for number, part in enumerate(parts):
        if not number:
            check(part)
        yield part


def _check_log(part: bytes) -> None:
    """Raise `CannotRead` if a file that begins like this cannot be a log."""
    if _is_json(part):
        raise CannotRead(_("this is JSON, not a log: check the .log or .spoof file of the game"))
    if not _is_log(part):
        raise CannotRead(_("this is not the log of a table"))


def _check_record(part: bytes) -> None:
    """Raise `CannotRead` if a file that begins like this cannot be a game record."""
    if _is_json(part):
        raise CannotRead(_("this is JSON, not a game record"))
    if b"\0" in part:
        if _is_log(part):
            raise CannotRead(_("this is the log of a table, which spoof verify checks"))
        raise CannotRead(_("this is not a game record"))


def _is_json(part: bytes) -> bool:
    return part.lstrip()[:1] == b"{" or bool(_JSON_LIST.match(part))


def _is_log(part: bytes) -> bool:
    """Whether a file that begins like this may be a log: with the length of an entry."""
    reader = FrameReader(MAX_ENTRY)
    reader.push(part)
    try:
        reader.pop()
    except Malformed:
        return False
    return True


_JSON_LIST: Final = re.compile(rb"\s*\[\s*[\[\]{\"0-9-]")
"""How a list in JSON begins, and no header of a record."""


def game_chunks(log: GameLog) -> Iterator[bytes]:
    """The part of a table's log that belongs to one game, piece by piece; raises `CannotRead`."""
    try:
        yield from log.part(chunks(str(log.path)))
    except files.Unfit as error:
        raise CannotRead(reason_of(error)) from error


def lasting(name: str) -> Path:
    """The path of a file that can be read more than once, so no pipe; raises `CannotRead`."""
    path = Path(name)
    try:
        if name == STANDARD_INPUT and not path.exists():
            raise CannotRead(_not_lasting())
        status = _status(path)
        if stat.S_ISREG(status.st_mode):
            with path.open("rb"):
                pass
    except OSError as error:
        raise CannotRead(reason_of(error)) from error
    except ValueError as error:
        raise CannotRead(str(error)) from error
    if not stat.S_ISREG(status.st_mode):
        raise CannotRead(_not_lasting())
    _check_size(status.st_size)
    return path


def _size(path: Path) -> int | None:
    """The size of a file in bytes; None if it has none, like a pipe.

    Raises `CannotRead` if too large.
    """
    status = _status(path)
    if not stat.S_ISREG(status.st_mode):
        return None
    _check_size(status.st_size)
    return status.st_size


def _status(path: Path) -> os.stat_result:
    """The result of `stat` for a path; raises `OSError`, also if it is a folder."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        # Opening it would be refused on Windows for another reason: permission.
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return status


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise CannotRead(_too_big())


def _not_lasting() -> str:
    return _("it is a pipe or a device; save what comes from it to a file first")


def _too_big() -> str:
    return _("it is larger than {most} MB, more than any evening could fill").format(
        most=MAX_BYTES // _MEGABYTE
    )


def _parts(file: BinaryIO, meter: Meter) -> Iterator[bytes]:
    done = 0
    while part := file.read(_CHUNK):
        done += len(part)
        _check_size(done)
        yield part
        meter.show(done)


# Game records


class CannotReplay(Exception):
    """Raised if a file has nothing to replay; the text says why."""


def source(name: str) -> Callable[[], Iterator[bytes]]:
    """A function that reads the records in a file from the start each time; raises
    `CannotReplay`."""
    try:
        path = lasting(name)
        with path.open("rb") as file:
            head = file.read(_CHUNK)
        if path.suffix != LOG:
            _check_record(head)
    except (CannotRead, OSError) as error:
        why = shown(reason_of(error))
        raise CannotReplay(_("cannot be read: {why}").format(why=why)) from error
    if path.suffix == LOG:
        records = _records(frames(path))
        return lambda: iter([records])
    return lambda: _chunks(path)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def frames(path: Path) -> Iterator[bytes]:
    """The frames of a log, up to the first whose length no program would write; raises
    `CannotRead`."""
    reader = FrameReader()
    with contextlib.suppress(Malformed):
        for chunk in chunks(str(path)):
            reader.push(chunk)
            while (payload := reader.pop()) is not None:
                yield payload


def _records(blobs: Iterable[bytes]) -> bytes:
    """The records of all games in a table's log, up to its first inconsistency; raises
    `CannotReplay`."""
    from protocol.rules.game import Game
    from protocol.table.fold import Table, fold
    from spoof_tui.storage.archive import record_text
    from spoof_tui.storage.stored_log import read_entries

    table: Table | None = None
    games: dict[int, tuple[Table, Game]] = {}
    for entry in read_entries(blobs):
        table = fold(table, entry)
        if table.game is not None:
            games[table.game.number] = (table, table.game)
    if table is None:
        raise CannotReplay(_("is not the log of a table"))
    if not games:
        raise CannotReplay(_("is the log of a table where no game began"))
    return "\n".join(record_text(*each) for each in games.values()).encode()
