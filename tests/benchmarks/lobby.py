"""How long a player waits for the lobby, beside an app of Textual with nothing in it."""

from __future__ import annotations

import signal
from typing import Final

from tests.benchmarks.figures import Figure, Ratio, in_turns
from tests.benchmarks.stage import Stage, bare, spoof
from tests.helpers.pty import Terminal

COUNT: Final = 20
KEY_LINE: Final = "options"
"""The lobby can be used as soon as its keys are shown."""


def measure(count: int = COUNT) -> list[Figure]:
    """From the start of the process to the first frame that can be used."""
    with Stage() as stage:
        env = stage.state("Ottilie")

        def start(argv: list[str], text: str) -> float:
            terminal = Terminal(argv, env=env)
            try:
                return terminal.wait(text)
            finally:
                terminal.close(signal.SIGKILL)

        def lobby() -> float:
            return start(spoof(), KEY_LINE)

        def empty() -> float:
            return start(bare("empty_app"), "nothing here")

        in_turns(1, lobby, empty)  # the files are in the cache from now on
        ours, nothing = in_turns(count, lobby, empty)
    return [Ratio("lobby's first usable frame / empty app", ours, nothing, aim=1.4)]
