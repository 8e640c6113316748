"""Scripted players without a screen, so that one terminal can be watched closely."""

from __future__ import annotations

import asyncio
import random
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Final, Self

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.guest.guest import Guest
from protocol.rules.words import Bid, Word
from protocol.table.fold import Phase
from protocol.views import SeatView, TableView
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Owner, dial
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.notices import Notice, ViewChanged
from spoof_tui.runtime.session import Session

PATIENCE: Final = 60.0
"""Seconds within which the table must have moved on."""

RAISES: Final = 0.85
"""How often a bid is raised instead of ended."""


class Company:
    """Sessions at one table, in a thread of their own; a context manager."""

    def __init__(self, address: Address, names: Sequence[str], seed: int = 0) -> None:
        self._address = address
        self._names = names
        self._random = random.Random(seed)
        self._background = BackgroundLoop()
        self._sessions: dict[bytes, Session] = {}
        self._views: dict[bytes, TableView] = {}
        self._change = threading.Condition()

    def __enter__(self) -> Self:
        self._background.start()
        for name in self._names:
            self._background.run(self._sit(name)).result(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._background.stop()

    async def _sit(self, name: str) -> None:
        key = SigningKey(secrets.token_bytes(32))

        async def connect(owner: Owner) -> None:
            await dial(owner, self._address)

        def hear(notice: Notice) -> None:
            if isinstance(notice, ViewChanged):
                with self._change:
                    self._views[key.public] = notice.view
                    self._change.notify_all()

        session = Session(Guest(key), connect, hear, name=ForeignText(name))
        self._sessions[key.public] = session
        self._running = asyncio.create_task(session.run())

    # What the company sees

    @property
    def view(self) -> TableView:
        """The table as the company saw it last, all of it."""
        return max(self._views.values(), key=lambda view: view.position)

    @property
    def speaks(self) -> bool:
        """Whether the next word is the company's rather than the watched player's."""
        return self.view.speaker is not None and self._key(self.view.speaker) in self._sessions

    @property
    def stranger(self) -> SeatView | None:
        """The seat of the player that is watched, once it sits."""
        return next((seat for seat in self.view.seats if seat.key not in self._sessions), None)

    def all_see(self) -> bool:
        """Whether everybody of the company has heard the same."""
        return len({view.position for view in self._views.values()}) == 1

    def wait(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds after some change of a view."""
        with self._change:
            if not self._change.wait_for(lambda: bool(self._views) and holds(), PATIENCE):
                raise TimeoutError(f"the table stays as it is: {self.view}")

    # What the company does

    def go_on(self) -> None:
        """Get ready, or put fists in: everything that is due except words."""
        for key, session in self._sessions.items():
            view = self._views[key]
            seat = view.my_seat
            if seat and view.phase is Phase.GATHERING and not seat.ready:
                self._background.call(session.ready)
            elif seat and view.own_fist_due:
                self._background.call(session.choose, self._random.randint(0, seat.coins))

    def word(self) -> Word:
        """The company's next word: most often a slightly higher bid."""
        assert self.view.speaker is not None
        key = self._key(self.view.speaker)
        # Some players may not have heard yet what the quickest has.
        self.wait(lambda: self._views[key].my_turn)
        view = self._views[key]
        if view.lowest_bid is not None and self._random.random() < RAISES:
            most = min(view.lowest_bid + 1, view.most)
            return Bid(self._random.randint(view.lowest_bid, most))
        legal = [option.word for option in view.options if option.forbidden is None]
        return self._random.choice(legal)

    def say(self, word: Word) -> None:
        """Say it, and wait until the whole company has heard it."""
        assert self.view.speaker is not None
        position = self.view.position
        session = self._sessions[self._key(self.view.speaker)]
        self._background.call(session.do, Guest.speak, word)
        self.wait(lambda: all(view.position > position for view in self._views.values()))

    def _key(self, seat: int) -> bytes:
        return self.view.seats[seat].key
