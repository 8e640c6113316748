"""Schools of bots without a table: the rules engine alone, and views built straight from it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import Call, GuessingRound
from protocol.rules.options import START_COINS, GuessingRules
from protocol.views import TableView
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from tests.spoof_tui.bots.arena import bidding, view_of_round


def guessing(
    players: int, *calls: int, starter: int = 0, rules: str = "hollywood", gone: Sequence[int] = ()
) -> GuessingRound:
    """A round of `players` seats, less those `gone`, after these calls."""
    coins = tuple(0 if seat in gone else START_COINS for seat in range(players))
    running = GuessingRound(GuessingRules.parse(rules), coins, starter)
    for number in calls:
        assert running.speaker is not None
        taken = number not in running.free
        running = replace(running, calls=(*running.calls, Call(running.speaker, number, taken)))
    return running


def view_of_calls(
    running: GuessingRound, me: int, past: tuple[PlayedRound, ...] = (), speaking: bool = True
) -> TableView:
    """What seat `me` sees of a round; before the last fist is in when not `speaking`."""
    view = view_of_round(bidding(running.coins, starter=running.starter), me, past, speaking)
    speaker = running.speaker if speaking else None
    return replace(
        view,
        rules=running.rules,
        words=running.words,
        calls=running.calls,
        free=running.free,
        most=running.most,
        speaker=speaker,
        standing=None,
        may_turn=False,
        lowest_bid=None,
        seats=tuple(
            replace(seat, speaks=place == speaker) for place, seat in enumerate(view.seats)
        ),
    )


@dataclass
class School:
    """One school of bots, played until somebody pays; every call passes the rules engine."""

    minds: Sequence[BotMind]
    rules: GuessingRules = field(default_factory=lambda: GuessingRules.parse("hollywood"))
    past: list[PlayedRound] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    """Who left, in order."""

    def play(self, starter: int) -> int:
        """The seat that pays when `starter` calls first."""
        coins: tuple[int, ...] = (START_COINS,) * len(self.minds)
        opener: int | None = starter
        while opener is not None:
            played = self._round(GuessingRound(self.rules, coins, opener))
            self.past.append(played)
            self.left += played.outcome.went_out
            coins, opener = played.outcome.coins, played.outcome.next_starter
        payer = self.past[-1].outcome.winner
        assert payer is not None
        return payer

    def _round(self, running: GuessingRound) -> PlayedRound:
        past = tuple(self.past)
        hands = {
            seat: self.minds[seat].choose_hand(view_of_calls(running, seat, past, speaking=False))
            for seat in running.players
        }
        while (speaker := running.speaker) is not None:
            view = view_of_calls(running, speaker, past)
            word, direction = self.minds[speaker].choose_word(view, hands[speaker])
            running = running.say(speaker, word, direction)
        return PlayedRound(running, hands, running.count(hands))


def bills(
    levels: Sequence[Level], schools: int, seed: int = 1, rules: str = "hollywood"
) -> Mapping[Level, int]:
    """Schools paid for by each level; seats and first calls go round."""
    rng = random.Random(seed)
    paid = dict.fromkeys(levels, 0)
    for number in range(schools):
        seated = [levels[(seat + number) % len(levels)] for seat in range(len(levels))]
        school = School([BotMind(level, rng) for level in seated], GuessingRules.parse(rules))
        paid[seated[school.play(rng.randrange(len(levels)))]] += 1
    return paid
