"""What the machine that decides who hosts wants done, in the order of the list."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.errors import Illegal
from protocol.guest.effects import GuestEffect
from protocol.host.effects import HostEffect
from protocol.table.statements import Backing


@dataclass(frozen=True, slots=True)
class Stand:
    """Serve the table as a candidate for host; then tell of `Prepared`."""

    epoch: int
    silent: float
    """Seconds since the host was last heard."""
    pledges: tuple[Backing, ...]
    """Support that was given in advance."""


@dataclass(frozen=True, slots=True)
class Serve:
    """The others have chosen this program: announce the table."""


@dataclass(frozen=True, slots=True)
class StepDown:
    """Stop serving the table, and have this program's seat look for it like all others."""

    was_host: bool


@dataclass(frozen=True, slots=True)
class Look:
    """Look for others who serve the table for this many seconds, then tell of `Found`."""

    within: float
    is_old_welcome: bool
    """Whether a host of an earlier epoch counts: it will be chosen again once it hears of the
    promise."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Have this program's server carry this out at once."""

    effects: tuple[HostEffect, ...]


@dataclass(frozen=True, slots=True)
class Pledge:
    """Have this program's seat carry this out; tell of `Pledged` when it is reached."""

    effects: tuple[GuestEffect, ...]


@dataclass(frozen=True, slots=True)
class CannotHandOver:
    """The role cannot be given to this seat."""

    error: Illegal


@dataclass(frozen=True, slots=True)
class Left:
    """The program may go: somebody has the role, or time is up."""


FailoverEffect = Stand | Serve | StepDown | Look | Tell | Pledge | CannotHandOver | Left
