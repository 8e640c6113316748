"""How to play a round of the bidding game against one opponent: solved tables.

With two players left a round is small enough to be solved: only who opens, the coins of both and
the bids so far matter, and every hand and word has its odds. `python -m tests.solver` computes them
for every preset and level and writes them into `heads_up.zip`. What they say about one round is
part of a Nash equilibrium of the whole game: a player who follows the table of `hard` cannot be
expected to lose, whatever the opponent knows about it. The tables of the weaker levels make
mistakes, the cheaper the mistake the more often (the quantal response of McKelvey and Palfrey).

A position is the set of bids so far as a bit mask (bid k is bit k - 1): bids only rise and the
players take turns, so the mask tells their order, who made each and whose turn it is. The table of
a round is a string of bytes: the odds of the opener's hands and of the responder's, then for every
mask in rising order and every hand of the player to speak, those of each higher bid and of the four
ending words. The odds of one choice sum to 255, as nearly as bytes can.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from protocol.rules.options import BIDDING_PRESETS, BiddingRules
from protocol.rules.words import Bid, Ending, Word
from protocol.views import TableView
from spoof_tui.bots.levels import Level

ENDINGS: Final = tuple(Ending)
"""The ending words in the order of a table."""

MAX_WHOLE: Final = MappingProxyType({Level.EASY: 8, Level.MEDIUM: 8, Level.HARD: 11})
"""Maximum number of coins in play for which a level has tables; only games without a cap have
more."""

FILE: Final = "heads_up.zip"

CHANCES: Final = "chances"
"""Name of the file in the archive that `chances_of` reads; the others are the tables of a
preset."""

Odds = tuple[float, ...]
"""The chances of the choices at one point, which add up to 1."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """The chances of every hand and word in a round between two players."""

    opener: int
    """Coins of the player who opens."""
    responder: int
    """Coins of the other player."""
    table: bytes
    """The odds, laid out as described at the top of this module."""
    is_exact: bool = True
    """Whether the table was solved for exactly these coins and options, and not for the nearest
    ones."""

    def hand_odds(self, opens: bool) -> Odds:
        """The chance of each hand, from 0 to all coins, of the player who opens or of the other
        one."""
        start, size = (0, self.opener + 1) if opens else (self.opener + 1, self.responder + 1)
        return weighed(self.table[start : start + size])

    def word_odds(self, bids: Sequence[int], hand: int) -> Mapping[Word, float]:
        """The chance of each word after these bids, for a speaker who holds `hand`.

        Words that are never said are absent.
        """
        mask = mask_of(bids)
        size = choices(mask, self.opener + self.responder)
        start = offsets(self.opener, self.responder)[mask] + hand * size
        numbers = range(standing(mask) + 1, self.opener + self.responder + 1)
        words: list[Word] = [*map(Bid, numbers), *ENDINGS]
        odds = weighed(self.table[start : start + size])
        return {word: chance for word, chance in zip(words, odds, strict=True) if chance}


def plan_of(rules: BiddingRules, level: Level, opener: int, responder: int) -> RoundPlan | None:
    """The plan for a round with these coins; None for options or coins that were not solved."""
    preset = solved_preset(rules)
    if preset is None:
        return None
    table = table_of(member(preset, level, opener, responder))
    return RoundPlan(opener, responder, table) if table else None


def plan_for(view: TableView, level: Level) -> RoundPlan | None:
    """The plan for the present round between two players; None with any other number of players.

    If these coins or options were not solved, it is the nearest plan that was: a player who owns
    more coins than that plan allows then never hides the surplus.
    """
    coins = {seat: each.coins for seat, each in enumerate(view.seats) if each.coins}
    if len(coins) != 2 or not isinstance(view.rules, BiddingRules) or view.starter not in coins:
        return None
    [answerer] = coins.keys() - {view.starter}
    opener, responder = coins[view.starter], coins[answerer]
    if exact := plan_of(view.rules, level, opener, responder):
        return exact
    rules = BIDDING_PRESETS[nearest_preset(view.rules)]
    most = rules.cap or MAX_WHOLE[level]
    opener, responder = min(opener, most), min(responder, most)
    while opener + responder > MAX_WHOLE[level]:
        opener, responder = (opener - (opener >= responder), responder - (responder > opener))
    plan = plan_of(rules, level, opener, responder)
    return plan and replace(plan, is_exact=False)


def words_by(plan: RoundPlan, view: TableView, hand: int) -> Mapping[Word, float]:
    """The chance that `plan` gives to each word that may be said now, on the viewer's own turn."""
    bids, opens = bids_heard(view), view.starter == view.me
    if bids and bids[-1] > plan.opener + plan.responder:
        return {Ending.CALL: 1.0}
    said = plan.word_odds(bids, min(hand, plan.opener if opens else plan.responder))
    if plan.is_exact:
        return said
    legal = {*view.allowed_endings} - {Ending.SPOOF}
    kept = {word: odds for word, odds in said.items() if isinstance(word, Bid) or word in legal}
    whole = sum(kept.values())
    if not whole:
        return {Ending.CALL if bids else Bid(1): 1.0}
    return {word: odds / whole for word, odds in kept.items()}


