"""What is printed while a table waits: who is away, what may be done about it, what is tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from protocol.views import TableView
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.notices import ContinuedAt, SeatState
from spoof_tui.ui.wording import absence

CUT_OFF_INTERVAL: Final = 15.0
"""Seconds between two reports of what is tried while there is no link to the host."""

_FIRST: Final = 4.0
"""Seconds without a link before the first one."""


class Knower(Protocol):
    """Something that knows more about the table than a view does."""

    @property
    def known(self) -> SeatState:
        """What else this program knows about its table."""

    @property
    def address(self) -> Address | None:
        """Where somebody else's table was found."""


class Waiting:
    """Remembers what was printed; ask it about every second."""

    def __init__(self) -> None:
        self._lost: float | None = None
        """When the link was lost."""
        self._due = 0.0
        self._absent: frozenset[tuple[bytes, bool]] = frozenset()
        """Who is known to be away, and whether the others may play on."""
        self._offer = ""

    def follow(
        self, view: TableView, client: Knower, continued: ContinuedAt | None
    ) -> Iterator[str]:
        """The lines that are new."""
        moment = now()
        if view.link in absence.STALE:
            yield from self._cut_off(view, client, moment.monotonic)
            return
        self._lost = None
        offer = absence.new_table_words(view, continued.card if continued else None)
        yield from self._new_table(view, offer)
        yield from self._away(view, max(view.time, moment.wall))

    def _cut_off(self, view: TableView, client: Knower, at: float) -> Iterator[str]:
        if self._lost is None:
            self._lost, self._due = at, at + _FIRST
        if at < self._due:
            return
        self._due = at + CUT_OFF_INTERVAL
        known = client.known
        others = absence.Others(known.heirs, known.heard)
        tried = tuple(address.text for address in known.tried)
        yield from absence.cut_off_words(view, at - self._lost, others, tried)

    def _new_table(self, view: TableView, offer: str) -> Iterator[str]:
        """The question whether to go on at a new table, if that table has changed."""
        asked = view.new_table
        stage = f"{asked.agreed}{asked.wait > 0}" if asked else offer
        if stage != self._offer:
            self._offer = stage
            yield offer

    def _away(self, view: TableView, at: int) -> Iterator[str]:
        absent = absence.absentees(view, at)
        now_absent = frozenset((each.seat.key, not each.wait) for each in absent)
        is_new, self._absent = not now_absent <= self._absent, now_absent
        if is_new:
            yield from absence.waiting_words(view, at)
