"""Through which door the player of this program came."""

import pytest

from spoof_tui.visiting import DOOR_VARIABLE, TABLE_VARIABLE, DoorKind, door, is_visitor, table


def test_who_started_the_program_came_through_no_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DOOR_VARIABLE, raising=False)
    assert door() is None
    assert not is_visitor()


@pytest.mark.parametrize("kind", DoorKind)
def test_a_door_says_whose_it_is(kind: DoorKind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, kind.value)
    assert door() is kind
    assert is_visitor()


def test_a_door_that_nobody_knows_is_a_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, "1")
    assert is_visitor()


@pytest.mark.parametrize(("said", "known"), [("0aff", b"\x0a\xff"), ("", None), ("x", None)])
def test_a_door_may_belong_to_a_table(
    said: str, known: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TABLE_VARIABLE, said)
    assert table() == known
