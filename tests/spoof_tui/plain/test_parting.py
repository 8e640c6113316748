"""Leaving a table in plain lines."""

from spoof_tui.runtime.notices import Opened
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import at


def test_whoever_is_not_missed_leaves_at_once() -> None:
    reader = Reader(at("gathering"))
    reader.type("q")
    assert reader.left == [None]


def test_a_player_is_asked_and_may_stay() -> None:
    reader = Reader(at("choosing"))
    told = reader.type("quit")
    assert told[1].startswith("1: Your seat and your coins are kept")
    assert "You stay." in reader.type("")
    reader.type("q")
    reader.type("q")
    assert reader.left == [None]


def test_a_host_hands_the_table_over_by_a_number() -> None:
    table = at("gathering")
    reader = Reader(table)
    heir = table.clients[2].guest.key
    reader.client.is_host, reader.client.heirs = True, frozenset({heir})
    told = reader.type("q")
    assert told[1].startswith("1: The table moves to Player3") and told[2].startswith("2: ")
    reader.type("1")
    assert reader.left == [heir]


def test_practice_is_given_up_by_a_second_quit() -> None:
    reader = Reader(at("choosing"))
    reader.hear(Opened(None, None, None))
    assert reader.type("q") == ["Press q again to give this game up."]
    reader.type("q")
    assert reader.left == [None]
