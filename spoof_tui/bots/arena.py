"""Games of players without a table: only the rules engine, and a view of each round per seat.

A player here is anything that chooses a hand and a word from a view, as `BotMind` does. It sees
what the same seat sees at a table: before the fists open, no hand but its own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound, Round, round_of
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import START_COINS, Rules
from protocol.rules.slate import Slate
from protocol.rules.words import Direction, Ending, Word
from protocol.table.state import Phase
from protocol.views import FistState, LinkState, Option, SeatStatus, SeatView, TableView

MAX_ROUNDS: Final = 400
"""Rounds after which a game is left undecided: plans without randomness may go on forever."""

_TOSS_BITS: Final = 64


class Mind(Protocol):
    """The player in a seat."""

    def choose_hand(self, view: TableView) -> int:
        """Coins to hide, 0 to what the player owns (R2)."""

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """A legal word, and the direction of an opening bid if it changes the direction (R4)."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from its first round to its last."""

    rounds: tuple[PlayedRound, ...]
    """All rounds, in order; there is at least one."""

    @property
    def last_in(self) -> int | None:
        """The seat that won (R13), or that pays (H12); None if undecided."""
        return self.rounds[-1].outcome.winner

    @property
    def gone(self) -> tuple[int, ...]:
        """The seats that went out or left, in order."""
        return tuple(seat for played in self.rounds for seat in played.outcome.went_out)


def play_game(
    minds: Sequence[Mind],
    rules: Rules,
    opener: int,
    *,
    number: int = 1,
    rounds: int = MAX_ROUNDS,
    toss: random.Random | None = None,
) -> PlayedGame:
    """Play a game that `opener` opens; the rules check every word, and an illegal one raises.

    After this many `rounds` it is left undecided. `toss` picks first callers where the rules toss
    for them (H11); without it the first of the school is picked.
    """
    past: tuple[PlayedRound, ...] = ()
    coins: tuple[int, ...] = (START_COINS,) * len(minds)
    starter: int | None = opener
    while starter is not None and len(past) < rounds:
        lot = toss.getrandbits(_TOSS_BITS) if toss else 0
        played = _play_round(minds, round_of(rules, coins, starter), past, number, lot)
        past = (*past, played)
        coins, starter = played.outcome.coins, played.outcome.next_starter
    return PlayedGame(past)


def _play_round(
    minds: Sequence[Mind],
    running: Round,
    past: tuple[PlayedRound, ...],
    number: int,
    lot: int,
) -> PlayedRound:
    hands = {
        seat: minds[seat].choose_hand(view_of_round(running, seat, past, False, number))
        for seat in running.players
    }
    while (speaker := running.speaker) is not None:
        view = view_of_round(running, speaker, past, True, number)
        word, direction = minds[speaker].choose_word(view, hands[speaker])
        running = running.say(speaker, word, direction)
    if isinstance(running, GuessingRound):
        return PlayedRound(running, hands, running.count(hands, lot))
    return PlayedRound(running, hands, running.count(hands))


def view_of_round(
    running: Round,
    me: int,
    past: tuple[PlayedRound, ...] = (),
    speaking: bool = True,
    number: int = 1,
) -> TableView:
    """What seat `me` sees of a round; if not `speaking`, before the last fist is in."""
    speaker = running.speaker if speaking else None
    bidding = running if isinstance(running, BiddingRound) else None
    guessing = running if isinstance(running, GuessingRound) else None
    standing = bidding.standing if bidding else None
    is_bidder = bidding is not None and speaker == me
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
        game_number=number,
        round_number=len(past) + 1,
        words=running.words,
        calls=guessing.calls if guessing else (),
        free=guessing.free if guessing else (),
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
        may_turn=is_bidder and bidding is not None and bidding.may_choose_direction,
        lowest_bid=lowest if is_bidder and lowest <= running.most else None,
        options=tuple(Option(word, _forbidden(running, me, word)) for word in Ending),
        host=b"",
        epoch=0,
        paused=False,
        shut=None,
        vacated=False,
        starts_from=None,
        grace=60,
        clock=0,
        time=0,
        votes=(),
        barred=frozenset(),
        talk=(),
        names={},
        position=0,
    )


def _forbidden(running: Round, me: int, word: Ending) -> Illegal | None:
    try:
        running.check(me, word)
    except Illegal as error:
        return error
    return None


def _seat(running: Round, seat: int, me: int, speaker: int | None) -> SeatView:
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
