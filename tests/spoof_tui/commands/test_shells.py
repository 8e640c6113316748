"""Shells complete what there is to say, with the scripts that `spoof completion` prints."""

import shutil
import subprocess

import pytest

from spoof_tui.commands.completion import known_commands
from spoof_tui.commands.shells import SHELLS, Command, Option, bash
from tests.helpers.sources import ROOT

LEVEL = Option(("--level",), "how strong: easy or hard", True, ("easy", "hard"))
NAME = Option(("-n", "--name"), "the host’s name, don't forget; `rm -r` $HOME", True, ())
OPEN = Option(("--open",), "let anybody in", False, ())
FEW = (
    Command("", "", (OPEN,), ("host", "check")),
    Command("host", "open a table", (LEVEL, NAME, OPEN), ()),
    Command("check", "check a record", (), ("FILES",)),
)

needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")


def completed(script: str, line: str) -> list[str]:
    """What bash offers for the last word of a line."""
    words = " ".join(f"'{word}'" for word in line.split(" "))
    program = (
        f"{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); "
        'COMPREPLY=(); _spoof; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stderr == ""
    return done.stdout.split()


@needs_bash
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("spoof ", ["host", "check", "--open"]),
        ("spoof ho", ["host"]),
        ("spoof --open c", ["check"]),
        ("spoof host --", ["--level", "--name", "--open"]),
        ("spoof host --level ", ["easy", "hard"]),
        ("spoof host --level h", ["hard"]),
        ("spoof host -n ", []),
        ("spoof nothing ", []),
    ],
)
def test_bash_offers_what_there_is(line: str, offered: list[str]) -> None:
    assert completed(bash(FEW), line) == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_that_is_here_can_read_its_script(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    for commands in (FEW, known_commands()):
        done = subprocess.run(
            [shell, "-n"], input=SHELLS[shell](tuple(commands)), text=True, capture_output=True
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_every_script_says_everything_and_quotes_what_commands_a_shell() -> None:
    for write in SHELLS.values():
        script = write(FEW)
        assert all(word in script for word in ("host", "check", "level", "easy", "hard", "open"))
        assert "don't" not in script.replace("don'\\''t", "")
