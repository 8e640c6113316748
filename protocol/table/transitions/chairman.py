"""What is done about the slate and its chairman (H2, H10, H13)."""

from __future__ import annotations

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.table.state import Move, Table
from protocol.table.statements import AwardFine, Elect, LiftFine, Order


def elect(move: Move, statement: Elect) -> Table:
    """A seat wants somebody for chairman (H2)."""
    table = _slated(move)
    keys = frozenset(seat.key for seat in table.seats)
    if statement.seat not in keys:
        raise Illegal(Reason.NO_SEAT)
    return replace(table, slate=table.slate.elect(move.seat().key, statement.seat, keys))


def award(move: Move, statement: AwardFine) -> Table:
    """The chairman fines a seat (H2, H13)."""
    table = _chaired(move)
    if table.seat(statement.seat) is None:
        raise Illegal(Reason.NO_SEAT)
    slate = table.slate.fined(statement.seat, statement.offence, by=move.author)
    return replace(table, slate=slate)


def lift(move: Move, statement: LiftFine) -> Table:
    """The chairman lifts a fine (H2)."""
    table = _chaired(move)
    return replace(table, slate=table.slate.lift(statement.index))


def order(move: Move, statement: Order) -> Table:
    """The first to leave the school orders the drinks (H10)."""
    table = _slated(move)
    if not table.is_guessing:
        raise Illegal(Reason.GUESSING_ONLY)
    seat = move.seat()
    if table.game is None:
        raise Illegal(Reason.NO_GAME)
    return replace(table, slate=table.slate.order(seat.key, statement.drink, table.game))


def _slated(move: Move) -> Table:
    if not move.table.has_slate:
        raise Illegal(Reason.GUESSING_ONLY)
    return move.table


def _chaired(move: Move) -> Table:
    table = _slated(move)
    if move.seat().key != table.chairman:
        raise Illegal(Reason.NOT_CHAIRMAN)
    return table
