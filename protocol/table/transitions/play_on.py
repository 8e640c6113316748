"""Going on without somebody: what becomes of the move that the table waits for (G3, G4)."""

from __future__ import annotations

from protocol.errors import Illegal, Reason
from protocol.table.state import CHOICES, Move, Phase, Table
from protocol.table.transitions.turns import after_fist, after_round, after_word


def check_play_on(move: Move, key: bytes) -> None:
    """Raise `Illegal` unless the others may vote now to go on without `key` (G3)."""
    table = move.table
    if table.paused:
        raise Illegal(Reason.PAUSED)
    if key not in table.waiting_since:
        raise Illegal(Reason.NOT_AWAITED)
    due = table.play_on_from(key)
    if due is None:
        raise Illegal(Reason.NOT_AWAY)
    if move.is_before(due):
        raise Illegal(Reason.TOO_SOON)


def check_time_up(move: Move, key: bytes) -> None:
    """Raise `Illegal` unless the turn clock of `key` has run out (G4)."""
    table = move.table
    if not table.opened.clock or table.phase not in CHOICES:
        raise Illegal(Reason.NO_CLOCK)
    due = table.time_up_from(key)
    if due is None:
        raise Illegal(Reason.NOT_AWAITED)
    if move.is_before(due):
        raise Illegal(Reason.TOO_SOON)


def play_on(move: Move, key: bytes, *, by_clock: bool = False) -> Table:
    """The table after it went on without `key`, for which it waits."""
    game, index = Move(move.table, key, move.length, move.time).playing()
    phase = move.table.phase
    if phase is Phase.LOT:
        # The lot is nobody's without one of its shares: the game is called off.
        return move.with_game(game, Phase.GATHERING)
    if phase is Phase.CHOOSING:
        return after_fist(move, game.hold_none(index))
    if phase is Phase.SPEAKING:
        return after_word(move, game.say_for(index) if by_clock else game.say_none(index))
    return after_round(move, game.void(index))
