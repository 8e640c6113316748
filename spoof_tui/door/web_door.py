"""The door for browsers: serves a page, and WebSockets with encrypted frames that show an
interface."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from protocol.crypto.join_code import read_code
from protocol.host.rate_limit import Bucket, RateLimits
from protocol.timeouts import UNSTEADY_DELAY
from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.door.interface import Interface, Start, TerminalSize, environment, start_program
from spoof_tui.door.session import BYTES_BURST, BYTES_RATE, PICTURE_BUFFER
from spoof_tui.door.visitors import Visitor
from spoof_tui.door.web_frames import CLOSE, MESSAGE, FrameHeads
from spoof_tui.door.web_handshake import Channel, Handshake, Unproven, door_key
from spoof_tui.network.addresses import place_of
from spoof_tui.network.links import address_of
from spoof_tui.network.table_server import Handshakes, bound
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of
from spoof_tui.visiting import ENTRANCE_VARIABLE, PAGE

if TYPE_CHECKING:
    from spoof_tui.door.ssh_door import Door

MAX_MESSAGE: Final = 4096
"""Maximum bytes of a message from a browser, such as a hello or a paste."""

HELLO_TIMEOUT: Final = 10.0
"""Seconds from the connection to the browser's hello, for which no person is needed."""

KNOCKS_BURST: Final = 128
KNOCKS_RATE: Final = 32
"""Connections from one address that are answered per second, after a burst of `KNOCKS_BURST`."""

MAX_HALF_OPEN: Final = 96
MAX_HALF_OPEN_OF_PLACE: Final = 32
"""Maximum connections without a hello from one address, and `MAX_HALF_OPEN` in all; beyond that the
oldest one is closed."""

BEAT: Final = 1.0
"""Seconds between two heartbeats, which the page answers. A browser would answer pings even while
its page is frozen."""

LOST_DELAY: Final = UNSTEADY_DELAY
"""Seconds of silence after which a page counts as lost, the same as for any seat."""

SLOWEST: Final = 8 * 1024
"""Bytes per second that a page is expected to read at least: its answer is waited for as long as
that takes."""

STALL: Final = 15.0
"""Maximum seconds that sending one frame may wait for a browser that does not read."""

CLOSE_TIMEOUT: Final = 1.0
"""Seconds that closing a connection may take."""

GONE: Final = 1000
"""WebSocket close code at the end of a visit."""

WRONG: Final = 4001
"""WebSocket close code for a hello that is not made with the door's word."""

_SILENT: Final = logging.Logger("web-door", logging.CRITICAL)
"""A logger that prints nothing, because what strangers send does not belong on the terminal of
whoever opened the door."""

_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; img-src data:; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; connect-src http: ws:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
}


class WebDoor:
    """An open door for browsers; belongs to the event loop that opened it."""

    def __init__(self, door: Door, word: str, page: bytes, start: Start = start_program) -> None:
        """`word` is the one from which all visitors' keys are derived, `page` the page that is
        served, and `start` starts visitors' programs."""
        self._page, self._start = page, start
        self._door, self._key = door, door_key(word)
        self._guard = Handshakes(
            RateLimits(KNOCKS_BURST, 1 / KNOCKS_RATE), MAX_HALF_OPEN, MAX_HALF_OPEN_OF_PLACE
        )
        self._knocking: dict[int, _Knock] = {}
        self._inside: set[_Visit] = set()
        self._servers: list[Server] = []

    async def open(self, port: int) -> int:
        """Listen on `port` (0 for any free one) and return it; raises `OSError` if it is taken."""
        sockets = bound(port, loopback_only=False)
        for each in sockets:
            server = await serve(
                self._visit,
                sock=each,
                process_request=self._answer,
                create_connection=partial(_Knock, self),  # type: ignore[arg-type]
                compression=None,
                open_timeout=HELLO_TIMEOUT,
                ping_interval=None,
                close_timeout=CLOSE_TIMEOUT,
                max_size=MAX_MESSAGE,
                max_queue=8,
                write_limit=PICTURE_BUFFER,
                server_header=None,
                logger=_SILENT,
            )
            self._servers.append(server)
        return int(sockets[0].getsockname()[1])

    async def close(self, *, is_final: bool = False) -> None:
        """Send all visitors away. Their pages try again, unless `is_final`, when they are told that
        somebody has closed the door."""
        if is_final:
            await asyncio.gather(*(each.say_closed() for each in self._inside))
        for each in self._servers:
            each.close()
        for server in self._servers:
            await server.wait_closed()

    def begin(self, knock: _Knock, transport: asyncio.Transport) -> None:
        """Let an accepted connection go on if the limits allow it, otherwise close it."""
        address = address_of(transport)
        found = self._guard.accept(place_of(address), now().monotonic) if address else None
        if found is None:
            transport.abort()
            return
        if found.evicts is not None and (other := self._knocking.pop(found.evicts, None)):
            other.transport.abort()
        knock.number = found.number
        self._knocking[found.number] = knock

    def end_knock(self, knock: _Knock) -> None:
        """Note that a connection has said hello, or has ended."""
        if self._knocking.pop(knock.number, None):
            self._guard.end(knock.number)

    def _answer(self, socket: ServerConnection, request: Request) -> Response | None:
        """The response to an HTTP request: the page, or an error; None for a request that continues
        as a WebSocket."""
        host, *others = request.headers.get_all("Host") or [""]
        is_address = _is_address(host)
        if others or is_address is None:
            return _response(HTTPStatus.BAD_REQUEST, b"")
        if not is_address:
            return _response(HTTPStatus.MISDIRECTED_REQUEST, b"")
        if request.path == "/door":
            is_own = request.headers.get("Origin") == f"http://{host}"
            return None if is_own else _response(HTTPStatus.FORBIDDEN, b"")
        if request.path == "/":
            return _response(HTTPStatus.OK, self._page)
        return _response(HTTPStatus.NOT_FOUND, b"")

    async def _visit(self, socket: ServerConnection) -> None:
        assert isinstance(socket, _Knock)
        handshake = Handshake(self._key)
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                await socket.send(handshake.offer)
                first = await socket.recv()
            hello = handshake.take(first if isinstance(first, bytes) else b"")
            address = address_of(socket.transport) or ""
            visitor, size, variables = _introduced(hello.browser, hello.said, address)
        except (ConnectionClosed, TimeoutError):
            return
        except (Unproven, ValueError, TypeError, KeyError):
            await _close(socket, WRONG)
            return
        self.end_knock(socket)
        visit = _Visit(self._door, socket, hello.channel, self._start)
        self._inside.add(visit)
        try:
            await visit.run(visitor, size, variables)
        finally:
            self._inside.discard(visit)


