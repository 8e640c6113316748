"""Characters lean one way within the rules, and nothing that they do aloud tells their hand."""

import random
import statistics
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.rules.options import PRESETS, Rules
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.table.statements import Gesture
from protocol.views import TableView
from spoof_tui.bots.arena import play_game, view_of_round
from spoof_tui.bots.characters import (
    CHARACTERS,
    MIXED,
    Character,
    CharacterMind,
    company,
)
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from spoof_tui.bots.simple import PLANS, SimpleMind
from tests.spoof_tui.bots.arena import bidding

WORDS = 5000
"""Words after which a thinking time that told the hand would show."""

everybody = pytest.mark.parametrize("who", CHARACTERS.values(), ids=[*CHARACTERS])


def mind(who: Character | str, seed: int = 1, level: Level = Level.EASY) -> CharacterMind:
    character = CHARACTERS[who] if isinstance(who, str) else who
    return CharacterMind(character, level, random.Random(seed))


def words(bot: BotMind, view: TableView, hand: int, times: int = 300) -> Counter[Word]:
    return Counter(bot.choose_word(view, hand)[0] for _ in range(times))


@everybody
def test_a_character_is_within_its_bounds(who: Character) -> None:
    chances = (*who.leans.values(), who.holds_all, who.shouts, who.talks, who.swing)
    assert all(0.0 <= chance <= 1.0 for chance in chances)
    assert sum(who.leans.values()) <= 1.0 and who.swing < 1.0


def test_mixed_company_is_everybody() -> None:
    assert company(MIXED) == tuple(CHARACTERS.values())
    assert company("miser") == (CHARACTERS["miser"],)
    with pytest.raises(KeyError):
        company("nobody")


@given(st.integers(0, 999), st.integers(2, 6), st.sampled_from([*PRESETS]))
@settings(max_examples=12)
def test_mixed_company_keeps_the_rules(seed: int, players: int, rules: str) -> None:
    seated = [mind([*CHARACTERS][(seed + seat) % 6], seed + seat) for seat in range(players)]
    game = play_game(seated, PRESETS[rules], opener=seed % players)
    assert game.last_in is not None
    assert not any(played.outcome.fined for played in game.rounds)


# Leans


DOUBTFUL = view_of_round(bidding((3, 3, 3), (0, Bid(4))), 1)


def more_often(who: str, word: Word, view: TableView = DOUBTFUL, hand: int = 1) -> float:
    """How much more often it says a word than its level does, in parts of all words."""
    usual = words(BotMind(Level.EASY, random.Random(1)), view, hand)
    return (words(mind(who), view, hand)[word] - usual[word]) / usual.total()


def test_the_cliffer_cliffs_because_a_bid_is_there() -> None:
    assert more_often("cliffer", Ending.CLIFF) > 0.15
    opening = view_of_round(bidding((3, 3, 3)), 0)
    assert words(mind("cliffer"), opening, 1)[Ending.CLIFF] == 0


def test_the_accountant_says_what_the_odds_say() -> None:
    sure = view_of_round(bidding((3, 3, 3), (0, Bid(7))), 1)
    assert more_often("accountant", Ending.CALL, sure, 0) > 0.0
    assert words(mind("accountant"), sure, 0)[Ending.CALL] > 200


def test_the_wobbler_raises_by_one_or_calls_as_a_coin_falls() -> None:
    sure = view_of_round(bidding((3, 3, 3), (0, Bid(1))), 1)
    assert words(mind("wobbler"), sure, 3)[Ending.CALL] > 15


def test_the_loudmouth_jumps_and_shouts() -> None:
    opening = view_of_round(bidding((3, 3, 3)), 0)

    def mean_bid(bot: BotMind) -> float:
        said = words(bot, opening, 1)
        return statistics.mean(w.number for w in said.elements() if isinstance(w, Bid))

    assert mean_bid(mind("loudmouth")) > mean_bid(BotMind(Level.EASY, random.Random(1))) + 0.3
    big, bot = view_of_round(bidding((3, 3, 3), (0, Bid(5))), 1), mind("loudmouth")
    shouts = Counter(bot.choose_gesture(big, 1) for _ in range(300))
    assert 60 < shouts[Gesture.MITT_FULL] < 180
    assert not any(bot.choose_gesture(opening, 1) for _ in range(300))


