"""People with nothing but a browser: Debian's chromium, driven by its page's large buttons."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import pytest
from playwright.async_api import Browser, BrowserContext, Error, Page, async_playwright, expect

T = TypeVar("T")

CHROMIUM: Final = Path("/usr/bin/chromium")
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Debian's chromium")

UPRIGHT: Final = 390, 844
TURNED: Final = 844, 390

SHOWN: Final = (
    "Array.from({length: term.rows},"
    " (_, y) => term.buffer.active.getLine(y).translateToString(true)).join('\\n')"
)

_GO_ON: Final = "u"
"""A key that nothing is behind, for whoever has read the news."""

ESCAPE: Final = "\x1b[27u"
PEEK: Final = " "
TALK: Final = "t"

_BUTTON: Final = (
    "const find = () => [...document.querySelectorAll('#buttons button')]"
    ".find(each => each.dataset.sends === keys); let made;"
    " while ((made = find()) && performance.now() <= made.fresh)"
    " await new Promise(requestAnimationFrame);"
    " if (!made) return false;"
)
"""The button of these keys, as soon as it takes a finger; false if there is none."""

_EXPECT_FINGER: Final = (
    f"async keys => {{ {_BUTTON} window.isTaken = false; made.addEventListener('pointerdown',"
    " () => { isTaken = performance.now() > made.fresh }, {once: true}); return true }"
)
"""Notes whether the next finger is in time: the button may have come to mean something else."""

_HOLD: Final = (
    f"async keys => {{ {_BUTTON}"
    " made.dispatchEvent(new PointerEvent('pointerdown')); return true }"
)
"""Begins to hold that button."""

_PAGE: Final = re.compile(
    r"(http://[0-9.]+:\d+)\b.*?the code ([A-Z0-9-]+\.[A-Z0-9]{5})\b", re.DOTALL
)


def button(keys: str) -> str:
    """The selector of the button that sends these keys."""
    signs = "".join(f"\\{ord(each):x} " for each in keys)
    return f'#buttons [data-sends="{signs}"]'


def scanned(picture: str) -> str:
    """The address to scan; a host's invitation shows both parts of it. Empty before it is whole."""
    found = _PAGE.search(picture)
    return "/#".join(found.groups()) if found else ""


class Browsers:
    """Chromium, in a thread with its own event loop; a context manager."""

    def __init__(self, program: Path = CHROMIUM) -> None:
        """`program` runs it."""
        self._program = program

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._browser = self.run(self._launch())
        return self

    def __exit__(self, *_ended: object) -> None:
        self.run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Do something there."""
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(60)

    async def _launch(self) -> Browser:
        self._driver = await async_playwright().start()
        return await self._driver.chromium.launch(executable_path=self._program, args=ARGUMENTS)

    async def _close(self) -> None:
        await self._browser.close()
        await self._driver.stop()

    def processes(self, kind: str | None) -> list[int]:
        """The ids of the browser's processes of this kind, or of all."""
        return [each["id"] for each in self.run(self._processes()) if kind in (None, each["type"])]

    async def _processes(self) -> list[dict[str, Any]]:
        link = await self._browser.new_browser_cdp_session()
        return list((await link.send("SystemInfo.getProcessInfo"))["processInfo"])

    def telephone(self, size: tuple[int, int] = UPRIGHT, **more: Any) -> Telephone:
        """A telephone that was never here before."""
        viewport = {"width": size[0], "height": size[1]}
        options = {"viewport": viewport, "has_touch": True, "is_mobile": True, **more}
        return Telephone(self, self.run(self._browser.new_context(**options)))


def chromium_in(netns: str, folder: Path) -> Path:
    """A program, in this folder, that runs Chromium in a network namespace."""
    program = folder / "chromium"
    program.write_text(f'#!/bin/sh\nexec ip netns exec {netns} {CHROMIUM} "$@"\n', "utf-8")
    program.chmod(0o700)
    return program


