"""How many Python functions are called on the way from a key to two views, and on which way.

    counted.py COUNT

Two players at one table, the second over TLS: each is what a screen holds, in this one process,
with a log on the disk and no screen. Bids, hands and ending words are said by the keys for them.

Every line of the output is what was said, how many functions of the program were called until both
had the view of it, how many calls Python counts in these, and in everything that they use.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from protocol.rules.options import PRESETS
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.client import TableClient
from spoof_tui.runtime.hosted_table import TablePlan
from spoof_tui.runtime.notices import Notice, Opened, ViewChanged
from spoof_tui.storage import disk as disks
from spoof_tui.storage.identity import Identity
from spoof_tui.ui.table.screen.controls import Controls, PutIn, SayWord

NAMES: Final = ("Ottilie", "Konrad")
RAISES: Final = 3
"""Words before the one that ends a round."""

PATIENCE: Final = 30.0

_ROOT: Final = str(Path(__file__).parents[3])
_OWN: Final = (f"{_ROOT}/protocol/", f"{_ROOT}/spoof_tui/")
_INSIDE: Final = ("<lambda>", "<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
"""What belongs to the function in which it stands."""


class Counter:
    """Counts calls in all threads while it is on; made before these begin."""

    def __init__(self) -> None:
        self._calls: list[CodeType] | None = None
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def begin(self) -> None:
        """Count from here on."""
        self._calls = []

    def end(self) -> list[int]:
        """Functions of the program, calls in them, and calls in all."""
        calls, self._calls = self._calls or [], None
        own = [code for code in calls if code.co_filename.startswith(_OWN)]
        return [sum(code.co_name not in _INSIDE for code in own), len(own), len(calls)]

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        calls = self._calls
        if event == "call" and calls is not None:
            calls.append(frame.f_code)


class Company:
    """Two players who do what their keys mean."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._changed = threading.Condition()
        self._port = 0
        self._goal: Callable[[TableView], bool] = lambda view: False
        self._reached: set[str] = set()
        self._counted: list[int] = []
        self.views: dict[str, TableView] = {}
        self._background = BackgroundLoop()
        self._background.start()
        self._controls = {name: Controls(confirm_endings=False) for name in NAMES}
        self._clients = {name: self._client(name) for name in NAMES}
        host, guest = self._clients.values()
        host.open(TablePlan("Bench", NAMES[0], PRESETS["milan"], seats=2, locked=False, port=0))
        self.wait(lambda: self._port > 0)
        guest.join(Address("127.0.0.1", self._port))
        self.wait(lambda: [len(view.seats) for view in self.views.values()] == [2, 2])

    def _client(self, name: str) -> TableClient:
        def hear(notice: Notice) -> None:
            with self._changed:
                if isinstance(notice, ViewChanged):
                    self._see(name, notice.view)
                elif isinstance(notice, Opened):
                    self._port = notice.port or 0
                self._changed.notify_all()

        return TableClient(self._background, Identity.passing(), name, hear)

    def _see(self, name: str, view: TableView) -> None:
        self.views[name] = view
        if self._goal(view):
            self._reached.add(name)
        if len(self._reached) == len(NAMES) and not self._counted:
            self._counted = self._counter.end()

    def wait(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds after some change of a view."""
        with self._changed:
            if not self._changed.wait_for(holds, PATIENCE):
                raise TimeoutError(f"the table stays as it is: {self.views}")

    def all_are(self, what: Callable[[TableView], bool]) -> bool:
        """Whether all see a table that is like this."""
        return all(map(what, self.views.values()))

    def press(self, name: str, key: str) -> None:
        """Do what a key means to a player."""
        client, meant = self._clients[name], self._controls[name].press(key, self.views[name])
        if isinstance(meant, SayWord):
            client.speak(meant.word, meant.direction)
        elif isinstance(meant, PutIn):
            client.choose(meant.coins)
        elif meant is not None:
            client.ready()

    def count(self, name: str, key: str, goal: Callable[[TableView], bool]) -> list[int]:
        """What it takes from this key until both have a view that is the goal."""
        self._background.run(_written()).result(PATIENCE)
        with self._changed:
            self._goal, self._counted = goal, []
            self._reached.clear()
        self._counter.begin()
        self.press(name, key)
        self.wait(lambda: bool(self._counted))
        return self._counted


async def _written() -> None:
    """Wait until nothing is left of what was said before: the disk is the last to have it."""
    for _ in NAMES:
        await disks.DISK.run(lambda: None)


def _after(view: TableView) -> Callable[[TableView], bool]:
    return lambda seen: seen.position > view.position


def _is_counted(view: TableView) -> bool:
    return view.phase in (Phase.CHOOSING, Phase.GATHERING)


def _get_ready(company: Company) -> None:
    for name in NAMES:
        seat = company.views[name].my_seat
        if seat and not seat.ready:
            is_later = _after(company.views[name])
            company.press(name, "r")
            company.wait(partial(company.all_are, is_later))


def main(count: int) -> int:
    """Play until so many bids of each player are counted."""
    company = Company(Counter())
    bids = dict.fromkeys(NAMES, 0)
    while min(bids.values()) < count:
        company.wait(lambda: len({view.position for view in company.views.values()}) == 1)
        view = company.views[NAMES[0]]
        if view.phase is Phase.GATHERING:
            _get_ready(company)
        elif view.phase is Phase.CHOOSING:
            name = next(name for name in NAMES if company.views[name].own_fist_due)
            print("hand", *company.count(name, "1", _after(view)), flush=True)
        elif view.phase is Phase.SPEAKING:
            name = next(name for name in NAMES if company.views[name].my_turn)
            if len(view.words) < RAISES:
                bids[name] += 1
                print("bid", *company.count(name, "enter", _after(view)), flush=True)
            else:
                print("ending", *company.count(name, "c", _is_counted), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
