"""What a system says about its console."""

import errno
import io
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui import console
from tests.helpers.pty import Terminal


@pytest.mark.parametrize(
    ("platform", "expected"), [("linux", b"\xab?\xbb\n"), ("win32", "«●»\n".encode())]
)
def test_what_is_redirected_is_utf8_on_windows(platform: str, expected: bytes) -> None:
    program = (
        "import sys; from spoof_tui import console; sys.platform = sys.argv[1]\n"
        "console.spare_output(); print('«●»')"
    )
    command = [sys.executable, "-c", program, platform]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert done.stdout == expected


class Closed(io.FileIO):
    """The writing end of a pipe on Windows, once nobody reads it."""

    def write(self, data: object) -> int:
        raise OSError(errno.EINVAL, "Invalid argument")


@pytest.mark.parametrize(
    ("path", "raised"), [(None, errno.EPIPE), ("file", errno.EINVAL)], ids=["a pipe", "a file"]
)
def test_what_is_invalid_for_a_pipe_is_that_nobody_reads_it(
    path: str | None, raised: int, tmp_path: Path
) -> None:
    kept = os.open(tmp_path / path, os.O_CREAT | os.O_WRONLY) if path else None
    descriptors = os.pipe() if kept is None else (kept,)
    with ExitStack() as stack:
        for each in descriptors:
            stack.callback(os.close, each)
        buffer = io.BufferedWriter(Closed(descriptors[-1], "w", closefd=False))
        output = console.told_of_end(io.TextIOWrapper(buffer)).buffer
        with pytest.raises(OSError, match=r"\[Errno") as caught:
            output.raw.write(b"?")
    assert caught.value.errno == raised
    assert isinstance(caught.value, BrokenPipeError) is (path is None)


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("win32", {}, True),
        ("win32", {"WT_SESSION": "7"}, False),
        ("win32", {"TERM_PROGRAM": "vscode"}, False),
        ("win32", {"TERM": "xterm"}, False),
        ("linux", {}, False),
    ],
)
def test_only_the_old_console_of_windows_has_an_old_font(
    platform: str, environ: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "WT_SESSION", "TERM_PROGRAM", "ConEmuPID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert console.has_old_font() is expected


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


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of another kind")
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
