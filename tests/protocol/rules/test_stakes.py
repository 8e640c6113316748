"""What the games of an evening are played for: the pot, the pile, and rounds of drinks."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import PRESETS, Rules, Stake
from protocol.rules.stakes import Stakes, lost_coins, stake_of
from protocol.rules.words import Bid, Ending
from protocol.table.state import Phase
from protocol.table.statements import Leave, Measure
from protocol.viewer import view_of
from tests.protocol.stories import Story, signing_key, very_few


def key(who: int) -> bytes:
    return signing_key(who).public


@functools.cache
def playing(rules: str = "milan", players: int = 3) -> Story:
    """A game that waits for the fists of its first round, opened by participant 0."""
    return Story(players, rules).start(*range(players)).toss(*range(players))


def chips(story: Story, players: int = 3) -> tuple[int, ...]:
    return tuple(story.table.stakes.up(key(who)) for who in range(players))


def paid(story: Story) -> tuple[bytes, ...]:
    return story.table.stakes.paid


@pytest.mark.parametrize(
    ("rules", "stake"),
    [("milan", Stake.POT), ("bid-spoof", Stake.NONE), ("milan stake=drinks", Stake.DRINKS),
     ("hollywood", Stake.NONE)],
)  # fmt: skip
def test_the_rules_say_what_is_played_for(rules: str, stake: Stake) -> None:
    assert stake_of(Rules.parse(rules)) is stake


# The pot (S1)


def test_everybody_dealt_in_puts_one_chip_into_the_pot_s1() -> None:
    story = Story(3).sit(3).start(0, 1, 2)
    assert (story.table.stakes.pot, chips(story, 4)) == (3, (-1, -1, -1, 0))


def test_the_winner_takes_the_pot_s1() -> None:
    story = playing().copy().play_on()
    winner = story.game.winner
    assert winner is not None and story.table.stakes.pot == 0
    assert chips(story) == tuple(2 if who == story.who(winner) else -1 for who in range(3))


def test_the_tally_goes_on_over_the_evening_s1() -> None:
    story = playing().copy().play_on(1).start(0, 1, 2).play_on(2)
    assert sum(chips(story)) == 0 and {sum(map(abs, chips(story)))} <= {4, 8}


@very_few
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(0, 200))
def test_no_chip_is_made_or_lost_at_any_entry_s1(seed: int, players: int, steps: int) -> None:
    story = playing("milan", players).copy().play_on(seed, steps=steps)
    stakes = story.table.stakes
    assert sum(stakes.chips.values()) + stakes.pot == 0
    assert stakes.pot == (0 if story.table.phase is Phase.GATHERING else players)


def test_a_game_that_is_called_off_gives_the_chips_back_s1() -> None:
    story = Story(3).start(0, 1, 2).decide(Measure.REMOVE, 2)
    assert story.table.phase is Phase.GATHERING and story.game.winner is None
    assert (story.table.stakes.pot, chips(story)) == (0, (0, 0, 0))


def test_the_chip_of_a_removed_seat_stays_in_the_pot_s1_g5() -> None:
    story = playing().copy().decide(Measure.REMOVE, 2)
    assert (story.table.stakes.pot, chips(story)) == (3, (-1, -1, -1))
    story.decide(Measure.REMOVE, 0)
    assert (story.game.winner, story.table.stakes.pot, chips(story)) == (1, 0, (-1, 2, -1))


def test_a_game_that_breaks_off_leaves_the_pot_in_the_middle_s1() -> None:
    story = playing().copy().fists(1, 1, 1).say(Bid(1))
    assert (story.table.stakes.pot, chips(story)) == (3, (-1, -1, -1))


def test_who_gives_the_seat_up_keeps_the_tally_for_the_next_time_s1() -> None:
    story = playing().copy().play_on()
    before = chips(story)
    story.tell(0, Leave()).sit(0)
    assert chips(story) == before


def test_every_seat_and_every_watcher_sees_the_same_stakes_s1() -> None:
    story = playing()
    views = [view_of(story.table, key(who)) for who in range(5)]
    assert {(view.stakes.pot, view.stakes.up(key(0))) for view in views} == {(3, -1)}


def test_another_host_knows_the_same_stakes_s1() -> None:
    story = playing().copy()
    before = story.table.stakes
    assert story.move(1, 0, 1, 2).table.stakes == before


# The pile


def test_lost_coins_lie_on_the_pile_in_the_middle() -> None:
    story = playing().copy().fists(0, 0, 0).say(Bid(1), Ending.CALL).open()
    assert story.table.stakes.pile == lost_coins(story.game.past) == 1


def test_a_right_zero_puts_a_coin_of_everybody_else_on_the_pile() -> None:
    story = playing().copy().fists(0, 0, 0).say(Ending.ZERO).open()
    assert lost_coins(story.game.past) == 2


def test_a_coin_that_a_cliff_wins_does_not_come_from_the_pile() -> None:
    story = playing().copy().fists(1, 0, 0).say(Bid(1), Ending.CLIFF).open()
    assert (story.game.coins, lost_coins(story.game.past)) == ((3, 4, 3), 0)


@pytest.mark.parametrize("rules", ["milan", "three-coins"])
def test_the_pile_is_cleared_for_the_next_game(rules: str) -> None:
    story = playing(rules).copy().play_on()
    assert story.table.stakes.pile == lost_coins(story.game.past) > 0
    assert story.start(0, 1, 2).table.stakes.pile == 0


def test_no_coin_is_lost_in_a_school_h4() -> None:
    assert playing("hollywood").copy().play_on().table.stakes.pile == 0


# Drinks (S2) and nothing (S3)


def test_the_first_one_out_pays_the_round_s2() -> None:
    story = playing("milan stake=drinks").copy()
    while not paid(story):
        story.play_on(3, steps=1)
    assert story.table.phase is not Phase.GATHERING
    assert paid(story) == (story.game.next_crap,)


def test_a_game_pays_one_round_and_no_more_s2() -> None:
    story = playing("milan stake=drinks").copy().play_on(4)
    assert len(paid(story)) == 1
    story.start(0, 1, 2).play_on(5)
    assert len(paid(story)) == 2
    assert sum(story.table.stakes.rounds(key(who)) for who in range(3)) == 2


def test_of_several_who_go_out_at_once_the_nearest_after_the_ender_pays_s2() -> None:
    story = playing("three-coins stake=drinks").copy()
    for _ in range(3):
        story.fists(0, 0, 0).say(Ending.ZERO).open()
    assert paid(story) == (key(1),)


def test_a_game_that_ends_without_anybody_out_has_no_round_to_pay_s2_g5() -> None:
    story = playing("milan stake=drinks").copy().decide(Measure.REMOVE, 0)
    assert paid(story.decide(Measure.REMOVE, 2)) == ()


@pytest.mark.parametrize("rules", ["milan stake=none", "three-coins", "bid-spoof", "hollywood"])
def test_nothing_is_kept_where_nothing_is_played_for_s3(rules: str) -> None:
    story = playing(rules).copy().play_on()
    assert replace(story.table.stakes, pile=0) == Stakes()


def test_every_preset_has_a_stake_or_a_slate() -> None:
    assert {stake_of(rules) for rules in PRESETS.values()} == {Stake.POT, Stake.NONE}
