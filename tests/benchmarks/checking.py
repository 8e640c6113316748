"""How quickly records are checked: the command beside bare Python, and rounds beside their text."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from protocol.notation.checking import judged
from protocol.notation.reading import pieces
from tests.benchmarks.figures import Figure, Rate, Ratio, in_turns
from tests.protocol.notation.games import KYIV

COUNT: Final = 15
ROUNDS: Final = 2000

_ROUNDS: Final = (
    "{0}. D1 M2 S3 D4 Mmax (S3 D3 M3) . = S3 D3 M3",
    "{0}. M1 S2 D3 M4 Smax (S3 D3 M3) . = S3 D3 M3",
    "{0}. S1 D2 M3 S4 Dmax (S3 D3 M3) . = S3 D3 M3",
)
"""Right spoofs: nobody loses, and the ender opens the next round."""


def measure(count: int = COUNT, rounds: int = ROUNDS) -> list[Figure]:
    """`spoof check` on one game beside a Python that does nothing, and rounds per second."""
    return [_command(count), _rounds(count, rounds)]


def _command(count: int) -> Ratio:
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.spoof"
        record.write_text(KYIV, "utf-8")
        env = {**os.environ, "SPOOF_STATE": folder}

        def run(*words: str) -> float:
            start = time.perf_counter()
            subprocess.run([sys.executable, *words], env=env, check=True, capture_output=True)
            return time.perf_counter() - start

        def check() -> float:
            return run("-m", "spoof_tui", "check", str(record))

        def nothing() -> float:
            return run("-c", "pass")

        in_turns(1, check, nothing)  # the files are in the cache from now on
        return Ratio(
            "spoof check of one game / python -c pass", *in_turns(count, check, nothing), 5
        )


def _rounds(count: int, rounds: int) -> Rate:
    text = long_record(rounds).encode()

    def check() -> float:
        start = time.perf_counter()
        for _ in judged(pieces([text])):
            pass
        return rounds / (time.perf_counter() - start)

    def words() -> float:
        start = time.perf_counter()
        for line in text.decode().splitlines():
            line.split()
        return rounds / (time.perf_counter() - start)

    return Rate("rounds checked / their text split", "rounds/s", *in_turns(count, check, words))


def long_record(rounds: int) -> str:
    """A game of this many rounds in which nobody ever loses a coin."""
    head = KYIV.partition("\n1.")[0]
    lines = (_ROUNDS[index % 3].format(index + 1) for index in range(rounds))
    return "\n".join([head, *lines, ""])
