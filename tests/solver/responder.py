"""A player taught to beat three of the strongest bots, for as long as those were taught."""

from __future__ import annotations

import random
from collections.abc import Sequence

from protocol.views import TableView
from spoof_tui.bots.judging import Judge
from spoof_tui.bots.learned import Network, Taught, learned_network
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from tests.solver.learning import BATCHES, School
from tests.solver.network import Master, Net


class Responder(BotMind):
    """A bot with its own network and hands; the last two play by the tables."""

    def __init__(self, net: Net, rng: random.Random) -> None:
        super().__init__(Level.HARD, rng)
        self._net = net
        self._network = Network.of(net.packed())

    def choose_hand(self, view: TableView) -> int:
        """By the results of its hands."""
        players = sum(1 for seat in view.seats if seat.coins)
        coins = view.seats[view.me or 0].coins
        odds = self._net.hand_odds(players)
        if players == 2 or coins >= len(odds):
            return super().choose_hand(view)
        return self._rng.choices(range(coins + 1), odds[coins, : coins + 1].tolist())[0]

    def _judge(self, view: TableView) -> Judge:
        judge = super()._judge(view)
        return Taught(judge.view, judge.traits, judge.beliefs, judge.me, self._network)


def trained(sizes: Sequence[int]) -> Net:
    """A responder that has only met masters, at tables of these sizes."""
    school = School(2, Master(learned_network()), sizes)
    school.learn(BATCHES)
    return school.net
