"""Looking back: what was said is judged by what was known, and costs what the best word gains."""

from __future__ import annotations

from random import Random

from protocol.rules.game import PlayedRound
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.bots.arena import play_game
from spoof_tui.bots.coach import review
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from tests.spoof_tui.bots.arena import bidding


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
        said = sum(speaker == seat for each in game.rounds for speaker, _ in each.words.words)
        found = review(game.rounds, seat)
        assert len(found.decisions) == said
        assert len(found.chances) == len(game.rounds) + 1
        assert all(abs(sum(each) - 1.0) < 1e-9 for each in found.chances)
