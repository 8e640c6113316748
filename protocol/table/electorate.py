"""Whose majority a table needs, while the seats that count come and go (G7, G8).

A majority is more than half of `Table.electors`. Every entry of the log may change them: somebody
sits down or goes away between games, is set aside, is out. Of two logs with one beginning each has
electors of its own, and a few who have shrunk theirs must never be enough to move the table where
the others, who know nothing of it, could move it, too. So a change counts at once for what the
table decides, and only in part for what could split it:

- Keys cost nothing. Between games only those weigh who have opened a fist here, so whoever just
  sits neither moves the table nor stops it by silence. Until the first game nobody has, and a seat
  that is silent could be a friend's or a hundredth key of the same stranger. Such a *fresh* table
  is moved by most of its electors if the host is one of them, and otherwise only by all others
  together: where a single one of these is heard, nobody has taken it from its host.
- A seat that is away between games, or has no coins in the running one, is an elector still, until
  more than half of the electors have said `seen` behind its `away`; then it is set aside. So no
  host that is cut off from everybody, and says so of each, leaves a beginning of its log behind
  that the others cannot go on from. Nobody becomes an elector while away.
- With the entry that changes the electors the table remembers those before it as `former`, until
  that change and all that follow are *confirmed*. Meanwhile `host-moved` needs enough of the
  electors and enough of the former ones (`can_move`), and a host goes on only while neither could
  have moved the table without those who are heard (`could_move`).
- A change is confirmed once so many of the former electors have said `seen` that no others of them
  are enough: the log that they hold, on their disks, has the last change in it. That is half of
  them, or of a fresh table the host and one more. It needs no confirmation if the electors are the
  former ones again, and has none while one elector is left, whom a host does not wait for.

Why a returning half never forks a table. Say that two logs part behind a common beginning P. The
host of P tells one story, so one of the logs goes on from P with `host-moved`, wanted by enough of
the electors of P, and of its former ones. Let the other one, L, go on by the same host and be moved
later, and compare the electors by whom it is moved with those of P. Of one group, two parts that
are enough share a seat, for each is a majority; that a fresh group needs more, with the same host
in P and L, only takes moves away.

- Nothing is confirmed between P and the end of L. Then P and L have a group in common: the former
  electors if P has any, else those of P, which are former ones in L (or, where nothing changed,
  its electors still). Each move needs a majority of it.
- A change behind P is confirmed in L. The first one that is, so many of a group have seen that
  P's move needs one of them, who has said `seen` behind P. It holds a longer log of the same host,
  and supports nobody who holds less; nor has it supported that one before: from then on it follows
  no host of an earlier epoch, and so could not see the change.
- Only a change that P holds is confirmed behind P. Then a group of P is still one of L.

In every case there is a seat whose support both moves need. It signs one of them for an epoch, and
none for an earlier one, behind no log that lacks what it holds: the later move goes on from the
earlier one, or the earlier one has not happened and never will. The lease asks the same question of
the silent seats: if they cannot have moved any beginning of this log, nobody has. That holds across
the first game, too: a table is never fresh again, so what a later group cannot do by its majority,
the fresh one before it cannot have done by more, and a fresh group that is former stays one.

Three consequences. A lone elector is no majority against the host: of the two of a table one may go
on alone, by exactly half, and cannot take the table along; nor can it with a third one whose seat
nobody had confirmed when the host was gone. For the host may be alive and cut off, and may vacate
that seat: then its electors are the former two again, and it goes on by exactly half. What is left
to the other two is a new table (G8). Three of five who vanish at once confirm nothing, so the two
who stay have no table any more, only its coins (G8). And who signs `leave` is a former elector no
more: it has given its weight up, and its program supports nobody from then on. The word of the host
by which a seat is removed counts in the same way, for it is a person who says there that they are
gone for good; if they are not, they are on a table of theirs, and `protocol.host.lease` sees to it
that nobody is there with them who was not removed, or else that this table waits. Nobody says so
where a seat is `vacated` by the clock: that is a change like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.options import MIN_PLAYERS
from protocol.table.state import Move, Table
from protocol.table.statements import Seen


def is_majority(part: Set[bytes], group: Set[bytes]) -> bool:
    """Whether more than half of a group is in this part of it."""
    return 2 * len(part & group) > len(group)


@dataclass(frozen=True, slots=True)
class _Group:
    """Keys of which enough have to agree when the table moves."""

    keys: frozenset[bytes]
    host: bytes
    is_fresh: bool
    """Whether they are of a time before the first game."""

    def suffices(self, part: Set[bytes]) -> bool:
        """Whether this part of the group is enough: most; before the first game also the host,
        or else everybody."""
        if self.is_fresh and self.host not in part and not self.keys - {self.host} <= part:
            return False
        return is_majority(part, self.keys)

    def is_blocked_by(self, part: Set[bytes]) -> bool:
        """Whether nothing that suffices is left without this part."""
        return not self.suffices(self.keys - part)


def _groups(table: Table) -> Iterator[_Group]:
    yield _Group(table.electors, table.host, table.is_fresh)
    if table.former is not None:
        yield _Group(table.former, table.host, table.is_former_fresh)


def groups_of(table: Table) -> tuple[frozenset[bytes], ...]:
    """The groups of which each has to agree: the electors, and the former ones if there are any."""
    return tuple(group.keys for group in _groups(table))


def voters_of(table: Table) -> frozenset[bytes]:
    """Keys whose support may count: all seats, and former electors who have none any more."""
    return frozenset().union(*groups_of(table), {seat.key for seat in table.seats})


def can_move(table: Table, voters: Set[bytes], host: bytes) -> bool:
    """Whether these may choose `host`: enough of each group, and not one seat for itself alone."""
    weighing = voters & frozenset().union(*groups_of(table))
    if len(weighing) < MIN_PLAYERS and host != table.host:
        return False
    return all(group.suffices(weighing) for group in _groups(table))


def could_move(table: Table, silent: Set[bytes]) -> bool:
    """Whether those who are silent may have chosen another host meanwhile.

    Enough of one group are enough to doubt it: who was the other one, they may know better.
    """
    groups = (group for group in _groups(table) if len(group.keys) >= MIN_PLAYERS)
    return any(group.suffices(silent) for group in groups)


def is_kept_by(table: Table, holders: Set[bytes]) -> bool:
    """Whether so many of each group hold something that nobody is chosen who never heard of it."""
    return all(group.is_blocked_by(holders) for group in _groups(table))


def owes_seen(table: Table, key: bytes) -> bool:
    """Whether this key should say that it holds the last change of the electors."""
    return key in _asked(table) and key not in table.seen


def _asked(table: Table) -> frozenset[bytes]:
    """Who is to say `seen`: former electors, and those of now if one of them is missed."""
    former = table.former or frozenset()
    return former | table.electors if table.missed else former


def seen(move: Move, _: Seen) -> Table:
    """An elector, or former one, holds the last change.

    Half of the former ones confirm it. Where there are none, most of the electors set aside who is
    missed among them.
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
    """`after` with what it has to remember of the electors before it.

    `excused` have given their weight up, or were removed by the host's word. `length` is that of
    the log with the entry between the two.
    """
    known = before.electors
    after = _without_absent(after, known)
    electors, former = after.electors, after.former
    if electors == known and not (former and excused & former):
        if after.missed <= before.missed:
            return after
        return replace(after, seen=frozenset(), changed=length)
    if former is None:
        former, after = known, replace(after, is_former_fresh=before.is_fresh)
    former -= excused
    if former == electors or len(former) < MIN_PLAYERS:
        # One seat alone moved no table, so there is nothing that it has to know.
        return replace(after, former=None, seen=frozenset(), changed=length)
    return replace(after, former=former, seen=frozenset(), changed=length)


def _without_absent(table: Table, known: Set[bytes]) -> Table:
    """The table with everybody set aside who would become an elector and is not there."""
    absent = table.missed - known
    return replace(table, set_aside=table.set_aside | absent) if absent else table
