"""Batches learn what the program plays: the same numbers, words and gains."""

from __future__ import annotations

import random

import numpy as np
import pytest

from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS
from protocol.rules.words import Bid, Direction, Word
from spoof_tui.bots.heads_up import ENDINGS
from spoof_tui.bots.learned import Taught
from spoof_tui.bots.levels import Level
from spoof_tui.bots.tournament import PLANS, Spot, view_of_round
from tests.solver import plans
from tests.solver.batch import Batch


def batch_of(preset: str, coins: tuple[int, ...], hands: tuple[int, ...]) -> Batch:
    rules = BIDDING_PRESETS[preset]
    held = np.arange(max(coins) + 1)
    owned = np.array([coins])
    even = (owned[:, :, None] >= held) / (owned[:, :, None] + 1)
    zero_opens = rules.zero.value == "opening-only"
    return Batch(owned, np.array([hands]), even, rules.cap is not None, zero_opens)


def number_of(batch: Batch, word: Word) -> int:
    return word.number - 1 if isinstance(word, Bid) else batch.size + ENDINGS.index(word)


@pytest.mark.parametrize("preset", BIDDING_PRESETS)
@pytest.mark.parametrize("seed", range(6))
def test_a_round_is_the_same_in_a_batch_and_at_a_table(preset: str, seed: int) -> None:
    dice = random.Random(f"{preset} {seed}")
    coins = tuple(dice.randint(1, 3) for _ in range(dice.randint(3, 6)))
    hands = tuple(dice.randint(0, own) for own in coins)
    said, batch, row = BiddingRound(BIDDING_PRESETS[preset], coins, 0), None, np.array([0])
    batch, step = batch_of(preset, coins, hands), 0
    while (speaker := said.speaker) is not None:
        judge = Taught.of(view_of_round(said, speaker), Level.HARD.traits, speaker)
        assert isinstance(judge, Taught)
        words = list(judge.worths(hands[speaker], 0))
        numbers = [number_of(batch, word) for word in words]
        assert sorted(numbers) == np.flatnonzero(batch.legal(row, step)[0]).tolist()
        state, rows = judge.features(words, hands[speaker], Direction.CLOCKWISE)
        ours = [[*state, *each] for each in rows]
        assert batch.features(row, step)[0][numbers] == pytest.approx(np.array(ours), abs=1e-5)
        for name in set(PLANS) - {"random"}:
            plan = PLANS[name].word(Spot(judge.view, speaker, hands[speaker], dice))
            (number,) = plans.words(name, batch, row, step, np.random.default_rng(1))
            assert (name, number) == (name, number_of(batch, plan))
        low = [word for word in words if not isinstance(word, Bid) or word.number < step + 4]
        word = dice.choice(low or words)
        said = said.say(speaker, word)
        batch.say(row, step, np.array([number_of(batch, word)]))
        step += 1
    after = said.count(dict(enumerate(hands))).coins
    gains = np.array(after) / sum(after) * sum(coins) - coins
    assert batch.gains()[0] == pytest.approx(gains, abs=1e-5)
