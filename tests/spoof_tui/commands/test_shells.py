"""Scripts for shells, made of what there is to say."""

import shutil
import subprocess

import pytest

from spoof_tui.commands.shells import SHELLS, Command, Option, bash, fish, zsh
from spoof_tui.commands.suggesting import FILES

LEVEL = Option(("--level",), "how strong: easy or hard", True, ("easy", "hard"))
NAME = Option(("-n", "--name"), "the host’s name, don't forget", True, ())
OPEN = Option(("--open",), "let anybody in", False, ())
COMMANDS = (
    Command("", "", (OPEN,), ("host", "check")),
    Command("host", "open a table", (LEVEL, NAME, OPEN), ()),
    Command("check", "check a record", (), (FILES,)),
)


def completed(line: str) -> list[str]:
    """What bash offers for the last word of a line."""
    words = " ".join(f"'{word}'" for word in line.split(" "))
    program = (
        f"{bash(COMMANDS)}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); "
        'COMPREPLY=(); _spoof; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
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
    assert completed(line) == offered


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_bash_offers_files_where_a_file_is_wanted() -> None:
    assert "README.md" in completed("spoof check READ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_that_is_here_can_read_its_script(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    done = subprocess.run(
        [shell, "-n"], input=SHELLS[shell](COMMANDS), text=True, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_script_says_everything_and_quotes_what_commands_a_shell() -> None:
    for script in (bash(COMMANDS), zsh(COMMANDS), fish(COMMANDS)):
        assert all(word in script for word in ("host", "check", "level", "easy", "hard", "open"))
        assert "don't" not in script.replace("don'\\''t", "")


def test_zsh_and_fish_say_what_each_word_is_for() -> None:
    assert "'--open:let anybody in'" in zsh(COMMANDS)
    assert "-l open -d 'let anybody in'" in fish(COMMANDS)
    assert "-l level -x -a 'easy hard'" in fish(COMMANDS)
    assert "-F" in fish(COMMANDS) and "_files" in zsh(COMMANDS)
