"""An engine as a program: asked, timed, forgiven once in a game, and ended with all it started."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocol.host.host import Host
from protocol.rules.game import PlayedRound
from protocol.rules.options import PRESETS, Rules
from protocol.rules.words import Bid, Ending
from spoof_tui.bots import engine_protocol
from spoof_tui.bots.levels import Level
from spoof_tui.bots.tournament import play_game, view_of_round
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime.bot_players import BotPlayers
from spoof_tui.runtime.engine import Engine, EngineClosed, EngineFailed
from tests.spoof_tui.bots.arena import bidding
from tests.spoof_tui.runtime.engines import PLAYS, command, engine, program
from tests.spoof_tui.runtime.local_table import new_host, new_key, until

OPENING = view_of_round(bidding((3, 3, 3)), 0)
ANSWERING = view_of_round(bidding((3, 3, 3), (0, Bid(4))), 1)
NEXT_GAME = view_of_round(bidding((3, 3, 3), (0, Bid(4))), 1, number=2)
"""The game after that of `ANSWERING`."""

posix_only = pytest.mark.unix("process groups")

try:
    os.stat("no-such-engine")  # noqa: PTH116
except OSError as error:
    NO_SUCH_FILE = str(error.strerror)

LONG = 60.0
"""Seconds that no test waits."""

GREETS = 'input(); print(\'{"id": 1, "protocol": 1}\', flush=True)'
"""A program that greets without a name."""


@pytest.fixture
def told() -> list[str]:
    """The lapses that were reported."""
    return []


def test_an_engine_says_its_name_and_plays(tmp_path: Path, told: list[str]) -> None:
    with Engine(engine(tmp_path), told.append, LONG) as player:
        player.start()
        assert player.name == "Doubter"
        assert player.choose_hand(OPENING) == 1
        assert player.choose_word(OPENING, 1) == (Bid(1), None)
        assert player.choose_word(ANSWERING, 1) == (Ending.CALL, None)
    assert told == []


def test_an_engine_that_says_no_name_is_called_as_its_file(tmp_path: Path, told: list[str]) -> None:
    nameless = program(tmp_path, "nameless.py", GREETS)
    with Engine(nameless, told.append, LONG) as player:
        player.start()
        assert player.name == "nameless"


LAPSES = [
    ("print('hm', flush=True)", 'its answer is not JSON: "hm"'),
    ("say(ask, word=3)", '3 may not be said now, only 5–9, "call", "cliff", "spoof"'),
    ("say({'id': 0}, word='call')", "its answer has the id 0, not"),
    ("print('{' * 9999, flush=True)", "its answer is longer than 4096 bytes"),
    ("sys.exit(3)", "it ended with status 3"),
    pytest.param(
        "os.kill(os.getpid(), 9)", "it was ended by signal 9", marks=pytest.mark.unix("signals")
    ),
]


@pytest.mark.parametrize(("does", "sentence"), LAPSES)
def test_a_lapse_is_told_and_forgiven_once_in_a_game(
    does: str, sentence: str, tmp_path: Path, told: list[str]
) -> None:
    with Engine(engine(tmp_path, f"    {does}\n"), told.append, LONG) as player:
        assert player.choose_word(ANSWERING, 1) == (Ending.CALL, None)
        assert player.choose_word(NEXT_GAME, 1) == (Ending.CALL, None)
        assert len(told) == 2
        assert told[0].startswith(f"The engine Doubter made a mistake: {sentence}")
        with pytest.raises(EngineFailed, match="second mistake in one game"):
            player.choose_word(NEXT_GAME, 1)


def test_silence_is_a_lapse_after_its_time(tmp_path: Path, told: list[str]) -> None:
    with Engine(engine(tmp_path, "    time.sleep(1000)\n"), told.append, 0.2) as player:
        assert player.choose_hand(OPENING) == 0
    assert told[0].startswith("The engine Doubter made a mistake: no answer within 0.2 s.")


def test_an_engine_that_reads_nothing_holds_up_nobody(tmp_path: Path, told: list[str]) -> None:
    running = bidding((3, 3, 3), (0, Bid(4)), (1, Ending.CALL))
    hands = {0: 1, 1: 1, 2: 1}
    # Far more than a pipe holds.
    past = (PlayedRound(running, hands, running.count(hands)),) * 5000
    deaf = program(tmp_path, "deaf.py", f"import time; {GREETS}\nwhile True: time.sleep(9)")
    with Engine(deaf, told.append, 0.2) as player:
        player.choose_hand(view_of_round(bidding((3, 3, 3)), 0, past, speaking=False))
    assert "no answer within" in told[0]


def test_after_a_lapse_it_plays_on(tmp_path: Path, told: list[str]) -> None:
    mark = tmp_path / "mark"
    once = f"    if not os.path.exists({str(mark)!r}):\n        open({str(mark)!r}, 'w')\n"
    with Engine(engine(tmp_path, f"{once}        sys.exit(1)\n{PLAYS}"), told.append, LONG) as p:
        assert p.choose_hand(OPENING) == 0
        assert p.choose_hand(OPENING) == 1
    assert (
        len(told) == 1
        and "One mistake in a game is forgiven: the engine plays an empty hand" in told[0]
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("no-such-engine", f"The engine no-such-engine has failed: {re.escape(NO_SUCH_FILE)}"),
        pytest.param("'", "No closing", marks=pytest.mark.unix("single quotation marks")),
    ],
)
def test_an_engine_that_cannot_be_started_is_a_sentence(
    line: str, sentence: str, told: list[str]
) -> None:
    with pytest.raises(EngineFailed, match=sentence):
        Engine(line, told.append).start()
    with pytest.raises(EngineFailed, match="an engine is a command"):
        Engine(" ", told.append)


def test_an_engine_that_does_not_even_greet_is_told_how_to_read_and_write(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spoof_tui.runtime.engine.START_TIMEOUT", 0.2)
    buffering = program(tmp_path, "buffering.py", "import sys; sys.stdin.read()")
    with pytest.raises(EngineFailed, match=r"buffering has failed.*write out each answer at once"):
        Engine(buffering, told.append, 0.2).start()


def test_an_engine_with_options_is_called_as_its_file(tmp_path: Path, told: list[str]) -> None:
    path = tmp_path / "deep.awk"
    path.touch()
    assert Engine(command("awk", "-f", str(path), "--deep"), told.append).name == "deep"
    assert Engine("/no/such/engine --deep", told.append).name == "engine"


def test_an_engine_of_another_version_is_a_sentence(tmp_path: Path, told: list[str]) -> None:
    ended, greets = tmp_path / "ended", GREETS.replace('"protocol": 1', '"protocol": 0')
    old = f"{greets}\nimport sys; sys.stdin.read(); open({str(ended)!r}, 'w')"
    player = Engine(program(tmp_path, "old.py", old), told.append, LONG)
    with pytest.raises(EngineFailed, match="speaks version 0"):
        player.start()
    assert ended.exists(), "its program is told to end, and has the time for it"


@posix_only
def test_an_engine_is_ended_with_everything_that_it_started(
    tmp_path: Path, told: list[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = f"    import subprocess\n    out = open({str(pipe)!r}, 'w')\n"
    child += "    subprocess.Popen(['sleep', '1000'], stdout=out)\n"
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with Engine(engine(tmp_path, child + PLAYS), told.append, LONG) as player:
        assert player.choose_hand(OPENING) == 1
    os.set_blocking(reading, True)
    assert os.read(reading, 1) == b""  # nobody is left who could write
    os.close(reading)


@posix_only
@pytest.mark.parametrize(
    ("does", "limit", "told"),
    [
        ("    sys.exit(3)", LONG, "it ended with status 3"),
        ("    time.sleep(999)", 0.3, "no answer within"),
        (PLAYS, LONG, None),
    ],
    ids=["gone", "silent", "closed"],
)
def test_nobody_waits_for_a_pipe_that_somebody_else_holds(
    does: str, limit: float, told: str | None, tmp_path: Path
) -> None:
    held, heard = tmp_path / "held", list[str]()
    # A program that outlives the engine and holds its pipes open.
    holds = f"""    if not os.path.exists({str(held)!r}):
        import subprocess
        holder = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        open({str(held)!r}, "w").write(str(holder.pid))
