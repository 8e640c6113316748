"""Stays connected: dials, notices that a link is dead, and dials again.

A silent link is not given up at once, because the next one may be as bad: another one is dialled
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
"""Seconds between two attempts to connect: `MIN_RETRY_DELAY` at first, up to this."""

LASTING: Final = 1.0
"""Seconds that a link must have lasted for the next one to be dialled without a pause."""

BESIDE_DELAY: Final = UNSTEADY_DELAY
"""Seconds of silence after which another connection is tried beside the current one. By then TCP
retries so rarely that it would take more than a second to notice that the network is back."""

LOOK_INTERVAL: Final = 0.25
"""Minimum seconds between two such attempts, and between two checks of this machine's address."""

MEET_TIMEOUT: Final = 5.0
"""Seconds without an entry after which a host that has not sent the whole log is given up; longer
on a slow link."""

_MEET_TRIPS: Final = 5
"""Round trips until the next entry: for the hello, and for retransmissions."""

_PROOF_TRIPS: Final = 12
"""Round trips until the first entry: for the hello, two for the join code, and for two lost
packets. If this were too short, the player would have to type the code again."""

FOLLOW_TIMEOUT: Final = STAND_FOR + 2.0
"""Seconds after which a candidate for host that is not elected is given up."""


class Connection:
    """Keeps one guest connected to its table: holds the present link, and dials another one when
    that is lost."""

    def __init__(
        self, guest: Guest, route: Route, owner: Owner, dropped: Callable[[], None]
    ) -> None:
        """Dial by `route` on behalf of `owner`; `dropped` is called whenever there is no link any
        more."""
        self.link: Link | None = None
        self.number = 0
        """Number of links so far."""
        self.has_arrived = False
        """Whether the current link has reached the table."""
        self._guest = guest
        self._route = route
        self._owner = owner
        self._dropped = dropped
        self._older: Link | None = None
        """The previous link, which is silent; kept until the newer one has reached the table, None
        otherwise."""
        self._older_heard = -inf
        """Until when, by the loop's clock, the host may still answer on behalf of a link that was
        closed for this one."""
        self._lost = asyncio.Event()
        self._again = asyncio.Event()
        """Set to dial again at once."""
        self.over: Final = asyncio.Event()
        """Set once dialling has stopped for good."""
        self.has_code: Final = asyncio.Event()
        """Cleared while the table asks for a join code that the player has not typed yet: nothing
        is dialled until then."""
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
        """Wait for `work`, but no longer than until the connection ends or is to be dialled again.

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
        """Drop the current link, or the attempt at one, and dial again at once."""
        self.drop()
        self._again.set()

    def opened(self, link: Link) -> None:
        """Take over a link that is up; the previous one is closed as soon as this one has reached
        the table."""
        self._close_older()
        self._older, self.link = self.link, link
        self.number += 1
        self.has_arrived = False
        self._silence.begin()

    def arrive(self) -> None:
        """Note that the link has reached the table; closes the previous link."""
        self.has_arrived = True
        if self._older:
            self._older_heard = asyncio.get_running_loop().time() + BESIDE_DELAY
        self._close_older()
        self._route.arrived()

    def understood(self, why: Farewell) -> Farewell:
        """The actual reason for a farewell that came over the link.

        If two links of this program crossed, the host may have welcomed the newer one first and
        then said `REPLACED` because of the older one, which was given up here meanwhile. That
        counts as `SILENT`.
        """
        is_heard = asyncio.get_running_loop().time() < self._older_heard
        is_own = why is Farewell.REPLACED and (self._older is not None or is_heard)
        return Farewell.SILENT if is_own else why

    def lost(self, link: Link) -> None:
        """Note that a link has ended."""
        if link is self._older:
            self._older = None
        if link is self.link:
            self.drop()

    def drop(self) -> None:
        """Close the current link and report that there is none."""
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
        """Cancel the search beside the current link, if one is running."""
        beside, self._beside = self._beside, None
        if beside:
            beside.cancel()

    def tick(self, at: Moment) -> None:
        """Give up a link that makes no progress or is silent for too long, or look for another one
        beside it."""
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
    """How long a link has been silent or made no progress."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._looked = 0.0
        """When another way to the table was last looked for, or this machine's address was last
        checked, in monotonic seconds."""
        self._stuck = LinkState.DOWN, 0, 0.0
        """The last state of the link and length of the log, and since when they have been the same,
        in monotonic seconds."""
        self._held_since: float | None = None
        """When this seat was last without an offer of a new table that it has not agreed to, in
        monotonic seconds; None before the first check."""

    def begin(self) -> None:
        """Begin anew with a new link."""
        self._stuck = LinkState.DOWN, 0, 0.0
        self._held_since = None

    def is_stuck(self, at: float) -> bool:
        """Whether the link has not reached the table yet and has made no progress for too long."""
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
        """Whether this seat has gone so long without agreeing to an offer that it should look for
        another host (G8).

        The host that makes the offer has too few seats; with this seat another host may have
        enough.
        """
        offer = self._guest.departure.offer
        if self._held_since is None or offer is None or self._guest.key in offer.agreed:
            self._held_since = at
        return at - self._held_since > self._guest.trip.limit(FOLLOW_TIMEOUT, _MEET_TRIPS)

    def may_look(self, at: float) -> bool:
        """Whether `LOOK_INTERVAL` has passed since the last time that this was true; if so, note
        the time."""
        is_due = at - self._looked >= LOOK_INTERVAL
        if is_due:
            self._looked = at
        return is_due
