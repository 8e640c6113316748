"""Shells complete commands with the scripts that `spoof completion` prints."""

import shutil
import subprocess

import pytest

from spoof_tui.commands import completion
from tests.helpers.sources import ROOT


@pytest.fixture
def script(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> str:
    """The script for the shell under test."""
    shell = str(request.getfixturevalue("shell"))
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    assert completion.main([shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash"])
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("spoof ho", ["host"]),
        ("spoof host --res", ["--resume"]),
        ("spoof host --level ", ["easy", "hard", "medium"]),
        ("spoof bot --level h", ["hard"]),
        ("spoof history --result w", ["watched", "won"]),
        ("spoof rules mil", ["milan"]),
        ("spoof check pypro", ["pyproject.toml"]),
        ("spoof nothing", []),
    ],
)
def test_bash_offers_what_there_is(script: str, line: str, offered: list[str], shell: str) -> None:
    words = " ".join(f"'{word}'" for word in line.split(" "))
    program = (
        f"{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); COMPREPLY=(); "
        '_shtab_spoof spoof "${COMP_WORDS[COMP_CWORD]}"; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        [shell, "--norc", "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert (sorted(done.stdout.split()), done.stderr) == (offered, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_read_its_script(script: str, shell: str) -> None:
    done = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(word in script for word in ("host", "check", "level", "easy", "cliffer"))
