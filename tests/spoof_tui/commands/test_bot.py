"""`spoof bot`: players without a screen at somebody's table."""

import signal
import sys
import threading
from pathlib import Path

import pytest

from protocol.host.effects import Send
from protocol.rules.options import Rules
from protocol.table.log import Entry
from protocol.table.statements import GameStarted
from protocol.wire.messages import Entries, write
from spoof_tui import system
from spoof_tui.bots.levels import Level
from spoof_tui.clock import now
from spoof_tui.commands import bot
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.bot_players import BotPlayers
from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
from tests.helpers.pty import Terminal
from tests.spoof_tui.runtime.engines import engine
from tests.spoof_tui.runtime.local_table import new_key, until

LIMIT = 10.0


pytestmark = pytest.mark.usefixtures("usual_signals")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that is told to end would be the one that runs the tests."""
    monkeypatch.setattr(system, "GRACE", 10 * LIMIT)


def opened(
    background: BackgroundLoop, locked: bool = False, start_when: int = 2, seats: int = 9
) -> HostedTable:
    """A table in another thread; the game begins when `start_when` sit and are ready."""
    plan = TablePlan(
        "Pier",
        "Olha",
        Rules.parse("milan"),
        seats=seats,
        start_when=start_when,
        port=0,
        public=False,
        locked=locked,
    )
    return background.run(HostedTable.open(plan, new_key())).result(LIMIT)


def test_a_host_that_cheats_is_told_with_the_evidence_in_two_lines(
    background: BackgroundLoop, capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    key = new_key()
    plan = TablePlan("Pier", "Olha", Rules.parse("milan"), port=0, public=False, locked=False)
    table = background.run(HostedTable.open(plan, key)).result(LIMIT)

    def lie_when_seated() -> None:
        host = table.server.host
        if len(host.table.seats) == 1:
            lying = Entry.sign(key, 0, host.log.head, now().wall, GameStarted(()))
            links = tuple(link for link, _ in host.connections.inside())
            background.call(table.server.carry_out, [Send(links, write(Entries((lying.blob,))))])

    background.call(table.listen, lie_when_seated)
    assert bot.main([f"127.0.0.1:{table.port}"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    [evidence] = (state / "games").glob("*.log")
    assert first.startswith("spoof: The host’s log does not hold together (entry 2:")
    assert str(evidence) in second
    background.run(table.close()).result(LIMIT)


def test_a_bot_that_finds_no_free_seat_says_so_and_ends(
    background: BackgroundLoop, capsys: pytest.CaptureFixture[str]
) -> None:
    table = opened(background, seats=2, start_when=9)

    async def fill() -> None:
        bots = BotPlayers(table.server.connect)
        bots.add(2, Level.EASY)
        await until(lambda: len(table.server.host.table.seats) == 2)

    background.run(fill()).result(LIMIT)
    assert bot.main([f"127.0.0.1:{table.port}"]) == 1
    assert capsys.readouterr().err == "spoof: The table is full: 2 seats.\n"
    background.run(table.close()).result(LIMIT)


def test_a_bot_gets_up_when_it_is_told_to_stop(
    background: BackgroundLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not how soon: a busy machine may need more time than a program has for it.
    monkeypatch.setattr(bot, "LAST_TIMEOUT", LIMIT)
    monkeypatch.setattr(system, "GRACE", LIMIT)
    table = opened(background)

    def stop_when_seated() -> None:
        if len(table.server.host.table.seats) == 1:
            signal.raise_signal(signal.SIGTERM)

    background.call(table.listen, stop_when_seated)
    assert bot.main([f"127.0.0.1:{table.port}"]) == 129
    background.run(table.close()).result(LIMIT)
    assert table.server.host.table.seats == ()


# The join code


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "This table asks for its join code: add --code"),
        (["--code", "AAAAA"], "That is not the code of this table."),
    ],
)
def test_bots_that_do_not_know_the_code_end_with_a_sentence(
    words: list[str], sentence: str, background: BackgroundLoop, capsys: pytest.CaptureFixture[str]
) -> None:
    table = opened(background, locked=True)
    assert table.code != "AAAAA"
    assert bot.main([f"127.0.0.1:{table.port}", "--count", "3", *words]) == 1
    assert capsys.readouterr().err.startswith(f"spoof: {sentence}")
    background.run(table.close()).result(LIMIT)


@pytest.mark.unix("pseudo terminals")
def test_the_code_is_asked_for_at_a_terminal(background: BackgroundLoop) -> None:
    table, sits = opened(background, locked=True), threading.Event()

    def note() -> None:
        if table.server.host.table.seats:
            sits.set()

    background.call(table.listen, note)
    command = [sys.executable, "-m", "spoof_tui", "bot", f"127.0.0.1:{table.port}"]
    with Terminal(command) as terminal:
        terminal.wait("Join code:")
        terminal.send("nonsense\n")
        terminal.wait("five letters and digits")
        terminal.send(f"{table.code}\n")
        assert sits.wait(LIMIT)
    background.run(table.close()).result(LIMIT)


# Engines


def test_an_engine_that_fails_again_ends_the_bot_with_status_1(
    background: BackgroundLoop, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    table = opened(background)

    async def sit() -> BotPlayers:
        others = BotPlayers(table.server.connect, pace=0.0)
        others.add(1, Level.EASY)
        return others

    others = background.run(sit()).result(LIMIT)
    mute = engine(tmp_path, "    print('I think', file=sys.stderr)\n    sys.exit(3)\n")
    assert bot.main([f"127.0.0.1:{table.port}", "--engine", mute]) == 1
    lines = capfd.readouterr().err.splitlines()
    assert lines.count("I think") == 2
    first, second = [line for line in lines if line != "I think"]
    assert first.startswith("spoof: The engine Doubter made a mistake: it ended with status 3.")
    assert second.endswith("second mistake in one game: it stops playing.")
    background.run(others.close()).result(LIMIT)
    background.run(table.close()).result(LIMIT)
