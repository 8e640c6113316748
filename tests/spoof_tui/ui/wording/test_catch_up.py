"""While you were away: three lines of what happened."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Leave, Say, Sit
from spoof_tui.ui.wording.catch_up import missed
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, play_zeros


def since(table: MemoryTable, length: int) -> tuple[str, ...]:
    """What the first seat is told of everything after so many entries."""
    client = table.clients[0]
    return missed(tuple(client.guest.log[length:]), client.view)


def test_nothing_is_told_of_nothing() -> None:
    table = at("speaking")
    assert since(table, len(table.clients[0].guest.log)) == ()


def test_a_word_that_was_said_is_told() -> None:
    table = at("speaking")
    length, name = len(table.clients[0].guest.log), table.speaker()
    table.say(Bid(4))
    [line] = since(table, length)
    place = table.clients.index(name) + 1
    assert line == f"Player{place} said 4."


def test_the_rounds_that_ended_are_counted_and_the_last_is_told() -> None:
    table = at("answering")
    length = len(table.clients[0].guest.log)
    table.say(Ending.CALL)
    [line] = since(table, length)
    assert line.startswith("1 round ended: The fists held 3")


def test_a_game_that_was_won_says_by_whom() -> None:
    table = at("answering")
    length = len(table.clients[0].guest.log)
    play_zeros_after_call(table)
    [line] = since(table, length)
    assert "has won." in line


def play_zeros_after_call(table: MemoryTable) -> None:
    table.say(Ending.CALL)
    play_zeros(table)


def test_a_new_game_is_told_with_its_number() -> None:
    table = at("gathering")
    length = len(table.clients[0].guest.log)
    table.ready()
    assert since(table, length)[0] == "Game 1 began."


def test_who_came_and_went_is_told() -> None:
    table = at("gathering")
    length = len(table.clients[0].guest.log)
    table.act(table.clients[1], table.clients[1].guest.state(Leave()))
    table.add(name="Bo")
    assert since(table, length) == ("Player2 left. Bo sat down.",)


def test_the_last_line_of_talk_stands_for_those_before() -> None:
    table = at("gathering")
    length = len(table.clients[0].guest.log)
    for text in ("one", "two", "three"):
        table.act(table.clients[1], table.clients[1].guest.state(Say(ForeignText(text))))
    assert since(table, length) == ("Player2: “three” (and 2 lines of talk before)",)


def test_of_myself_it_is_not_told_that_i_came_and_went() -> None:
    table = at("gathering")
    length = len(table.clients[0].guest.log)
    table.act(table.clients[0], table.clients[0].guest.state(Leave()))
    table.act(table.clients[0], table.clients[0].guest.state(Sit(ForeignText("Player1"))))
    assert since(table, length) == ()
