"""What a table keeps beside its games: the stakes, and what the house says (S1 to S3).

It is told from the table before an entry and the one after it, whatever the entry says.
"""

from __future__ import annotations

from typing import Final

from protocol.encoding.replacing import replace
from protocol.rules.game import Game
from protocol.table.state import Phase, Table

_SAID: Final = (Phase.SPEAKING, Phase.WITNESSING, Phase.OPENING)
"""Phases in which all fists are in."""


def dealt_in(table: Table) -> Table:
    """A new table whose first entry goes on with a game (G8): a chip of everybody in it."""
    if table.game is None:
        return table
    return replace(table, stakes=table.stakes.begun(table.game))


def after(before: Table, table: Table, position: int) -> Table:
    """`table` with what follows for the evening from its change since `before`."""
    game = table.game
    if game is None or (game is before.game and table.phase is before.phase):
        return table
    is_new = before.game is None or before.game.number != game.number
    if is_new:
        table = replace(table, stakes=table.stakes.begun(game))
    known = 0 if is_new or before.game is None else len(before.game.past)
    for rounds in range(known + 1, len(game.past) + 1):
        table = replace(
            table,
            stakes=table.stakes.counted(game, rounds),
            house=table.house.after_round(game, rounds, position),
        )
    table = _opened(before, table, game, position)
    if table.phase is Phase.GATHERING and (is_new or before.phase is not Phase.GATHERING):
        stakes, house = table.stakes.over(game), table.house.after_game(game, position)
        return replace(table, stakes=stakes, house=house)
    return table


def _opened(before: Table, table: Table, game: Game, position: int) -> Table:
    """The table with what the house says when the lot is drawn, and when all fists are in."""
    if before.phase is Phase.LOT and table.phase is Phase.CHOOSING:
        return replace(table, house=table.house.after_lot(game, position))
    if before.phase is Phase.CHOOSING and table.phase in _SAID:
        return replace(table, house=table.house.after_fists(game, position))
    return table
