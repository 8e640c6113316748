"""`spoof door`: lets people in by ssh who have no program of their own."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import spoof_tui.door
from spoof_tui import system
from spoof_tui.commands import options
from spoof_tui.commands.printing import Parser
from spoof_tui.door import folders
from spoof_tui.door.program import (
    DEFAULT_PORT,
    WEB_PORT,
    DoorFailed,
    DoorOpened,
    line_of,
    missing,
    web_missing,
)
from spoof_tui.door.visitors import Visitor
from spoof_tui.network.addresses import Address, own_addresses
from spoof_tui.text.i18n import _
from spoof_tui.visiting import DoorKind

if TYPE_CHECKING:
    from spoof_tui.door.server import Door
    from spoof_tui.door.web_leaf import WebLeaf

VISIT: Final = (sys.executable, "-s", "-P", "-m", "spoof_tui.commands.visit")
"""What runs for a visitor; nothing in the folder of that visitor is run."""

UNIT: Final = Path(spoof_tui.door.__file__).with_name("spoof-door.service")
"""A service of systemd; `{program}` stands for this program."""


def main(words: Sequence[str]) -> int:
    """Open a door; 0 when it was closed in good order."""
    given = parser().parse_args(words)
    if given.unit:
        print(UNIT.read_text("utf-8").format(program=_program()), end="")
        return 0
    if why := missing() or (web_missing() if given.web is not None else None):
        return _tell(DoorFailed(why), given.attached)
    return system.run(_serve(given))


def _program() -> str:
    """How systemd runs this program."""
    installed = Path(sys.executable).with_name("spoof")
    return str(installed) if installed.exists() else f"{sys.executable} -m spoof_tui"


async def _serve(given: argparse.Namespace) -> int:
    """Keep the door open until the program is told to end, or its host is gone."""
    # What it needs takes a while to load, and is not needed to say that it is not there.
    from spoof_tui.door.server import Behind, Door, host_key

    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    system.on_termination(loop, lambda reason: ended.set(), interrupt=True)
    if given.attached:
        loop.add_reader(sys.stdin.fileno(), lambda: _listen(ended))
    table = given.table
    kind = DoorKind.HOST if table else DoorKind.OWN

    def run(visitor: Visitor) -> Sequence[str]:
        # In one piece: a name may begin like an option.
        words = [*VISIT, f"--name={visitor.name}", *([table.text] if table else [])]
        return [*words, visitor.code] if table and visitor.code else words

    closing: list[Callable[[], Awaitable[None]]] = []
    try:
        folders.forget_guests(given.id)
        key = host_key()
        door = Door(Behind(given.id, run, kind), key)
        port = await _open(door, given)
        opened = DoorOpened(port, key.get_fingerprint())
        if given.web is not None:
            opened, leaf = await _open_web(door, given.web, opened)
            closing.append(leaf.close)
    except OSError as error:
        return _tell(DoorFailed(error.strerror or str(error)), given.attached)
    _tell(opened, given.attached)
    try:
        await ended.wait()
    finally:
        for close in closing:
            await close()
        await door.close()
    return 0


async def _open_web(door: Door, port: int, opened: DoorOpened) -> tuple[DoorOpened, WebLeaf]:
    """Open the leaf for browsers, too: on `port`, or for 0 on the usual one or any."""
    from spoof_tui.door.web_leaf import WebLeaf
    from spoof_tui.door.web_page import page
    from spoof_tui.ui.acts.table_keys import buttons

    word = folders.new_word()
    leaf = WebLeaf(door, word, page(list(buttons())))
    try:
        listening = await leaf.open(port or WEB_PORT)
    except OSError:
        if port:
            raise
        listening = await leaf.open(0)
    return replace(opened, web_port=listening, web_word=word), leaf


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof door`."""
    parser = Parser(
        prog="spoof door",
        description=_(
            "Let in people without Spoof over ssh: each of them sees the lobby of this computer."
        ),
    )
    parser.add_argument(
        "--port",
        type=options.whole(0, 65535),
        help=_("the port to listen on (default: {port}, or any port if that is taken)").format(
            port=DEFAULT_PORT
        ),
    )
    options.add_web(parser)
    parser.add_argument(
        "--unit",
        action="store_true",
        help=_("print a unit file for systemd, which opens a door whenever the machine starts"),
    )
    # What the program of a host says to the door that it opens.
    parser.add_argument("--attached", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--table", type=Address.parse, help=argparse.SUPPRESS)
    parser.add_argument("--id", type=bytes.fromhex, default=b"", help=argparse.SUPPRESS)
    return parser


async def _open(door: Door, given: argparse.Namespace) -> int:
    """The port on which it listens: any, where the usual one is taken and none was named."""
    port = DEFAULT_PORT if given.port is None else given.port
    try:
        return await door.open(port)
    except OSError:
        if given.port is not None:
            raise
        return await door.open(0)


def _listen(ended: asyncio.Event) -> None:
    """The program of the host says nothing, but ends."""
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        ended.set()


def _tell(said: DoorOpened | DoorFailed, is_attached: bool) -> int:
    """Say whether the door is open; the exit status if it is not."""
    failed = isinstance(said, DoorFailed)
    if is_attached:
        print(line_of(said), flush=True)
    elif isinstance(said, DoorFailed):
        print(f"spoof: {said.why}", file=sys.stderr)
    else:
        print("\n".join(door_lines(said)), flush=True)
    return 1 if failed else 0


def door_lines(opened: DoorOpened, code: str | None = None) -> tuple[str, ...]:
    """How people come through a door of this machine, and by what they know it."""
    host = next(iter(own_addresses()), "127.0.0.1")
    return (
        _("The door is open: {command}").format(command=opened.invitation(host)),
        _("Its key: {fingerprint}").format(fingerprint=opened.fingerprint),
        *opened.page_lines(host, code),
    )