async def _close(socket: ServerConnection, code: int) -> None:
    """Close a connection with this code, after a moment even if the browser does not read."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT * 2):
            await socket.close(code)
    except TimeoutError:
        socket.transport.abort()


class _Knock(ServerConnection):
    """A connection that counts as half open until the browser has said hello."""

    def __init__(self, door: WebDoor, *given: object, **named: object) -> None:
        super().__init__(*given, **named)  # type: ignore[arg-type]
        self._door, self.number = door, 0
        self._frames = FrameHeads()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._door.begin(self, transport)

    def data_received(self, data: bytes) -> None:
        if all(first in (MESSAGE, CLOSE) for first in self._frames.feed(data)):
            super().data_received(data)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.end_knock(self)
        super().connection_lost(exc)


def _is_address(host: str) -> bool | None:
    """Whether a page was requested by address or as localhost, and not by another name, which
    somebody could have pointed at this machine; None if `host` is not valid."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return None
    with contextlib.suppress(ValueError):
        ip_address(name)
        return True
    return name == "localhost"


def _response(status: HTTPStatus, body: bytes) -> Response:
    headers = Headers({**_HEADERS, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status.value, status.phrase, headers, body)


def _introduced(
    browser: bytes, said: Mapping[str, object], address: str
) -> tuple[Visitor, TerminalSize, dict[str, str]]:
    """The visitor, terminal size and variables in a hello; raises `ValueError`, `TypeError` or
    `KeyError` if it is malformed."""
    # No ssh key is such a hash, so nobody reaches another visitor's directory.
    key = sha256(b"spoof web visitor" + browser).digest()
    code = read_code(str(said["code"])) or ""
    visitor = Visitor(address, Visitor.called(address, str(said["name"]), key).name, key, code=code)
    variables = {"COLORTERM": "truecolor", "LANG": str(said["language"]), "TZ": str(said["zone"])}
    # As some terminals say what is on what; a door takes it from no client of ssh.
    ground = {"COLORFGBG": "0;15" if said.get("light") else "15;0", ENTRANCE_VARIABLE: PAGE}
    return visitor, _size(said), environment("xterm-256color", variables) | ground


def _size(said: Mapping[str, object]) -> TerminalSize:
    columns, rows = int(str(said["columns"])), int(str(said["rows"]))
    return TerminalSize.asked(max(0, columns), max(0, rows))


class _Visit:
    """The visit of one browser that has said hello."""

    def __init__(
        self, door: Door, socket: ServerConnection, channel: Channel, start: Start
    ) -> None:
        self._door, self._socket, self._channel, self._start = door, socket, channel, start
        self._picture = bytearray()
        self._wake, self._drained = asyncio.Event(), asyncio.Event()
        self._drained.set()
        self._interface: Interface | None = None
        self._last: str | None = None
        """A sentence that says why the interface has ended, perhaps empty; None while it runs."""
        self._answered = asyncio.get_running_loop().time()
        """When the page last sent anything, by the loop's clock."""
        self._unanswered = 0
        """Number of bytes sent to the page since then."""

    async def say_closed(self) -> None:
        """Tell the page that somebody has closed the door."""
        with contextlib.suppress(ConnectionClosed, OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self._send(b"c")

    async def run(self, visitor: Visitor, size: TerminalSize, variables: dict[str, str]) -> None:
        try:
            self._interface = await self._door.start(
                visitor, variables, size, self._paint, self._ended, self._start
            )
        except OSError as error:
            await self._say(reason_of(error))
            return
        doing = self._read(self._interface), self._write(self._interface), self._watch()
        tasks = [asyncio.create_task(each) for each in doing]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending = self._interface.end()
            await system.end(*tasks)
            await _close(self._socket, GONE)
            await ending

    def _paint(self, data: bytes) -> None:
        self._picture += data
        if len(self._picture) > PICTURE_BUFFER and self._interface:
            self._interface.pause()
        self._wake.set()

    def _ended(self, status: int, why: str) -> None:
        self._last = why
        self._wake.set()

    async def _say(self, words: str) -> None:
        with contextlib.suppress(ConnectionClosed, OSError):
            await self._send(b"e" + words.encode())
            await _close(self._socket, GONE)

    async def _send(self, data: bytes) -> None:
        self._unanswered += len(data)
        try:
            async with asyncio.timeout(STALL):
                await self._socket.send(self._channel.seal(data))
        except TimeoutError:
            self._socket.transport.abort()
            raise ConnectionAbortedError from None

    async def _watch(self) -> None:
        """Return when the page does not answer any more."""
        time = asyncio.get_running_loop().time
        left = LOST_DELAY
        while left > 0:
            await asyncio.sleep(left)
            if not self._drained.is_set():
                # Its answers are behind keys that wait for its program.
                self._answered = time()
            left = self._answered + LOST_DELAY + self._unanswered / SLOWEST - time()

    async def _write(self, interface: Interface) -> None:
        time = asyncio.get_running_loop().time
        beat = time()
        while self._last is None or self._picture:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), max(0.0, beat - time()))
            if time() >= beat:
                beat = time() + BEAT
                await self._send(b"h")
            self._wake.clear()
            data = bytes(self._picture)
            self._picture.clear()
            interface.resume()
            if data:
                await self._send(b"p" + data)
        await self._say(self._last)

    async def _read(self, interface: Interface) -> None:
        loop = asyncio.get_running_loop()
        budget = Bucket(BYTES_BURST, 1 / BYTES_RATE)
        async for frame in self._socket:
            data = self._channel.open(frame if isinstance(frame, bytes) else b"")
            self._answered, self._unanswered = loop.time(), 0
            if data[:1] == b"k":
                self._drained.clear()
                interface.feed(data[1:], self._drained.set)
                if not interface.has_room:
                    await self._drained.wait()
            elif data[:1] == b"s":
                interface.resize(_size(json.loads(data[1:])))
            # A frame's head and seal are work, too.
            if delay := budget.spend(len(frame) + 64, loop.time()):
                await asyncio.sleep(delay)


