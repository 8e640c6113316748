"""Virtual time for everything that needs no real socket, and a made-up link between programs."""

from __future__ import annotations

import asyncio
from typing import Final

import ifaddr
import pytest
import zeroconf.asyncio

from spoof_tui.network import beacon
from tests.helpers.virtual import LoopFactory, virtual_loop
from tests.spoof_tui.network.air import Air, Services

REAL: Final = {"test_datagrams", "test_sockets"}
"""Files whose tests need the system's own network."""


def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, LoopFactory]:
    """The loop that the async tests of this folder run in."""
    is_real = item.path.stem in REAL
    return {"real": asyncio.new_event_loop} if is_real else {"virtual": virtual_loop}


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    """Datagrams that leave no machine."""
    made = Air()
    monkeypatch.setattr(beacon, "Broadcaster", made.listener)
    return made


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    """Adverts that leave no machine."""
    made = Services()
    monkeypatch.setattr(ifaddr, "get_adapters", lambda **_: made.adapters)
    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", made.zeroconf)
    monkeypatch.setattr(zeroconf.asyncio, "AsyncServiceBrowser", made.browser)
    return made
