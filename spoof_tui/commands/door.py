"""`spoof door`: lets people in by ssh who do not have the program."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spoof_tui import system
from spoof_tui.commands import options
from spoof_tui.commands.printing import Parser, complain, why_closed
from spoof_tui.commands.unit import print_unit, without_unit
from spoof_tui.door import folders
from spoof_tui.door.program import (
    CLOSES,
    DEFAULT_PORT,
    WEB_PORT,
    DoorFailed,
    DoorOpened,
    line_of,
    missing,
)
from spoof_tui.door.visitors import Visitor
from spoof_tui.network.addresses import Address
from spoof_tui.telling.doors import door_lines
from spoof_tui.text.i18n import _
from spoof_tui.visiting import DoorKind

if TYPE_CHECKING:
    from spoof_tui.door.ssh_door import Door
    from spoof_tui.door.web_door import WebDoor

VISIT: Final = (sys.executable, "-s", "-P", "-m", "spoof_tui.commands.visit")
"""The command that runs for each visitor, without running anything from the visitor's folder."""


def main(words: Sequence[str]) -> int:
    """Open a door, and keep it open until it is closed; return 0 if it closed properly."""
    given = parser().parse_args(words)
    if given.unit:
        return print_unit(
            "Spoof, a door for ssh and browsers", "spoof", ["door", *without_unit(words)]
        )
    if why := missing():
        return _tell(DoorFailed(why), given.attached)
    return system.run(_serve(given))


async def _serve(given: argparse.Namespace) -> int:
    """Keep the door open until the program is told to exit, or the host's program is gone.

    Returns the exit status.
    """
    # What it needs takes a while to load, and is not needed to say that it is missing.
    from spoof_tui.door.ssh_door import Behind, Door, host_key

    ending = _Ending()
    loop = asyncio.get_running_loop()
    system.on_termination(loop, lambda reason: ending.begin(is_final=reason == "SIGINT"))
    if given.attached:
        loop.add_reader(sys.stdin.fileno(), ending.listen)
    table = given.table
    kind = DoorKind.HOST if table else DoorKind.OWN

    def run(visitor: Visitor) -> Sequence[str]:
        # In one word: a name may begin like an option.
        return [*VISIT, f"--name={visitor.name}", *([table.text] if table else [])]

    async with AsyncExitStack() as closing:
        try:
            folders.forget_guests(given.id)
            key = host_key()
            door = Door(Behind(given.id, run, kind), key)
            port = await _open(door, given)
            closing.push_async_callback(door.close)
            opened = DoorOpened(port, key.get_fingerprint())
            if given.web is not None:
                opened = await _open_web(door, given, opened, closing, ending)
        except OSError as error:
            return _tell(DoorFailed(why_closed(error)), given.attached)
        _tell(opened, given.attached)
        await ending.begun.wait()
    return 0


class _Ending:
    """When and why a door closes."""

    def __init__(self) -> None:
        self.begun: Final = asyncio.Event()
        self.is_final = False
        """Whether somebody closes the door on purpose, rather than a program or machine ending."""

    def begin(self, *, is_final: bool) -> None:
        """Start to close the door."""
        self.is_final |= is_final
        self.begun.set()

    def listen(self) -> None:
        """Wait until the host's program says through the pipe that the door is closed on purpose,
        or ends."""
        said = os.read(sys.stdin.fileno(), 1024)
        self.is_final |= CLOSES in said
        if not said:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self.begun.set()


async def _open_web(
    door: Door,
    given: argparse.Namespace,
    opened: DoorOpened,
    closing: AsyncExitStack,
    ending: _Ending,
) -> DoorOpened:
    """Open the door for browsers, too; return `opened` with the page's address added.

    The port is the one asked for, or else the one used before, the usual one, or any.
    """
    from spoof_tui.door import kept_page
    from spoof_tui.door.prewarmed import Prewarmed
    from spoof_tui.door.ssh_door import any_environment
    from spoof_tui.door.web_door import WebDoor, page

    word, before = kept_page.recall(given.id)
    prewarmed = Prewarmed(VISIT, any_environment() | {"LANG": "C.UTF-8"})
    web = WebDoor(door, word, page(), prewarmed.start)
    listening = await _listening(web, [given.web] if given.web else [before or WEB_PORT, 0])
    kept_page.keep(given.id, kept_page.KeptPage(word, listening))
    closing.callback(prewarmed.close)

    async def close() -> None:
        await web.close(is_final=ending.is_final)

    closing.push_async_callback(close)
    prewarmed.begin()
    return replace(opened, web_port=listening, web_word=word)


async def _listening(web: WebDoor, ports: Sequence[int]) -> int:
    """Open the web door at the first of these ports that is free; return the port.

    0 stands for any port. Raises `OSError` if none is free.
    """
    *others, last = ports
    for port in others:
        with suppress(OSError):
            return await web.open(port)
    return await web.open(last)


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof door`."""
    parser = Parser(
        prog="spoof door",
        description=_(
            "Let in people without Spoof, over ssh: each of them sees this computer’s lobby."
        ),
    )
    parser.add_argument(
        "--port",
        type=options.whole(0, 65535),
        help=_("the port to listen on (default: {port}, or any port if that is taken)").format(
            port=DEFAULT_PORT
        ),
    )
    parser.add_argument(
        "--web",
        nargs="?",
        type=options.whole(0, 65535),
        const=0,
        metavar="PORT",
        help=_("let people in by browser, too: a phone scans a code"),
    )
    parser.add_argument(
        "--unit",
        action="store_true",
        help=_("print a unit file for systemd, which opens a door whenever the machine starts"),
    )
    # Passed by a host's program to the door that it opens.
    parser.add_argument("--attached", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--table", type=Address.parse, help=argparse.SUPPRESS)
    parser.add_argument("--id", type=bytes.fromhex, default=b"", help=argparse.SUPPRESS)
    return parser


async def _open(door: Door, given: argparse.Namespace) -> int:
    """Open the door; return the port: if none was asked for and the usual one is taken, any."""
    port = DEFAULT_PORT if given.port is None else given.port
    try:
        return await door.open(port)
    except OSError:
        if given.port is not None:
            raise
        return await door.open(0)


def _tell(said: DoorOpened | DoorFailed, is_attached: bool) -> int:
    """Report whether the door is open; return the exit status: 0, or 1 if it failed."""
    failed = isinstance(said, DoorFailed)
    if is_attached:
        print(line_of(said), flush=True)
    elif isinstance(said, DoorFailed):
        complain(said.why)
    else:
        print("\n".join(door_lines(said)), flush=True)
    return 1 if failed else 0
