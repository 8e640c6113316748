"""Stays connected: dials, notices that a link is dead, and dials again.

A silent link is not given up at once, because the next one may be as bad: another is dialled
beside it once somebody has answered there, and the older one is closed when the newer one has
reached the table.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from math import inf
from typing import Final

from protocol.guest.guest import Guest
from protocol.limits import MAX_HELLO_TIMEOUT
from protocol.timeouts import STAND_FOR, UNSTEADY_DELAY, Moment
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui import system
from spoof_tui.network.links import Link, Owner, Route

MIN_RETRY_DELAY: Final = 0.2
MAX_RETRY_DELAY: Final = 2.0
"""Seconds between two attempts to connect: the first pause, and the longest."""

LASTING: Final = 1.0
"""Seconds that a link must have lasted to be redialled without a pause."""

BESIDE_DELAY: Final = UNSTEADY_DELAY
"""Seconds of silence after which another connection is tried beside the current one: by then TCP
itself retries too seldom to notice within a second that the network is back."""

LOOK_INTERVAL: Final = 0.25
"""Minimum seconds between two such attempts, and between two checks of this machine's address."""

MEET_TIMEOUT: Final = 5.0
"""Seconds without an entry after which a host that has not sent the whole log is given up, unless
the link is slow."""

_MEET_TRIPS: Final = 5
"""Round trips to the next entry: the hello, and retransmissions."""

_PROOF_TRIPS: Final = 12
"""Round trips to the first entry: the hello, two for the join code, and what it costs if a packet
is lost twice. If this were too short, the player would have to type the code again."""

FOLLOW_TIMEOUT: Final = STAND_FOR + 2.0
"""Seconds after which a mere candidate for host is given up."""


