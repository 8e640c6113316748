"""What a system says about its console."""

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui import console
from tests.helpers.pty import Terminal


@pytest.mark.parametrize(
    ("platform", "expected"), [("linux", b"\xab?\xbb"), ("win32", "«●»".encode())]
)
def test_what_is_redirected_is_utf8_on_windows(platform: str, expected: bytes) -> None:
    program = (
        "import sys; from spoof_tui import console; sys.platform = sys.argv[1]\n"
        "console.spare_output(); print('«●»')"
    )
    command = [sys.executable, "-c", program, platform]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert done.stdout == expected + os.linesep.encode()


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("uk_UA.KOI8-U", "koi8-u"), ("de_DE.ISO-8859-1@euro", "iso8859-1"), ("C", "utf-8"),
        ("en_US.US-ASCII", "utf-8"), ("uk_UA.UTF-8", "utf-8"), ("uk_UA.nonsense", "utf-8"),
    ],
)  # fmt: skip
def test_a_terminal_is_written_to_and_read_in_the_encoding_of_its_locale(
    locale: str, expected: str
) -> None:
    program = (
        "import threading; from spoof_tui import console\n"
        "console.spare_output(); print('їжак'); console.use_terminal_encoding()\n"
        "ended = threading.Event()\n"
        "console.TypedLines().start(lambda typed: ended.set() if typed is None else print(typed))\n"
        "ended.wait(30)"
    )
    environment = {**os.environ, "LANG": locale, "LC_ALL": "", "LC_CTYPE": ""}
    # Terminals of Windows have no locale.
    encoding = "utf-8" if sys.platform == "win32" else expected
    command, hedgehog = [sys.executable, "-c", program], "їжак\n".encode(encoding, "replace")
    done = subprocess.run(
        command, env=environment, input=hedgehog, check=True, stdout=subprocess.PIPE
    )
    assert done.stdout.replace(os.linesep.encode(), b"\n") == hedgehog * 2


class Closed(io.FileIO):
    """The writing end of a pipe on Windows, once nobody reads it."""

    def write(self, data: object) -> int:
        raise OSError(errno.EINVAL, "Invalid argument")


def test_a_write_to_a_pipe_that_is_invalid_says_that_nobody_reads_it(tmp_path: Path) -> None:
    with Closed(tmp_path / "closed", "w") as closed, pytest.raises(BrokenPipeError):
        console.PipeEnd(closed).write(b"?")


def test_only_pipes_are_told_of_their_end(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        assert console.told_of_end(file) is file
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as heard, os.fdopen(writer, "w", encoding="utf-8") as pipe:
        told = console.told_of_end(pipe)
        assert told is not pipe
        print("«●»", file=told, flush=True)
        assert heard.read1() == f"«●»{os.linesep}".encode()


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("win32", {}, True),
        ("win32", {"WT_SESSION": "7"}, False),
        ("win32", {"TERM_PROGRAM": "vscode"}, False),
        ("win32", {"TERM": "xterm"}, False),
        ("linux", {}, False),
        ("linux", {"TERM": "xterm-256color"}, False),
        ("linux", {"TERM": "linux"}, True),
    ],
)
def test_only_the_consoles_of_linux_and_of_old_windows_have_an_old_font(
    platform: str, environ: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "WT_SESSION", "TERM_PROGRAM", "ConEmuPID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert console.has_old_font() is expected


# The command line


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", ["*.spoof", "none?", "a.spoof"]),
        ("win32", ["a.spoof", "b.spoof", "none?", "a.spoof"]),
    ],
)
def test_patterns_of_files_are_replaced_where_no_shell_does_it(
    platform: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.spoof", "a.spoof", "c.log"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", platform)
    assert console.matching(["*.spoof", "none?", "a.spoof"]) == expected


WINDOWS_COMMANDS = (
    [
        (
            r'"C:\Program Files\player.exe" -f C:\x\y',
            [r"C:\Program Files\player.exe", "-f", r"C:\x\y"],
        )
    ]
    if sys.platform == "win32"
    else []
)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("player --fast", ["player", "--fast"]),
        ('"two words/player" "an option"', ["two words/player", "an option"]),
        *WINDOWS_COMMANDS,
        (" ", []),
    ],
)  # fmt: skip
def test_a_command_is_split_as_the_shell_of_the_system_would(
    command: str, words: list[str]
) -> None:
    assert console.command_words(command) == words


# Lines that are typed


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r")), max_size=5),
       st.integers(1, 9))  # fmt: skip
def test_lines_are_whole_however_they_come(lines: list[str], size: int) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    pieces = iter([data[at : at + size] for at in range(0, len(data), size)])
    assert list(console._split(lambda: next(pieces, b""))) == lines


HIDING = """
import sys, threading
from spoof_tui.console import TypedLines
typed, done = TypedLines(), threading.Event()
def heard(line):
    print("heard", line, flush=True)
    typed.hide(line == "hide")
    print("ready", flush=True)
    line is None and done.set()
typed.start(heard)
print("ready", flush=True)
sys.exit(not done.wait(20))
"""


def test_what_is_typed_while_it_is_hidden_is_not_seen_and_no_answer_is_typed() -> None:
    with Terminal([sys.executable, "-c", HIDING]) as terminal:
        terminal.wait_bytes(b"ready\r\n")
        for typed in ("shown", "hide", "secret", "seen"):
            mark = terminal.mark()
            terminal.send(f"{typed}\n")
            terminal.wait_bytes(f"heard {typed}".encode(), since=mark)
            terminal.wait_bytes(b"ready\r\n", since=mark)
            echoed = terminal.painted_since(mark).startswith(typed.encode())
            assert echoed is (typed != "secret")
        terminal.send("\x1b]10;rgb:cccc/cccc/cccc\x1b\\c\x1b[C\n")
        terminal.wait_bytes(b"heard c\r\n")
        terminal.send(b"\x04")
        terminal.wait_bytes(b"heard None")
        assert terminal.wait_exit() == 0
