"""Coins, chips, rounds and fines, counted a second time, without the code of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from protocol.encoding.codec import Message
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import BiddingRules, GuessingRules, Impossible, Stake
from protocol.rules.words import Bid, Direction, Ending, Offence, Verdict
from protocol.table.log import Entry
from protocol.table.state import Phase, Table
from protocol.table.statements import (
    AwardFine,
    GameStarted,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    TimeUp,
)


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

    Chips are neither made nor lost: the pot holds one for everybody who was dealt into the running
    game, even if they were removed since.
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
    """Chips that everybody has won or lost after these games, by key; without zeros."""
    chips = Counter[bytes]()
    for game in games:
        if _has_pot(game) and game.winner is not None:
            chips.subtract(player.key for player in game.players)
            chips[game.players[game.winner].key] += len(game.players)
    return {key: count for key, count in chips.items() if count}


def rounds_paid(games: Iterable[Game]) -> list[bytes]:
    """The payers of all rounds of drinks (S2, H12): the first out, or the last left."""
    paid = []
    for game in games:
        if isinstance(game.rules, GuessingRules):
            if game.winner is not None:
                paid.append(game.players[game.winner].key)
        elif isinstance(game.rules, BiddingRules) and game.out_before is None:
            paid += [game.players[seat].key for seat in _first_out(game, game.rules)]
    return paid


def _first_out(game: Game, rules: BiddingRules) -> list[int]:
    """The player who lost the last coin first and pays; of several the next after the ender."""
    if rules.stake is not Stake.DRINKS:
        return []
    for played in game.past:
        words = played.words
        assert isinstance(words, BiddingRound)
        lost = changes(played, rules)
        out = {seat for seat, n in lost.items() if n < 0 and words.coins[seat] + n == 0}
        if out:
            seats = len(words.coins)
            step = 1 if words.direction is Direction.CLOCKWISE else -1
            after = [(words.words[-1][0] + step * k) % seats for k in range(1, seats + 1)]
            return [seat for seat in after if seat in out][:1]
    return []


def fines(log: Iterable[Entry], tables: Mapping[bytes, Table]) -> list[tuple[bytes, Offence, bool]]:
    """Every fine: for whom, for what, and whether it was lifted (H2, H8, H13, S4)."""
    given: list[tuple[bytes, Offence, bool]] = []
    for entry in log:
        after, before = tables[entry.hash], tables.get(entry.previous)
        said, author = entry.statement, entry.intent.author if entry.intent else b""
        if before is None or not before.has_slate:
            continue
        owed: list[tuple[bytes, Offence]] = []
        if isinstance(said, AwardFine):
            owed = [(said.seat, said.offence)]
        elif isinstance(said, LiftFine):
            given[said.index] = (*given[said.index][:2], True)
        elif isinstance(said, Gesticulate) and said.gesture is Gesture.GLOAT:
            owed = [(author, Offence.GLOATING)]
        if before.is_guessing:
            owed += _of_house(before, said, author)
        if before.is_guessing and before.game and after.game:
            known = len(before.game.past) if before.game.number == after.game.number else 0
            players = after.game.players
            for played in after.game.past[known:]:
                owed += [(players[seat].key, why) for seat, why in _of_round(played)]
        given += [(key, why, False) for key, why in owed]
    return given


def _of_house(before: Table, said: Message, author: bytes) -> list[tuple[bytes, Offence]]:
    """The house's fines outside the rounds: the clock, drinks not ordered, leaving unpaid."""
    game = before.game
    if isinstance(said, TimeUp) and before.phase is Phase.SPEAKING:
        return [(said.seat, Offence.REFUSING)]
    if game is None:
        return []
    if isinstance(said, GameStarted):
        out = [played.outcome.went_out[0] for played in game.past if played.outcome.went_out]
        first = game.players[out[0]].key if out and game.out_before is None else b""
        ordered = any(number == game.number for number, _, _ in before.slate.orders)
        return [(first, Offence.NOT_ORDERING)] if first and not ordered else []
    is_payer = game.winner is not None and game.players[game.winner].key == author
    if isinstance(said, Leave) and is_payer and before.phase is Phase.GATHERING:
        return [(author, Offence.LEFT_AFTER_LOSS)]
    return []


def _of_round(played: PlayedRound) -> Iterator[tuple[int, Offence]]:
    """Duplicates and impossible calls of a counted round, in order; otherwise the shut fist."""
    said = played.words
    assert isinstance(said, GuessingRound)
    if played.outcome.verdict is Verdict.VOID:
        yield from ((seat, Offence.SHUT_FIST) for seat in played.outcome.fined)
        return
    most = 3 * sum(1 for coins in said.coins if coins)
    for seat, hand in sorted(played.hands.items(), key=lambda each: said.order.index(each[0])):
        calls = [call for call in said.calls if call.seat == seat]
        if sum(call.taken for call in calls) >= 3:
            yield seat, Offence.DUPLICATE
        is_own = not any(call.is_of_house for call in calls)
        is_possible = hand <= calls[-1].number <= hand + most - 3
        if is_own and not is_possible and said.rules.impossible is not Impossible.ALLOW:
            yield seat, Offence.IMPOSSIBLE


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
