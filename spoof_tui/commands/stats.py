"""`spoof stats`: the player's statistics over the years, or the standings of one evening."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from spoof_tui.commands import pages
from spoof_tui.commands.options import MAX_GAMES, add_rules, whole
from spoof_tui.commands.printing import UNREADABLE, Parser, complain, print_line
from spoof_tui.history.queries import Evening, evening
from spoof_tui.history.statistics import Statistics, statistics
from spoof_tui.text.i18n import _
from spoof_tui.ui.history.pictures import Line
from spoof_tui.ui.history.statistics import evening_lines, statistics_lines


def main(words: Sequence[str]) -> int:
    """Print the statistics or the standings; return 2 if the history cannot be read."""
    given = parser().parse_args(words)
    try:
        lines, document = _evening(given.evening) if given.evening else _years(given.rules)
    except pages.CannotConsult as error:
        complain(error)
        return UNREADABLE
    if given.json:
        print_line(json.dumps(document, ensure_ascii=False), sys.stdout)
    else:
        pages.print_page(lines)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof stats`."""
    parser = Parser(
        prog="spoof stats",
        description=_("Your statistics in charts, or the standings of an evening."),
    )
    parser.add_argument(
        "--evening", nargs="?", type=whole(1, MAX_GAMES), const=1, metavar="N",
        help=_("the standings of everybody who played on an evening: the latest one, or the Nth "
               "latest"),
    )  # fmt: skip
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))
    return parser


def _years(preset: str | None) -> tuple[list[Line], dict[str, Any]]:
    told = pages.asked(statistics(preset))
    return statistics_lines(told, pages.width()), packed(told)


def _evening(number: int) -> tuple[list[Line], dict[str, Any]]:
    told = pages.asked(evening(number - 1))
    if told is None:
        raise pages.CannotConsult(_("There is no such evening."))
    return evening_lines(told, pages.width()), _packed_evening(told)


def packed(told: Statistics) -> dict[str, Any]:
    """The statistics as a dictionary for JSON."""
    found = asdict(told)
    found["odds"] = {
        word.value if word else "all": [[each.right, each.all] for each in scores]
        for word, scores in told.odds.items()
    }
    found["years"] = [list(each) for each in found.pop("months")]
    return found


def _packed_evening(told: Evening) -> dict[str, Any]:
    return {
        "event": told.event,
        "games": [game.stem for game in told.games],
        "table": [asdict(each) for each in told.table],
    }
