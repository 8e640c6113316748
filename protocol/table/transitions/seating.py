"""How coming, going, talking and being away change a table."""

from __future__ import annotations

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.words import Offence
from protocol.table.state import KEPT_TALK, Move, Seat, Table, Talk
from protocol.table.statements import (
    Admitted,
    Away,
    Back,
    Gesticulate,
    Gesture,
    Leave,
    Say,
    Sit,
    Vacated,
)


def sit(move: Move, statement: Sit) -> Table:
    """The table after the author of the statement has taken a free seat (G2, G6); raises
    `Illegal`."""
    table = move.table
    if move.author in table.barred:
        raise Illegal(Reason.BARRED)
    if table.seat(move.author):
        raise Illegal(Reason.SEAT_TAKEN)
    if len(table.seats) >= table.opened.seats:
        raise Illegal(Reason.TABLE_FULL, seats=table.opened.seats)
    seat = Seat(move.author, statement.name, move.length)
    names = {**table.names, move.author: statement.name}
    vacated = table.vacated - {move.author}
    doors = table.doors - {move.author}
    if statement.through_door:
        doors |= {move.author}
    seats = (*table.seats, seat)
    return replace(table, seats=seats, names=names, doors=doors, vacated=vacated)


def leave(move: Move, _: Leave) -> Table:
    """The table after the author of the statement has given up the seat; raises `Illegal`."""
    table, gone = move.table, move.seat()
    playing = table.playing(gone.key)
    if playing is not None and table.game is not None and table.game.coins[playing]:
        raise Illegal(Reason.GAME_RUNNING)
    slate = table.slate
    if table.is_guessing and table.game is not None:
        slate = slate.after_leaving(gone.key, table.game)
    return replace(table.without_seat(gone.key), slate=slate)


def talk(move: Move, statement: Say | Gesticulate) -> Table:
    """The table after the author of the statement has talked or made a gesture; raises
    `Illegal`."""
    move.seat()
    table = move.table
    if move.author in table.muted:
        raise Illegal(Reason.MUTED)
    if isinstance(statement, Gesticulate) and statement.gesture is Gesture.GLOAT:
        table = _gloated(table, move.author)
    said = statement.text if isinstance(statement, Say) else statement.gesture
    line = Talk(move.author, said, move.length - 1)
    return replace(table, talk=(*table.talk, line)[-KEPT_TALK:])


def _gloated(table: Table, author: bytes) -> Table:
    """The table after a gloat, which is fined where the rules say so (S4, H13); raises
    `Illegal`."""
    table = replace(table, gloats=table.gloats.gloat(author))
    if not table.has_slate:
        return table
    return replace(table, slate=table.slate.fined(author, Offence.GLOATING))


def admitted(move: Move, statement: Admitted) -> Table:
    """The table after a key has proved the join code; raises `Illegal`."""
    table = move.table
    if not table.opened.locked:
        raise Illegal(Reason.NO_CODE_HERE)
    if statement.key in table.admitted:
        raise Illegal(Reason.REPEATED)
    return replace(table, admitted=table.admitted | {statement.key})


def away(move: Move, statement: Away) -> Table:
    """The table after a seat has lost its connection (G3); raises `Illegal`."""
    seat = replace(move, author=statement.seat).seat()
    if seat.away:
        raise Illegal(Reason.REPEATED)
    # Nobody is dealt in while away: a player who comes back says ready again.
    gone = replace(seat, away_since=move.time, share_seal=None, ready_since=None)
    return move.seats_with(gone)


def vacated(move: Move, statement: Vacated) -> Table:
    """The table after a seat was freed; raises `Illegal` for a player who was ever dealt in, whose
    seat is kept (G3)."""
    table, key = move.table, replace(move, author=statement.seat).seat().key
    move.check_due(table.vacant_from(key), Reason.KEEPS_SEAT)
    return replace(table.without_seat(key), vacated=table.vacated | {key})


def back(move: Move, statement: Back) -> Table:
    """The table after a seat is connected again (G3); raises `Illegal`."""
    seat = replace(move, author=statement.seat).seat()
    if not (seat.away or seat.key in move.table.set_aside):
        raise Illegal(Reason.REPEATED)
    table = move.seats_with(replace(seat, away_since=None)).without_play_on(seat.key)
    return replace(table, set_aside=table.set_aside - {seat.key})
