"""Standing for host of a table whose host is gone: the supports that have come so far."""

from __future__ import annotations

from typing import Final

from protocol.table.state import Table
from protocol.table.statements import Backing, HostMoved
from protocol.table.transitions.succession import is_support


class Candidacy:
    """One seat that wants to be host, in one epoch."""

    def __init__(self, epoch: int, host: bytes) -> None:
        """`host` is the public key of the candidate."""
        self.epoch: Final = epoch
        self._host = host
        self._supports: dict[bytes, bytes] = {}

    def take(self, table: Table, voter: bytes, signature: bytes) -> bool:
        """Note the support of a seat; whether it is one, for this very log."""
        if table.seat(voter) is None:
            return False
        if not is_support(voter, signature, table.id, self.epoch, self._host, table.head):
            return False
        self._supports[voter] = signature
        return True

    @property
    def announcement(self) -> HostMoved:
        """What moves the table, once enough support it: that is for the table to judge."""
        votes = tuple(Backing(key, sig) for key, sig in sorted(self._supports.items()))
        return HostMoved(self.epoch, self._host, votes)
