"""The gate for foreign text: laws for any text at all, and the attacks we know."""

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from spoof_tui.text.safe_text import file_name, show

SOURCES = Path(__file__).parents[3] / "spoof_tui"

nasty = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.characters(categories=["Mn", "Mc", "Me", "Cf", "Cc", "Zs"]),
        st.sampled_from("ae é…가각각中\u200d\ufe0f\u202e\u115f\u3164\u2800\U0001f1fa\U0001f44b"),
    )
)
"""Any text, with more marks, controls, joiners and wide letters than chance would give."""

cells = st.integers(1, 40)


def shown(raw: str, room: int = 40) -> str:
    return show(ForeignText(raw), room)


@given(nasty, cells)
@example("\u0301 \u0301a", 40)
@example("ᄀ\u200dᅡ", 40)
@example("e\u200d\u0301\u0301\u0301\u0301", 40)
def test_whatever_is_shown_keeps_to_its_room_and_commands_nothing(raw: str, room: int) -> None:
    text = shown(raw, room)
    assert shown(text, room) == text
    assert 1 <= cell_len(text) <= room
    assert not {unicodedata.category(letter)[0] for letter in text} & {"C"}
    assert not re.search(
        "[\u034f\u115f\u1160\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]", text
    )
    assert unicodedata.is_normalized("NFC", text) and text == " ".join(text.split())
    kinds = "".join(map(_kind, text))
    assert not re.search(r"mmm|(^| )m", kinds), "marks lead a word or pile up"


def _kind(letter: str) -> str:
    if unicodedata.category(letter).startswith("M") or cell_len(letter) == 0:
        return "m"
    return " " if letter == " " else "x"


@given(st.text(st.characters(categories=["Lu", "Ll", "Nd"], max_codepoint=0x24F), min_size=1))
def test_plain_words_that_fit_come_through_unchanged(raw: str) -> None:
    assert shown(raw, 1000) == unicodedata.normalize("NFC", raw)


@pytest.mark.parametrize(
    ("raw", "safe", "room"),
    [
        ("\x1b]0;pwned\x07Bob", "]0;pwnedBob", 40),
        ("\x9b2J\x9d0;owned\x9c", "2J0;owned", 40),
        ("\x1b[6n\x1bP+q544e\x1b\\", "[6nP+q544e\\", 40),
        ("\x00\x07\x08\x7f", "?", 40),
        ("\u202eboB", "boB", 40),
        ("a\u200db\ufe0f", "ab", 40),
        ("abc\u202eLUAP\u2066x\u2069", "abcLUAPx", 40),
        ("tab\tand\r\nline\u2028end", "tab and line end", 40),
        ("one\x0btwo\x0cthree\x85four", "one two three four", 40),
        ("Zal\u0301\u0302\u0303\u0304go", "Zaĺ\u0302\u0303go", 40),
        ("z" + "\u0301" * 150, "ź\u0301\u0301", 40),
        ("\u0301x", "x", 40),
        ("bob[/]", "bob[/]", 40),
        ("", "?", 40),
        ("\u3164\u200b \u2800", "?", 40),
        ("\u200b\u200d\ufeff\u2060\u00ad\ufe0f", "?", 40),
        ("e\u0301", "é", 40),
        ("Соломія", "Соломія", 40),
        ("one two", "one…", 5),
        ("中中中", "中…", 4),
        ("Bob", "…", 0),
    ],
)
def test_known_attacks_lose_their_teeth_and_long_texts_their_end(
    raw: str, safe: str, room: int
) -> None:
    assert shown(raw, room) == safe


@given(nasty)
@example(":ᅡ")
def test_a_file_name_is_short_made_of_letters_digits_and_dashes_and_its_own_file_name(
    raw: str,
) -> None:
    name = file_name(ForeignText(raw))
    assert 1 <= len(name) <= 32 and not name.startswith("-")
    assert all(letter == "-" or letter.isalnum() for letter in name)
    assert file_name(ForeignText(name)) == name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Friday night!", "Friday-night"),
        ("../../etc/passwd", "etc-passwd"),
        ("con", "con-"),
        ("LPT1", "LPT1-"),
        ("???", "unnamed"),
        ("Стіл №1", "Стіл-1"),
    ],
)
def test_file_names_are_safe_on_every_system(raw: str, name: str) -> None:
    assert file_name(ForeignText(raw)) == name


def test_only_the_gate_reads_raw_foreign_text() -> None:
    readers = [path.name for path in SOURCES.rglob("*.py") if ".raw" in path.read_text("utf-8")]
    assert readers == ["safe_text.py"]
