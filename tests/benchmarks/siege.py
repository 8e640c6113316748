"""How long a round takes while a stranger besieges the table, beside the same table at rest.

A round is everything from the first fist to the next one, played by programs: what is measured
is the table, and not anybody's thinking. The other figure is the memory that the host's program
takes more than at rest.
"""

from __future__ import annotations

import contextlib
import itertools
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from protocol.table.fold import Phase
from spoof_tui.network.addresses import Address
from tests.benchmarks.company import Company
from tests.benchmarks.figures import TAIL, Amount, Figure, Ratio
from tests.benchmarks.stage import Stage

PLAYERS: Final = ("Ann", "Bo", "Cy")
AIM: Final = 2.0
MEMORY_AIM: Final = 64 * 1024 * 1024
PAUSE: Final = 0.5
"""Seconds between two rounds: a link is only read so fast, and people play more slowly."""

ADDRESSES: Final = (1, 500)
"""Addresses that a siege comes from, by turns."""

SPELL: Final = 5
"""Rounds per siege."""


def measure(count: int = 40) -> list[Figure]:
    """This many rounds at rest, then under attack: a siege is felt for a while after its end."""
    besieged: list[float] = []
    memory: list[float] = []
    with Stage() as stage:
        port = stage.host()
        with Company(Address("127.0.0.1", port), PLAYERS) as company:
            company.wait(lambda: len(company.view.seats) == len(PLAYERS))
            play_round(company)
            resting = memory_of(stage.pids[0])
            rest = [play_round(company) for _ in range(count)]
            for addresses in itertools.cycle(ADDRESSES):
                if len(besieged) >= count:
                    break
                with besieging(port, addresses):
                    besieged += [play_round(company) for _ in range(SPELL)]
                    memory.append(max(0, memory_of(stage.pids[0]) - resting))
    return [
        Ratio("a round under attack", besieged, rest, AIM, (TAIL,)),
        Amount("memory under attack", memory, MEMORY_AIM),
    ]


@contextlib.contextmanager
def besieging(port: int, addresses: int) -> Iterator[subprocess.Popen[str]]:
    """A stranger in its own process, already at work, from so many addresses."""
    command = [sys.executable, "-m", "tests.attacks.siege", str(port), str(addresses)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stranger:
        assert stranger.stdout
        try:
            while int(stranger.stdout.readline()) < 50:
                pass
            yield stranger
        finally:
            stranger.kill()


def play_round(company: Company) -> float:
    """Play one round to the end; seconds that it took."""
    if company.view.phase is Phase.GATHERING:
        company.wait(company.all_see)
        company.go_on()
    company.wait(lambda: company.view.phase is Phase.CHOOSING and company.all_see())
    time.sleep(PAUSE)
    begun = time.perf_counter()
    number = company.view.round_number, company.view.game_number
    company.go_on()
    company.wait(lambda: company.view.phase is Phase.SPEAKING)
    while company.view.phase is Phase.SPEAKING:
        company.say(company.word())
    company.wait(
        lambda: (
            (company.view.round_number, company.view.game_number) != number
            or company.view.phase is Phase.GATHERING
        )
    )
    return time.perf_counter() - begun


def memory_of(pid: int) -> int:
    """Bytes of memory that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024
