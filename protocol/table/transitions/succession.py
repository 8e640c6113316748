"""Who supports a new host: what a seat signs, and how many of them it takes to move a table.

A support is for one host, in one epoch, behind one very log: it is good for nothing else.
"""

from __future__ import annotations

from typing import Final

from protocol.crypto.keys import SigningKey, is_signed
from protocol.encoding.codec import pack
from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.limits import MAX_EPOCH_STEP
from protocol.table.electorate import can_move, voters_of
from protocol.table.head import Head
from protocol.table.state import Move, Table
from protocol.table.statements import HostMoved, Measure

_PURPOSE: Final = b"spoof succession 1"


def sign_support(key: SigningKey, table: bytes, epoch: int, host: bytes, head: Head) -> bytes:
    """The signature by which `key` wants `host` in `epoch`, behind the log that ends at `head`."""
    return key.sign(_PURPOSE, _message(table, epoch, host, head))


def is_support(
    voter: bytes, signature: bytes, table: bytes, epoch: int, host: bytes, head: Head
) -> bool:
    """Whether `signature` is the support of `voter`; see `sign_support`."""
    return is_signed(voter, _PURPOSE, _message(table, epoch, host, head), signature)


def _message(table: bytes, epoch: int, host: bytes, head: Head) -> bytes:
    return pack((table, epoch, host, head.length, head.hash))


def supports(table: Table, moved: HostMoved, head: Head) -> bool:
    """Whether the votes of `moved` give this table, whose log ends at `head`, its new host.

    Every vote is of another seat or former elector, and rightly signed. They are a majority (see
    `electorate.can_move`) and, while a game runs, one at least is of a player who has coins.
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
    """The table goes on with another host, or again with the same one."""
    table, host = move.table, statement.host
    if not table.epoch < statement.epoch <= table.epoch + MAX_EPOCH_STEP:
        raise Illegal(Reason.OLD_EPOCH)
    if host != table.host and table.seat(host) is None:
        raise Illegal(Reason.NO_SEAT)
    if not supports(table, statement, table.head):
        raise Illegal(Reason.NOT_SUPPORTED)
    # A host stays: what was against this seat is settled by those who want it for host.
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
