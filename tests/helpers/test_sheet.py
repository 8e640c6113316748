"""The sheet of all hands."""

import os

import pytest

from spoof_tui.ui.canvas import palette
from tests.helpers.sheet import MODES, main, mode


@pytest.mark.parametrize("name", MODES)
def test_every_mode_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name]) == 0
    assert name in capsys.readouterr().out


def test_a_mode_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sepia"]) == 2
    assert "sepia" in capsys.readouterr().err


def test_a_mode_ends_with_its_use() -> None:
    before = palette.FELT
    with mode("colourless"):
        assert os.environ["NO_COLOR"] and before != palette.FELT
    assert before == palette.FELT
