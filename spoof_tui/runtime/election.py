"""When a seat stands for host: the seats take turns, by the silence of the host they had.

Every seat could stand as soon as the host is silent, and then none would get a majority. So they
stand in the order of the seats, strangers last, one `STAND_INTERVAL` after the other; a seat that
is away, or whose program serves no table, is passed over.
"""

from __future__ import annotations

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

LOOK_ROUND: Final = 1.0
"""Seconds that a look for another host takes, if the network is not slow."""


class ElectionTimer:
    """One seat's view of the host's silence, and of its own turn to stand."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.trip = guest.trip
        """How long answers take between machines, as far as this seat knows."""
        self._handed: tuple[bytes, float] | None = None
        """To whom the host has given its role, and when."""
        self._called_at: float | None = None
        self._bore = 0.0
        """Seconds of silence after which the link to the host was left, or lost."""
        self._stood_at = float("-inf")
        self._able: frozenset[bytes] | None = None
        """Seats that could serve the table, by the word of its last host."""

    def hand_over(self, seat: bytes, at: Moment) -> None:
        """The host gives its role to this seat and goes."""
        self._handed = seat, at.monotonic

    def call(self, at: Moment) -> None:
        """Somebody stands who holds less of the log: this seat stands soon, and that one stops.

        Others may hold more, too, and are called in the same moment: one of them is enough.
        """
        self._called_at = at.monotonic

    def stood(self) -> None:
        """This seat stands."""
        self._called_at = None

    def failed(self, at: Moment) -> None:
        """It stood in vain: its next turn is a round later."""
        self._stood_at = at.monotonic

    def settle(self) -> None:
        """The program that was to host is no longer waited for."""
        self._handed = None

    def refresh(self, at: Moment) -> None:
        """The table has a host that is heard, in spite of a role that was given away long ago."""
        if self._since_handed(at) > SUPPORT_DELAY:
            self._handed = None

    def silence(self, at: Moment) -> float:
        """For how many seconds nothing was heard of a host, old or to come."""
        return min(self._guest.voter.silence(at), self._since_handed(at))

    def is_due(self, at: Moment, *, is_renewal: bool) -> bool:
        """Whether this seat is the next one to stand.

        With `is_renewal` a later epoch than that of the log has been heard of.
        """
        table = self._guest.table
        if self._guest.trip.mean:
            # Inside of one program an answer takes no time, and tells nothing of the others.
            self.trip = self._guest.trip
        if self._guest.link is LinkState.UP:
            # Whoever stands for host, this seat too, tells of those only who have come to it: then
            # each would take itself for the first.
            self._able, self._called_at = self._told, None
        if self._guest.link in (LinkState.UP, LinkState.UNSTEADY):
            self._bore = min(self.silence(at), self.trip.gone_delay)
        if table is None or self._guest.link is not LinkState.DOWN:
            return False
        if table.seat(self._guest.key) is None or len(table.seats) < MIN_PLAYERS:
            return False
        if self._called_at is not None:
            pause = self.trip.limit(CALL_INTERVAL, _FIND_TRIPS)
            return at.monotonic - self._called_at >= min(self.rank(table), MAX_CALLED) * pause
        if self._handed and self._handed[0] == self._guest.key:
            return self._since_handed(at) >= (URGENT_DELAY if is_renewal else 0.0)
        silent = self.silence(at)
        # To come back over a slow network takes longer, and costs no election. All have left a
        # silent host at about the same time: the turns begin there.
        patience = max(self.trip.limit(SUPPORT_DELAY, _RETURN_TRIPS), self._bore)
        interval = self.trip.limit(STAND_INTERVAL, _FIND_TRIPS)
        turn = self.rank(table) * interval
        is_rested = at.monotonic - self._stood_at >= turn + interval
        return self._has_hope(table, silent) and silent >= patience + turn and is_rested

    @property
    def stand_for(self) -> float:
        """Seconds that this seat stands before it lets another one try."""
        return self.trip.limit(STAND_FOR, _STAND_TRIPS)

    @property
    def look_for(self) -> float:
        """Seconds that it looks for another one who stands, or hosts the table."""
        return self.trip.limit(LOOK_ROUND, _FIND_TRIPS)

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

    def _has_hope(self, table: Table, silent: float) -> bool:
        """Whether enough seats may be there: to stand alone is in vain.

        At last two are enough: if they are too few to choose a host, whoever stands can offer them
        a new table (G8).
        """
        own, away = self._guest.key, {seat.key for seat in table.seats if seat.away}
        others = voters_of(table) - ({table.host} if self._handed is None else set())
        if silent > LAST_HOPE:
            return len(others | {own}) >= MIN_PLAYERS
        return can_move(table, (others - away) | {own}, own)

    def _since_handed(self, at: Moment) -> float:
        return float("inf") if self._handed is None else at.monotonic - self._handed[1]
