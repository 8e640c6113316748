"""What commands print is nothing that a terminal could obey."""

import io

import pytest

from spoof_tui.commands.printing import Parser, print_line, shown


def test_what_a_terminal_could_obey_is_escaped() -> None:
    assert shown("a\x1b[2Jb") == "a\\x1b[2Jb"
    assert shown("Їжак") == "Їжак"


def test_what_the_encoding_cannot_say_is_escaped() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    print_line("ї!", stream)
    stream.seek(0)
    assert stream.read() == "\\u0457!\n"


def test_a_complaint_about_an_argument_is_escaped_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        Parser(prog="spoof").parse_args(["\x1b[2J"])
    assert "\x1b" not in capsys.readouterr().err
