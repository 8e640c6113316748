"""What coins are worth, worked by hand."""

import pytest

from spoof_tui.bots.stakes import mean_coin, share, share_alone


def test_a_share_is_the_part_of_all_coins() -> None:
    assert share([3, 3, 3], 0) == pytest.approx(1 / 3)
    assert share([3, 3, 3], 0, 0, -1) == pytest.approx(2 / 8)
    assert share([3, 3, 3], 0, 1, -1) == pytest.approx(3 / 8)
    assert share([3, 3, 3], 0, 0, 1) == pytest.approx(4 / 10)


def test_a_right_zero_takes_a_coin_from_everybody_else_who_is_in() -> None:
    assert share_alone([2, 3, 0, 1], 0) == pytest.approx(2 / 4)
    assert share_alone([1, 1, 1], 0) == 1.0


def loss(coins: list[int]) -> float:
    return share(coins, 0) - share(coins, 0, 0, -1)


def test_the_last_coin_is_worth_all_that_its_owner_has() -> None:
    assert loss([1, 3, 3]) == share([1, 3, 3], 0) == pytest.approx(1 / 7)


def test_one_of_four_coins_costs_less_than_one_of_one() -> None:
    assert loss([4, 3, 3]) == pytest.approx(4 / 10 - 3 / 9)
    assert loss([4, 3, 3]) < loss([1, 3, 3])
    assert loss([4, 3, 3]) / mean_coin([4, 3, 3]) < loss([1, 3, 3]) / mean_coin([1, 3, 3])


def test_the_mean_coin_is_one_part_of_all() -> None:
    assert mean_coin([3, 0, 2]) == pytest.approx(1 / 5)