FOLDER: Final = Path(__file__).with_name("web")
"""The folder with the parts of the page; its `LICENCES.txt` lists which are third-party, and in
which version."""


def words() -> dict[str, str]:
    """The sentences of the page itself, by the names that its script uses."""
    return {
        "code": _("The door’s code, which the host tells you"),
        "name": _("Your name"),
        "come": _("Your return word, if you have one"),
        "unlike": _("That does not look like a return word: return words have twelve letters."),
        "back": _("Your return word: {word}"),
        "sit": _("sit down"),
        "line": _("what you say"),
        "tell": _("say it"),
        "stop": _("say nothing"),
        "more": _("what else can be done"),
        "joins": _("Joining …"),
        "lost": _("No connection. Trying again …"),
        "moved": _(
            "No connection. The host may have another address now: the digits are on the host’s "
            "screen."
        ),
        "address": _("the address on the host’s screen"),
        "go": _("go there"),
        "digits": _("An address has four numbers, such as 192.168.1.20."),
        "nobody": _("Nobody answers at that address. Still trying the previous one."),
        "unkept": _("This browser keeps nothing: a reload will lose your seat."),
        "closed": _("The host has closed the door. Sit down again once it is open."),
        "wrong": _("That code does not open this door. Scan again, or type it again."),
        "over": _("You have left. Sit down again whenever you like."),
        "safe": _(
            "Somebody who only listens on the network can read nothing, even with the code. "
            "Somebody who relays your connection could alter this page, and whoever runs the "
            "host’s machine could look at your hand."
        ),
    }


def page() -> bytes:
    """The whole page in UTF-8, under 500 KB; it loads nothing else.

    The page uses the language of its browser. The labels of its buttons come from the program.
    """
    spoken, every = i18n.spoken(), {}
    for language in i18n.LANGUAGES:
        i18n.install(language)
        every[language] = words()
    i18n.install(spoken)
    given = json.dumps(every, ensure_ascii=False).replace("<", "\\u003c")
    parts = {
        "{xterm.css}": (FOLDER / "xterm.css").read_text("utf-8"),
        "{page.css}": (FOLDER / "page.css").read_text("utf-8"),
        "{vendor.js}": (FOLDER / "vendor.js").read_text("utf-8"),
        "{link.js}": (FOLDER / "link.js").read_text("utf-8"),
        "{given}": given,
        "{page.js}": (FOLDER / "page.js").read_text("utf-8"),
    }
    text = (FOLDER / "page.html").read_text("utf-8")
    for place, part in parts.items():
        text = text.replace(place, part, 1)
    return text.encode()
