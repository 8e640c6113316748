"""When a host has to give way, to be chosen again, or to look for a later one."""

from __future__ import annotations

from typing import Final

from protocol.host.host import Elected, Host, Stranded, Superseded
from protocol.timing import Moment
from spoof_tui.clock import now

RENEW_INTERVAL: Final = 30.0
"""Seconds between two times that a host is chosen again because one seat cannot come back else."""

ALONE_DELAY: Final = 3.0
"""Seconds without a majority after which a host looks for a later one."""


class Leadership:
    """What one program knows against its going on as host."""

    def __init__(self, max_patience: float = 0.0) -> None:
        """A host that stays alone looks again after `ALONE_DELAY`, or ever later up to this."""
        self.later: int | None = None
        """A later epoch that the host which this program is, or stands for, has to give way to."""
        self.patience = ALONE_DELAY
        """Seconds without a majority until the next look."""
        self._max_patience = max_patience
        self._renewed_at = float("-inf")
        self._alone_since: float | None = None

    def begin(self) -> None:
        """This program begins to host."""
        self.later, self._alone_since, self.patience = None, None, ALONE_DELAY

    def hear(self, what: Elected | Superseded | Stranded) -> None:
        """Note what a host says of its succession; meant for `TableServer.on_succession`."""
        if isinstance(what, Superseded) or (isinstance(what, Stranded) and self._may_renew()):
            self.later = max(what.epoch, self.later or 0)

    def is_alone(self, host: Host, at: Moment) -> bool:
        """Whether most seats have been silent for a while: they may have another host.

        Then this is so again after as long or longer, because whoever has moved may be out of
        reach for a while.
        """
        if host.may_go_on(at):
            self._alone_since, self.patience = None, ALONE_DELAY
        elif self._alone_since is None:
            self._alone_since = at.monotonic
        elif at.monotonic - self._alone_since > self.patience:
            self._alone_since = at.monotonic
            self.patience = max(self.patience, min(2 * self.patience, self._max_patience))
            return True
        return False

    def _may_renew(self) -> bool:
        """Whether to be chosen again for the sake of one seat, which can ask without a reason."""
        at = now().monotonic
        if at - self._renewed_at < RENEW_INTERVAL:
            return False
        self._renewed_at = at
        return True
