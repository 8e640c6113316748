"""What a system says of its console."""

import os
import subprocess
import sys

import pytest

from spoof_tui import console


def test_a_legacy_locale_prints_utf8() -> None:
    command = [
        sys.executable,
        "-c",
        "from spoof_tui import console; console.use_utf8(); print('●')",
    ]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert done.stdout.decode() == "●\n"


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows says it")
def test_other_systems_say_the_language_by_variables() -> None:
    assert console.ui_languages() == []