class Wire:
    """Between a page and its door: records what passes, and can be cut or fall silent."""

    def __init__(
        self, browsers: Browsers, door: str, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        """`door` is the address in the QR code; pages reach this at `host` and `port`."""
        self.links: list[tuple[bytearray, bytearray]] = []
        """What pages said to the door on every connection, and what they heard."""
        self._browsers = browsers
        place, _, self._word = door.removeprefix("http://").partition("/#")
        name, _, own = place.partition(":")
        self._door = name, int(own)
        self._writers: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._is_cut = False
        self._server = browsers.run(self._open(host, port))
        self.host: Final = host
        self.port: Final = self._server.sockets[0].getsockname()[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.cut(is_cut=True)
        self._browsers.run(self._close())

    async def _close(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    def talks(self) -> list[tuple[list[bytes], list[bytes]]]:
        """What was in the frames of each connection, from the page and from the door."""
        talks = [link for link in self.links if link[0].startswith(b"GET /door")]
        return [(_payloads(bytes(said)), _payloads(bytes(heard))) for said, heard in talks]

    def frames(self) -> list[bytes]:
        """What was in all frames, in both directions."""
        return [data for talk in self.talks() for stream in talk for data in stream]

    async def _open(self, host: str, port: int) -> asyncio.Server:
        self._flows.set()
        return await asyncio.start_server(self._carry, host, port)

    @property
    def address(self) -> str:
        """The address to scan instead of the door's."""
        return f"http://{self.host}:{self.port}/#{self._word}"

    @property
    def word(self) -> str:
        """The word of the door."""
        return self._word.partition(".")[0]

    @property
    def carried(self) -> int:
        """Bytes that have passed, in both directions."""
        return sum(len(stream) for link in self.links for stream in link)

    def cut(self, *, is_cut: bool) -> None:
        """Break all connections and refuse new ones, or accept them again."""
        self._browsers.run(self._cut(is_cut))

    async def _cut(self, is_cut: bool) -> None:
        self._is_cut = is_cut
        for each in [*self._writers]:
            each.transport.abort()

    def silence(self, *, is_silent: bool) -> None:
        """Carry nothing, without anybody noticing; or carry everything again."""
        self._browsers.run(self._silence(is_silent))

    async def _silence(self, is_silent: bool) -> None:
        (self._flows.clear if is_silent else self._flows.set)()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(*self._door)
        self._writers |= {writer, back}
        self.links.append((said := bytearray(), heard := bytearray()))
        pumps = self._pump(reader, back, said), self._pump(there, writer, heard)
        try:
            await asyncio.gather(*pumps)
        finally:
            self._writers -= {writer, back}

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, record: bytearray
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._flows.wait()
                record += data
                writer.write(data)
        writer.close()


def _payloads(stream: bytes) -> list[bytes]:
    """The payloads of WebSocket frames in a stream that begins with HTTP headers."""
    found, at = [], stream.index(b"\r\n\r\n") + 4
    while at + 2 <= len(stream):
        is_masked, size = stream[at + 1] >> 7, stream[at + 1] & 127
        at += 2
        if size >= 126:
            wide = 2 if size == 126 else 8
            size, at = int.from_bytes(stream[at : at + wide], "big"), at + wide
        mask = stream[at : at + 4] if is_masked else bytes(4)
        at += 4 * is_masked
        found.append(bytes(b ^ mask[i % 4] for i, b in enumerate(stream[at : at + size])))
        at += size
    return found


class Telephone:
    """What a player sees and taps. `text`, `send` and `wait_until` are those of a `Terminal`."""

    def __init__(self, browsers: Browsers, context: BrowserContext) -> None:
        self._browsers, self.context = browsers, context
        self.tab: Page = self.run(context.new_page())
        self.errors: list[str] = []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Do something in the browser."""
        return self._browsers.run(doing)

    def close(self) -> None:
        """Be gone."""
        self.run(self.context.close())

    def is_typing(self) -> bool:
        """Whether the program takes text now."""
        return bool(self.run(self.tab.evaluate("isTyping")))

    def sit(self, address: str, name: str) -> None:
        """Scan, give a name, and sit down."""
        self.run(self.tab.goto(address))
        self.run(self.tab.fill("#name", name))
        self.run(self.tab.tap("#sit"))

    def text(self) -> str:
        """What the table shows, and what its buttons say; nothing while the page loads."""
        with suppress(Error):
            buttons = self.run(self.tab.locator("#buttons").inner_text())
            return f"{self.run(self.tab.evaluate(SHOWN))}\n{buttons}"
        return ""

    def page_text(self) -> str:
        """Everything that stands in the page, seen or not."""
        return str(self.run(self.tab.evaluate("document.documentElement.textContent")))

    def kept(self) -> dict[str, str]:
        """What the browser keeps for this address."""
        return dict(self.run(self.tab.evaluate("({...localStorage})")))

    def word(self) -> str:
        """The return word, as the page shows it behind the dots."""
        self.tap("#dots")
        said = str(self.run(self.tab.locator("#back").inner_text()))
        self.tap("#dots")
        return said.rpartition(" ")[2]

    def told(self) -> list[str]:
        """What a screen reader has read out."""
        lines = self.tab.locator("#told p")
        return list(self.run(lines.all_text_contents()))

    def send(self, keys: str) -> None:
        """Tap the button of each key; where there is none, the key means nothing."""
        for key in keys:
            self._try(ESCAPE if key == _GO_ON else key)

    def press(self, key: str) -> None:
        """Tap the button that sends these keys as soon as there is one: it may come a moment after
        the words that ask for it."""
        self.wait_until(lambda shown: shown._try(key))

    def _try(self, key: str) -> bool:
        """Tap the button of a key, behind the dots if it is there; returns whether it has taken
        the tap. A page that gives way to another one takes none."""
        with suppress(Error):
            if not self.run(self.tab.evaluate(_EXPECT_FINGER, key)):
                return False
            # What a list offers large is behind the dots as well.
            made = self.tab.locator(button(key)).first
            if not self.run(made.is_visible()):
                self.tap("#dots")
            with suppress(Error):  # it has come to mean something else
                self.run(made.tap(timeout=2000))
            return bool(self.run(self.tab.evaluate("isTaken")))
        return False

    def tap(self, where: str) -> None:
        """Tap the element that a selector names."""
        self.run(self.tab.tap(where))

    @contextmanager
    def peeking(self) -> Iterator[None]:
        """Hold a finger on the button that looks into the fist inside the context."""
        self.wait_until(lambda shown: shown.run(shown.tab.evaluate(_HOLD, PEEK)))
        yield
        self.run(self.tab.dispatch_event(button(PEEK), "pointerup"))

    def hide(self, *, is_hidden: bool) -> None:
        """Hide the page, as far as it can tell, or show it again."""
        state = f"Object.defineProperty(document, 'hidden', {{value: {str(is_hidden).lower()}"
        change = "document.dispatchEvent(new Event('visibilitychange'))"
        self.run(self.tab.evaluate(f"{state}, configurable: true}}); {change}"))

    def offline(self, *, is_offline: bool) -> None:
        """Take the network away from the browser, or give it back."""
        self.run(self.context.set_offline(is_offline))

    @contextmanager
    def in_background(self, *, is_locked: bool) -> Iterator[None]:
        """Inside the context the page is hidden and nothing of it runs; if the telephone is locked,
        nothing of the browser runs either."""
        self.hide(is_hidden=True)
        stopped = self._browsers.processes(None if is_locked else "renderer")
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        self.hide(is_hidden=False)

    def reads(self, words: str) -> None:
        """Wait until the page says this itself."""
        self.run(expect(self.tab.locator("#news")).to_contain_text(words, timeout=20_000))

    def is_titled(self, title: str) -> None:
        """Wait until the page has this title."""
        self.run(expect(self.tab).to_have_title(title, timeout=20_000))

    def wait(self, text: str, timeout: float = 30.0) -> None:
        """Wait until the table shows this."""
        self.wait_until(lambda shown: text in shown.text(), timeout)

    def wait_until(self, holds: Callable[[Any], bool], timeout: float = 30.0) -> None:
        """Wait until `holds(self)`; TimeoutError with what is shown otherwise."""
        end = time.monotonic() + timeout
        while not holds(self):
            if time.monotonic() > end:
                raise TimeoutError(f"waited {timeout} s in vain; shown is:\n{self.text()}")
            time.sleep(0.05)
