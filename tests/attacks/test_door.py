"""Attacks by somebody who may log in at a door; each test is named after one."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path

import asyncssh
import pytest

from spoof_tui.commands.door import VISIT
from spoof_tui.door import folders, sandbox
from spoof_tui.door.confinement import has_wall
from spoof_tui.door.folders import MAX_GUESSES
from spoof_tui.door.prewarmed import WAITS, Prewarmed
from spoof_tui.door.ssh_door import any_environment
from tests.attacks import intruder
from tests.end_to_end import markers
from tests.end_to_end.callers import CODE, COMEBACK, Door, options_of
from tests.end_to_end.homes import eventually
from tests.helpers.histories import fill
from tests.helpers.pty import Terminal
from tests.helpers.unix import IS_ROOT
from tests.spoof_tui.door.doors import knocking, read_until
from tests.spoof_tui.door.pages import Caller, socket_to, web_door_of
from tests.spoof_tui.runtime.local_table import until

LOBBY = "Learn by playing"
HELD = "Your seat is in another window"
HALF_OPEN = 2000
PATIENT = 300
"""Half-open connections that come while a player compares a fingerprint."""

HOSTS = {
    "root": [],
    "root of a container": ["setpriv", "--bounding-set=-sys_admin"],
    # A user mapped to another number owns what root owns, but is not root any more.
    "anybody": ["unshare", "--user", "--map-user=1000", "--map-group=1000"],
}
"""The users that a door may run as, and how its visitors' programs are started by root."""

FLOODS = (
    b"\x1b[A" * 1000,
    b"\x1b]0;x\x07" * 800,
    b"\x1b[97;1:3u" * 500,  # keys that are released
    b"\xff\x00\x9b" * 1500,
)


