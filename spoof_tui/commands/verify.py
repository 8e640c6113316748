"""`spoof verify FILE… [--json] [--explain]`: judges stored logs, trusting no keys but those in
them.

For the record of a game, the log of its table is judged up to the end of that game.

Whatever a file contains is escaped, or made safe by `safe_text`, before it is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from protocol.encoding.framing import frame
from protocol.notation.records import GameRecord
from protocol.notation.writing import game_records
from protocol.rules.game import Game
from protocol.rules.options import GuessingRules
from protocol.table.fold import Origin, Table
from protocol.table.verify import LogFault, LogReport, verify
from spoof_tui import console
from spoof_tui.commands.printing import (
    ALL_WELL,
    FAULTS,
    FILES,
    UNREADABLE,
    Parser,
    complain,
    hanging,
    page_width,
    print_line,
    shown,
)
from spoof_tui.commands.reading import STANDARD_INPUT, CannotRead, frames, game_chunks, log_chunks
from spoof_tui.storage.archive import GameLog
from spoof_tui.storage.paths import JOURNAL, RECORD
from spoof_tui.telling.verify_report import (
    NAME_CELLS,
    explanation,
    fault_text,
    names_of,
    report,
    statement_text,
)
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show

_INDENT: Final = "  "


def main(arguments: Sequence[str]) -> int:
    """Judge the files; return 0 if all are consistent, 1 if one is not, 2 if one cannot be read."""
    reader = parser()
    options = reader.parse_intermixed_args(arguments)
    if not (options.files or options.explain):
        reader.error(_("name a file, or use --explain to see what is checked"))
    worst, logs = ALL_WELL, list[dict[str, object]]()
    given = console.matching(options.files)
    for name in given:
        file, contents = _contents(name)
        try:
            verdict = verify(contents)
        except CannotRead as error:
            why = _("{file}: cannot be read: {why}").format(file=shown(file), why=shown(str(error)))
            complain(why)
            worst = UNREADABLE
            continue
        origin = _origin(verdict, given)
        if options.json:
            logs.append({"file": name, **as_json(verdict, origin)})
        else:
            _tell([shown(name), *(_INDENT + shown(line) for line in report(verdict, origin))])
        if not verdict.holds or origin is Origin.OTHER_GAME:
            worst = max(worst, FAULTS)
    if options.json:
        # Its strings are ASCII: nothing in them can control a terminal.
        _tell([json.dumps({"logs": logs}, indent=1)])
    elif options.explain:
        _tell(_explain())
    return worst


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        print_line(line, sys.stdout)


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof verify`."""
    parser = Parser(
        prog="spoof verify",
        description=_(
            "Check saved table logs: signatures, seals, the draw for who opens, the rules and "
            "the result."
        ),
    )
    log = _("a saved log or a game record, or - for standard input")
    parser.add("files", nargs="*", metavar="FILE", help=log, suggests=FILES)
    parser.add_argument(
        "--json", action="store_true", help=_("print the findings as one JSON document")
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help=_("explain what is checked, and what a log cannot prove"),
    )
    return parser


def _contents(name: str) -> tuple[str, Iterator[bytes]]:
    """The name of the file to judge and its bytes, piece by piece; reading them raises
    `CannotRead`.

    For a record, that is the game's part of the log beside it.
    """
    if name.endswith(RECORD):
        log = GameLog.of(Path(name))
        return str(log.path), game_chunks(log)
    return name, _frames(name) if name.endswith(JOURNAL) else log_chunks(name)


def _frames(journal: str) -> Iterator[bytes]:
    """The log in a journal, without the secrets that it also contains; raises `CannotRead`."""
    from spoof_tui.storage.stored_log import read_entries

    return (frame(entry.blob) for entry in read_entries(frames(Path(journal))))


def _origin(verdict: LogReport, files: Sequence[str]) -> Origin | None:
    """Whether one of `files` is the log of the old table that this one continues, and confirms it.

    None if that log is not among them.
    """
    from spoof_tui.storage.stored_log import origin

    return origin(verdict.table, [Path(file) for file in files if file != STANDARD_INPUT])


