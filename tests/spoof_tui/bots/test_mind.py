"""Bots play within the rules, by what they may know, and cannot be read."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.bidding import BiddingRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid
from protocol.table.statements import Measure
from protocol.views import TableView, view_of
from protocol.wire.messages import Offer
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import play_game
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Story, few, signing_key, vote
from tests.spoof_tui.bots.arena import bidding, view_of_round
from tests.spoof_tui.bots.schools import guessing

levels = st.sampled_from(Level)


def mind(seed: int = 1, level: Level = Level.HARD) -> BotMind:
    return BotMind(level, random.Random(seed))


@few
@given(st.integers(0, 2**32), st.integers(2, 9), levels, st.sampled_from(sorted(PRESETS)))
def test_every_word_and_hand_of_a_game_is_legal(
    seed: int, players: int, level: Level, rules: str
) -> None:
    minds = [mind(seed + seat, level) for seat in range(players)]
    game = play_game(minds, PRESETS[rules], opener=0)
    assert game[-1].outcome.winner in range(players)
    for played in game:
        assert all(0 <= hand <= played.words.coins[seat] for seat, hand in played.hands.items())


def behaviour(view: TableView, bot: BotMind) -> list[object]:
    return [(bot.choose_word(view, 1), *aloud(view, bot, 1)) for _ in range(20)]


def aloud(view: TableView, bot: BotMind, hand: int) -> tuple[object, float]:
    return bot.choose_gesture(view, hand), bot.think_seconds(view)


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
@pytest.mark.parametrize("level", Level)
def test_another_players_hidden_hand_changes_nothing_that_a_bot_does(
    level: Level, rules: str
) -> None:
    behaviours = []
    for hidden in range(4):
        table = MemoryTable(3, rules)
        table.ready()
        opener = table.clients[0].view.starter
        table.choose(*(1 if seat == opener else hidden for seat in range(3)))
        behaviours.append(behaviour(table.speaker().view, mind(level=level)))
    assert all(each == behaviours[0] for each in behaviours)


@pytest.mark.parametrize(
    "running", [bidding((3, 3, 3), (0, Bid(5))), guessing(3, 4)], ids=["bidding", "guessing"]
)
def test_nothing_aloud_but_the_word_depends_on_the_hand(
    running: BiddingRound | GuessingRound,
) -> None:
    view, seen = view_of_round(running, 1), []
    for hand in range(4):
        bot, heard = mind(), list[object]()
        for _ in range(100):
            bot.choose_word(view, hand)
            heard.append(aloud(view, bot, hand))
        seen.append([*heard, bot.choose_drink()])
    assert all(heard == seen[0] for heard in seen)


@pytest.mark.parametrize("running", [bidding((3, 3, 3)), guessing(3)], ids=["bidding", "guessing"])
@pytest.mark.parametrize("level", Level)
def test_nothing_that_is_done_often_can_be_read(
    level: Level, running: BiddingRound | GuessingRound
) -> None:
    hiding, speaking = (view_of_round(running, 0, speaking=speaks) for speaks in (False, True))
    bot = mind(level=level)
    assert {bot.choose_hand(hiding) for _ in range(200)} == {0, 1, 2, 3}
    words = {hand: Counter(bot.choose_word(speaking, hand)[0] for _ in range(300))
             for hand in range(4)}  # fmt: skip
    assert all(len(said) >= 2 for said in words.values())
    for word, times in sum(words.values(), Counter()).items():
        assert times < 60 or sum(word in said for said in words.values()) >= 2


def test_a_bot_agrees_to_play_on_when_somebody_else_wants_it_and_only_then_g7() -> None:
    story = Story(4).start(0, 1, 2, 3).toss(0, 1, 2, 3).away(3).wait()
    bot = signing_key(2).public
    assert mind().agrees_to(view_of(story.table, bot)) == ()
    story.vote(Measure.PLAY_ON, 3, 0)
    assert mind().agrees_to(view_of(story.table, bot)) == (vote(Measure.PLAY_ON, 3),)
    story.sit(4)
    assert mind().agrees_to(view_of(story.table, signing_key(4).public)) == ()
    story.vote(Measure.PLAY_ON, 3, 2)
    assert mind().agrees_to(view_of(story.table, bot)) == ()


def test_a_bot_goes_along_to_a_new_table_when_somebody_else_wants_it_and_only_then_g8() -> None:
    story = Story(5).start(*range(5)).toss(*range(5))
    person, bot = signing_key(0).public, signing_key(1).public
    seen = view_of(story.table, bot)

    def goes(*agreed: bytes, wait: int = 0, along: tuple[bytes, ...] = (person, bot)) -> bool:
        agreements = tuple(bytes(64) if key in agreed else None for key in along)
        offer = Offer(person, bytes(32), along, agreements, wait)
        return mind().goes_along(replace(seen, new_table=offer))

    assert goes(person) and not goes()
    assert not goes(person, bot) and not goes(person, wait=1)
    assert not goes(person, along=(person, signing_key(2).public))
    assert not mind().goes_along(seen)
