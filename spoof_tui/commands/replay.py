"""`spoof replay FILE`: a game record, step by step on a table."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from protocol.encoding.framing import FrameReader
from protocol.errors import Malformed
from spoof_tui import console, system
from spoof_tui.commands.play import no_terminal
from spoof_tui.commands.printing import FILES, Parser, shown, suggest
from spoof_tui.commands.reading import CannotRead, chunks, lasting
from spoof_tui.storage.paths import LOG
from spoof_tui.text.i18n import _

UNREADABLE: Final = 2

_CHUNK: Final = 64 * 1024


class CannotReplay(Exception):
    """Why there is nothing to replay, in words."""


def main(words: Sequence[str]) -> int:
    """Show the replay; 2 without a terminal, or if nothing can be read."""
    name = parser().parse_args(words).file
    try:
        open_file = source(name)
    except CannotReplay as error:
        print(_("{file}: {why}").format(file=shown(name), why=error), file=sys.stderr)
        return UNREADABLE
    if not system.has_terminal():
        print(no_terminal(), file=sys.stderr)
        return UNREADABLE
    console.use_utf8()
    from spoof_tui.storage.settings import Settings
    from spoof_tui.ui.replay.reader import Recording
    from spoof_tui.ui.replay.screen import ReplayApp
    from spoof_tui.ui.terminal import run_app

    return run_app(ReplayApp(Recording(open_file), Settings.load().theme))


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof replay`."""
    parser = Parser(
        prog="spoof replay",
        description=_(
            "Step through a game record at a table: word by word, round by round, forwards, "
            "backwards or automatically."
        ),
    )
    suggest(
        parser.add_argument(
            "file",
            metavar="FILE",
            help=_("a game record (.spoof), or the log of a table (.log)"),
        ),
        FILES,
    )
    return parser


def source(name: str) -> Callable[[], Iterator[bytes]]:
    """What reads the records in a file from the beginning; raises `CannotReplay`."""
    try:
        path = lasting(name)
        with path.open("rb") as file:
            file.read(1)
    except (CannotRead, OSError) as error:
        why = shown(error.strerror or "" if isinstance(error, OSError) else str(error))
        raise CannotReplay(_("cannot be read: {why}").format(why=why)) from error
    if path.suffix == LOG:
        records = _records(_frames(path))
        return lambda: iter([records])
    return lambda: _chunks(path)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _frames(path: Path) -> Iterator[bytes]:
    """The frames of a log, up to a length that no program wrote."""
    reader = FrameReader()
    with contextlib.suppress(Malformed):
        for chunk in chunks(str(path)):
            reader.push(chunk)
            while (payload := reader.pop()) is not None:
                yield payload


def _records(blobs: Iterable[bytes]) -> bytes:
    """The records of all games in a table's log, as far as it holds together."""
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
        raise CannotReplay(_("holds no table’s log"))
    if not games:
        raise CannotReplay(_("is the log of a table where no game began"))
    return "\n".join(record_text(*each) for each in games.values()).encode()
