"""Many rounds of three and more at once, in numpy.

All rounds of a batch have the same number of players. Seats are numbered in the order of speaking,
so that in step t seat t mod n speaks in every round that is not over. Words are numbered by `bid -
1`; after the highest number come the four ending words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from spoof_tui.bots.learned import FEATURES, OF_BIDS, STATE
from spoof_tui.bots.levels import Level

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

MOST_OWNED: Final = 5
"""The most coins that anybody owns here."""

HELD: Final = np.arange(MOST_OWNED + 1)

CAP: Final = 3

CALL, CLIFF, SPOOF, ZERO = range(4)


@dataclass
class Batch:
    """Rounds that run in step."""

    coins: Ints
    hands: Ints
    priors: Floats
    """Round, seat, hand: the odds from a seat's earlier hands."""
    capped: bool
    """Whether three coins are the most there are."""
    zero_opens: bool
    """Whether only the opener may say zero."""
    bid: Ints = field(init=False)
    ender: Ints = field(init=False)
    """The step of the ending word."""
    ending: Ints = field(init=False)
    beliefs: Floats = field(init=False)

    def __post_init__(self) -> None:
        rows, self.players = self.coins.shape
        self.bid = np.zeros(rows, np.int64)
        self.ender, self.ending = np.full((2, rows), -1)
        self.held = np.arange(self.coins.max() + 1)
        self.priors = self.priors[:, :, self.held]
        self.beliefs = self.priors.copy()
        self.whole = self.coins.sum(axis=1)
        self.size = int(self.whole.max())
        owned = self.coins[:, :, None]
        even = ((owned >= self.held) / (owned + 1)).astype(np.float32)
        self.even = [tail(total(np.delete(even, seat, 1))) for seat in range(self.players)]

    @property
    def running(self) -> Ints:
        """The rounds that are not over."""
        return np.flatnonzero(self.ending < 0)

    def say(self, rows: Ints, step: int, words: Ints) -> None:
        """The speakers of `step` say these words, in these rounds."""
        seat = step % self.players
        ends = words >= self.size
        self.ender[rows[ends]] = step
        self.ending[rows[ends]] = words[ends] - self.size
        bids, numbers = rows[~ends], words[~ends] + 1
        self.bid[bids] = numbers
        trust = Level.HARD.traits.reading
        true = look_up(self.even[seat][bids], numbers[:, None] - self.held)
        hands = self.priors[bids, seat] * (trust * true + 1 - trust)
        self.beliefs[bids, seat] = hands / hands.sum(axis=1, keepdims=True)

    def legal(self, rows: Ints, step: int) -> Bools:
        """Round, word: whether it may be said."""
        bids, bid = np.arange(1, self.size + 1), self.bid[rows, None]
        stands, always = bid > 0, np.ones_like(bid, bool)
        zero = step == 0 or (not self.zero_opens and step < self.players)
        raises = (bids > bid) & (bids <= self.whole[rows, None])
        return np.concatenate([raises, stands, stands, always, always & zero], axis=1)

    @property
    def right(self) -> Bools:
        """Whether what the last word claims is true."""
        held = self.hands.sum(axis=1)
        return np.asarray(
            np.select(
                [self.ending == CALL, self.ending == CLIFF, self.ending == SPOOF],
                [held < self.bid, held == self.bid, held == self.whole],
                held == 0,
            )
        )

    def gains(self) -> Floats:
        """Each seat's gain in its share of all coins, in mean coins, per round."""
        rows, coins, right = np.arange(len(self.coins)), self.coins, self.right
        ender, bidder = self.ender % self.players, (self.ender - 1) % self.players
        after = coins.copy()
        after[rows, ender] -= ~right
        called, alone = right & (self.ending == CALL), right & (self.ending == ZERO)
        after[rows[called], bidder[called]] -= 1
        risen = right & (self.ending == CLIFF)
        risen &= ~(self.capped & (coins[rows, ender] >= CAP))
        after[rows[risen], ender[risen]] += 1
        after[alone] -= 1
        after[rows[alone], ender[alone]] += 1
        share = after / after.sum(axis=1, keepdims=True)
        return np.asarray(share * self.whole[:, None] - coins, np.float32)

    def features(self, rows: Ints, step: int) -> Floats:
        """Round, word, feature: the numbers of `spoof_tui.bots.learned`."""
        size, me = self.size, step % self.players
        answerer, bidder = (me + 1) % self.players, (me - 1) % self.players
        coins, hand = self.coins[rows], self.hands[rows, me]
        own, whole, bid = coins[:, me], self.whole[rows], self.bid[rows]
        unasked = total(np.delete(self.beliefs[rows], answerer, 1))
        public = tail(total(np.stack([unasked], 1), self.beliefs[rows, answerer]))
        others = tail(total(np.delete(self.beliefs[rows], me, 1)))
        numbers = np.broadcast_to(np.arange(size + 3), (len(rows), size + 3))
        mine, even = (look_up(t, numbers - hand[:, None]) for t in (others, self.even[me][rows]))
        public, unasked = look_up(public, numbers), tail(unasked)
        at, stands = np.arange(len(rows)), bid > 0
        exact = mine[at, bid] - mine[at, bid + 1]
        found = np.zeros((len(rows), size + 4, FEATURES), np.float32)
        state = [
            self.players / 9,
            own == 1,
            own == 2,
            hand / own,
            hand == own,
            hand == 0,
            stands,
            min(step / self.players, 3.0),
            own * self.players / whole / 2,
            step == 0,
            coins[:, answerer] == 1,
            stands & (coins[:, bidder] == 1),
            stands * mine[at, bid],
            stands * exact,
            stands * even[at, bid],
            stands * public[at, bid],
        ]
        for index, each in enumerate(state):
            found[:, :, index] = np.reshape(each, (-1, 1))
        bids = slice(1, size + 1)
        of_bids = [
            1.0,
            mine[:, bids],
            mine[:, 2 : size + 2],
            mine[:, 3 : size + 3],
            even[:, bids],
            public[:, bids],
            look_up(unasked, numbers)[:, bids],
            look_up(unasked, numbers - coins[:, answerer, None])[:, bids],
            public[:, 2 : size + 2],
            (numbers[:, bids] - bid[:, None] - 1) / whole[:, None],
            numbers[:, bids] == bid[:, None] + 1,
            numbers[:, bids] == whole[:, None],
        ]
        for index, each in enumerate(of_bids):
            found[:, :size, STATE + index] = each
        lost = (own - 1) * whole / (whole - 1) - own
        risen = np.where(self.capped & (own >= CAP), 0.0, (own + 1) * whole / (whole + 1) - own)
        ends = (
            (1 - mine[at, bid], own * whole / (whole - 1) - own),
            (exact, risen),
            (mine[at, whole] - mine[at, whole + 1], 0.0),
            (1 - mine[:, 1], own * whole / (whole - self.players + 1) - own),
        )
        for index, (right, won) in enumerate(ends):
            found[:, size + index, STATE + OF_BIDS + index] = 1.0
            found[:, size + index, -1] = right * won + (1 - right) * lost
        return found


def total(hands: Floats, last: Floats | None = None) -> Floats:
    """The sums of independent hands (round, seat, hand), and of a last one: round, sum."""
    more = (hands[:, seat] for seat in range(1, hands.shape[1]))
    found = hands[:, 0]
    for hand in (*more, *([] if last is None else [last])):
        wider = np.zeros((len(found), found.shape[1] + hand.shape[1] - 1), np.float32)
        for held in range(hand.shape[1]):
            wider[:, held : held + found.shape[1]] += found * hand[:, held, None]
        found = wider
    return found


def tail(sums: Floats) -> Floats:
    """The chance of each number or more; the last column is what is out of reach."""
    found = np.cumsum(sums[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([found, np.zeros((len(sums), 1), np.float32)], axis=1)


def look_up(tails: Floats, numbers: Ints) -> Floats:
    """`tail` of these numbers, a row for each round."""
    return np.take_along_axis(tails, np.clip(numbers, 0, tails.shape[1] - 1), axis=1)
