"""Games of bots without a table: the rules engine alone, and views built straight from it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.options import START_COINS, BiddingRules
from protocol.rules.slate import Slate
from protocol.rules.words import Direction, Ending, Word
from protocol.table.fold import Phase
from protocol.views import FistState, LinkState, Option, SeatStatus, SeatView, TableView
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind


def bidding(
    coins: Sequence[int],
    *words: tuple[int, Word],
    starter: int = 0,
    rules: str = "milan",
    direction: Direction = Direction.CLOCKWISE,
) -> BiddingRound:
    """A round after these words."""
    return BiddingRound(BiddingRules.parse(rules), tuple(coins), starter, direction, words)


def view_of_round(
    running: BiddingRound, me: int, past: tuple[PlayedRound, ...] = (), speaking: bool = True
) -> TableView:
    """What seat `me` sees of a round; before the last fist is in when not `speaking`."""
    speaker = running.speaker if speaking else None
    mine = speaker == me
    standing = running.standing
    lowest = standing[1] + 1 if standing else 1
    return TableView(
        table_id=b"",
        table_name=ForeignText("Arena"),
        rules=running.rules,
        phase=Phase.SPEAKING if speaking else Phase.CHOOSING,
        link=LinkState.UP,
        seat_count=len(running.coins),
        seats=tuple(_seat(running, seat, me, speaker) for seat in range(len(running.coins))),
        me=me,
        game_number=1,
        round_number=len(past) + 1,
        words=running.words,
        calls=(),
        free=(),
        slate=Slate(),
        chairman=None,
        may_order=False,
        standing=standing,
        most=running.most,
        direction=running.direction,
        starter=running.starter,
        speaker=speaker,
        last=past[-1] if past else None,
        past=past,
        winner=None,
        own_fist_due=not speaking,
        own_word=None,
        may_turn=mine and running.may_choose_direction,
        lowest_bid=lowest if mine and lowest <= running.most else None,
        options=tuple(Option(word, _forbidden(running, me, word)) for word in Ending),
        host=b"",
        epoch=0,
        paused=False,
        shut=None,
        grace=60,
        clock=0,
        time=0,
        votes=(),
        barred=frozenset(),
        talk=(),
        names={},
        position=0,
    )


def _forbidden(running: BiddingRound, me: int, word: Ending) -> Illegal | None:
    try:
        running.check(me, word)
    except Illegal as error:
        return error
    return None


def _seat(running: BiddingRound, seat: int, me: int, speaker: int | None) -> SeatView:
    coins = running.coins[seat]
    return SeatView(
        key=bytes([seat]),
        name=ForeignText(f"Seat {seat}"),
        coins=coins,
        fist=FistState.IN if coins else FistState.NONE,
        hand=None,
        presence=SeatStatus.HERE,
        ready=False,
        plays=True,
        is_me=seat == me,
        speaks=seat == speaker,
        is_crap=False,
        is_muted=False,
        is_leaving=False,
        is_set_aside=False,
        counts=True,
        away_since=None,
        waits_since=None,
        play_on_from=None,
        time_up_from=None,
    )


@dataclass
class Arena:
    """One game of bots, played to its end; every word passes the rules engine."""

    minds: Sequence[BotMind]
    rules: BiddingRules = PRESETS["milan"]
    past: list[PlayedRound] = field(default_factory=list)

    def play(self, starter: int) -> int:
        """The seat that wins when `starter` opens the first round."""
        coins: tuple[int, ...] = (START_COINS,) * len(self.minds)
        opener: int | None = starter
        while opener is not None:
            played = self._round(BiddingRound(self.rules, coins, opener))
            self.past.append(played)
            coins, opener = played.outcome.coins, played.outcome.next_starter
        winner = self.past[-1].outcome.winner
        assert winner is not None
        return winner

    def _round(self, running: BiddingRound) -> PlayedRound:
        past = tuple(self.past)
        hands = {
            seat: self.minds[seat].choose_hand(view_of_round(running, seat, past, speaking=False))
            for seat in running.players
        }
        while (speaker := running.speaker) is not None:
            view = view_of_round(running, speaker, past)
            word, direction = self.minds[speaker].choose_word(view, hands[speaker])
            running = running.say(speaker, word, direction)
        return PlayedRound(running, hands, running.count(hands))


def wins(
    levels: Sequence[Level], games: int, seed: int = 1, rules: str = "milan"
) -> Mapping[Level, int]:
    """Games won by each level; seats and the opening go round, so that neither favours anybody."""
    rng = random.Random(seed)
    won = dict.fromkeys(levels, 0)
    for game in range(games):
        seated = [levels[(seat + game) % len(levels)] for seat in range(len(levels))]
        arena = Arena([BotMind(level, rng) for level in seated], BiddingRules.parse(rules))
        won[seated[arena.play(rng.randrange(len(levels)))]] += 1
    return won