def _explain() -> Iterator[str]:
    width = page_width()
    for heading, sentences in explanation():
        yield heading
        for sentence in sentences:
            yield from hanging(sentence, width, "- ", _INDENT)


# As JSON


def as_json(verdict: LogReport, origin: Origin | None = None) -> dict[str, object]:
    """The verdict on a log as a dictionary for JSON."""
    fault, running = verdict.fault, verdict.running
    return {
        "holds": verdict.holds,
        "entries": verdict.length,
        "table": _table(verdict.table) if verdict.table else None,
        "continues": _continues(verdict.table, origin),
        "began": verdict.began,
        "ended": verdict.table.time if verdict.table else verdict.began,
        "players": _players(verdict.table),
        "games": [_game(game) for game in verdict.games],
        "running": running.number if running else None,
        "stakes": _stakes(verdict.table),
        "happenings": _happenings(verdict),
        "fault": _fault(fault, verdict.table) if fault else None,
    }


def _table(table: Table) -> dict[str, object]:
    return {
        "id": table.id.hex(),
        "head": table.head.hash.hex(),
        "host": table.opened.host.hex(),
        "name": show(table.opened.name, NAME_CELLS),
        "rules": table.opened.rules.text,
        "seats": table.opened.seats,
    }


def _stakes(table: Table | None) -> dict[str, object] | None:
    """Chips and paid rounds of the evening by key, and the chips in the pot (S1, S2); None without
    a table."""
    if table is None:
        return None
    stakes = table.stakes
    rounds = {key.hex(): stakes.rounds(key) for key in stakes.paid}
    chips = {key.hex(): count for key, count in stakes.chips.items()}
    return {"pot": stakes.pot, "chips": chips, "paid": rounds}


def _continues(table: Table | None, origin: Origin | None) -> dict[str, object] | None:
    """What the log says about the old table that this one continues (G8); None if it continues
    none."""
    continued = table.continues if table else None
    if continued is None:
        return None
    return {
        "table": continued.table.hex(),
        "entry": continued.length - 1,
        "last": continued.last.hex(),
        "coins": {seat.key.hex(): seat.coins for seat in continued.seats},
        "starter": continued.starter.hex() if continued.starter else None,
        "old_log": origin.value if origin else None,
    }


def _players(table: Table | None) -> list[dict[str, object]]:
    doors = table.doors if table else frozenset()
    return [
        {"key": key.hex(), "name": name, "through_door": key in doors}
        for key, name in names_of(table).items()
    ]


def _game(game: Game) -> dict[str, object]:
    last = "payer" if isinstance(game.rules, GuessingRules) else "winner"
    return {
        "number": game.number,
        "players": [player.key.hex() for player in game.players],
        "records": [_record(each) for each in game_records(game, event="", date="")],
        last: None if game.winner is None else game.players[game.winner].key.hex(),
    }


def _record(record: GameRecord) -> dict[str, object]:
    """The rounds of a game, or of its part up to the removal of a seat, for JSON."""
    return {
        "seats": record.value("Seats"),
        "rounds": [each.text for each in record.rounds],
        "removed": record.value("Removed"),
    }


def _happenings(verdict: LogReport) -> list[dict[str, object]]:
    names = names_of(verdict.table)
    return [
        {
            "entry": each.entry,
            "by": each.author.hex() if each.author else None,
            "what": statement_text(each.statement, names),
            "carried": [[measure.value, key.hex()] for measure, key in each.carried],
            "gone": [key.hex() for key in each.gone],
        }
        for each in verdict.happenings
    ]


def _fault(fault: LogFault, table: Table | None) -> dict[str, object]:
    return {
        "entry": fault.entry,
        "flaw": fault.flaw.name.lower().replace("_", "-"),
        "blame": fault.flaw.blame.value,
        "author": fault.author.hex() if fault.author else None,
        "clause": fault.forbidden.reason.clause if fault.forbidden else None,
        "message": fault_text(fault, table, names_of(table)),
    }
