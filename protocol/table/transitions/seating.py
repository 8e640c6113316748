"""How coming, going, talking, being away and a change of host change a table."""

from __future__ import annotations

from typing import Final

from protocol.crypto.keys import SigningKey, is_signed
from protocol.encoding.codec import pack
from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.limits import MAX_EPOCH_STEP
from protocol.rules.words import Offence
from protocol.table.electorate import can_move, voters_of
from protocol.table.head import Head
from protocol.table.state import KEPT_TALK, Move, Seat, Table, Talk
from protocol.table.statements import (
    Admitted,
    Away,
    Back,
    Gesticulate,
    Gesture,
    HostMoved,
    Leave,
    Measure,
    Say,
    Sit,
    Vacated,
)
from protocol.table.transitions.play import settled


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
    """The table after its author has given up the seat; raises `Illegal`."""
    table, gone = move.table, move.seat()
    playing = table.playing(gone.key)
    if playing is not None and table.game is not None and table.game.coins[playing]:
        raise Illegal(Reason.GAME_RUNNING)
    slate = table.slate
    if table.is_guessing and table.game is not None:
        slate = slate.after_leaving(gone.key, table.game)
    left = replace(table.without_seat(gone.key), slate=slate)
    return settled(replace(move, table=left))


def talk(move: Move, statement: Say | Gesticulate) -> Table:
    """The table after its author has talked or made a gesture; raises `Illegal`."""
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
    # Those who are left may now be enough to play on without somebody.
    return settled(replace(move, table=move.seats_with(gone)))


def vacated(move: Move, statement: Vacated) -> Table:
    """The table after a seat was freed; raises `Illegal` for a player who was ever dealt in, whose
    seat is kept (G3)."""
    table, key = move.table, replace(move, author=statement.seat).seat().key
    move.check_due(table.vacant_from(key), Reason.KEEPS_SEAT)
    freed = replace(table.without_seat(key), vacated=table.vacated | {key})
    return settled(replace(move, table=freed))


def back(move: Move, statement: Back) -> Table:
    """The table after a seat is connected again (G3); raises `Illegal`."""
    seat = replace(move, author=statement.seat).seat()
    if not (seat.away or seat.key in move.table.set_aside):
        raise Illegal(Reason.REPEATED)
    table = move.seats_with(replace(seat, away_since=None)).without_play_on(seat.key)
    return replace(table, set_aside=table.set_aside - {seat.key})


_PURPOSE: Final = b"spoof succession 1"


def sign_support(key: SigningKey, table: bytes, epoch: int, host: bytes, head: Head) -> bytes:
    """The signature by which `key` supports `host` in `epoch`, for the log that ends at `head`."""
    return key.sign(_PURPOSE, _message(table, epoch, host, head))


def is_support(
    voter: bytes, signature: bytes, table: bytes, epoch: int, host: bytes, head: Head
) -> bool:
    """Whether `signature` is the support of the public key `voter`; see `sign_support`."""
    return is_signed(voter, _PURPOSE, _message(table, epoch, host, head), signature)


def _message(table: bytes, epoch: int, host: bytes, head: Head) -> bytes:
    return pack((table, epoch, host, head.length, head.hash))


def supports(table: Table, moved: HostMoved, head: Head) -> bool:
    """Whether the votes in `moved` are enough to make its host that of this table, whose log ends
    at `head`.

    Every vote must be of a different seat or former elector, and validly signed. Together they must
    be enough (see `electorate.can_move`) and, while a game runs, at least one must be of a player
    who owns coins.
    """
    voters = {vote.voter for vote in moved.votes}
    return (
        len(voters) == len(moved.votes)
        and voters <= voters_of(table)
        and can_move(table, voters, moved.host)
        and (not table.in_play or not voters.isdisjoint(table.in_play))
        and all(
            is_support(vote.voter, vote.signature, table.id, moved.epoch, moved.host, head)
            for vote in moved.votes
        )
    )


def moved(move: Move, statement: HostMoved) -> Table:
    """The table after it got another host, or the same one again in a later epoch; raises
    `Illegal`."""
    table, host = move.table, statement.host
    if not table.epoch < statement.epoch <= table.epoch + MAX_EPOCH_STEP:
        raise Illegal(Reason.OLD_EPOCH)
    if host != table.host and table.seat(host) is None:
        raise Illegal(Reason.NO_SEAT)
    if not supports(table, statement, table.head):
        raise Illegal(Reason.NOT_SUPPORTED)
    # A host stays: the seats that want it for host have settled what was against its seat.
    ousting = {(Measure.REMOVE, host), (Measure.BAR, host)}
    table = table.without_play_on(*table.waiting_for)
    return replace(
        table,
        host=host,
        epoch=statement.epoch,
        leaving=tuple(key for key in table.leaving if key != host),
        barred=table.barred - {host},
        votes={matter: votes for matter, votes in table.votes.items() if matter not in ousting},
    )
