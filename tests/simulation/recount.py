"""Coins and chips, counted a second time from words and hands, by no code of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, PlayedRound
from protocol.rules.options import BiddingRules, Stake
from protocol.rules.outcome import Verdict
from protocol.rules.words import Bid, Ending
from protocol.table.state import Phase, Table


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


def misplaced(table: Table) -> str | None:
    """What is wrong with the chips and lost coins of a table at any entry; None if nothing is (S1).

    Chips are neither made nor lost: the pot holds one of everybody who was dealt into the running
    game, whoever was removed since.
    """
    stakes, game = table.stakes, table.game
    if sum(stakes.chips.values()) + stakes.pot:
        return f"chips {sorted(stakes.chips.values())} and a pot of {stakes.pot}"
    is_running = game is not None and table.phase is not Phase.GATHERING
    dealt = len(game.players) if game and is_running and _has_pot(game) else 0
    if stakes.pot != dealt:
        return f"a pot of {stakes.pot}, not {dealt}"
    if game is None or not isinstance(game.rules, BiddingRules):
        return None
    lost = [-change for played in game.past for change in changes(played, game.rules).values()]
    pile = sum(coins for coins in lost if coins > 0)
    return None if stakes.pile == pile else f"a pile of {stakes.pile} coins, not {pile}"


def paid_out(games: Iterable[Game]) -> Mapping[bytes, int]:
    """How many chips everybody is up or down after these games, by key; of those who moved any."""
    chips = Counter[bytes]()
    for game in games:
        if _has_pot(game) and game.winner is not None:
            chips.subtract(player.key for player in game.players)
            chips[game.players[game.winner].key] += len(game.players)
    return {key: count for key, count in chips.items() if count}


def _has_pot(game: Game) -> bool:
    return isinstance(game.rules, BiddingRules) and game.rules.stake is Stake.POT


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
