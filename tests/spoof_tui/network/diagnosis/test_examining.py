"""An examination of this machine: it says what there is at an address."""

from __future__ import annotations

import asyncio
from typing import Any

import ifaddr
import pytest

from spoof_tui.network.diagnosis import examining
from spoof_tui.network.diagnosis.examining import (
    NOBODYS,
    Request,
    examine,
)
from tests.helpers.virtual import computer, network
from tests.spoof_tui.network.air import adapter
from tests.spoof_tui.network.cases import cases


class Deaf:
    """Stands for questions by datagram: nobody hears them."""

    def __getattr__(self, name: str) -> Any:
        return {} if name in ("tables", "alone", "answered") else frozenset()

    async def open(self) -> None:
        pass

    close = open

    def ask(self) -> None:
        pass


class Saying(asyncio.Protocol):
    """Says something to every client."""

    said = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self.said)


@cases("pages")
async def test_only_a_web_page_in_place_of_nobody_is_a_sign_in_page(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examining, "Asker", lambda interfaces: Deaf())
    monkeypatch.setattr(ifaddr, "get_adapters", lambda **_: [adapter("eth0", "10.0.0.1")])
    nobody = computer()
    nobody.address = NOBODYS[1].host
    kind = type("", (Saying,), {"said": case["said"].encode()})
    network().listen(nobody, kind, network().bind(nobody, NOBODYS[1].port))
    assert (await examine(Request())).is_intercepted is case["is_page"]
