"""Characters lean one way within the rules, and nothing that they do aloud reveals their hand."""

import itertools
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.rules.bidding import BiddingRound
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.views import TableView
from spoof_tui.bots.characters import (
    CHARACTERS,
    Character,
    CharacterMind,
)
from spoof_tui.bots.levels import Level
from spoof_tui.bots.tournament import PLANS, SimpleMind, play_game, view_of_round
from tests.spoof_tui.bots.arena import bidding

WORDS = 5000
"""Words after which a thinking time that revealed the hand would show."""

everybody = pytest.mark.parametrize("who", CHARACTERS.values(), ids=[*CHARACTERS])


def mind(who: Character | str, seed: int = 1, level: Level = Level.EASY) -> CharacterMind:
    character = CHARACTERS[who] if isinstance(who, str) else who
    return CharacterMind(character, level, random.Random(seed))


@given(st.integers(0, 999), st.integers(2, 6), st.sampled_from([*PRESETS]))
@settings(max_examples=12)
def test_mixed_company_keeps_the_rules(seed: int, players: int, rules: str) -> None:
    seated = [mind([*CHARACTERS][(seed + seat) % 6], seed + seat) for seat in range(players)]
    game = play_game(seated, PRESETS[rules], opener=seed % players)
    assert game[-1].outcome.winner is not None
    assert not any(played.outcome.fined for played in game)


@st.composite
def turns(draw: st.DrawFn) -> tuple[BiddingRound, int]:
    """A round in which somebody speaks, and that player's hand."""
    coins = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    bids = draw(st.lists(st.integers(1, sum(coins)), max_size=3, unique=True).map(sorted))
    words = [(at % len(coins), Bid(bid)) for at, bid in enumerate(bids)]
    running = bidding(coins, *words, rules="three-coins")
    assert running.speaker is not None
    return running, draw(st.integers(0, coins[running.speaker]))


@everybody
@given(turns(), st.sampled_from(Level), st.integers(0, 99))
@settings(max_examples=60)
def test_nobody_ends_a_round_by_a_word_that_the_own_hand_makes_wrong(
    who: Character, turn: tuple[BiddingRound, int], level: Level, seed: int
) -> None:
    (running, hand), bot = turn, mind(who, seed, level)
    me = running.speaker
    assert me is not None
    word, _direction = bot.choose_word(view_of_round(running, me), hand)
    if isinstance(word, Ending):
        others = [range(coins + 1) for seat, coins in enumerate(running.coins) if seat != me]
        ended = running.said(me, word)
        hands = [(*each[:me], hand, *each[me:]) for each in itertools.product(*others)]
        verdicts = [ended.count(dict(enumerate(each))).verdict for each in hands]
        assert any(verdict.ender_is_right for verdict in verdicts)


# Nothing aloud reveals the hand


@everybody
def test_whatever_is_done_aloud_is_the_same_with_every_hand(who: Character) -> None:
    view, seen = view_of_round(bidding((3, 3, 3), (0, Bid(5))), 1), []
    for hand in range(4):
        bot, aloud = mind(who), []
        for _ in range(30):
            bot.choose_word(view, hand)
            aloud.append((bot.choose_gesture(view, hand), bot.think_seconds(view)))
        seen.append(aloud)
    assert all(aloud == seen[0] for aloud in seen)


class Timed(CharacterMind):
    """A character that notes its hand and its time, less what everybody knows about the two.

    That is half of its coins, and how slow it is in general. It says what the odds of its hand say,
    so a time that depends on its words would depend on the hand.
    """

    noted: list[tuple[float, float]]

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        assert view.me is not None
        seconds = super().think_seconds(view) / self.character.tempo
        self.noted.append((hand - view.seats[view.me].coins / 2, seconds))
        return SimpleMind(PLANS["value"], self._rng).choose_word(view, hand)


def test_no_thinking_time_goes_with_the_hand_over_thousands_of_words() -> None:
    Timed.noted = []
    game = 0
    while len(Timed.noted) < WORDS:
        dice = [random.Random(f"{game} {seat}") for seat in range(3)]
        chosen = [[*CHARACTERS.values()][(game + seat) % 6] for seat in range(3)]
        seated = [Timed(who, Level.EASY, rng) for who, rng in zip(chosen, dice, strict=True)]
        play_game(seated, PRESETS["milan"], opener=game % 3)
        game += 1
    assert abs(statistics.correlation(*zip(*Timed.noted, strict=True))) < 0.03
