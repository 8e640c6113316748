"""`spoof host`: its arguments, and a table without a screen."""

import asyncio
import contextlib
import errno
import io
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.rules.options import Rules
from protocol.table import fold
from protocol.table.verify import verify
from protocol.version import PROTOCOL
from spoof_tui.bots.levels import Level
from spoof_tui.commands import host, play
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Owner, dial
from spoof_tui.network.tls import client_context
from spoof_tui.runtime import saved_tables
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.bot_players import BotPlayers
from spoof_tui.runtime.errand import Errand
from spoof_tui.runtime.hosting import HostedTable, Plan
from spoof_tui.storage.settings import Settings
from tests.helpers import warm
from tests.spoof_tui.runtime.local_table import new_key

if sys.platform == "linux":
    import resource

LIMIT = 20.0

Starts = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Starts]:
    """Starts a program of its own; it is gone at the end."""
    running: list[subprocess.Popen[str]] = []

    def new(*words: str) -> subprocess.Popen[str]:
        command = warm.words([sys.executable, "-m", "spoof_tui", *words])
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        running.append(process)
        return process

    yield new
    for process in running:
        process.kill()
        process.communicate()


def free_port() -> int:
    """A port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def port_of(process: subprocess.Popen[str]) -> int:
    """The port that a host says it listens on."""
    assert process.stdout
    said = process.stdout.readline()
    found = re.search(r"listens on port (\d+)\.", said)
    assert found, said
    return int(found[1])


def code_of(process: subprocess.Popen[str]) -> str:
    """The join code that a host says after that."""
    assert process.stdout
    said = process.stdout.readline()
    found = re.fullmatch(r"Join code: (\w{5})\n", said)
    assert found, said
    return found[1]


def test_a_table_without_a_screen_has_a_door_that_ends_with_it(start: Starts) -> None:
    process = start("host", "--headless", "--port", "0", "--ssh", str(port := free_port()))
    port_of(process)
    code_of(process)
    assert process.stdout
    assert f"ssh -p {port} " in process.stdout.readline()
    assert "SHA256:" in process.stdout.readline()
    with socket.create_connection(("127.0.0.1", port), LIMIT) as client:
        assert client.recv(8) == b"SSH-2.0-"
        process.kill()
        client.settimeout(LIMIT)
        while client.recv(4096):
            pass


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seats", "1"], "1 is not from 2 to 9"),
        (["--seats", "ten"], "'ten' is not a number"),
        (["--port", "65536"], "65536 is not from 0 to 65535"),
        (["--start-when", "10"], "10 is not from 2 to 9"),
        (["--ssh", "0"], "0 is not from 1 to 65535"),
        (["--games", "0"], "0 is not from 1 to 9999"),
        (["--rules", "hamburg"], "no preset is called 'hamburg'"),
        (["--rules", "milan cap=1"], "cap must be 3"),
        (["--name", "\x1b]0;x\x07"], "a name has letters that can be printed"),
        (["--name", "x" * 65], "a name has at most 64 bytes"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["Pier"], "unrecognized arguments: Pier"),
    ],
)
def test_a_wrong_argument_is_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        host.main(["--headless", *words])
    assert stop.value.code == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("spoof host: error: ")
    assert sentence in last


def planned(monkeypatch: pytest.MonkeyPatch, *words: str) -> Plan:
    """The plan that these arguments make for the screen."""
    errands: list[Errand] = []

    def show(errand: Errand, *, is_plain: bool | None = None) -> int:
        errands.append(errand)
        return 0

    monkeypatch.setattr(play, "show_app", show)
    assert host.main(words) == 0
    assert errands[0].plan
    return errands[0].plan


def test_without_arguments_the_table_is_called_after_its_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Settings("Olha").save()
    plan = planned(monkeypatch)
    assert (plan.name, plan.host) == ("Olha’s table", "Olha")
    assert (plan.rules, plan.seats, plan.games, plan.port) == (Rules.parse("milan"), 9, None, None)


def test_arguments_make_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "--name Pier --rules three-coins --seats 4 --start-when 3 --games 2 --port 7000"
    plan = planned(monkeypatch, *words.split())
    assert plan == Plan("Pier", plan.host, Rules.parse("three-coins"), 4, 3, 2, 7000)


def test_the_grace_time_and_the_turn_clock_are_options(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(monkeypatch, "--grace", "90", "--clock", "45")
    assert (plan.grace, plan.clock) == (90, 45)
    usual = planned(monkeypatch)
    assert (usual.grace, usual.clock) == (60, 0)


async def hosted(*names: str) -> list[bytes]:
    """Tables of these names that were hosted here and crashed; their ids."""
    ids = []
    for name in names:
        plan = Plan(name, "Olha", Rules.parse("milan"), port=0)
        table = await HostedTable.open(plan, new_key())
        ids.append(table.server.host.table.id)
        await table.close()
    return ids


async def test_the_last_table_is_the_one_to_go_on_with_or_the_one_that_is_named() -> None:
    pier, train = await hosted("Golden Pier", "Night train")
    assert host.saved_table("").table == train
    assert host.saved_table("pier").table == pier


async def test_a_table_that_was_never_hosted_here_is_a_sentence() -> None:
    with pytest.raises(host.CannotSave, match="no table here to continue"):
        host.saved_table("")
    await hosted("Golden Pier")
    with pytest.raises(host.CannotSave, match=r"no table called 'Moon' .* are: Golden Pier"):
        host.saved_table("Moon")


async def test_a_table_of_another_version_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    await hosted("Golden Pier")
    for module in (fold, saved_tables):
        monkeypatch.setattr(module, "PROTOCOL", PROTOCOL + 1)
    with pytest.raises(host.CannotSave, match=r"no table here .* played by another version"):
        host.saved_table("")


def test_a_saved_table_is_an_errand_of_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    [table] = asyncio.run(hosted("Golden Pier"))
    errands: list[Errand] = []

    def show(errand: Errand, *, is_plain: bool | None = None) -> int:
        errands.append(errand)
        return 0

    monkeypatch.setattr(play, "show_app", show)
    assert host.main(["--resume", "Golden Pier"]) == 0
    assert [errand.saved.table for errand in errands if errand.saved] == [table]


def test_nothing_to_go_on_with_ends_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert host.main(["--resume"]) == 1
    assert capsys.readouterr().err == ("spoof: no table here to continue\n")


def test_a_table_is_locked_unless_it_is_opened_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert planned(monkeypatch).locked
    assert not planned(monkeypatch, "--open").locked


def test_no_more_players_are_waited_for_than_there_are_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert planned(monkeypatch, "--seats", "3", "--start-when", "8").start_when == 3


def test_a_table_without_a_screen_says_where_it_is_and_stops_in_good_order(start: Starts) -> None:
    process = start("host", "--headless", "--port", "0", "--name", "Pier")
    port = port_of(process)
    with (
        socket.create_connection(("127.0.0.1", port), LIMIT) as wire,
        client_context().wrap_socket(wire) as guest,
    ):
        assert guest.recv(1)
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, errors) == (0, "")
    assert output.splitlines()[-1].startswith("Told to end: the table is closed.")


def test_a_table_of_one_game_ends_by_itself_and_saves_it(
    start: Starts, state: Path, background: BackgroundLoop
) -> None:
    words = ["--headless", "--port", "0", "--games", "1", "--start-when", "3", "--seats", "3"]
    process = start("host", *words)
    address = Address("127.0.0.1", port_of(process))
    code = code_of(process)

    async def connect(owner: Owner) -> None:
        await dial(owner, address)

    async def play_there() -> None:
        bots = BotPlayers(connect, pace=0, code=code)
        bots.add(3, Level.EASY)
        await bots.wait()

    background.run(play_there()).result(LIMIT)
    output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, errors) == (0, "")
    assert "3 of 3 seats taken, playing" in output
    assert re.search(r"Game 1: \w+ has won\.", output)
    assert list((state / "games").glob("*.spoof"))


def test_bots_sit_down_at_a_table_without_a_screen_and_play(start: Starts) -> None:
    words = ["--bots", "2", "--level", "easy", "--as", "miser", "--port", "0"]
    process = start("host", "--headless", *words)
    wait_for(process, "2 of 9 seats taken, playing")
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, errors) == (0, "")
    assert output.splitlines()[-1].startswith("Told to end: the table is closed.")


@pytest.mark.skipif(sys.platform != "linux", reason="limits another program's files")
def test_a_disk_that_takes_nothing_for_a_moment_leaves_no_hole_in_the_log(
    start: Starts, state: Path
) -> None:
    process = start("host", "--headless", "--bots", "2", "--level", "easy", "--port", "0")
    wait_for(process, "2 of 9 seats taken, playing")
    [holder] = state.glob("identities/*.holder")
    pid = int(holder.read_text().split()[0])
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    wait_for(process, "the table stands still")
    [log] = state.glob("tables/*/host.log")
    size = log.stat().st_size
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
    wait_for(process, "the table goes on")
    while log.stat().st_size <= size:
        assert process.poll() is None
    process.kill()
    process.wait(LIMIT)
    assert verify([log.read_bytes()]).fault is None


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EPIPE])
def test_output_for_which_there_is_no_room_ends_no_table(
    error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(error, os.strerror(error))

    monkeypatch.setattr(sys, "stdout", Full())
    nobody_reads = pytest.raises(BrokenPipeError)
    with nobody_reads if error == errno.EPIPE else contextlib.nullcontext():
        host._say("2 of 9 seats taken, playing")


def wait_for(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdout
    while words not in process.stdout.readline():
        assert process.poll() is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bots", "3", "--seats", "3"], "a table of 3 seats takes at most 2 bots here"),
        (["--bots", "4", "--seats", "3", "--headless"], "takes at most 3 bots here"),
        (["--bots", "2", "--as", "x"], "a character is one of "),
    ],
)
def test_bots_that_have_no_seat_are_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        host.main(words)
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_table_with_bots_begins_when_they_and_its_host_are_ready() -> None:
    given = host.parser().parse_args(["--bots", "3"])
    assert host._plan(given, "Olha").start_when == 4
    given = host.parser().parse_args(["--bots", "3", "--headless"])
    assert host._plan(given, "Olha").start_when == 3


def test_a_port_that_is_taken_is_a_sentence(start: Starts) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        process = start("host", "--headless", "--port", str(taken.getsockname()[1]))
        output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, output) == (1, "")
    assert errors == "spoof: the table cannot be opened: Address already in use\n"


def test_an_open_table_says_no_code(start: Starts) -> None:
    process = start("host", "--headless", "--open", "--port", "0")
    port_of(process)
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=LIMIT)
    assert "code" not in output


async def test_another_code_is_said_once_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan("Pier", "Olha", Rules.parse("milan"), public=False)
    table = await HostedTable.open(plan, new_key())
    reporter = host._Reporter(table, asyncio.Event())
    table.listen(reporter.report)
    reporter.opened()
    first = table.code
    table.renew_code()
    reporter.report()
    said = capsys.readouterr().out.splitlines()
    await table.close()
    assert [line for line in said if "code" in line.lower()] == [
        f"Join code: {first}",
        f"The code has changed: {table.code}",
    ]
