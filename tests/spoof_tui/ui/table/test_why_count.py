"""What decided a round, with its numbers and its clauses."""

import pytest

from protocol.rules.words import Bid, Ending, Word
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.test_why import a_table, asked, counted, decided


def names_of(table: MemoryTable) -> tuple[str, str]:
    """Ender and last bidder of the last round."""
    view = table.clients[0].view
    assert view.last is not None
    names, words = seat_names(view), view.last.words
    standing = getattr(words, "standing", None)
    return names[view.last.outcome.ender], names[standing[0]] if standing else ""


@pytest.mark.parametrize(
    ("hands", "words", "clause", "told"),
    [
        ((1, 1, 1), (Bid(3), Ending.CALL), "R7", "3 is not below the bid of 3"),
        ((1, 1, 0), (Bid(3), Ending.CALL), "R7", "2 is below the bid of 3"),
        ((1, 1, 1), (Bid(3), Ending.CLIFF), "R8", "3 is exactly the bid of 3"),
        ((1, 1, 0), (Bid(3), Ending.CLIFF), "R8", "2 is not exactly the bid of 3"),
        ((3, 3, 3), (Ending.SPOOF,), "R9", "9 is all of 9"),
        ((3, 3, 2), (Bid(1), Ending.SPOOF), "R9", "8 is not all of 9"),
        ((0, 0, 0), (Ending.ZERO,), "R10", "every fist was empty"),
        ((0, 0, 1), (Ending.ZERO,), "R10", "1 is not 0"),
    ],
)
def test_every_ending_is_explained_with_its_numbers(
    hands: tuple[int, ...], words: tuple[Word, ...], clause: str, told: str
) -> None:
    table = counted("milan", hands, *words)
    assert told in decided(table, clause)
    assert decided(table, "total").startswith(f"{sum(hands)} in the fists: ")
    assert decided(table, "in play") == "9, all coins in play."


def test_coins_before_and_after_are_told() -> None:
    table = counted("milan", (1, 1, 0), Bid(3), Ending.CALL)
    _ender, bidder = names_of(table)
    assert decided(table, "coins") == f"{bidder} 3 → 2."
    assert decided(table, "bid") == f"3, the standing bid of {bidder}."


def test_the_cap_in_force_is_told_with_a_right_cliff() -> None:
    at_cap = counted("bid-spoof", (1, 1, 1), Bid(3), Ending.CLIFF)
    assert "the cap is 3, and nothing is won" in decided(at_cap, "R8")
    below = counted("milan cap=5", (1, 1, 1), Bid(3), Ending.CLIFF)
    assert "below the cap of 5, and wins a coin" in decided(below, "R8")
    free = counted("milan", (1, 1, 1), Bid(3), Ending.CLIFF)
    assert "there is no cap" in decided(free, "R8")


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


def test_a_right_zero_names_the_nearest_loser_or_the_one_who_said_it() -> None:
    assert "nearest loser" in decided(counted("milan", (0, 0, 0), Ending.ZERO), "R14")
    assert "the player who said it" in decided(
        counted("three-coins", (0, 0, 0), Ending.ZERO), "R14"
    )


# The guessing game


def test_an_exact_call_leaves_and_the_first_call_moves_on() -> None:
    table = counted("hollywood", (1, 1, 1), Bid(3), Bid(4), Bid(5))
    first, second = (seat_names(table.clients[0].view)[n] for n in (_first(table), _next(table)))
    leaves = f"{first} called Flowers (3) exactly, is the first to leave and orders the drinks."
    assert decided(table, "H10") == leaves
    assert decided(table, "H11").endswith(f"This time it was {first}, next it is {second}.")
    assert decided(table, "H6").startswith(f"The calls: {first} 3, ")


def _first(table: MemoryTable) -> int:
    last = table.clients[0].view.last
    assert last is not None
    return last.words.starter


def _next(table: MemoryTable) -> int:
    return (_first(table) + 1) % 3


def test_a_tossed_first_caller_is_told_as_such() -> None:
    table = counted("hollywood first_caller=toss", (1, 1, 1), Bid(9), Bid(8), Bid(7))
    assert decided(table, "H11").startswith("Nobody called Flowers (3)")
    all_told = [n.text for n in asked(table.clients[0].view, True)[0].lines if n.label == "H11"]
    assert all_told[1].startswith("A toss picks the first caller of every round.")


def test_fines_are_told_with_the_hand_that_proves_them() -> None:
    table = counted("hollywood", (3, 3, 3), Bid(0), Bid(8), Bid(0), Bid(0), Bid(0), Bid(7))
    names = seat_names(table.clients[0].view)
    first, third = names[_first(table)], names[(_first(table) + 2) % 3]
    told = f"{first} held 3 and could be right from 3 to 9, not with 0. That is a fine."
    assert decided(table, "H7") == told
    assert decided(table, "H8") == f"{third} hit three taken numbers: a fine."


def test_the_last_one_left_pays() -> None:
    table = counted("hollywood", (1, 1), Bid(2), Bid(3))
    assert decided(table, "H12").endswith("is the last one left, and is honoured to pay.")
