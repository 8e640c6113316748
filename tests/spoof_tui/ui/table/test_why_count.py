"""What decided a round, with its numbers and its clauses."""

from protocol.rules.words import Bid, Ending
from tests.spoof_tui.ui.table.test_why import a_table, counted, decided


def test_an_opener_who_is_out_is_followed_by_the_next() -> None:
    table = a_table("milan", 3)
    while True:
        view = table.clients[0].view
        owed = [client.view.my_seat for client in table.clients if client.view.own_fist_due]
        table.choose(*(0 for _ in owed))
        table.say(Bid(1), Ending.CALL)
        view = table.clients[0].view
        if view.last and view.last.outcome.went_out:
            break
    assert "is out: next, clockwise, is" in decided(table, "R14")
    assert decided(table, "R12").endswith("has no coins and is out.")


def test_the_last_player_left_wins() -> None:
    table = counted("milan", (0, 0), Ending.SPOOF)
    table.play_on()
    assert decided(table, "R13").endswith("is the last player left and wins.")


# The guessing game


def test_the_last_one_left_pays() -> None:
    table = counted("hollywood", (1, 1), Bid(2), Bid(3))
    assert decided(table, "H12").endswith("is the last one left, and is honoured to pay.")
