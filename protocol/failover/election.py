"""When a seat stands for host: the seats take turns, by the silence of the host they had.

Every seat could stand as soon as the host is silent, and then none would get a majority. So they
stand in the order of the seats, strangers last, one `STAND_INTERVAL` after the other; a seat that
is away, or whose program serves no table, is passed over.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import Final

from protocol.guest.guest import Guest
from protocol.rules.options import MIN_PLAYERS
from protocol.table.electorate import can_move, voters_of
from protocol.table.fold import Table
from protocol.timing import STAND_FOR, STAND_INTERVAL, SUPPORT_DELAY, Moment
from protocol.views import LinkState

LAST_HOPE: Final = 15.0
"""Seconds of silence after which somebody stands for host though too few seats were there."""

URGENT_DELAY: Final = 0.3
"""Seconds that a host which must be chosen again waits: a later one may be there already."""

CALL_INTERVAL: Final = 0.5
"""Seconds between the turns of those who hold more of the log than somebody who stands."""

MAX_CALLED: Final = 2
"""Turns that one of them lets go by at most: others may hold no more, or be gone."""

_RETURN_TRIPS: Final = 6
"""Round trips from a link that is lost to the host's next ping: four to its greeting, one to its
welcome, and the way of the news."""

_FIND_TRIPS: Final = 8
"""Round trips until somebody who stands is found: four, and another seat may be twice as far away
as the host was, to which they are measured."""

_STAND_TRIPS: Final = 14
"""Round trips until somebody who stands is supported: three more, of the same kind."""

LOOK_TIMEOUT: Final = 1.0
"""Seconds that a look for another host takes, if the network is not slow."""


class ElectionTimer:
    """One seat's view of the host's silence, and of its own turn to stand."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.trip = guest.trip
        """How long answers take between machines, as far as this seat knows."""
        self._host = guest.table.host if guest.table else None
        self._handed: tuple[bytes, float] | None = None
        """To whom the host has given its role, and when."""
        self._called_at: float | None = None
        self._gone_at: float | None = None
        """When the host was missed first; None while it is there."""
        self._bore = 0.0
        """Seconds of silence after which the link to the host was left, or lost."""
        self._is_linked = False
        self._failed_at = -inf
        self._able: frozenset[bytes] | None = None
        """Seats that could serve the table, by the word of its last host."""

    def hand_over(self, seat: bytes, at: Moment) -> None:
        """The host gives its role to this seat and goes."""
        self._handed, self._failed_at = (seat, at.monotonic), -inf

    def call(self, at: Moment) -> None:
        """Somebody stands who holds less of the log: this seat stands soon, and that one stops.

        Others may hold more, too, and are called in the same moment: one of them is enough.
        """
        self._called_at = at.monotonic

    def stood(self) -> None:
        """This seat stands."""
        self._called_at = None

    def failed(self, at: Moment) -> None:
        """It stood in vain, or could not serve the table: its next turn is a round later."""
        self._failed_at = at.monotonic

    def settle(self) -> None:
        """The program that was to host is no longer waited for."""
        self._handed = None

    def note(self, at: Moment) -> None:
        """Take in what the guest has come to know: to be called after everything it hears."""
        guest, link = self._guest, self._guest.link
        host, self._host = self._host, guest.table.host if guest.table else None
        if host not in (None, self._host):
            self.settle()
        if guest.trip.mean:
            # Inside of one program an answer takes no time, and tells nothing of the others.
            self.trip = guest.trip
        if link is LinkState.UP:
            # Whoever stands for host, this seat too, tells of those only who have come to it: then
            # each would take itself for the first.
            self._able, self._called_at = self._told, None
        is_linked = link in (LinkState.UP, LinkState.UNSTEADY)
        if is_linked or self._is_linked:
            self._bore = min(self.silence(at), self.trip.gone_delay)
        self._is_linked = is_linked
        if link in (LinkState.DOWN, LinkState.MOVING):
            self._gone_at = at.monotonic if self._gone_at is None else self._gone_at
        else:
            self._gone_at = None
            if self._since_handed(at) > SUPPORT_DELAY:
                # The table has a host that is heard, though a role was given away long ago.
                self._handed = None

    def silence(self, at: Moment) -> float:
        """For how many seconds nothing was heard of a host, old or to come."""
        return min(self._guest.voter.silence(at), self._since_handed(at))

    def time_without_host(self, at: Moment) -> float:
        """For how many seconds there has been no host; 0 while there is one."""
        if self._gone_at is None:
            return 0.0
        silence = self.silence(at)
        # Who has given its role away to somebody who did not take it was not silent: it is gone.
        return silence if isfinite(silence) else at.monotonic - self._gone_at

    def due(self, at: Moment, *, is_renewal: bool) -> float:
        """When this seat is the next one to stand, if nothing changes; infinity for never.

        With `is_renewal` a later epoch than that of the log has been heard of. Without a seat only
        the host of the log stands, to be chosen again.
        """
        table, own = self._guest.table, self._guest.key
        if table is None or self._guest.link is not LinkState.DOWN:
            return inf
        if table.host != own and (table.seat(own) is None or len(table.seats) < MIN_PLAYERS):
            return inf
        interval = self.trip.limit(STAND_INTERVAL, _FIND_TRIPS)
        if self._called_at is not None:
            pause = self.trip.limit(CALL_INTERVAL, _FIND_TRIPS)
            return self._called_at + min(self.rank(table), MAX_CALLED) * pause
        if self._handed and self._handed[0] == own:
            named = self._handed[1] + (URGENT_DELAY if is_renewal else 0.0)
            return max(named, self._failed_at + interval)
        # To come back over a slow network takes longer, and costs no election. All have left a
        # silent host at about the same time: the turns begin there.
        patience = max(self.trip.limit(SUPPORT_DELAY, _RETURN_TRIPS), self._bore)
        turn = self.rank(table) * interval
        wait = max(patience + turn, self._hope_delay(table))
        return max(at.monotonic - self.silence(at) + wait, self._failed_at + turn + interval)

    @property
    def stand_for(self) -> float:
        """Seconds that this seat stands before it lets another one try."""
        return self.trip.limit(STAND_FOR, _STAND_TRIPS)

    @property
    def look_for(self) -> float:
        """Seconds that it looks for another one who stands, or hosts the table."""
        return self.trip.limit(LOOK_TIMEOUT, _FIND_TRIPS)

    def rank(self, table: Table) -> int:
        """How many seats stand for host before this one, as far as one can know."""
        own = self._guest.key
        if table.host == own:
            # The others take it for gone, and it knows better.
            return 0
        could = (self._told if self._able is None else self._able) | {own}
        heirs = [key for key in table.heirs if key in could]
        return heirs.index(own) if own in heirs else len(heirs)

    @property
    def _told(self) -> frozenset[bytes]:
        return frozenset(place.key for place in self._guest.places)

    def _hope_delay(self, table: Table) -> float:
        """Seconds of silence from which enough seats may be there: to stand alone is in vain.

        At last two are enough: if they are too few to choose a host, whoever stands can offer them
        a new table (G8).
        """
        own, away = self._guest.key, {seat.key for seat in table.seats if seat.away}
        others = voters_of(table) - ({table.host} if self._handed is None else set())
        if can_move(table, (others - away) | {own}, own):
            return 0.0
        return LAST_HOPE if len(others | {own}) >= MIN_PLAYERS else inf

    def _since_handed(self, at: Moment) -> float:
        return inf if self._handed is None else at.monotonic - self._handed[1]
