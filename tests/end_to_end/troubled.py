"""A host, or a guest with a lobby, that says what it finds to be in the way.

    python -m tests.end_to_end.troubled host
    python -m tests.end_to_end.troubled guest ADDRESS
    python -m tests.end_to_end.troubled seated ADDRESS
    python -m tests.end_to_end.troubled strange
    python -m tests.end_to_end.troubled heard

It prints one JSON object a line. `heard` tells that it has a table, where nothing listens;
`strange` has one of another version. `seated` is a guest who has left the lobby.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from typing import Any

from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.rules.options import Rules
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.network.beacon import BeaconSender
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.network.discovery import Browser
from spoof_tui.runtime.arrival import Arrival
from spoof_tui.runtime.hosted_table import TablePlan
from spoof_tui.runtime.notices import CannotOpen, Explained, Notice, Opened, ViewChanged
from spoof_tui.runtime.player import Player
from spoof_tui.runtime.troubleshooting import Troubleshooter, missed_in
from spoof_tui.storage.identity import Identity
from tests.spoof_tui.network.greeter import listening, saying

PLAN = TablePlan("Snug", "Anna", Rules.parse("milan"), locked=False)


class Speaker:
    """Prints what is known, whenever there is more."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._known: dict[str, Any] = {"is_there": True}

    def say(self, **more: Any) -> None:
        self._known |= more
        print(json.dumps(self._known | {"seconds": time.monotonic() - self._began}), flush=True)

    def found(self, where: str, findings: tuple[Finding, ...]) -> None:
        """The problems on one of the screens, without mere notes."""
        self.say(**{where: [each.code.value for each in findings if each.severity]})
        self.say(**{f"all_{where}": [each.code.value for each in findings]})


async def host(speaker: Speaker) -> None:
    def notify(notice: Notice) -> None:
        if isinstance(notice, Opened):
            speaker.say(opened=True)
        elif isinstance(notice, Explained):
            speaker.found("host", notice.findings)

    player = Player(Identity.passing(), "Anna", notify)
    await Arrival(player).open(PLAN, 0, Level.MEDIUM)
    await asyncio.Event().wait()


async def guest(speaker: Speaker, address: Address, *, looks: bool = True) -> None:
    def notify(notice: Notice) -> None:
        if isinstance(notice, Explained):
            speaker.found("join", notice.findings)
        elif isinstance(notice, CannotOpen):
            speaker.say(refused=type(notice.error).__name__)
        elif isinstance(notice, ViewChanged):
            speaker.say(joined=True)

    player = Player(Identity.passing(), "Ben", notify)
    if not looks:
        await Arrival(player).join(address, None, True)
        await asyncio.Event().wait()
    browser = Browser(lambda tables: speaker.say(tables=len(tables)), known=())
    await browser.start()
    look = Troubleshooter(lambda: missed_in(browser), lambda found: speaker.found("lobby", found))
    await asyncio.gather(look.run(), Arrival(player).join(address, None, True))


async def heard() -> None:
    await BeaconSender(secrets.token_bytes(32), DEFAULT_PORT).run()


async def strange(speaker: Speaker) -> None:
    said = frame(pack(("greeting", 99, "9.9")))
    async with listening(saying(said), None, DEFAULT_PORT):
        speaker.say(listens=True)
        await heard()


async def main(role: str, *words: str) -> None:
    speaker = Speaker()
    speaker.say()
    if role == "host":
        await host(speaker)
    elif role == "heard":
        await heard()
    elif role == "strange":
        await strange(speaker)
    else:
        await guest(speaker, Address.parse(words[0]), looks=role == "guest")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
