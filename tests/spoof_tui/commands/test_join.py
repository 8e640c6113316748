"""`spoof join`: straight to a table."""

from __future__ import annotations

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.table.fold import Phase
from spoof_tui import system
from spoof_tui.commands import finding, join, play
from spoof_tui.network.addresses import Address
from spoof_tui.runtime import saved_tables
from spoof_tui.runtime.errand import Errand
from spoof_tui.runtime.saved_tables import SavedTable


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Errand | None, str | None]]:
    """What the app would have been shown for."""
    calls: list[tuple[Errand | None, str | None]] = []

    def show(
        errand: Errand | None, name: str | None = None, *, is_plain: bool | None = None
    ) -> int:
        calls.append((errand, name))
        return 0

    monkeypatch.setattr(play, "show_app", show)
    return calls


Shown = list[tuple[Errand | None, str | None]]


def test_an_address_is_joined(shown: Shown) -> None:
    assert join.main(["127.0.0.1:7000"]) == 0
    assert shown == [(Errand(address=Address("127.0.0.1", 7000)), None)]


def test_a_name_is_for_this_time(shown: Shown) -> None:
    join.main(["10.0.0.1", "--name", "  Maria  of Kyiv "])
    assert shown == [(Errand(address=Address("10.0.0.1", 7763)), "Maria of Kyiv")]


def test_a_code_goes_along(shown: Shown) -> None:
    join.main(["10.0.0.1", "--code", "k7-m4q"])
    assert shown == [(Errand(address=Address("10.0.0.1", 7763), code="K7M4Q"), None)]


def test_a_watcher_takes_no_seat(shown: Shown) -> None:
    join.main(["10.0.0.1", "--watch"])
    assert shown == [(Errand(address=Address("10.0.0.1", 7763), sits=False), None)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--code", "K7M4"], "a code is five letters and digits, such as K7M4Q"),
        (["--name", ""], "a name has letters that can be printed"),
        (["--name"], "expected one argument"),
        (["--name", "x" * 65], "a name has at most 64 bytes"),
        (["one", "K7M4Q", "two"], "unrecognized arguments: two"),
        (["one", "two"], "a code is five letters and digits, such as K7M4Q"),
        (["--port"], "unrecognized arguments: --port"),
    ],
)
def test_a_wrong_argument_is_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        join.main(words)
    assert stop.value.code == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("spoof join: error: ")
    assert sentence in last


@pytest.mark.parametrize("address", ["host:0", "[::1", "a b:7000"])
def test_a_wrong_address_is_a_sentence(
    address: str, shown: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    assert join.main([address]) == 1
    assert capsys.readouterr().err.startswith("spoof: ")
    assert shown == []


def test_a_table_that_is_not_found_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, shown: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(finding, "SEARCH_TIMEOUT", 0.01)
    assert join.main(["no such table"]) == 1
    assert capsys.readouterr().err.startswith("spoof: no table called 'no such table'")
    assert shown == []


def test_a_seat_at_a_table_that_nobody_serves_is_gone_back_to(
    monkeypatch: pytest.MonkeyPatch, shown: Shown
) -> None:
    train = SavedTable(b"t" * 32, ForeignText("Night train"), 0, Phase.SPEAKING, 1, 1, b"h" * 32)
    monkeypatch.setattr(finding, "SEARCH_TIMEOUT", 0.01)
    monkeypatch.setattr(saved_tables, "continuable", lambda: [train])
    assert join.main(["night"]) == 0
    assert shown == [(Errand(saved=train), None)]
    assert join.main(["night", "--watch"]) == 1


def test_without_a_terminal_it_is_said_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "has_terminal", lambda: False)
    assert join.main(["127.0.0.1:7000"]) == 2
    assert "spoof demo" in capsys.readouterr().err