"""
    try:
        with Engine(engine(tmp_path, f"{holds}{does}\n"), heard.append, limit) as player:
            player.start()
            began = time.monotonic()
            assert player.choose_hand(OPENING) == (1 if told is None else 0)
        assert time.monotonic() - began < LONG / 10
    finally:
        os.kill(int(held.read_text()), signal.SIGKILL)
    assert told is None or told in heard[0]


def test_closing_ends_a_question_at_once(tmp_path: Path, told: list[str]) -> None:
    mute = f"    open({str(tmp_path / 'asked')!r}, 'w')\n    time.sleep(1000)\n"
    player, ends = Engine(engine(tmp_path, mute), told.append, LONG), []

    def ask() -> None:
        try:
            player.choose_hand(OPENING)
        except EngineClosed:
            ends.append(True)

    asking = threading.Thread(target=ask)
    asking.start()
    while not (tmp_path / "asked").exists():
        time.sleep(0.01)
    player.close()
    asking.join(LONG)
    assert ends == [True] and told == []


AWK = r"""
{ match($0, /"id" *: *[0-9]+/); id = substr($0, RSTART, RLENGTH); sub(/.*: */, "", id) }
/"ask" *: *"hello"/ { say("\"protocol\": 1, \"name\": \"Awkward\""); next }
/"ask" *: *"hand"/ { say("\"hand\": 0"); next }
match($0, /"calls" *: *\[ *[0-9]+/) {
    number = substr($0, RSTART, RLENGTH); sub(/.*[^0-9]/, "", number)
    say("\"word\": " number); next
}
/"words" *: *\[ *\]/ { say("\"word\": 1"); next }
{ say("\"word\": \"call\"") }
function say(what) { printf "{\"id\": %s, %s}\n", id, what; fflush() }
"""
"""Holds nothing, opens with 1 and calls; in the guessing game, calls the lowest free number."""


@posix_only
@pytest.mark.parametrize("rules", [*PRESETS, "hollywood impossible=refuse"])
def test_engines_without_a_json_reader_play_every_game(
    rules: str, tmp_path: Path, told: list[str]
) -> None:
    reads = ["mawk", "-W", "interactive"] if shutil.which("mawk") else ["awk"]
    path = tmp_path / "calls.awk"
    path.write_text(AWK, encoding="utf-8")
    line = command(*reads, "-f", str(path))
    with Engine(line, told.append, LONG) as one, Engine(line, told.append, LONG) as other:
        for number in range(3):
            assert play_game([one, other], Rules.parse(rules), 0, number=number, rounds=8)
        assert one.name == "Awkward"
    assert told == []


# With bots, at a table


@contextlib.asynccontextmanager
async def table(rules: str = "milan") -> AsyncIterator[tuple[Host, BotPlayers]]:
    """A table for three, and bots that come to it."""
    key = new_key()
    host, _ = new_host(rules, start_when=3, games=1, key=key)
    server = TableServer(host, lambda blobs: None, key=key)
    bots = BotPlayers(server.connect, pace=0.0)
    yield host, bots
    async with asyncio.timeout(LONG):
        await bots.close()
        await server.close()


def started(folder: Path, told: list[str], plays: str = PLAYS) -> Engine:
    player = Engine(engine(folder, plays), told.append, LONG)
    player.start()
    return player


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
async def test_engines_play_a_game_with_bots_under_names_of_their_own(
    rules: str, tmp_path: Path, told: list[str]
) -> None:
    async with table(rules) as (host, bots):
        for _ in range(2):
            bots.add_engine(started(tmp_path, told))
        bots.add(1, Level.EASY)
        await until(lambda: len(host.table.seats) == 3, LONG)
        assert {"Doubter", "Doubter 2"} < {seat.name.raw for seat in host.table.seats}
        await until(lambda: host.is_done, LONG)
    assert told == [] and bots.failed is None


# The page


PAGE = Path(engine_protocol.__file__).with_name("ENGINES.md").read_text("utf-8")


@pytest.mark.parametrize("rules", PRESETS)
def test_the_example_of_the_page_plays(rules: str, tmp_path: Path, told: list[str]) -> None:
    [example] = re.findall("```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(example.splitlines()) <= 21
    with Engine(program(tmp_path, "doubter.py", example), told.append, LONG) as player:
        player.start()
        assert player.name == "Doubter"
        assert play_game([player, player], PRESETS[rules], opener=0, rounds=8)
    assert told == []
