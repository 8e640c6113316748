"""`spoof demo`: the whole thing without a screen, over real discovery and TCP."""

import pytest

from protocol.notation import check, read
from spoof_tui.__main__ import main


def test_a_demo_plays_a_game_and_checks_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    said, errors = capsys.readouterr()
    assert errors == "" and "Three bots sit down." in said
    assert "the log of" in said.splitlines()[-1]
    [game] = read([said.split("\n\n", 1)[1].rsplit("\n\n", 1)[0].encode()])
    assert not check(game).faults
