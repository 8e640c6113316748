"""`spoof check FILE… [--json]`: reads game records, recomputes and judges them
(protocol/NOTATION.md).

Whatever a file contains is escaped before it is printed: letters of every alphabet stay, but
nothing that could control a terminal does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from protocol.notation.checking import GameBegun, GameOver, Judged, judged
from protocol.notation.faults import NOTATION, Fault
from protocol.notation.reading import pieces
from spoof_tui import console
from spoof_tui.commands.printing import (
    ALL_WELL,
    FAULTS,
    FILES,
    UNREADABLE,
    Parser,
    complain,
    print_line,
    shown,
)
from spoof_tui.commands.reading import CannotRead, record_chunks
from spoof_tui.text.i18n import _, ngettext

MAX_STRANGE: Final = 100
"""Number of syntax errors, without a game with readable headers, that shows a file is no record."""


def main(arguments: Sequence[str]) -> int:
    """Check the files; return 0 if all is well, 1 if there are faults, 2 if a file cannot be
    read."""
    options = parser().parse_intermixed_args(arguments)
    names = console.matching(options.files)
    report = _Json(len(names) > 1) if options.json else _Lines()
    worst = ALL_WELL
    for name in names:
        worst = max(worst, _check(name, report))
    report.close()
    return worst


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof check`."""
    parser = Parser(
        prog="spoof check",
        description=_("Read game records and recompute every round."),
    )
    record = _("a game record, or - for standard input")
    parser.add("files", nargs="+", metavar="FILE", help=record, suggests=FILES)
    parser.add_argument(
        "--json", action="store_true", help=_("print the results as one JSON document")
    )
    return parser


def _check(name: str, report: _Lines | _Json) -> int:
    report.begin(name)
    status = ALL_WELL
    try:
        for found in judged(pieces(record_chunks(name))):
            if isinstance(found, Fault):
                status = FAULTS
            report.tell(found)
            if report.has_enough:
                break
    except CannotRead as error:
        why = _("{file}: cannot be read: {why}").format(file=shown(name), why=shown(str(error)))
        complain(why)
        status = UNREADABLE
    report.end(status)
    return status


class _Lines:
    """Prints one line for a correct file, and one for each fault."""

    def begin(self, name: str) -> None:
        self._name = shown(name)
        self._games = self._rounds = self._strange = 0
        self._has_game = False

    @property
    def has_enough(self) -> bool:
        """Whether the file has turned out not to be a record, so that no more of its faults are
        printed."""
        return self._strange > MAX_STRANGE and not self._has_game

    def tell(self, found: Judged) -> None:
        if isinstance(found, Fault):
            self._strange += found.clause == NOTATION
            no_record = _("this is not a game record: the rest is not read")
            said = no_record if self.has_enough else self._sentence(found)
            print_line(f"{self._name}:{found.line}: {said}", sys.stderr)
        elif isinstance(found, GameOver):
            self._games += 1
        elif isinstance(found, GameBegun):
            self._has_game |= bool(found.coins)
        else:
            self._rounds += 1

    def _sentence(self, fault: Fault) -> str:
        message = fault.told(_)
        if fault.round is None:
            return f"{message} ({fault.clause})"
        round_ = _("round {number}").format(number=fault.round)
        return f"{round_}: {message} ({fault.clause})"

    def end(self, status: int) -> None:
        if status == ALL_WELL:
            games = ngettext("{count} game", "{count} games", self._games)
            rounds = ngettext("{count} round", "{count} rounds", self._rounds)
            line = _("{file}: ok, {games}, {rounds}").format(
                file=self._name,
                games=games.format(count=self._games),
                rounds=rounds.format(count=self._rounds),
            )
            print_line(line, sys.stdout)

    def close(self) -> None:
        """Does nothing: all lines are printed."""


class _Json:
    """Prints one JSON document, piece by piece, so that a long game needs no memory.

    With several files, every game also has the name of its file.
    """

    has_enough = False
    """Always false: a program gets all faults."""

    def __init__(self, named: bool) -> None:
        # Imported only if it is wanted.
        import json

        self._dumps = json.dumps
        self._named = named
        self._first_game = self._first_round = True
        self._in_game = False
        print_line('{"games": [', sys.stdout)

    def begin(self, name: str) -> None:
        self._name = name
        self._faults: list[Fault] = []

    def tell(self, found: Judged) -> None:
        if isinstance(found, Fault):
            self._faults.append(found)
        elif isinstance(found, GameBegun):
            self._begin_game(found)
        elif isinstance(found, GameOver):
            self._end_game(found)
        else:
            comma = "" if self._first_round else ","
            self._first_round = False
            print_line(comma + self._dumps(found.as_json()), sys.stdout)

    def _begin_game(self, begun: GameBegun) -> None:
        head: dict[str, object] = {"file": self._name} if self._named else {}
        head |= {"rules": begun.rules, "seats": list(begun.seats)}
        comma = "" if self._first_game else ","
        print_line(f'{comma}{self._dumps(head)[:-1]}, "rounds": [', sys.stdout)
        self._first_game, self._first_round, self._in_game = False, True, True

    def _end_game(self, over: GameOver) -> None:
        self._faults.sort(key=lambda fault: fault.line)
        errors = [fault.as_json() for fault in self._faults]
        tail = self._dumps({**over.as_json(), "errors": errors})
        print_line(f"], {tail[1:]}", sys.stdout)
        self._faults, self._in_game = [], False

    def end(self, status: int) -> None:
        # A file that broke off in the middle of a game: what was found must still be valid JSON.
        if self._in_game:
            self._end_game(GameOver(None))

    def close(self) -> None:
        print_line("]}", sys.stdout)
