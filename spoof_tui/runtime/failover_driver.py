"""Carries out what `protocol.failover` decides for one program at one table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from math import inf
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.failover.effects import (
    CannotHandOver,
    FailoverEffect,
    Left,
    Look,
    Pledge,
    Serve,
    Stand,
    StepDown,
    Tell,
)
from protocol.failover.failover import Failover
from protocol.failover.inputs import Found, Prepared
from protocol.guest.guest import Guest
from protocol.host.effects import Elected, Stranded, Superseded
from protocol.timeouts import Moment
from spoof_tui.clock import now
from spoof_tui.network.locator import TableLocator
from spoof_tui.network.probe import FoundTable
from spoof_tui.runtime.inquiry import shown
from spoof_tui.runtime.notices import NotAllowed, Notice, Standing
from spoof_tui.runtime.serving import Serving
from spoof_tui.runtime.session import Session


class FailoverDriver:
    """Calls the failover machine whenever something is due, and carries out its effects."""

    def __init__(
        self,
        failover: Failover,
        key: SigningKey,
        table: bytes,
        guest: Guest,
        session: Session,
        locator: TableLocator,
        serving: Serving,
        tell: Callable[[Notice], None],
        report: Callable[[], None],
        look_round: Callable[[Moment], float],
        *,
        plays: bool,
    ) -> None:
        """Drive `failover` at the table with the id `table`; `plays` tells whether this program has
        a seat there.

        `report` is called when what screens show besides the view may have changed. `look_round` is
        called every time, and returns when it has to be called again, in monotonic seconds.
        """
        self.failover: Final = failover
        self._key, self._table = key, table
        self._guest, self._session = guest, session
        self._locator, self._serving, self._plays = locator, serving, plays
        self._tell, self._report, self._look_round = tell, report, look_round
        self._woken = asyncio.Event()
        self.left: Final = asyncio.Event()
        """Set once this program may exit because another one has the host's role."""
        self._looking: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Have the machine called soon, because something has happened."""
        self._woken.set()

    async def run(self) -> None:
        """Carry out what is due, until cancelled."""
        while True:
            self._woken.clear()
            for effect in self.failover.tick(now()):
                await self._carry_out(effect)
            at = now()
            due = min(self._look_round(at), self.failover.next_deadline(at))
            timer = None
            if due < inf:
                delay = max(0.0, due - at.monotonic)
                timer = asyncio.get_running_loop().call_later(delay, self._woken.set)
            try:
                await self._woken.wait()
            finally:
                if timer:
                    timer.cancel()

    async def _carry_out(self, effect: FailoverEffect) -> None:
        match effect:
            case Tell() if self._serving.table:
                self._serving.table.server.carry_out(effect.effects)
            case Pledge():
                self._session.carry_out(effect.effects)
            case Stand():
                await self._stand(effect)
            case Serve() if self._serving.table:
                self.stop_looking()
                self._serving.announce()
                self._report()
            case StepDown():
                await self.part()
                self._serving.reserve_again(was_host=effect.was_host)
                self._report()
                if not effect.was_host:
                    # A host that steps down has said goodbye to its own seat, too.
                    self._session.redial()
            case Look():
                self._looking = asyncio.create_task(self._look(effect))
            case CannotHandOver():
                self._tell(NotAllowed(effect.error))
            case Left():
                self.left.set()

    async def _stand(self, stand: Stand) -> None:
        try:
            table = await self._serving.stand(stand)
        except OSError:
            self.failover.take(Prepared(None), now())
            return
        self.failover.take(Prepared(table.server.host), now())
        self._woken.set()
        self._report()
        self._tell(Standing())
        self._session.redial()

    def succeeds(self, what: Elected | Superseded | Stranded) -> None:
        """Note that the server here was elected host, was superseded by a later host, or is
        stranded."""
        if not isinstance(what, Elected):
            self.failover.take(what, now())
        self._woken.set()

    async def _look(self, look: Look) -> None:
        answer = None
        with contextlib.suppress(OSError):
            reached = await self._locator.reach(look.within, is_old_welcome=look.is_old_welcome)
            if self._plays:
                # Who gives way to it goes on over this link: another one takes three round trips.
                self._locator.use(reached)
            else:
                # It is to show its log first, and this link would be waited for in vain meanwhile.
                reached.hang_up()
            if await self._counts(reached.answer):
                answer = reached.answer
        found = Found(answer.key, answer.card) if answer else Found(None, None)
        self.failover.take(found, now())
        self._woken.set()

    async def _counts(self, answer: FoundTable) -> bool:
        """Whether to give way to the server that gave this answer, since anybody can answer with
        such a card.

        A player's program connects there anyway, so only a server that has led nowhere before is
        left out. Nobody plays at a host without a seat, which therefore has to be shown a log that
        proves that the table has moved.
        """
        if self._plays:
            return self._locator.is_rested(answer)
        guest, epoch = Guest(self._key, self._table, self._serving.log), self._guest.epoch
        return await shown(
            guest, answer.address, lambda: guest.table is not None and guest.table.epoch > epoch
        )

    def stop_looking(self) -> None:
        """Cancel the search for other programs that serve the table."""
        looking, self._looking = self._looking, None
        if looking:
            looking.cancel()
            # A cancelled query may take a while to hang up, and nobody waits for it.
            self._serving.closes(looking)

    async def part(self) -> None:
        """Stop serving the table, and stop searching."""
        self.stop_looking()
        await self._serving.part()
