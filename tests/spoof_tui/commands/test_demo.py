"""`spoof demo`: the whole thing without a screen."""

import re

import pytest

from protocol.notation import check, read
from spoof_tui.commands import demo, finding


def test_a_demo_plays_a_game_and_checks_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main([]) == 0
    said, errors = capsys.readouterr()
    assert errors == ""
    assert re.search(r"listens on port \d+", said)
    assert "Three bots sit down." in said
    assert "the log of" in said.splitlines()[-1]
    [game] = read([said.split("\n\n", 1)[1].rsplit("\n\n", 1)[0].encode()])
    assert not check(game).faults


def test_a_demo_that_finds_no_table_fails_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(finding, "SEARCH_TIMEOUT", 0.0)
    assert demo.main([]) == 1
    assert capsys.readouterr().err.startswith("spoof: no table called 'demo ")


def test_a_game_that_does_not_end_fails_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "PLAY_TIMEOUT", 0.0)
    assert demo.main([]) == 1
    assert capsys.readouterr().err == "spoof: the game did not end\n"


def test_a_demo_takes_no_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        demo.main(["--fast"])
    assert stop.value.code == 2
    assert "unrecognized arguments: --fast" in capsys.readouterr().err
