"""How soon ten thousand games can be looked at: the command, the list and statistics."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from spoof_tui.history.index import Question, consult
from spoof_tui.history.queries import evening, games
from spoof_tui.history.statistics import statistics
from spoof_tui.ui.history.statistics import evening_lines, statistics_lines
from tests.benchmarks.figures import Delay, Figure, Rate, Ratio, in_turns, seconds
from tests.helpers.histories import ME, fill

COUNT: Final = 10

GAMES: Final = 10_000

_WIDTH: Final = 78
_OPENS: Final = 0.3
"""Seconds within which the list should be there."""
_SHOWS: Final = 0.5
"""Seconds within which a page of statistics should be there."""


def measure(count: int = COUNT, many: int = GAMES) -> list[Figure]:
    """The first reading of all records, and what is asked from then on."""
    with tempfile.TemporaryDirectory() as folder, _at(Path(folder)) as home:
        fill(home, many)
        rate = many / seconds(lambda: consult(games))
        size = f"{many} games"
        return [
            Rate("records read into the history", "games/s", [rate], [_bare(home, many)]),
            Delay(f"{size}: the list is read", _times(count, games), _OPENS),
            Delay(f"{size}: the list is on the screen", _on_screen(count, "g", _OPENED), _OPENS),
            Delay(
                f"{size}: the page of statistics",
                [_page(lambda: statistics_lines(consult(statistics())[0], _WIDTH))
                 for _ in range(count)],
                _SHOWS,
            ),
            Delay(f"{size}: statistics on the screen", _on_screen(count, "tab", _TOLD), _SHOWS),
            Delay(
                f"{size}: the page of an evening",
                [_page(lambda: evening_lines(consult(evening())[0], _WIDTH))
                 for _ in range(count)],
                _SHOWS,
            ),
            Ratio("spoof history / spoof --version", *in_turns(count, _command("history"),
                                                               _command("--version"))),
            Ratio("spoof stats / spoof --version", *in_turns(count, _command("stats"),
                                                             _command("--version"))),
        ]  # fmt: skip


@contextmanager
def _at(home: Path) -> Iterator[Path]:
    """A state folder that exists inside the context."""
    before = os.environ.get("SPOOF_STATE")
    os.environ["SPOOF_STATE"] = str(home)
    try:
        yield home
    finally:
        if before is None:
            del os.environ["SPOOF_STATE"]
        else:
            os.environ["SPOOF_STATE"] = before


def _bare(home: Path, many: int) -> float:
    """Records a second whose bytes are read, and nothing else."""
    paths = [*(home / "games").glob("*.spoof")]
    return many / seconds(lambda: [path.read_bytes() for path in paths])


def _times(count: int, question: Question[object]) -> list[float]:
    return [seconds(lambda: consult(question)) for _ in range(count)]


def _page(draw: Callable[[], object]) -> float:
    return seconds(draw)


def _command(word: str) -> Callable[[], float]:
    argv = [sys.executable, "-m", "spoof_tui", word]
    return lambda: seconds(
        lambda: subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, timeout=60)
    )


_OPENED: Final = "games"
_TOLD: Final = "Places"


def _on_screen(count: int, key: str, words: str) -> list[float]:
    """Seconds from a key until the history's screen shows this."""
    return [asyncio.run(_shown(key, words)) for _ in range(count)]


async def _shown(key: str, words: str) -> float:
    from spoof_tui.ui.history.screen import HistoryScreen
    from tests.spoof_tui.ui.lobbies import Lobby, until

    app = Lobby(ME)
    async with app.run_test(size=(80, 24)) as pilot:
        if key != "g":
            await pilot.press("g")
            assert await until(pilot, lambda: f" {_OPENED}" in app.text)
        begun = time.perf_counter()
        app.simulate_key(key)
        assert await until(
            pilot, lambda: isinstance(app.screen, HistoryScreen) and f" {words}" in app.text
        )
        return time.perf_counter() - begun