@pytest.fixture
def door(state: Path) -> Iterator[Door]:
    with ExitStack() as stack:
        yield Door(state, stack)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A door where everybody is sent away before they get an interface."""
    with ExitStack() as stack:
        yield Door(tmp_path_factory.mktemp("door"), stack)


def ssh(door: Door, *words: str) -> subprocess.CompletedProcess[str]:
    """How an OpenSSH command ends."""
    return door.run("ssh", *options_of(door.port, None), "mallory@127.0.0.1", *words)


@pytest.mark.parametrize("words", [("id",), ("spoof", "--version"), ("scp", "-t", "/tmp")])
def test_somebody_runs_a_command(lasting: Door, words: tuple[str, ...]) -> None:
    told = ssh(lasting, *words)
    assert told.returncode != 0 and told.stdout == ""
    assert "exec request failed" in told.stderr


def test_somebody_fetches_files(lasting: Door) -> None:
    told = lasting.run(
        "sftp", *options_of(lasting.port, None), "mallory@127.0.0.1:/etc/passwd", "/dev/null"
    )
    assert told.returncode != 0 and "subsystem request failed" in told.stderr


def test_somebody_has_a_shell_without_a_terminal(lasting: Door) -> None:
    told = ssh(lasting, "-T")
    assert told.returncode == 1 and "ssh -t" in told.stderr


def test_somebody_brings_an_environment_an_agent_and_a_screen_of_windows(door: Door) -> None:
    mallory = door.call(
        "mallory",
        env={"SPOOF_STATE": "/tmp", "PYTHONSTARTUP": "/tmp/x", "LC_ALL": "../../x"},
        SendEnv="SPOOF_STATE PYTHONSTARTUP LC_ALL",
        ForwardAgent="yes",
        ForwardX11="yes",
    )
    mallory.wait("You’ll only")
    (pid,) = door.interfaces()
    said = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    names = {each.partition(b"=")[0] for each in said}
    assert not names & {b"PYTHONSTARTUP", b"LC_ALL", b"SSH_AUTH_SOCK", b"DISPLAY"}
    assert f"SPOOF_STATE={door.anna.path}/door/".encode() in b"\n".join(said)


@pytest.mark.parametrize("name", ["-h", "--name", "--table=1"])
def test_somebody_is_called_like_an_option(lasting: Door, name: str) -> None:
    # A sign of no width, for newer clients send no name that begins so.
    visitor = lasting.call(f"\u200b{name}")
    visitor.wait(CODE)
    called = [json.loads((home.path / "settings.json").read_text()) for home in lasting.homes()]
    assert name in {settings["name"] for settings in called}
    Door.hang_up(visitor)


def test_somebody_takes_the_name_of_a_guest_who_plays(door: Door) -> None:
    cleo = door.sit("Cleo")
    word = markers.word(cleo.text())
    mallory = door.call("Cleo")
    mallory.wait(COMEBACK)
    assert word not in mallory.text()
    mallory.send("\r")
    mallory.wait(CODE)
    assert HELD not in mallory.text()
    mallory.send(f"{door.code}\r")
    mallory.wait(markers.taken(3))
    cleo.send("t")
    cleo.send("still here\r")
    door.host.wait("still here")


def test_somebody_guesses_the_word_of_a_guest(door: Door) -> None:
    door.sit("Cleo")
    mallory = door.call("Cleo", LogLevel="INFO")
    for guess in range(MAX_GUESSES + 1):
        mallory.wait_until(partial(is_asked, guess + 1))
        mallory.send("AAAA-CCCC-DDDD\r")
    assert mallory.wait_exit() != 0


def is_asked(times: int, shown: Terminal) -> bool:
    """Whether somebody was asked for a word this often, and has not got it right."""
    text = shown.text()
    return (text.count(COMEBACK), text.count("That is not your return word")) == (times, times - 1)


def test_somebody_writes_a_file_of_the_owner(door: Door) -> None:
    mallory = door.call("mallory")
    mallory.wait(CODE)
    (home,) = door.homes()
    fill(home.path, 1)
    mallory.send("\x1b")
    mallory.wait(LOBBY)
    mallory.send("g")
    mallory.wait("1 game")
    assert "export" not in mallory.text()
    mallory.send("e")
    mallory.wait("You are playing through a door, on")


def test_somebody_opens_a_door_behind_the_door(door: Door) -> None:
    mallory = door.call("mallory")
    mallory.wait(CODE)
    mallory.send("\x1b")
    mallory.wait(LOBBY)
    mallory.send("n")
    mallory.wait(markers.OPEN_TABLE)
    mallory.send("\r")
    mallory.wait(markers.ALONE)
    mallory.send("m")
    mallory.wait("Invite")
    assert "ssh" not in mallory.text()
    assert len(door.interfaces()) == 1


def test_thousands_of_half_open_handshakes_keep_nobody_out(door: Door) -> None:
    with ExitStack() as stack:
        for _ in range(HALF_OPEN):
            stranger = stack.enter_context(socket.socket())
            stranger.bind(("127.0.0.9", 0))
            stranger.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                stranger.connect(("127.0.0.1", door.port))
        ben = door.call("Ben")
        ben.wait("You’ll only")
        ben.send(f"{door.code}\r")
        ben.wait(markers.READY)
        door.host.wait(markers.taken(2))


def test_who_takes_long_to_log_in_is_not_pushed_out_by_others_of_that_address(door: Door) -> None:
    ben = door.call("Ben", StrictHostKeyChecking="ask")
    ben.wait("continue connecting")
    with ExitStack() as stack:
        for _ in range(PATIENT):
            stranger = stack.enter_context(socket.create_connection(("127.0.0.1", door.port)))
            with contextlib.suppress(ConnectionError):
                stranger.recv(8)
        ben.send("yes\r")
        ben.wait("You’ll only")


@pytest.mark.skipif(not has_wall(), reason="this system has no wall around programs")
async def test_a_visitors_program_has_no_rights_of_the_host() -> None:
    async with knocking(run=lambda visitor: VISIT) as door, await door.connect() as client:
        process = await client.create_process(term_type="xterm", term_size=(80, 24))
        await read_until(process.stdout, "Learn")
        (said,) = visits()
    assert_has_no_rights(said)


@pytest.mark.skipif(not has_wall(), reason="this system has no wall around programs")
async def test_a_program_that_waited_for_its_visitor_has_no_rights_of_the_host() -> None:
    ahead = Prewarmed(VISIT, any_environment() | {"LANG": "C.UTF-8"})
    async with AsyncExitStack() as stack:
        stack.callback(ahead.close)
        ahead.begin()
        # Its words are not there yet at the very first.
        await until(visits)
        (waiting,) = visits()
        door = await stack.enter_async_context(knocking(run=lambda visitor: VISIT))
        port = await stack.enter_async_context(web_door_of(door.door, ahead.start))
        ann = await Caller.introduce(await socket_to(port))
        stack.push_async_callback(ann.socket.close)
        await ann.sees(b"Learn")
        # The next one may wait by now.
        (said,) = [each for each in visits() if each["Pid"] == waiting["Pid"]]
        tasks = f"/proc/{said['Pid'][0]}/task"
        threads = [status(Path(tasks, each)) for each in os.listdir(tasks)]  # noqa: PTH208
    assert WAITS in said["words"] and threads
    for each in threads:
        assert_has_no_rights(each)


def assert_has_no_rights(said: dict[str, list[str]]) -> None:
    """What Linux says of a process that nobody can do anything with."""
    assert {int(said[f"Cap{kind}"][0], 16) for kind in ("Eff", "Prm", "Inh", "Amb")} == {0}
    assert said["NoNewPrivs"] == ["1"] and said["Seccomp"] == ["2"]
    assert os.geteuid() != 0 or "0" not in said["Uid"] + said["Gid"] + said["Groups"]


def status(process: Path) -> dict[str, list[str]]:
    """What Linux says about a process; nothing if it is gone."""
    with contextlib.suppress(OSError):
        lines = (process / "status").read_text().splitlines()
        told = {name: said.split() for name, _, said in (line.partition(":") for line in lines)}
        return told | {"words": (process / "cmdline").read_text().split("\0")}
    return {}


def visits() -> list[dict[str, list[str]]]:
    """What Linux says about the programs of this process's visitors."""
    told = map(status, Path("/proc").glob("[0-9]*"))
    own = [each for each in told if each.get("PPid") == [str(os.getpid())]]
    return [each for each in own if VISIT[-1] in each["words"]]


