"""Pictures of terminals."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pyte
import pytest

from tests.helpers import picture


def painted(text: str, cols: int = 20, rows: int = 2) -> str:
    screen = pyte.Screen(cols, rows)
    pyte.Stream(screen).feed(text)
    return picture.svg(screen, "A <title>")


def test_a_picture_is_well_formed_whatever_is_on_the_screen() -> None:
    root = ElementTree.fromstring(painted("<&>\"' ]]> ✊\u0301 界 │█░"))
    words = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert words[0] == "<&>\"'"


def test_colours_and_looks_are_kept() -> None:
    drawn = painted("\x1b[1;38;2;1;2;3;41mbold\x1b[0m \x1b[7mback\x1b[0m")
    assert 'fill="#010203" font-weight="bold">bold<' in drawn
    assert 'fill="#cd3131"' in drawn
    assert f'fill="#{picture.BACKGROUND}">back<' in drawn


def test_a_word_is_as_long_as_its_cells() -> None:
    assert 'x="16.8" y="13" textLength="33.6"' in painted("  界界")


def test_lines_and_blocks_are_shapes() -> None:
    drawn = painted("┌█")
    assert 'd="M8.4 8.5L4.2 8.5L4.2 17"' in drawn
    assert "<text" not in drawn


def test_the_command_types_the_keys_and_writes_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = "print('name?'); print('hello', input())"
    target = tmp_path / "out.svg"
    assert picture.main([str(target), "30x5", r"Ed\r", "--", sys.executable, "-c", program]) == 0
    assert ">hello<" in target.read_text("utf-8")
    assert "hello Ed" in capsys.readouterr().out


def test_the_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert picture.main(["out.svg", "80", ""]) == 2
    assert "COLSxROWS" in capsys.readouterr().err


def test_a_sequence_is_one_keystroke() -> None:
    assert list(picture._keystrokes("a\x1b[1;5Ab\x1b")) == ["a", "\x1b[1;5A", "b", "\x1b"]
