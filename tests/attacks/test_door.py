"""What somebody tries who may log in at a door; each test is named after it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from spoof_tui.door.comeback import MAX_GUESSES
from tests.end_to_end import markers
from tests.end_to_end.callers import CODE, COMEBACK, Door, options_of
from tests.end_to_end.homes import eventually
from tests.helpers.histories import fill
from tests.helpers.pty import Terminal

LOBBY = "Learn by playing"
HELD = "Your seat is in another window"
HALF_OPEN = 2000
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
    """A door for all who are sent away before they have an interface."""
    with ExitStack() as stack:
        yield Door(tmp_path_factory.mktemp("door"), stack)


def ssh(door: Door, *words: str, **options: str) -> subprocess.CompletedProcess[str]:
    """What becomes of an OpenSSH command."""
    before = ["ssh", *options_of(door.port, None, **options)]
    return door.run(*before, "mallory@127.0.0.1", *words)


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


def test_somebody_has_a_port_forwarded_to_them(lasting: Door) -> None:
    told = ssh(lasting, "-N", "-R", "0:127.0.0.1:22", ExitOnForwardFailure="yes")
    assert told.returncode != 0 and "remote port forwarding failed" in told.stderr


def test_somebody_reaches_through_the_door(lasting: Door) -> None:
    told = ssh(lasting, "-W", f"127.0.0.1:{lasting.table_port}")
    assert told.returncode != 0 and "forwarding failed" in told.stderr


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
    mallory.wait("only the first time")
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
    """Whether somebody was asked for a word so often, and has not got it right."""
    text = shown.text()
    return (text.count(COMEBACK), text.count("That is not the word")) == (times, times - 1)


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
    mallory.wait("You play by ssh, on")


def test_somebody_opens_a_door_behind_the_door(door: Door) -> None:
    mallory = door.call("mallory")
    mallory.wait(CODE)
    mallory.send("\x1b")
    mallory.wait(LOBBY)
    mallory.send("n")
    mallory.wait(markers.OPEN_TABLE)
    mallory.send("\r")
    mallory.wait(markers.ALONE)
    mallory.send("a")
    mallory.wait("You play by ssh yourself")
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
        ben.wait("only the first time")
        ben.send(f"{door.code}\r")
        ben.wait(markers.READY)
        door.host.wait(markers.taken(2))


def test_a_client_that_never_reads_keeps_nobody_waiting(door: Door) -> None:
    mallory, ben = door.sit("mallory"), door.sit("Ben")
    for terminal in (door.host, mallory, ben):
        terminal.send("r")
    for terminal in (door.host, mallory, ben):
        terminal.wait(markers.HAND)
    mallory.freeze()
    door.host.send("1")
    ben.send("2")
    ben.wait(markers.fists(2, 3))
    door.host.wait(markers.fists(2, 3))


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
    mallory.wait("only the first time")
    guesses = itertools.count()

    def is_locked_out() -> bool:
        if "Too many wrong codes" in mallory.text():
            return True
        mallory.send(f"A{next(guesses) % 10}AAA\r")
        return False

    eventually(is_locked_out, "the end of the guesses", timeout=60)
    ben = door.call("Ben")
    ben.wait("only the first time")
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