def fixed_port() -> socket.socket:
    """Somebody who listens at a port that no system gives away."""
    for port in range(20000, 30000):
        with contextlib.suppress(OSError):
            return socket.create_server(("127.0.0.1", port))
    raise OSError


@pytest.mark.skipif(not has_wall(), reason="this system has no wall around programs")
@pytest.mark.parametrize("host", [*HOSTS] if IS_ROOT else ["anybody"])
async def test_somebodys_code_runs_in_the_program_of_a_visitor(host: str, state: Path) -> None:
    stay = folders.stay_of_key(b"other", "")
    other = stay.folder.rename(stay.folder.with_name("other"))
    stay.end()
    secrets = [state / "identity", state / "hand.secrets", other / "hand"]
    for path in secrets:
        path.write_bytes(b"secret")
    service, mailbox = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, 2)
    service.bind(str(state / "socket"))
    service.listen()
    mailbox.bind(str(state / "mailbox"))
    table, other_service = fixed_port(), fixed_port()
    words = [
        *(HOSTS[host] if IS_ROOT else []),
        sys.executable,
        "-s",
        "-P",
        intruder.__file__,
        str(state),
        *(str(each.getsockname()[1]) for each in (table, other_service)),
    ]
    async with knocking(run=lambda visitor: words) as door:
        said = json.loads(await typed(door.port))
    for each in (service, mailbox, table, other_service):
        each.close()
    may = ["calls the table", "keeps something", "hides something", "opens a table"]
    if sandbox.version() < 4:
        may.insert(0, "calls a service by its port")
    assert said["got"] == may
    assert host != "root" or said["user"] != 0
    assert [each.read_bytes() for each in secrets] == [b"secret"] * 3


