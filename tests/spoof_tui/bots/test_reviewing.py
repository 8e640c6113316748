"""Looking back: what was said is judged by what was known, and costs what the best word gains."""

from __future__ import annotations

from random import Random

from protocol.rules.game import PlayedRound
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.bots.arena import play_game
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from spoof_tui.bots.reviewing import Slip, review
from tests.spoof_tui.bots.arena import bidding


def played(hands: tuple[int, ...], *words: tuple[int, Word]) -> PlayedRound:
    running = bidding((3,) * len(hands), *words)
    opened = dict(enumerate(hands))
    return PlayedRound(running, opened, running.count(opened))


def test_a_call_of_what_the_own_hand_makes_true_is_dear() -> None:
    found = review([played((0, 3, 1), (0, Bid(2)), (1, Ending.CALL))], 1)
    (decision,) = found.decisions
    assert (decision.standing, decision.hand, decision.slip) == (2, 3, Slip.CALLED)
    assert found.cost == decision.cost > 0.02
    assert [slip for slip, _, _ in found.slips] == [Slip.CALLED]


def test_the_hands_of_others_change_nothing() -> None:
    words = ((0, Bid(2)), (1, Bid(5)), (2, Ending.CALL))
    one, other = (review([played((0, 2, last), *words)], 1) for last in (0, 3))
    assert one.decisions == other.decisions


def test_only_the_own_words_are_judged_and_all_of_them() -> None:
    minds = [BotMind(level, Random(3)) for level in Level]
    game = play_game(minds, PRESETS["milan"], 0)
    for seat in range(3):
        said = sum(speaker == seat for each in game.rounds for speaker, _ in each.words.words)
        found = review(game.rounds, seat)
        assert len(found.decisions) == said
        assert len(found.chances) == len(game.rounds) + 1
        assert all(abs(sum(each) - 1.0) < 1e-9 for each in found.chances)


def test_the_stronger_gives_less_away() -> None:
    costs = dict.fromkeys((Level.EASY, Level.HARD), 0.0)
    for seed in range(14):
        minds = [BotMind(level, Random(seed)) for level in costs]
        game = play_game(minds, PRESETS["bid-spoof"], seed % 2)
        for seat, level in enumerate(costs):
            costs[level] += review(game.rounds, seat).cost
    assert costs[Level.HARD] < costs[Level.EASY] / 2
