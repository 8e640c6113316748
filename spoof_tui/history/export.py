"""Exports games for other programs: as CSV or JSON of what was counted, or as their records."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from protocol.encoding.untrusted import ForeignText
from spoof_tui.history.queries import ListedGame
from spoof_tui.storage import files
from spoof_tui.storage.paths import RECORD
from spoof_tui.text.safe_text import show_lines

COLUMNS: Final = (
    "game", "finished", "table", "rules", "number", "rounds", "players", "my_place", "result",
    "player", "is_me", "place", "coins", "fines", "chips", "rounds_paid",
)  # fmt: skip
"""The columns of the CSV file, which has a row for each player of each game."""

_AT_ONCE: Final = 500


class Format(StrEnum):
    """The export formats; the values are the words of the command line."""

    SPOOF = "spoof"
    CSV = "csv"
    JSON = "json"


Rows = Mapping[int, Sequence[Mapping[str, object]]]
"""The players of each game, by its number in the history."""


def exported(
    listed: Sequence[ListedGame], kind: Format, folder: Path
) -> Callable[[sqlite3.Connection], str]:
    """The query for the exported text of these games; `folder` holds their records.

    The query raises `OSError` and `sqlite3.Error`.
    """

    def ask(connection: sqlite3.Connection) -> str:
        if kind is Format.SPOOF:
            paths = (folder / f"{game.stem}{RECORD}" for game in listed)
            texts = (files.read(path, files.MAX_RECORD) for path in paths)
            # Anybody may have written a record.
            return "\n".join(
                show_lines(ForeignText(text.decode("utf-8", "replace"))) for text in texts
            )
        found = players(connection, listed)
        return as_csv(listed, found) if kind is Format.CSV else as_json(listed, found)

    return ask


def players(connection: sqlite3.Connection, listed: Sequence[ListedGame]) -> Rows:
    """The players of these games, in the order of their places."""
    found: dict[int, list[Mapping[str, object]]] = {}
    for start in range(0, len(listed), _AT_ONCE):
        part = [game.id for game in listed[start : start + _AT_ONCE]]
        rows = connection.execute(
            "SELECT game, name, is_me, place, coins, fines, chips, rounds_paid FROM players"
            f" WHERE game IN ({', '.join('?' * len(part))}) ORDER BY game, place",
            part,
        )
        for number, name, is_me, *told in rows:
            keys = ("place", "coins", "fines", "chips", "rounds_paid")
            line = {"player": name, "is_me": bool(is_me), **dict(zip(keys, told, strict=True))}
            found.setdefault(number, []).append(line)
    return found


def _about(game: ListedGame) -> Mapping[str, object]:
    """The columns of a game that are the same for all its players."""
    finished = datetime.fromtimestamp(game.finished / 1000, UTC)
    return {
        "game": game.stem,
        "finished": finished.isoformat(timespec="seconds"),
        "table": game.event,
        "rules": game.rules,
        "number": game.number,
        "rounds": game.rounds,
        "players": game.seats,
        "my_place": game.place,
        "result": game.result.value,
    }


def as_csv(listed: Sequence[ListedGame], found: Rows) -> str:
    """The games as CSV: a header row, then a row for each player of each game."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for game in listed:
        about = _about(game)
        writer.writerows(
            {key: _plain(value) for key, value in {**about, **line}.items()}
            for line in found.get(game.id, ())
        )
    return text.getvalue()


def _plain(value: object) -> object:
    """A value that no spreadsheet takes for a formula, since names were typed by others."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t"):
        return f"'{value}"
    return value


def as_json(listed: Sequence[ListedGame], found: Rows) -> str:
    """The games as one JSON document."""
    games = [{**_about(game), "players": list(found.get(game.id, ()))} for game in listed]
    return json.dumps({"games": games}, ensure_ascii=False, indent=1) + "\n"
