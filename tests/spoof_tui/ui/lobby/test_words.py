"""What the lobby says of a table."""

from tests.spoof_tui.ui.lobbies import found
from tests.spoof_tui.ui.lobby.test_drawing import lobby, words


def test_many_changes_of_the_rules_are_all_told() -> None:
    rules = "milan cap=5 zero=first-action starter=ender stake=drinks gloating=fined"
    said = words(lobby(found(rules=rules)))
    assert "gloating is fined, played for drinks" in said


def test_two_tables_of_one_name_are_told_apart_by_host_and_address() -> None:
    said = words(lobby(found(1), found(2, host="Olha"), selected=1))
    assert "by Olha · 10.0.0.2" in said
    assert "10.0.0.1" not in words(lobby(found(1), found(2, name="Other"), selected=0))
