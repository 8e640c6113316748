"""Standing for host of a table whose host is gone: the supports that have come so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from protocol.host.effects import HostEffect, Record
from protocol.rules.options import MAX_PLAYERS
from protocol.table.electorate import groups_of, voters_of
from protocol.table.state import Table
from protocol.table.statements import Backing, HostMoved
from protocol.table.transitions.seating import is_support

if TYPE_CHECKING:
    from protocol.host.broadcast import Broadcast
    from protocol.host.sequencer import Sequencer


class Candidacy:
    """One seat that wants to be host, in one epoch."""

    def __init__(self, epoch: int, host: bytes) -> None:
        """`host` is the public key of the candidate."""
        self.epoch: Final = epoch
        self._host = host
        self._supports: dict[bytes, bytes] = {}
        self._pledges: tuple[Backing, ...] = ()
        self.to_record: list[Record] = []
        """Entries that came from guests, for the disk of this host once it is one."""

    @property
    def supporters(self) -> frozenset[bytes]:
        """Keys of the seats that have given their support."""
        return frozenset(self._supports)

    def take(self, table: Table, voter: bytes, signature: bytes) -> bool:
        """Note the support of a seat; whether it is one, for this very log."""
        if voter not in voters_of(table):
            return False
        if not is_support(voter, signature, table.id, self.epoch, self._host, table.head):
            return False
        self._supports[voter] = signature
        return True

    def take_all(self, table: Table, pledges: Iterable[Backing]) -> None:
        """Note support that was given in advance, as far as it is for this very log."""
        self._pledges = tuple(pledges)
        for pledge in self._pledges:
            self.take(table, pledge.voter, pledge.signature)

    def borrow(
        self, blobs: Iterable[bytes], sequencer: Sequencer, broadcast: Broadcast
    ) -> list[HostEffect]:
        """Go on from what a guest holds beyond the own log, as far as earlier hosts signed it."""
        entries = sequencer.borrow(blobs, self.epoch)
        if entries:
            # The support so far was for a shorter log.
            self._supports.clear()
            self.take_all(sequencer.table, self._pledges)
        self.to_record += [Record(entry) for entry in entries]
        return [effect for entry in entries for effect in broadcast.entry(entry)]

    def announcement(self, table: Table) -> HostMoved:
        """What moves the table, once enough support it: that is for the table to judge.

        Of more than it may name, those who count for most groups of electors.
        """
        groups = groups_of(table)
        voters = sorted(self._supports, key=lambda key: (-sum(key in each for each in groups), key))
        votes = tuple(Backing(key, self._supports[key]) for key in voters[:MAX_PLAYERS])
        return HostMoved(self.epoch, self._host, votes)