class Connection:
    """The link of one guest to its table, and the next one when that is lost."""

    def __init__(
        self, guest: Guest, route: Route, owner: Owner, dropped: Callable[[], None]
    ) -> None:
        """Dial by `route` for `owner`; `dropped` is called when there is no link any more."""
        self.link: Link | None = None
        self.number = 0
        """How many links there have been."""
        self.has_arrived = False
        """Whether this link has reached the table."""
        self._guest = guest
        self._route = route
        self._owner = owner
        self._dropped = dropped
        self._older: Link | None = None
        """The previous link, which is silent; kept until the newer one has reached the table."""
        self._older_heard = -inf
        """Until when, in seconds, the host may still hear of a link that made way for this one."""
        self._lost = asyncio.Event()
        self._again = asyncio.Event()
        """Set to dial again at once."""
        self.over: Final = asyncio.Event()
        """Set once dialling has stopped for good."""
        self.has_code: Final = asyncio.Event()
        """Set unless the table asks for a join code: until it is there nothing is dialled."""
        self.has_code.set()
        self._silence = _Silence(guest)
        self._beside: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Stay connected until `end`."""
        loop, pause = asyncio.get_running_loop(), MIN_RETRY_DELAY
        while not self.over.is_set():
            self._lost.clear()
            self._again.clear()
            begun = loop.time()
            with contextlib.suppress(OSError):
                await self._or_over(self._route(self._owner))
                if self.link:
                    await self._lost.wait()
            if not self.has_code.is_set():
                await self._or_over(self.has_code.wait())
                continue
            has_arrived, self.has_arrived = self.has_arrived, False
            pause = MIN_RETRY_DELAY if has_arrived else min(pause * 2, MAX_RETRY_DELAY)
            # No pause after a link that was good or a search that was long.
            if loop.time() - begun < LASTING:
                await self._or_over(asyncio.sleep(pause))

    async def _or_over(self, work: Awaitable[object]) -> None:
        """Wait for `work`, but no longer than until the connection ends or is redialled.

        Raises what `work` raises.
        """
        working = asyncio.ensure_future(work)
        ends = [asyncio.create_task(event.wait()) for event in (self.over, self._again)]
        try:
            await asyncio.wait({working, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
        finally:
            await system.end(working, *ends)

    def end(self) -> None:
        """Make `run` return; the link stays up until `close`."""
        self.over.set()
        self._lost.set()

    def redial(self) -> None:
        """Drop this link, or the attempt at one, and dial again at once."""
        self.drop()
        self._again.set()

    def opened(self, link: Link) -> None:
        """The link is up; the previous one is closed as soon as this one is accepted."""
        self._close_older()
        self._older, self.link = self.link, link
        self.number += 1
        self.has_arrived = False
        self._silence.begin()

    def arrive(self) -> None:
        """The link has reached the table."""
        self.has_arrived = True
        if self._older:
            self._older_heard = asyncio.get_running_loop().time() + BESIDE_DELAY
        self._close_older()
        self._route.arrived()

    def understood(self, why: Farewell) -> Farewell:
        """What a farewell that came over the link means.

        Of two links of this very program the host may have welcomed the newer one first, and have
        got the hello of the older one after that has been given up here.
        """
        is_heard = asyncio.get_running_loop().time() < self._older_heard
        is_own = why is Farewell.REPLACED and (self._older is not None or is_heard)
        return Farewell.SILENT if is_own else why

    def lost(self, link: Link) -> None:
        """A link is gone."""
        if link is self._older:
            self._older = None
        if link is self.link:
            self.drop()

    def drop(self) -> None:
        """Drop the link for good."""
        self.close()
        self._dropped()
        self._lost.set()

    def close(self) -> None:
        """Close all links once everything is sent."""
        self._close_older()
        link, self.link = self.link, None
        if link:
            link.close()

    def stop_beside(self) -> None:
        """Cancel a search beside the link."""
        beside, self._beside = self._beside, None
        if beside:
            beside.cancel()

    def tick(self, at: Moment) -> None:
        """Give up links that do not reach the table, or no longer do."""
        self._route.tick()
        if self.link is None:
            return
        if self._silence.is_stuck(at.monotonic):
            self.drop()
        elif self._silence.may_look(at.monotonic):
            if self.link.is_stranded():
                self.drop()
            elif self._guest.link in (LinkState.UP, LinkState.UNSTEADY):
                self._mind_silence(self._guest.voter.silence(at))
            elif self._silence.is_held(at.monotonic):
                self._look()

    def _mind_silence(self, seconds: float) -> None:
        if seconds > self._route.patience(self._guest.trip):
            self.drop()
        elif seconds > BESIDE_DELAY:
            self._look()

    def _look(self) -> None:
        if self._beside is None or self._beside.done():
            self._beside = asyncio.create_task(self._look_beside())

    async def _look_beside(self) -> None:
        is_held = self._guest.link is LinkState.MOVING
        with contextlib.suppress(OSError):
            if await self._route.answers():
                await self._route(self._owner)
                if is_held:
                    # A seat supports only one of two candidates.
                    self._close_older()

    def _close_older(self) -> None:
        older, self._older = self._older, None
        if older:
            older.abort()


class _Silence:
    """How long a link has been silent."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._looked = 0.0
        """When another way to the table was last looked for, or the machine's address
        was checked."""
        self._stuck = LinkState.DOWN, 0, 0.0
        """The last state of the link and length of the log, and since when."""
        self._held_since: float | None = None
        """Since when the seat has been held by an offer that it has not agreed to."""

    def begin(self) -> None:
        """A new link: forget the failures of the previous one."""
        self._stuck = LinkState.DOWN, 0, 0.0
        self._held_since = None

    def is_stuck(self, at: float) -> bool:
        """Whether a link that has not reached the table yet has made no progress for too long."""
        state, length = self._guest.link, len(self._guest.log)
        # A host that offers a new table has nothing to add to the log of this one (G8).
        if (state, length) != self._stuck[:2] or self._guest.departure.offer:
            self._stuck = state, length, at
        usual = {LinkState.MEETING: MEET_TIMEOUT, LinkState.MOVING: FOLLOW_TIMEOUT}.get(state)
        if usual is None:
            return False
        patience = self._guest.trip.limit(usual, _MEET_TRIPS)
        if not length:
            proof = self._guest.trip.limit(usual, _PROOF_TRIPS)
            patience = max(patience, min(proof, MAX_HELLO_TIMEOUT))
        return at - self._stuck[2] > patience

    def is_held(self, at: float) -> bool:
        """Whether an unaccepted offer has held this seat for long enough (G8).

        The host that offers it has too few seats; with this seat another host may have enough.
        """
        offer = self._guest.departure.offer
        if self._held_since is None or offer is None or self._guest.key in offer.agreed:
            self._held_since = at
        return at - self._held_since > self._guest.trip.limit(FOLLOW_TIMEOUT, _MEET_TRIPS)

    def may_look(self, at: float) -> bool:
        """Whether the link may be checked again."""
        is_due = at - self._looked >= LOOK_INTERVAL
        if is_due:
            self._looked = at
        return is_due
