"""A host without a seat: serves its table until that has a later host, or is closed.

A player's program stays on as a seat at the table's next host. Nobody plays here, so once the table
is elsewhere there is nothing left to do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.table.log import Entry
from spoof_tui.clock import now
from spoof_tui.network.locator import Search
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.new_table import gone_along
from spoof_tui.runtime.notices import (
    CarriedOn,
    Chosen,
    DiskTrouble,
    HeadlessNotice,
    Moved,
    Notice,
    SeatState,
    Standing,
    Succeeded,
)
from spoof_tui.runtime.participation import Participant, Participation


class HeadlessHost:
    """A table that this program serves without playing; belongs to one event loop."""

    def __init__(
        self,
        key: SigningKey,
        hosted: HostedTable,
        notify: Callable[[HeadlessNotice], None],
        *,
        search: Search | None = None,
    ) -> None:
        """Look after `hosted`, whose host is `key`. A later host is searched for with
        `search`, too."""
        self._key = key
        self._notify = notify
        self._search = search
        self._woken = asyncio.Event()
        self._is_stopped = False
        self._hands_over = False
        self._stands = False
        self.heir: bytes | None = None
        """The seat that the table was handed to in the end."""
        self._mind(hosted)

    def _mind(self, hosted: HostedTable) -> None:
        self.hosted = hosted
        """The table as this program serves it, or last served it."""
        hosted.listen(self._woken.set)
        who, table = Participant(self._key, None), hosted.server.host.table.id
        self.place = Participation(who, table, self._heard, hosted=hosted, search=self._search)

    async def run(self) -> None:
        """Look after the table until `stop`, or until it has a later host; then close it here."""
        staying = self._stay()
        try:
            while not (self._is_stopped or staying.done()):
                await self._woken.wait()
                self._woken.clear()
                if founded := self.hosted.server.host.new_table.founded:
                    staying = await self._carry_on(founded)
        finally:
            hosted = self.place.hosted if self._hands_over else None
            self.heir = hosted.successor(now()) if hosted else None
            if self.heir is not None:
                await self.place.leave(self.heir)
            await self.place.close()
            await asyncio.gather(staying, return_exceptions=True)

    def stop(self, *, hands_over: bool = False) -> None:
        """Make `run` close the table, or hand it over to a seat that can serve it, and return."""
        self._is_stopped, self._hands_over = True, hands_over
        self._woken.set()

    def _stay(self) -> asyncio.Task[None]:
        staying = asyncio.create_task(self.place.run())
        staying.add_done_callback(lambda _: self._woken.set())
        return staying

    async def _carry_on(self, entry: Entry) -> asyncio.Task[None]:
        """Serve the new table that the players have founded here (G8); raises `OSError`."""
        self.place.session.close()
        new = await gone_along(self.place, entry)
        assert new.hosted
        self._mind(new.hosted)
        self._notify(CarriedOn())
        return self._stay()

    def _heard(self, notice: Notice) -> None:
        match notice:
            case Standing():
                assert self.place.served
                self.hosted = self.place.served
                self.hosted.listen(self._woken.set)
                self._stands = True
                self._notify(notice)
            case SeatState(is_host=True) if self._stands:
                self._stands = False
                self._notify(Chosen())
            case DiskTrouble():
                self._notify(notice)
            case Moved():
                card = self.place.guest.card
                self._notify(Succeeded(card.host if card else ForeignText("")))
                self.stop()
