"""The inputs of the failover machine: what it is told.

`Superseded` and `Stranded` come from this program's server, `HandedOver` and `Pledged` from its
seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.guest.effects import HandedOver, Pledged
from protocol.host.effects import Stranded, Superseded
from protocol.wire.messages import Card

if TYPE_CHECKING:
    from protocol.host.host import Host


@dataclass(frozen=True, slots=True)
class Called:
    """A candidate of this epoch holds less of the log than this program's seat does.

    The candidate cannot go on without the missing entries, so this program stands and the candidate
    gives way.
    """

    epoch: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """The result of the effect `Stand`: whether this program serves the table now."""

    host: Host | None
    """The host that serves the table; None if it cannot be served because another program has the
    port where the others would look for this one."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of the effect `Look`: the best other server of the table, if any was found."""

    key: bytes | None
    """Public key of the best server of the table that was found; None if none was found, or its key
    is not known."""
    card: Card | None
    """The card of that server; None if none was found."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """Hand the host's role to the seat `heir`; ignored while the role is being handed to another
    seat."""

    heir: bytes
    leaves: bool = False
    """Whether this program exits as soon as another seat is host: see `Left`."""


@dataclass(frozen=True, slots=True)
class Hurry:
    """The program is told to end: leaving, now or later, is over `LAST_HAND_OVER_TIMEOUT` from now
    at the latest."""


@dataclass(frozen=True, slots=True)
class Retire:
    """Stop hosting and never stand again, because the server is closed or about to be."""


News = Superseded | Stranded | HandedOver | Pledged

Input = Called | Prepared | Found | HandOver | Hurry | Retire | News
