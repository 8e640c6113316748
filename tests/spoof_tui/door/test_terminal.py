"""What a client may claim about its terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.door.interface import (
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_VALUE,
    TerminalSize,
    environment,
    is_taken,
)


def test_a_size_that_is_unknown_is_the_usual_one() -> None:
    assert TerminalSize.asked(0, 0) == TerminalSize(80, 24)
    assert TerminalSize.asked(45, 20) == TerminalSize(45, 20)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_no_size_takes_more_than_can_be_drawn(columns: int, rows: int) -> None:
    size = TerminalSize.asked(columns, rows)
    assert 1 <= size.columns <= MAX_COLUMNS and 1 <= size.rows <= MAX_ROWS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LANG", "uk_UA.UTF-8"),
        ("LC_ALL", "en_GB.UTF-8@euro"),
        ("LC_MESSAGES", "de_DE"),
        ("COLORTERM", "truecolor"),
        ("NO_COLOR", "1"),
        ("TZ", "Europe/Kyiv"),
    ],
)
def test_language_and_colours_are_taken(name: str, value: str) -> None:
    assert is_taken(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PATH", "/tmp"),
        ("LD_PRELOAD", "x.so"),
        ("PYTHONSTARTUP", "x.py"),
        ("SPOOF_STATE", "/home"),
        ("SPOOF_DOOR", ""),
        ("TEXTUAL", "debug"),
        ("LC_", "x"),
        ("LC_ALL", "../../etc"),
        ("LANG", "/etc/passwd"),
        ("LANG", ""),
        ("TZ", ":/etc/passwd"),
        ("TZ", "../../etc/passwd"),
        ("LANG", "x" * (MAX_VALUE + 1)),
        ("TERM", "xterm\x1b]0;x"),
    ],
)
def test_nothing_else_is_taken(name: str, value: str) -> None:
    assert not is_taken(name, value)
    assert environment("xterm", {name: value}).get(name) != value


def test_a_client_without_a_language_gets_one_that_can_write_everything() -> None:
    assert environment("xterm", {})["LANG"] == "C.UTF-8"
    assert "LANG" not in environment("xterm", {"LC_ALL": "uk_UA.UTF-8"})


def test_a_kind_of_terminal_is_a_word() -> None:
    assert environment("tmux-256color", {})["TERM"] == "tmux-256color"
    assert environment("a\nb", {})["TERM"] == "xterm-256color"
