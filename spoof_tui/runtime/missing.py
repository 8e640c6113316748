"""What a player misses while there is no link."""

from __future__ import annotations

from typing import Final

from protocol.guest.guest import Guest
from protocol.table.log import Entry

AWAY_DELAY: Final = 10.0
"""Seconds without a link after which a player is told what has happened meanwhile."""


class Absence:
    """What a player misses while there is no link."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._left: tuple[int, float] | None = len(guest.log), float("-inf")
        """How long the log was when the link was lost, and when that was; None while it stands."""

    def begin(self, at: float) -> None:
        """The link is lost."""
        if self._left is None:
            self._left = len(self._guest.log), at

    def cut(self, length: int) -> None:
        """The log has lost all entries but so many: the others will be missed."""
        if self._left:
            self._left = min(self._left[0], length), self._left[1]

    def end(self, at: float) -> tuple[Entry, ...]:
        """The link is back: what was missed, if that is worth telling."""
        left, self._left = self._left, None
        if left is None or not left[0] or at - left[1] <= AWAY_DELAY:
            return ()
        return tuple(self._guest.log[left[0] :])
