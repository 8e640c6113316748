"""People at tables of this process, each with a client and what it was told."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeVar

from protocol.rules.options import Rules
from protocol.views import TableView
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.client import TableClient
from spoof_tui.runtime.hosting import Plan
from spoof_tui.runtime.notices import (
    ClientNotice,
    ViewChanged,
)
from spoof_tui.storage.identity import Identity

T = TypeVar("T")


LIMIT = 5.0


PLAN = Plan("The Golden Pier", "Olha", Rules.parse("milan"), public=False, locked=False)


class Person:
    """A client, and everything its owner was told."""

    def __init__(self, background: BackgroundLoop, name: str, identity: Identity | None) -> None:
        self.notices: list[ClientNotice] = []
        self._told = threading.Condition()
        self.identity = identity or Identity.passing()
        self.client = TableClient(background, self.identity, name, self._notice)
        self._background = background

    def _notice(self, notice: ClientNotice) -> None:
        with self._told:
            self.notices.append(notice)
            self._told.notify_all()

    def told(self, kind: type[T]) -> list[T]:
        return [notice for notice in self.notices if isinstance(notice, kind)]

    def wait(self, holds: Callable[[], T], within: float = LIMIT) -> T:
        """Wait until `holds` after some notice; it fails after `within` seconds."""
        with self._told:
            held = self._told.wait_for(holds, within)
        assert held, "what was waited for did not come"
        return held

    def wait_for(self, kind: type[T]) -> T:
        return self.wait(lambda: self.told(kind))[-1]

    @property
    def view(self) -> TableView:
        return self.told(ViewChanged)[-1].view

    def sits_among(self, seats: int) -> None:
        """Wait until this person and so many in all sit at the table."""
        self.wait(lambda: self.told(ViewChanged) and self.view.my_seat)
        self.wait(lambda: len(self.view.seats) == seats)

    def leave(self) -> None:
        self._background.run(self.client.close()).result(LIMIT)

    def end(self) -> None:
        """Have the program end because it is told to."""
        self._background.run(self.client.close_at_once()).result(LIMIT)


class New(Protocol):
    """Makes a person."""

    def __call__(self, name: str, identity: Identity | None = None) -> Person: ...


def opened(person: New, plan: Plan = PLAN, bots: int = 0) -> tuple[Person, Address]:
    """Somebody at an own table, and where it is."""
    host = person("Olha")
    host.client.open(plan, bots, Level.EASY)
    host.sits_among(1 + bots)
    # A practice table is told to nobody; advertising one takes most of a second.
    assert host.client._player.table
    return host, Address("127.0.0.1", host.client._player.table.port)


def public(person: New, name: str, identity: Identity) -> tuple[Person, Address]:
    """Somebody at an own table that others can host, too, and where it is."""
    host = person(name, identity)
    host.client.open(replace(PLAN, public=True, port=0))
    host.sits_among(1)
    assert host.client._player.table
    return host, Address("127.0.0.1", host.client._player.table.port)


def is_idle(background: BackgroundLoop) -> bool:
    async def count() -> int:
        return len(asyncio.all_tasks()) - 1

    return background.run(count()).result(LIMIT) == 0


def until_idle(background: BackgroundLoop) -> None:
    """Wait until nothing runs in the background any more."""
    end = time.monotonic() + LIMIT
    while not is_idle(background):
        assert time.monotonic() < end
