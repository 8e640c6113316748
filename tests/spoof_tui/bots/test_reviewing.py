"""Looking back: a word is judged by what was known, and costs what the best word would gain."""

from __future__ import annotations

from random import Random

import pytest

from protocol.rules.game import PlayedRound
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.bots.coach import CHANCE_ERROR, Advice, Mistake, advise, review
from spoof_tui.bots.learned import learned_hands
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import play_game, view_of_round
from spoof_tui.telling.coaching import (
    advice_lines,
    advice_sentences,
    coach_note,
    percent,
    review_lines,
)
from tests.spoof_tui.bots.arena import bidding

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")


def played(hands: tuple[int, ...], *words: tuple[int, Word]) -> PlayedRound:
    running = bidding((3,) * len(hands), *words)
    opened = dict(enumerate(hands))
    return PlayedRound(running, opened, running.count(opened))


def test_the_hands_of_others_change_nothing() -> None:
    words = ((0, Bid(2)), (1, Bid(5)), (2, Ending.CALL))
    one, other = (review([played((0, 2, last), *words)], 1) for last in (0, 3))
    assert one.decisions == other.decisions


def test_only_the_own_words_are_judged_and_all_of_them() -> None:
    minds = [BotMind(level, Random(3)) for level in Level]
    game = play_game(minds, PRESETS["milan"], 0)
    for seat in range(3):
        said = sum(speaker == seat for each in game for speaker, _ in each.words.words)
        found = review(game, seat)
        assert len(found.decisions) == said
        assert len(found.chances) == len(game) + 1
        assert all(abs(sum(each) - 1.0) < 1e-9 for each in found.chances)


def test_costs_are_estimates_with_three_and_exact_with_two() -> None:
    words = ((0, Bid(2)), (1, Ending.CALL))
    crowded, two = (review([played(hands, *words)], 1) for hands in ((0, 2, 1), (0, 2)))
    assert [each.error for each in crowded.decisions] == [CHANCE_ERROR] and crowded.error > 0
    assert two.error == 0


def test_a_word_is_as_true_as_the_hands_that_bots_have_learned_make_it() -> None:
    view = view_of_round(bidding((3, 3, 3)), 0)
    other = learned_hands(3, 3)
    assert other is not None
    said = {each.word: each.true for each in advise(view, 3)}
    assert said[Ending.SPOOF] == pytest.approx((other[3] / sum(other)) ** 2)


@pytest.mark.parametrize(("players", "is_told"), [(4, True), (5, False)])
def test_a_chance_to_win_is_told_with_at_most_four(players: int, is_told: bool) -> None:
    words = ((0, Bid(1)), (1, Bid(3 * players)), (2, Ending.CALL))
    found = review([played((1,) * players, *words)], 1)
    [wild] = found.decisions
    assert wild.slip is Mistake.HIGH and bool(wild.cost) == bool(found.error) == is_told
    assert [bool(each) for each in found.chances] == [is_told] * 2
    told = [*review_lines(found, NAMES[:players])]
    sentences = " ".join([*told, *advice_sentences([wild.best]), *advice_lines([wild.best], 60)])
    assert ("win game" in sentences) == ("wins you" in sentences) == is_told and (
        "%" in told[2]
    ) == is_told


@pytest.mark.parametrize("words", [(), ((0, Bid(3)),), ((0, Bid(3)), (1, Bid(5)))])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_best_word_is_one_that_experts_often_say(
    players: int, words: tuple[tuple[int, Word], ...]
) -> None:
    running = bidding((3,) * players, *((seat % players, word) for seat, word in words))
    for hand in range(4):
        best, *others = advise(view_of_round(running, len(words) % players), hand)
        assert best.often >= max(each.often for each in others) / 2


def test_words_within_the_error_are_told_as_equal() -> None:
    best = Advice(Bid(6), true=0.7, winning=0.29, often=0.98)
    near = Advice(Bid(7), true=0.5, winning=0.30, often=0.02)
    far = Advice(Bid(8), true=0.3, winning=0.20, often=0.02)
    never = Advice(Bid(9), true=0.2, winning=0.29, often=0.0)
    assert "As good as the top line, within 2%: bid 7." in coach_note((best, near, far, never), 3)
    assert "As good" not in coach_note((best, far, never), 3)


def test_a_higher_chance_that_experts_do_not_believe_is_not_told() -> None:
    best = Advice(Bid(6), true=0.7, winning=0.29, often=0.98)
    higher = Advice(Ending.CALL, true=0.5, winning=0.35, often=0.01)
    never = Advice(Bid(9), true=0.2, winning=0.28, often=0.0)
    assert "No chance is shown for call:" in coach_note((best, higher, never), 3)
    assert advice_lines((best, higher, never), 60)[2].split() == ["call", "50%", "?", "1%"]
    assert "wins you" not in advice_sentences((best, higher, never))[1]
    assert "No chance" not in coach_note((best, never), 3)
    assert "Experts mix" in coach_note((best, higher, never), 3)
    assert "Experts mix" not in coach_note((best, never), 3), "they say one word only"


@pytest.mark.parametrize(
    ("hands", "words", "is_right"),
    [
        ((0, 0, 0), ((0, Bid(1)), (1, Ending.CALL)), True),
        ((1, 0, 0), ((0, Bid(1)), (1, Ending.CALL)), False),
        ((3, 0, 3), ((0, Bid(1)), (1, Bid(6)), (2, Ending.CALL)), True),
        ((0, 0, 0), ((0, Bid(1)), (1, Bid(6)), (2, Ending.CALL)), False),
        ((3, 0, 3), ((0, Bid(1)), (1, Bid(6)), (2, Bid(7)), (0, Ending.CALL)), False),
    ],
)
def test_a_mistake_that_turned_out_right_is_told_with_its_chance(
    hands: tuple[int, ...], words: tuple[tuple[int, Word], ...], *, is_right: bool
) -> None:
    found = review([played(hands, *words)], 1)
    [said] = found.decisions
    assert said.slip
    chance = percent(said.said.true)
    ways = (f"with a chance of {chance}.", f"but lucky: the chance was {chance}.")
    told = " ".join(review_lines(found, NAMES[:3]))
    assert (f"You were right, {ways[said.said.true < 0.5]}" in told) == is_right
