"""What the machine that decides who hosts is told.

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
    """A candidate of this epoch holds less of the log than this program's seat.

    Nobody else can go on, and the others are here: this one stands, and they give way.
    """

    epoch: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """The answer to `Stand`."""

    host: Host | None
    """Serves the table; None if it cannot be served: another program has the port where the others
    would look for this one."""


@dataclass(frozen=True, slots=True)
class Found:
    """A look is over."""

    key: bytes | None
    """Key of the best server of the table that was found, if any."""
    card: Card | None
    """Its card."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """Hand the host's role to this seat; ignored while it is on its way to another."""

    heir: bytes
    leaves: bool = False
    """Whether to go as soon as somebody has the role: see `Left`."""


@dataclass(frozen=True, slots=True)
class Hurry:
    """Limit the time that leaving may take, now or later."""


@dataclass(frozen=True, slots=True)
class Retire:
    """Stop hosting, and never stand again: the server is closed already, or about to be."""


News = Superseded | Stranded | HandedOver | Pledged

Input = Called | Prepared | Found | HandOver | Hurry | Retire | News
