"""Sixty games as the history shows them, on its pages and to other programs."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from rich.cells import cell_len

from protocol.rules.options import PRESETS
from spoof_tui.history.export import Format, exported
from spoof_tui.history.index import consult
from spoof_tui.history.queries import evening, games, sums
from spoof_tui.history.statistics import statistics
from spoof_tui.storage import paths
from spoof_tui.ui.history.game_list import game_line, game_lines
from spoof_tui.ui.history.pictures import Ink, Line
from spoof_tui.ui.history.statistics import evening_lines, statistics_lines
from tests.helpers.histories import fill

_WIDTHS = (78, 40)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:+]+")


def told() -> Iterator[str]:
    """Each line of a page has one below it with a letter for the tone of each cell."""
    with (
        tempfile.TemporaryDirectory() as home,
        patch.dict(os.environ, {paths.STATE_VARIABLE: home}),
    ):
        for first in (0, 200, 400):  # some days in each of three months
            fill(Path(home), 20, first)
        yield from _told(Path(home))


def _told(home: Path) -> Iterator[str]:
    listed = consult(games)[0]
    for width in _WIDTHS:
        yield f"# the games, {width} columns"
        yield from drawn(game_line(game, width) for game in listed[::5])
        for place in (0, 1):
            yield f"# evening {place}, {width} columns"
            yield from drawn(evening_lines(consult(evening(place))[0], width))
    yield from ("# a game", *drawn(game_lines(listed[0], 60)))
    yield from drawn(evening_lines(None, 78))
    for preset in (None, *PRESETS):
        found = consult(statistics(preset))[0]
        for width in _WIDTHS if preset is None else _WIDTHS[:1]:
            yield f"# statistics, {preset}, {width} columns"
            yield from drawn(statistics_lines(found, width))
    yield from drawn(statistics_lines(replace(found, games=0), 78))
    yield "# facts"
    for fact, n in sorted(consult(sums)[0].items()):
        yield f"{fact.kind.name} {fact.first} {fact.second}: {n}"
    yield "# csv"
    text = consult(exported(listed[:8], Format.CSV, home / "games"))[0]
    yield from _TIME.sub("…", text).splitlines()


def drawn(lines: Iterable[Line]) -> Iterator[str]:
    """The lines, each with a line of tones below it."""
    letters = {tone: " " if tone is Ink.TEXT else tone.name[0] for tone in Ink}
    letters[Ink.BAD] = "X"
    letters[Ink.TITLE] = "H"
    for line in lines:
        yield "".join(text for text, _tone in line).rstrip()
        tones = "".join(letters[tone] * cell_len(text) for text, tone in line).rstrip()
        if tones:
            yield tones
