"""`spoof completion`: it says what the parsers say, and nothing else."""

import shutil
import subprocess
import sys

import pytest

from protocol.rules.options import PRESETS
from spoof_tui.commands import completion
from spoof_tui.commands.completion import known_commands, read_parser
from spoof_tui.commands.shells import SHELLS
from spoof_tui.commands.suggesting import FILES
from spoof_tui.commands.summaries import COMMANDS


def test_every_command_and_every_option_is_known() -> None:
    known = {command.name: command for command in known_commands()}
    assert set(known) == {"", *COMMANDS}
    assert {"--plain", "--no-plain", "--version", "--help"} <= set(known[""].flags)
    assert {"--name", "--rules", "--plain", "--headless"} <= set(known["host"].flags)
    assert known["check"].values == (FILES,)
    assert known["completion"].values == tuple(SHELLS)


def test_an_option_takes_a_value_as_its_parser_says() -> None:
    host = next(command for command in known_commands() if command.name == "host")
    options = {flag: option for option in host.options for flag in option.flags}
    assert options["--rules"].takes_value and options["--rules"].values == tuple(PRESETS)
    assert options["--level"].values == ("easy", "medium", "hard")
    assert not options["--open"].takes_value


def test_a_hidden_option_stays_hidden() -> None:
    parser = completion.parser()
    parser.add_argument("--secret", help="==SUPPRESS==")
    assert "--secret" not in read_parser("completion", "", parser).flags


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert completion.main([shell]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in COMMANDS)


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_bash_completes_the_program_itself() -> None:
    program = (
        f"source <({sys.executable} -m spoof_tui completion bash); "
        "COMP_WORDS=(spoof --plain host --level ''); COMP_CWORD=4; _spoof; "
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("easy medium hard\n", "")
