"""The time as the protocol sees it, and how long silence may last (design.md, "Staying")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PING_EVERY: Final = 1.0
"""Seconds between two pings: three are lost before anybody is called unsteady."""

UNSTEADY_AFTER: Final = 3.0
"""Seconds of silence after which nobody is shown as connected any more."""

LOST_AFTER: Final = 15.0
"""Seconds of silence after which a link counts as lost: at 20 % loss honest ones pass 6."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Now, by two clocks."""

    monotonic: float
    """Seconds since some fixed moment, for intervals."""
    wall: int
    """Milliseconds since 1970, for people."""
