"""Which seats are needed for a majority while the seats that count come and go (G7, G8).

A majority is more than half of `Table.electors`. Every entry may change them, so two logs with a
common beginning each have electors of their own. A few seats that have shrunk theirs must never be
enough to move a table that the others, who have not heard of it, could move too. So a change counts
at once for what the table decides, but only when it is confirmed for moving the table.

`protocol/FAILOVER.md` numbers the algorithms in this module ("Electors", 1 to 6) and argues why no
table forks ("Why no table forks").
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Final

from protocol.crypto.keys import SigningKey, is_signed
from protocol.encoding.codec import pack
from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.limits import MAX_EPOCH_STEP
from protocol.rules.options import MIN_PLAYERS
from protocol.table.head import Head
from protocol.table.state import Move, Table
from protocol.table.statements import HostMoved, Measure, Seen


def is_majority(part: Set[bytes], group: Set[bytes]) -> bool:
    """Whether more than half of `group` is in `part`."""
    return 2 * len(part & group) > len(group)


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of voters, of which enough have to agree for the table to move."""

    keys: frozenset[bytes]
    host: bytes
    is_fresh: bool
    """Whether the group dates from before the first game."""

    def suffices(self, part: Set[bytes]) -> bool:
        """Whether these keys are enough of the group: a majority of it; before the first game they
        must also include the host, or else everybody but the host."""
        if self.is_fresh and self.host not in part and not self.keys - {self.host} <= part:
            return False
        return is_majority(part, self.keys)

    def is_blocked_by(self, part: Set[bytes]) -> bool:
        """Whether the group is not sufficient without these keys."""
        return not self.suffices(self.keys - part)


def _groups(table: Table) -> Iterator[_Group]:
    yield _Group(table.electors, table.host, table.is_fresh)
    if table.former is not None:
        yield _Group(table.former, table.host, table.is_former_fresh)


def groups_of(table: Table) -> tuple[frozenset[bytes], ...]:
    """The groups of public keys that each have to agree: the electors, and the former ones if there
    are any."""
    return tuple(group.keys for group in _groups(table))


def weighing_of(table: Table) -> frozenset[bytes]:
    """Public keys that belong to the electors or the former ones."""
    return frozenset().union(*groups_of(table))


def voters_of(table: Table) -> frozenset[bytes]:
    """Public keys whose support may stand in a `HostMoved`: all seats, and former electors without
    a seat."""
    return table.electors.union(table.former or (), [seat.key for seat in table.seats])


def may_support(table: Table, key: bytes) -> bool:
    """Whether a candidate takes the support of this key: it is a voter, or had a seat once and so
    may have voted by a log that lacks a removal (FAILOVER, rule 10)."""
    return key in table.names or key in voters_of(table)


def can_move(table: Table, voters: Set[bytes], host: bytes) -> bool:
    """Whether these voters may choose `host`: they are enough of each group, and at least two
    unless the host stays the same."""
    weighing = voters & weighing_of(table)
    if len(weighing) < MIN_PLAYERS and host != table.host:
        return False
    return all(group.suffices(weighing) for group in _groups(table))


def could_move(table: Table, silent: Set[bytes]) -> bool:
    """Whether the keys in `silent` may have chosen another host unheard.

    That may be so if they are enough of a single group: it may have confirmed a change by which the
    other group no longer counts.
    """
    if not silent:
        return False
    groups = (group for group in _groups(table) if len(group.keys) >= MIN_PLAYERS)
    return any(group.suffices(silent) for group in groups)


def is_kept_by(table: Table, holders: Set[bytes]) -> bool:
    """Whether something is held by so many keys, the `holders`, that no new host can be chosen
    without one of them."""
    return all(group.is_blocked_by(holders) for group in _groups(table))


def owes_seen(table: Table, key: bytes) -> bool:
    """Whether this key should confirm that it holds the last change of the electors, and has not
    yet."""
    return key in _asked(table) and key not in table.seen


def _asked(table: Table) -> frozenset[bytes]:
    """Public keys that have to say `Seen`: former electors, and the present ones while one of them
    is missed."""
    former = table.former or frozenset()
    return former | table.electors if table.missed else former


def seen(move: Move, _: Seen) -> Table:
    """The table after an elector, present or former, confirmed that it holds the last change;
    raises `Illegal`.

    Once half of the former electors have confirmed, they are no longer asked. After that, once most
    of the present ones have, those who are missed are set aside.
    """
    table = move.table
    if move.author not in _asked(table):
        raise Illegal(Reason.NO_CHANGE)
    if move.author in table.seen:
        raise Illegal(Reason.REPEATED)
    table = replace(table, seen=table.seen | {move.author})
    groups = tuple(_groups(table))
    if table.former and groups[-1].is_blocked_by(table.seen) and len(table.electors) >= MIN_PLAYERS:
        table = replace(table, former=None)
    if table.former is None and is_majority(table.seen, table.electors):
        table = replace(table, set_aside=table.set_aside | table.missed)
    return table if _asked(table) else replace(table, seen=frozenset())


def changed(before: Table, after: Table, excused: Set[bytes], length: int) -> Table:
    """`after`, with what it has to remember of the electors in `before` because of a change.

    `excused` are keys that gave up their seat, or lost it to a `Decide` of the host. `length` is
    that of the log up to the entry that leads from `before` to `after`.
    """
    known = before.electors
    # Whoever would become an elector but is away is set aside.
    if absent := after.missed - known:
        after = replace(after, set_aside=after.set_aside | absent)
    electors, former = after.electors, after.former
    if electors == known and not (former and excused & former):
        if after.missed <= before.missed:
            return after
        return replace(after, seen=frozenset(), changed=length)
    if former is None:
        former, after = known, replace(after, is_former_fresh=before.is_fresh)
    former -= excused
    if former == electors or len(former) < MIN_PLAYERS:
        # A single seat could not move the table, so it need not confirm anything.
        return replace(after, former=None, seen=frozenset(), changed=length)
    return replace(after, former=former, seen=frozenset(), changed=length)


# The statement that names another host

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
    be enough (see `can_move`) and, while a game runs, at least one must be of a player
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
