"""The coins of a game, counted a second time from its words and hands, by no code of the game."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, PlayedRound
from protocol.rules.options import BiddingRules
from protocol.rules.outcome import Verdict
from protocol.rules.words import Bid, Ending


def recount(game: Game) -> str | None:
    """What is wrong with the coins of a bidding game; None if nothing is."""
    if not isinstance(game.rules, BiddingRules):
        return None
    coins = [3] * len(game.players)
    for number, played in enumerate(game.past, 1):
        for seat, left_after in game.removed.items():
            if left_after < number:
                coins[seat] = 0
        if list(played.words.coins) != coins:
            return f"round {number} begins with {played.words.coins}, not {coins}"
        for seat, change in changes(played, game.rules).items():
            coins[seat] += change
        if list(played.outcome.coins) != coins:
            return f"round {number} ends with {played.outcome.coins}, not {coins}"
    return None


def changes(played: PlayedRound, rules: BiddingRules) -> Mapping[int, int]:
    """Coins won and lost in one round (R7 to R10, G3)."""
    words = played.words
    assert isinstance(words, BiddingRound)
    if played.outcome.verdict is Verdict.VOID:
        return dict(played.outcome.changes) if sum(played.outcome.changes.values()) == -1 else {}
    ender, word = words.words[-1]
    total, most = sum(played.hands.values()), sum(words.coins)
    bids = [(seat, said.number) for seat, said in words.words if isinstance(said, Bid)]
    if word is Ending.CALL:
        return {ender if total >= bids[-1][1] else bids[-1][0]: -1}
    if word is Ending.CLIFF:
        if total != bids[-1][1]:
            return {ender: -1}
        at_cap = rules.cap is not None and words.coins[ender] >= rules.cap
        return {} if at_cap else {ender: 1}
    if word is Ending.SPOOF:
        return {} if total == most else {ender: -1}
    if total:
        return {ender: -1}
    return {seat: -1 for seat, count in enumerate(words.coins) if count and seat != ender}