def bids_heard(view: TableView) -> tuple[int, ...]:
    """The bids of the round so far, in order."""
    return tuple(word.number for _, word in view.words if isinstance(word, Bid))


def solved_preset(rules: BiddingRules) -> str | None:
    """The preset that plays the same as these rules with two players; None if there is none."""
    for name, preset in BIDDING_PRESETS.items():
        if _what_matters(preset) == _what_matters(rules):
            return name
    return None


def nearest_preset(rules: BiddingRules) -> str:
    """The preset closest to these rules in the options that matter to two players; the cap counts
    least."""
    wanted = _what_matters(rules)

    def alike(name: str) -> tuple[int, bool]:
        cap, *rest = (
            one == other
            for one, other in zip(_what_matters(BIDDING_PRESETS[name]), wanted, strict=True)
        )
        return sum(rest), cap

    return max(BIDDING_PRESETS, key=alike)


def _what_matters(rules: BiddingRules) -> tuple[object, ...]:
    return rules.cap, rules.zero, rules.starter, rules.zero_starter


# The layout of a table


def mask_of(bids: Sequence[int]) -> int:
    """The bit mask of the position after these bids."""
    return sum(1 << (bid - 1) for bid in bids)


def standing(mask: int) -> int:
    """The standing bid in a position; 0 before the first."""
    return mask.bit_length()


def opener_speaks(mask: int) -> bool:
    """Whether it is the opener's turn in a position."""
    return mask.bit_count() % 2 == 0


def choices(mask: int, whole: int) -> int:
    """Number of words for which a table has odds in a position with `whole` coins in play: each
    higher bid, and the four ending words. Some may be illegal."""
    return whole - standing(mask) + len(ENDINGS)


@cache
def offsets(opener: int, responder: int) -> tuple[int, ...]:
    """For each position, where its odds begin in the table, in bytes; the last item is the size of
    the table."""
    return tuple(_offsets(opener, responder))


def _offsets(opener: int, responder: int) -> Iterator[int]:
    offset, whole = opener + responder + 2, opener + responder
    for mask in range(1 << whole):
        yield offset
        hands = (opener if opener_speaks(mask) else responder) + 1
        offset += hands * choices(mask, whole)
    yield offset


def weighed(weights: bytes) -> Odds:
    """The chances for these weights, scaled to add up to 1."""
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)


# The file


def member(preset: str, level: Level, opener: int, responder: int) -> str:
    """The name in the archive of the table for these coins."""
    return f"{preset}/{level.value}/{opener}-{responder}"


def chances_of(preset: str) -> Mapping[tuple[int, int], float]:
    """The opener's chance to win the game when a round begins, by the coins of the opener and of
    the responder, if both play by the tables of `hard`."""
    text = table_of(f"{preset}/{CHANCES}") or b""
    rows = [line.split() for line in text.decode().splitlines()]
    return {(int(opener), int(responder)): float(chance) for opener, responder, chance in rows}


def table_of(name: str) -> bytes | None:
    """The contents of this member of `FILE`; None if there is none."""
    return packed(name, FILE) or None


@cache
def packed(name: str, archive: str) -> bytes:
    """The contents of a member of an archive in this folder; empty if there is none."""
    found = resources.files(__package__).joinpath(archive)
    with found.open("rb") as file, zipfile.ZipFile(file) as members:
        return members.read(name) if name in members.NameToInfo else b""