def test_the_bluffer_bids_alike_from_every_hand_more_than_its_level() -> None:
    opening = view_of_round(bidding((3, 3)), 0)

    def gap(who: str) -> float:
        low, high = (words(mind(who, level=Level.HARD), opening, hand) for hand in (0, 3))
        return sum(abs(low[word] - high[word]) for word in low | high)

    assert gap("bluffer") < gap("miser")


def test_the_miser_holds_all_more_often() -> None:
    view, bot = view_of_round(bidding((3, 3)), 0, speaking=False), mind("miser")
    held = Counter(bot.choose_hand(view) for _ in range(400))
    assert held[3] > 160 and set(held) == {0, 1, 2, 3}


# Nothing aloud tells the hand


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
    """A character that notes its hand and its time, less what everybody knows of the two.

    That is half of its coins, and how slow it is at all. It says what the odds of its hand say,
    so that a time which goes with its words would go with the hand.
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


def test_everybody_has_a_pace_and_none_without_one() -> None:
    view = view_of_round(bidding((3, 3, 3), (0, Bid(4))), 1)
    means = {
        key: statistics.mean(mind(who).think_seconds(view) for _ in range(60))
        for key, who in CHARACTERS.items()
    }
    assert means["accountant"] > means["loudmouth"]
    times = [mind("wobbler", seed).think_seconds(view) for seed in range(60)]
    steady = [mind("cliffer", seed).think_seconds(view) for seed in range(60)]
    assert statistics.stdev(times) > statistics.stdev(steady)
    assert mind("wobbler").think_seconds(view, 0.0) == 0.0


# Gestures


def made(who: str, view: TableView, times: int = 400) -> Counter[Gesture | None]:
    bot = mind(who)
    return Counter(bot.choose_gesture(view, 1) for _ in range(times))


@pytest.mark.parametrize(
    ("who", "gesture"),
    [
        ("wobbler", Gesture.WOBBLE),
        ("wobbler", Gesture.INDECISION),
        ("miser", Gesture.SWEAT),
        ("bluffer", Gesture.SMUGNESS),
        ("accountant", Gesture.INDECISION),
        ("loudmouth", Gesture.NEVER),
    ],
)
def test_a_character_has_antics_of_its_own_and_not_too_often(who: str, gesture: Gesture) -> None:
    told = made(who, DOUBTFUL)
    assert 5 < told[gesture] < 100
    assert told[None] > 180


def test_nobody_says_never_to_nothing() -> None:
    opening = view_of_round(bidding((3, 3, 3)), 0)
    assert not any(made(who, opening)[Gesture.NEVER] for who in CHARACTERS)


def test_who_has_won_mostly_gloats_where_it_is_free_and_is_asked_once() -> None:
    view = replace(DOUBTFUL, may_gloat=True, game_number=2)
    assert 50 < sum(mind("miser", seed).gloats(view) for seed in range(100)) < 100
    bot = mind("miser")
    bot.gloats(view)
    assert not any(bot.gloats(view) for _ in range(50))
    assert not mind("miser").gloats(replace(view, may_gloat=False))


def test_only_some_walk_into_the_trap_where_gloating_is_fined() -> None:
    fined = Rules.parse("milan gloating=fined")
    view = replace(DOUBTFUL, may_gloat=True, game_number=2, rules=fined)
    gloated = {who: sum(mind(who, seed).gloats(view) for seed in range(60)) for who in CHARACTERS}
    assert gloated["loudmouth"] > 10 and gloated["accountant"] == gloated["miser"] == 0


def test_whoever_heckles_does_so_before_crap_has_opened() -> None:
    assert mind("loudmouth").heckle(DOUBTFUL) is None
