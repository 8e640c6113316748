"""The door through which the player of this program came."""

import pytest

from spoof_tui.visiting import DOOR_VARIABLE, TABLE_VARIABLE, DoorKind, door, is_visitor, table


@pytest.mark.parametrize(
    ("said", "known"), [*((kind.value, kind) for kind in DoorKind), (None, None), ("1", ...)]
)
def test_a_door_says_whose_it_is(
    said: str | None, known: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(DOOR_VARIABLE, raising=False)
    if said is not None:
        monkeypatch.setenv(DOOR_VARIABLE, said)
    assert is_visitor() is (said is not None)
    assert known is ... or door() is known


@pytest.mark.parametrize(("said", "known"), [("0aff", b"\x0a\xff"), ("", None), ("x", None)])
def test_a_door_may_belong_to_a_table(
    said: str, known: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TABLE_VARIABLE, said)
    assert table() == known
