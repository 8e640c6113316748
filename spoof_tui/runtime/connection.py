"""Stays connected: dials, notices that a link leads nowhere, and dials again.

A link that is silent is not given up for a while, because a second one may be as bad: the next is
dialled beside it once somebody has answered there, and the older one is closed when the newer one
has led to the table.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from protocol.guest.guest import Guest
from protocol.limits import MAX_HELLO_TIMEOUT
from protocol.timing import STAND_FOR, UNSTEADY_DELAY, Moment
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui.network.links import Link, Owner, Route

MIN_RETRY_DELAY: Final = 0.2
MAX_RETRY_DELAY: Final = 2.0
"""Seconds between two attempts to connect: the first pause, and the longest."""

LASTING: Final = 1.0
"""Seconds for which a link has stood that is dialled again without any pause."""

BESIDE_DELAY: Final = UNSTEADY_DELAY
"""Seconds of silence after which another connection is tried beside the one that stands: TCP itself
tries too seldom by then to notice within a second that the network is back."""

LOOK_INTERVAL: Final = 0.25
"""Seconds between two such tries, and between two looks at the own address, at least."""

MEET_TIMEOUT: Final = 5.0
"""Seconds without an entry after which a host that has not sent the whole log is given up, if the
way to it is not slow."""

_MEET_TRIPS: Final = 5
"""Round trips to the next entry: the hello, and what losses cost."""

_PROOF_TRIPS: Final = 12
"""Round trips to the first entry: the hello, two for the join code, and what it costs if a packet
is lost twice. Whoever gives up between has to type the code again."""

FOLLOW_TIMEOUT: Final = STAND_FOR + 2.0
"""Seconds after which somebody who only stands for host is given up."""


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
        """Whether this link has led to the table."""
        self._guest = guest
        self._route = route
        self._owner = owner
        self._dropped = dropped
        self._older: Link | None = None
        """The link before, which is silent, until the newer one has led to the table."""
        self._events = _Events()
        self._silence = _Silence(guest)
        self._beside: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing is dialled any more."""
        return self._events.over.is_set()

    async def run(self) -> None:
        """Stay connected until `end`."""
        loop, pause, events = asyncio.get_running_loop(), MIN_RETRY_DELAY, self._events
        while not self.is_over:
            events.lost.clear()
            events.again.clear()
            begun = loop.time()
            with contextlib.suppress(OSError):
                await events.or_over(self._route(self._owner))
                if self.link:
                    await events.lost.wait()
            if not events.has_code.is_set():
                await events.or_over(events.has_code.wait())
                continue
            has_arrived, self.has_arrived = self.has_arrived, False
            pause = MIN_RETRY_DELAY if has_arrived else min(pause * 2, MAX_RETRY_DELAY)
            # Neither a link that was good nor a long search needs a rest.
            if loop.time() - begun < LASTING:
                await events.or_over(asyncio.sleep(pause))

    def end(self) -> None:
        """Have `run` come to its end; the link stands until `close`."""
        self._events.over.set()
        self._events.lost.set()

    def redial(self) -> None:
        """Leave this link, or the attempt at one, and dial again at once."""
        self.drop()
        self._events.again.set()

    def ask_for_code(self) -> None:
        """Do not dial before there is a join code."""
        self._events.has_code.clear()

    def have_code(self) -> None:
        """There is one."""
        self._events.has_code.set()

    def opened(self, link: Link) -> None:
        """The link stands; one that stood before is closed as soon as this one leads anywhere."""
        self._close_older()
        self._older, self.link = self.link, link
        self.number += 1
        self.has_arrived = False
        self._silence.begin()

    def arrive(self) -> None:
        """The link has led to the table."""
        self.has_arrived = True
        self._close_older()
        self._route.arrived()

    def understood(self, why: Farewell) -> Farewell:
        """What a farewell means that came over the link.

        Of two links of this very program the host may have welcomed the newer one first.
        """
        is_own = why is Farewell.REPLACED and self._older is not None
        return Farewell.SILENT if is_own else why

    def lost(self, link: Link) -> None:
        """A link is gone."""
        if link is self._older:
            self._older = None
        if link is self.link:
            self.drop()

    def drop(self) -> None:
        """Have no link any more."""
        self.close()
        self._dropped()
        self._events.lost.set()

    def close(self) -> None:
        """Close what stands, when what was sent is out."""
        self._close_older()
        link, self.link = self.link, None
        if link:
            link.close()

    def stop_beside(self) -> None:
        """Break off a search beside the link."""
        beside, self._beside = self._beside, None
        if beside:
            beside.cancel()

    def tick(self, at: Moment) -> None:
        """Do not wait for a link that leads nowhere, or nowhere any more."""
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
                    # Of two candidates a seat is with one only.
                    self._close_older()

    def _close_older(self) -> None:
        older, self._older = self._older, None
        if older:
            older.abort()


class _Events:
    """What a connection waits for."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self.again = asyncio.Event()
        self.over = asyncio.Event()
        self.has_code = asyncio.Event()
        self.has_code.set()

    async def or_over(self, work: Awaitable[object]) -> None:
        """Wait for `work`, but not longer than all lasts, nor than until it is dialled again.

        Raises what `work` raises.
        """
        working = asyncio.ensure_future(work)
        ends = [asyncio.create_task(event.wait()) for event in (self.over, self.again)]
        try:
            await asyncio.wait({working, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
        finally:
            for task in (working, *ends):
                task.cancel()
            await asyncio.gather(working, *ends, return_exceptions=True)


class _Silence:
    """How long nothing has come of a link."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._looked = 0.0
        """When somebody was last looked for beside the link, or the own address was looked at."""
        self._stuck = LinkState.DOWN, 0, 0.0
        """What the link and the length of the log have been, and since when."""
        self._held_since: float | None = None
        """When nothing was offered last, or something that was agreed to."""

    def begin(self) -> None:
        """There is another link: that the one before it led nowhere tells nothing of it."""
        self._stuck = LinkState.DOWN, 0, 0.0
        self._held_since = None

    def is_stuck(self, at: float) -> bool:
        """Whether a link that does not lead to the table yet has come no nearer for too long."""
        state, length = self._guest.link, len(self._guest.log)
        # Whoever offers a new table has nothing for the log of this one (G8).
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
        """Whether an offer has held this seat for long enough that was not agreed to (G8).

        Who offers it has too few; with this seat somebody else may have enough.
        """
        offer = self._guest.departure.offer
        if self._held_since is None or offer is None or self._guest.key in offer.agreed:
            self._held_since = at
        return at - self._held_since > self._guest.trip.limit(FOLLOW_TIMEOUT, _MEET_TRIPS)

    def may_look(self, at: float) -> bool:
        """Whether it is time for another look at the link."""
        is_due = at - self._looked >= LOOK_INTERVAL
        if is_due:
            self._looked = at
        return is_due
