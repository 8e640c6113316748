"""What was learned: a network that is read as it was written, and sensible in plain cases."""

from __future__ import annotations

from struct import pack

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui.bots.arena import view_of_round
from spoof_tui.bots.learned import FEATURES, Network, Taught, learned_hands, learned_network
from spoof_tui.bots.levels import Level
from tests.spoof_tui.bots.arena import bidding


def taught(*words: tuple[int, Bid], me: int) -> Taught:
    view = view_of_round(bidding((3, 3, 3, 3), *words), me)
    judge = Taught.of(view, Level.HARD.traits, me)
    assert isinstance(judge, Taught)
    return judge


def test_a_network_is_sums_and_rectifiers() -> None:
    # Two numbers in, two units (added first), one sum over them.
    packed = bytes((2, 2, 1)) + b"\0" + pack("<9f", 1, 2, 3, -9, 1, 1, 0.5, 2, 7)
    assert Network.of(packed).worth([1.0, 2.0]) == 2.0 + 0.5 + 2 * 9


def test_the_shipped_network_takes_all_features() -> None:
    assert all(len(unit) == FEATURES + 1 for unit in learned_network().layers[0])


@pytest.mark.parametrize("players", range(3, 10))
@pytest.mark.parametrize("coins", [1, 2, 3, 5])
def test_every_hand_is_held_sometimes(players: int, coins: int) -> None:
    odds = learned_hands(players, coins)
    assert odds and len(odds) == coins + 1
    assert min(odds) > 0.01 and sum(odds) == pytest.approx(1.0, abs=0.01)


def test_hands_of_more_coins_than_were_met_are_not_known() -> None:
    assert learned_hands(4, 12) is None


def test_a_sure_bid_is_not_called_and_an_impossible_one_is() -> None:
    low, high = taught((0, Bid(2)), me=1).worths(3, 3), taught((0, Bid(12)), me=1).worths(0, 0)
    assert low[Ending.CALL] == min(low[Ending.CALL], low[Bid(3)])
    assert max(high, key=high.__getitem__) is Ending.CALL


def test_who_opens_may_bid_as_if_with_another_hand_but_ends_with_the_own() -> None:
    opening = taught(me=0)
    bluff, full, empty = opening.worths(0, 3), opening.worths(3, 3), opening.worths(0, 0)
    assert bluff[Bid(5)] == full[Bid(5)] != empty[Bid(5)]
    assert bluff[Ending.SPOOF] == empty[Ending.SPOOF] != full[Ending.SPOOF]
