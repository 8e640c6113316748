"""A whole evening in plain lines, by script: from the lobby to a rematch."""

from __future__ import annotations

import asyncio
import gc
import io
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from protocol.views import LinkState
from spoof_tui import beats
from spoof_tui.bots import mind
from spoof_tui.network import discovery
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.probe import FoundTable
from spoof_tui.plain.app import PlainApp
from spoof_tui.runtime import troubleshooting
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.notices import ViewChanged
from spoof_tui.storage.settings import Practice, Settings
from tests.spoof_tui.plain.readers import answer
from tests.spoof_tui.ui.lobbies import found
from tests.spoof_tui.ui.table.scenes import at

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

LIMIT = 60.0
"""Seconds after which an evening has gone wrong."""


class Script(io.StringIO):
    """A player who hears every line, and types what it asks for."""

    is_terminal = False

    def __init__(self, answer: Callable[[str], list[str | None]]) -> None:
        super().__init__()
        self._answer = answer
        self._heard: Callable[[str | None], None] = lambda line: None
        self._line = ""
        self.all: list[str] = []
        self.hidden: list[bool] = []

    def start(self, heard: Callable[[str | None], None]) -> None:
        self._heard = heard

    def hide(self, is_hidden: bool) -> None:
        self.hidden.append(is_hidden)

    def write(self, text: str) -> int:
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self.all.append(line)
            for typed in self._answer(line):
                self._heard(typed)
        return len(text)


class Player:
    """Plays by what is asked; after this many games it says goodbye."""

    def __init__(self, hears: str, *first: str, games: int = 1) -> None:
        """The words to type `first` in the lobby, once such a line appears."""
        self._hears, self._first = hears, list(first)
        self._left = games
        self._saved = self._asked = False
        self._chance = random.Random(7)

    def answer(self, line: str) -> list[str | None]:
        """The words to type after a line."""
        if line.startswith(self._hears):
            return [*self._first]
        if (said := answer(line, self._chance)) is not None:
            return [said]
        self._saved |= line.startswith("Game saved: ")
        self._asked |= line.startswith("Play again?")
        if self._asked and self._saved:
            self._saved = self._asked = False
            self._left -= 1
            return [""] if self._left else ["who", "rounds", "quit"]
        if line.startswith("You are in the lobby"):
            return ["quit"]
        return []


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody waits for a count, and bots think for a moment."""
    for name, seconds in vars(beats).items():
        if isinstance(seconds, float):
            monkeypatch.setattr(beats, name, seconds / 40)
    monkeypatch.setattr(mind, "QUICKEST", 0.01)
    monkeypatch.setattr(mind, "SLOWEST", 0.01)
    yield
    # A program ends without waiting for what is open in its background.
    for thread in threading.enumerate():
        if thread.name == "background":
            thread.join(5)
    gc.collect()


def spend(script: Script, settings: Settings, launch: Launch | None = None) -> int:
    """One person's evening; returns the exit status."""

    async def run() -> int:
        async with asyncio.timeout(LIMIT):
            return await PlainApp(settings, launch or Launch(), script, script).run()

    try:
        return asyncio.run(run())
    except TimeoutError as error:
        error.add_note("\n".join(script.all[-20:]))
        raise


class Air:
    """A network on which a table appears, and its diagnosis meanwhile."""

    tables: tuple[FoundTable, ...] = ()
    trouble, unanswered = None, ()

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looks = 0
        self._tell: Callable[[object], None] = lambda tables: None
        monkeypatch.setattr(discovery, "Browser", self._begin)
        monkeypatch.setattr(troubleshooting, "find_out", self._find_out)
        for name in ("EXPLAIN_DELAY", "AGAIN_INTERVAL", "LOOK_INTERVAL"):
            monkeypatch.setattr(troubleshooting, name, 0.01)

    def _begin(self, tell: Callable[[object], None], _trouble: object) -> Air:
        self._tell = tell
        return self

    async def start(self) -> None:
        pass

    async def _find_out(self, _request: object) -> tuple[Finding, ...]:
        self.looks += 1
        return (Finding(Code.NO_ADDRESS, Severity.PROBLEM),)

    def appear(self) -> None:
        """There is a table from now on."""
        self.tables = (found(1, name="Night train"),)
        self._tell(self.tables)


def test_from_the_lobby_to_a_rematch_against_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    air, player = Air(monkeypatch), Player("This computer has no address", "play", games=2)
    first, last = set[int](), set[int]()

    def hear(line: str) -> list[str | None]:
        if line.startswith("Your hand"):
            first.add(air.looks)
        if line.startswith("Play again?"):
            last.add(air.looks)
            air.appear()
        return player.answer(line)

    script = Script(hear)
    practice = Practice("milan", bots=2, level="easy")
    assert spend(script, Settings("Olha", practice=practice)) == 0
    told = script.all
    assert max(last) - min(first) <= 1, "one look may be under way when the table opens"
    (appeared,) = (place for place, line in enumerate(told) if "Night train" in line)
    assert any(line.startswith("You are in the lobby") for line in told[:appeared])
    assert sum(line.startswith("Play again?") for line in told) == 2
    assert sum(line.startswith("Game saved: ") for line in told) == 2
    assert told[-1] == "Goodbye."
    assert all(line.isprintable() and line == line.strip() != "" for line in told)
    assert True in script.hidden and script.hidden[-1] is False
    asked = [place for place, line in enumerate(told) if line.startswith("Your hand")]
    assert asked and not any(
        "fist" in told[place + 1] and "You open" in told[place + 1] for place in asked
    )


def test_a_reader_that_is_gone_ends_the_evening() -> None:
    class Gone(Script):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    assert spend(Gone(lambda line: []), Settings("Olha")) == 1


def test_a_practice_game_knows_the_table_at_which_the_seat_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script, view = Script(lambda line: []), at("speaking").clients[0].view
    app = PlainApp(Settings(), Launch(), script, script)
    for name in ("carry_out", "claim_seat"):
        monkeypatch.setattr(app, name, lambda *_: None)
    app.begin(Launch(practice=True))
    app.background.stop()
    silent = app._table
    assert silent and silent.state.waiting is None
    for link in (LinkState.UP, LinkState.DOWN):
        silent.state.receive(replace(view, link=link))
    app.practise(view)
    assert app._table and app._table is not silent
    assert app._table.state.waiting is silent.state
    for link in (LinkState.MOVING, LinkState.UP, LinkState.DOWN):
        app._noticed(silent, ViewChanged(replace(view, link=link)))
    looking, back, again = script.all
    assert looking == again == "Looking for “Table” …"
    assert back.startswith("Your table is back. “Table” answers again")
