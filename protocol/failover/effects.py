"""The effects of the failover machine: what the program has to do, in the order of the list."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.errors import Illegal
from protocol.guest.effects import GuestEffect
from protocol.host.effects import HostEffect
from protocol.table.statements import Backing


@dataclass(frozen=True, slots=True)
class Stand:
    """Serve the table as a candidate for host; report the result as a `Prepared` input."""

    epoch: int
    silent: float
    """Seconds since the host was last heard."""
    pledges: tuple[Backing, ...]
    """Support that seats signed before this program stood."""


@dataclass(frozen=True, slots=True)
class Serve:
    """This program was elected host: announce the table on the network."""


@dataclass(frozen=True, slots=True)
class StepDown:
    """Stop serving the table; this program's own seat then looks for the table like all others."""

    was_host: bool


@dataclass(frozen=True, slots=True)
class Look:
    """Look for other programs that serve the table, for `within` seconds; report a `Found`
    input."""

    within: float
    is_old_welcome: bool
    """Whether a host of an earlier epoch counts as found. Once it hears that this seat has promised
    its support to a later epoch, it has itself chosen again."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Have this program's server carry out these effects at once."""

    effects: tuple[HostEffect, ...]


@dataclass(frozen=True, slots=True)
class Pledge:
    """Have this program's seat carry out these effects; report a `Pledged` input when the seat
    reaches that effect."""

    effects: tuple[GuestEffect, ...]


@dataclass(frozen=True, slots=True)
class CannotHandOver:
    """The host's role cannot be handed to the requested seat, because of `error`."""

    error: Illegal


@dataclass(frozen=True, slots=True)
class Left:
    """The program may exit: another seat has become host, or the time for that is up."""


FailoverEffect = Stand | Serve | StepDown | Look | Tell | Pledge | CannotHandOver | Left