async def test_a_flood_of_fresh_keys_takes_nothing_from_who_is_here(
    monkeypatch: pytest.MonkeyPatch, state: Path
) -> None:
    monkeypatch.setattr(folders, "MAX_OF_PLACE", 3)
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(8)]
    keys[-1].write_private_key(state / "last")
    (state / "last").chmod(0o600)
    async with knocking() as door, await door.connect("Ben", client_keys=keys[:1]) as ben:
        process = await ben.create_process(term_type="xterm")
        await read_until(process.stdout, "ready")
        (here,) = kept(state)
        (here / "hand").touch()
        os.utime(here, (0, 0))
        for key in keys[1:-1]:
            async with await door.connect("Mallory", client_keys=[key]) as mallory:
                other = await mallory.create_process(term_type="xterm")
                await read_until(other.stdout, "ready")
                other.stdin.write("q")
                await other.wait()
        assert (here / "hand").exists() and len(kept(state)) == 3
        with ExitStack() as stack:
            for key in keys[-3:-1]:
                stay = folders.stay_of_key(key.public_data, "127.0.0.1")
                stack.callback(stay.end)
            assert "only they can come in" in await typed(door.port, state / "last")
        assert (here / "hand").exists()


def kept(home: Path) -> list[Path]:
    """The directories of those with a key."""
    return list(home.glob("door/keys/*/"))


async def typed(port: int, key: Path | None = None) -> str:
    """All that an OpenSSH client shows."""
    client = await asyncio.create_subprocess_exec(
        *("ssh", "-tt", *options_of(port, key), "mallory@127.0.0.1"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert client.stdout
    async with asyncio.timeout(60):
        shown = await client.stdout.read()
        await client.wait()
    return shown.decode()


def test_a_client_that_never_reads_keeps_nobody_waiting(door: Door) -> None:
    mallory, ben = door.sit("mallory"), door.sit("Ben")
    for terminal in (door.host, mallory, ben):
        terminal.send("r")
    for terminal in (door.host, mallory, ben):
        terminal.wait(markers.HAND)
    mallory.freeze()
    door.host.send("1")
    ben.send("2")
    ben.wait("Waiting for mallory")
    door.host.wait("Waiting for mallory")


def test_floods_of_keys_are_the_flooders_own_trouble(door: Door) -> None:
    mallory, ben = door.sit("mallory"), door.sit("Ben")
    for number, flood in enumerate(FLOODS):
        pour(mallory, flood)
        ben.send("t")
        ben.send(f"still here {number}\r")
        door.host.wait(f"still here {number}")


@pytest.mark.skipif(sys.platform != "linux", reason="others have one loopback address")
def test_whoever_guesses_at_the_code_locks_out_nobody_from_elsewhere(door: Door) -> None:
    mallory = door.call("mallory", BindAddress="127.0.0.5")
    mallory.wait("You’ll only")
    guesses = itertools.count()

    def is_locked_out() -> bool:
        if "Too many wrong codes" in mallory.text():
            return True
        mallory.send(f"A{next(guesses) % 10}AAA\r")
        return False

    eventually(is_locked_out, "the end of the guesses", timeout=60)
    ben = door.call("Ben")
    ben.wait("You’ll only")
    ben.send(f"{markers.code(door.host.text())}\r")
    ben.wait(markers.READY)


def pour(terminal: Terminal, flood: bytes, times: int = 4) -> None:
    """Send more of a flood than is passed on at once; an interface may end by it."""
    for _ in range(times):
        if terminal.process.poll() is None:
            with contextlib.suppress(OSError):
                terminal.send(flood)


async def test_garbage_in_place_of_a_handshake_ends_that_connection_only(lasting: Door) -> None:
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n" + bytes(70_000)):
        reader, writer = await asyncio.open_connection("127.0.0.1", lasting.port)
        writer.write(garbage)
        with contextlib.suppress(OSError):
            async with asyncio.timeout(30):
                while await reader.read(4096):
                    pass
        writer.close()
    assert ssh(lasting, "-T").returncode == 1
