"""What the house pronounces: the stick, the hands, the Hoover, the Law of Cliff, first and last."""

from __future__ import annotations

import functools

import pytest

from protocol.rules.house import KEPT, House, Pronouncement, cliff_coins_lost, is_hoover
from protocol.rules.words import Bid, Ending, Word
from protocol.table.state import Phase
from protocol.table.statements import Measure
from tests.protocol.stories import Story, signing_key


def key(who: int) -> bytes:
    return signing_key(who).public


@functools.cache
def playing(rules: str = "milan", players: int = 3) -> Story:
    """A game that waits for the fists of its first round, opened by participant 0."""
    return Story(players, rules).start(*range(players)).toss(*range(players))


def played(*hands: int, words: tuple[Word, ...], rules: str = "milan") -> Story:
    return playing(rules, len(hands)).copy().fists(*hands).say(*words).open()


def said(story: Story) -> list[tuple[Pronouncement, bytes | None]]:
    return [(each.what, each.key) for each in story.table.house.said]


# The stick, and the hands


@pytest.mark.parametrize("rules", ["milan", "three-coins", "hollywood"])
def test_the_stick_falls_to_whom_the_lot_picks(rules: str) -> None:
    assert said(playing(rules)) == [(Pronouncement.STICK, key(0))]


def test_no_stick_falls_where_crap_opens() -> None:
    story = playing().copy().play_on()
    before = story.table.house.counts[Pronouncement.STICK]
    story.start(0, 1, 2)
    assert story.table.phase is Phase.CHOOSING
    assert story.table.house.counts[Pronouncement.STICK] == before


def test_the_hands_are_out_once_the_last_fist_is_in() -> None:
    story = playing().copy().fists_of({0: 1, 1: 1})
    assert (Pronouncement.HANDS_OUT, None) not in said(story)
    assert said(story.fists_of({2: 1}))[-1] == (Pronouncement.HANDS_OUT, None)


def test_the_hands_are_told_again_only_when_fewer_of_them_are_out() -> None:
    story = played(1, 1, 1, words=(Bid(1), Ending.CALL)).fists(1, 1, 1)
    assert story.table.house.counts[Pronouncement.HANDS_OUT] == 1
    story.say(Bid(1)).play_on()
    counts = {len(each.words.players) for each in story.game.past}
    assert story.table.house.counts[Pronouncement.HANDS_OUT] == len(counts)


def test_every_round_of_a_school_with_a_toss_has_its_stick_h11() -> None:
    story = played(1, 2, 2, words=(Bid(7), Bid(8), Bid(6)), rules="hollywood first_caller=toss")
    assert story.table.house.counts[Pronouncement.STICK] == 2


# The Hoover: sucked into a big bid with hardly a coin out


def test_the_hoover_has_sucked_in_whoever_bid_half_with_hardly_a_coin_out() -> None:
    story = played(1, 1, 1, words=(Bid(5), Ending.CALL))
    assert is_hoover(story.game.past[-1])
    assert (Pronouncement.HOOVER, key(0)) in said(story)


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ((0, 0, 0), (Bid(4), Ending.CALL)),
        ((2, 1, 1), (Bid(5), Ending.CALL)),
        ((3, 1, 1), (Bid(5), Ending.CALL)),
        ((1, 0, 0), (Bid(5), Ending.CLIFF)),
        ((1, 0, 0), (Ending.SPOOF,)),
    ],
    ids=["a small bid", "coins enough are out", "a good bid", "no call", "no bid"],
)
def test_nothing_less_is_a_hoover(hands: tuple[int, ...], words: tuple[Word, ...]) -> None:
    assert not is_hoover(played(*hands, words=words).game.past[-1])


# Cliff giveth and Cliff taketh away


def cliffed() -> Story:
    """Player 1 has won a coin by a right cliff, and opens."""
    return played(1, 1, 0, words=(Bid(2), Ending.CLIFF))


def test_cliff_giveth_and_nothing_is_said_yet() -> None:
    story = cliffed()
    assert story.game.coins == (3, 4, 3) and story.table.house.counts.keys() == {
        Pronouncement.STICK, Pronouncement.HANDS_OUT,
    }  # fmt: skip


def test_cliff_taketh_away_when_the_coin_is_lost_again() -> None:
    story = cliffed().fists(0, 0, 0).say(Ending.SPOOF).open()
    assert said(story)[-1] == (Pronouncement.CLIFF, key(1))


def test_the_law_of_cliff_is_remembered_over_rounds_in_which_others_pay() -> None:
    story = cliffed().fists(0, 0, 0).say(Bid(1), Ending.CLIFF).open()
    assert story.game.past[-1].outcome.changes == {2: -1}
    story.fists(0, 0, 0)
    while story.speaker != 1:
        story.say(Bid(len(story.game.round.words) + 1 if story.game.round else 1))
    story.say(Ending.SPOOF).open()
    assert said(story)[-1] == (Pronouncement.CLIFF, key(1))


def test_cliff_taketh_one_coin_away_and_not_the_next() -> None:
    story = cliffed().fists(0, 0, 0).say(Ending.SPOOF).open().fists(0, 0, 0).say(Ending.SPOOF)
    story.open()
    assert story.game.coins[1] == 2 and cliff_coins_lost(story.game.past) == ()


def test_a_cliff_at_the_cap_giveth_nothing() -> None:
    story = played(1, 1, 0, words=(Bid(2), Ending.CLIFF), rules="three-coins")
    story.fists(0, 0, 0).say(Ending.SPOOF).open()
    assert cliff_coins_lost(story.game.past) == ()


# First out, last in


@pytest.mark.parametrize("rules", ["milan", "bid-spoof", "three-coins", "hollywood"])
def test_the_first_out_and_the_last_in_are_told_once_a_game(rules: str) -> None:
    story = playing(rules).copy().play_on(2)
    first, winner = story.game.next_crap, story.game.winner
    assert winner is not None
    counts = story.table.house.counts
    assert counts[Pronouncement.FIRST_OUT] == counts[Pronouncement.LAST_IN] == 1
    assert (Pronouncement.FIRST_OUT, first) in said(story)
    assert said(story)[-1] == (Pronouncement.LAST_IN, story.game.players[winner].key)


def test_a_game_that_is_called_off_has_nobody_last_in() -> None:
    story = Story(2).start(0, 1).decide(Measure.REMOVE, 1)
    assert story.table.phase is Phase.GATHERING
    assert Pronouncement.LAST_IN not in story.table.house.counts


# What is kept


def test_each_pronouncement_is_counted_and_the_last_ones_are_kept() -> None:
    house = House()
    for position in range(3 * KEPT):
        house = house.saying(position, Pronouncement.HOOVER, key(0))
    assert len(house.said) == KEPT
    assert (house.said[-1].ordinal, house.said[-1].position) == (3 * KEPT - 1, 3 * KEPT - 1)
