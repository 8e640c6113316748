"""An evening in plain lines: the lobby, one table at a time, and everything slow in the background.

All of it runs in the event loop of the main thread; a thread reads what is typed, and the
background loop posts what happens at the table.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.console import TypedLines
from spoof_tui.plain.lines import Lines, NobodyReads
from spoof_tui.plain.lobby import PlainLobby
from spoof_tui.plain.notices import finding_lines
from spoof_tui.plain.table import PlainTable
from spoof_tui.runtime.background import BackgroundLoop, LastWork
from spoof_tui.runtime.errand import Errand, own_identity, practice_plan
from spoof_tui.storage import paths
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.storage.settings import Settings
from spoof_tui.text import i18n, tokens
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.network.diagnosis.examining import Request
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.discovery import Browser
    from spoof_tui.runtime.client import TableClient

TICK_INTERVAL: Final = 1.0
"""Seconds between two checks of what changes with time alone."""


class Typing(Protocol):
    """A source of typed lines: `console.TypedLines`, or a script."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person types at a terminal."""

    def start(self, heard: Callable[[str | None], None]) -> None:
        """Have `heard` called, in any thread, with every line, and with None at the end."""

    def hide(self, is_hidden: bool) -> None:
        """Turn echo off, or on again."""


def run_evening(settings: Settings, errand: Errand | None) -> int:
    """Play in plain lines on standard input and output; return the exit status."""
    evening = Evening(settings, errand or Errand(), TypedLines(), sys.stdout)
    return system.run(evening.run())


class Evening:
    """The program in plain lines."""

    def __init__(self, settings: Settings, errand: Errand, typing: Typing, stream: TextIO) -> None:
        self.settings = settings
        is_seen = typing.is_terminal and stream.isatty()
        self.lines = Lines(stream, is_terminal=is_seen)
        self.background = BackgroundLoop(self._failed)
        self._typing = typing
        self._errand = errand
        self._happened: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        """What is to be done next, in the order in which it came."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lobby = PlainLobby(self)
        self._table: PlainTable | None = None
        self._leaving: dict[TableClient, concurrent.futures.Future[object]] = {}
        self._identity: Identity | None = None
        self._browser: Browser | None = None
        self._goodbyes = LastWork(self.background, self._give_up_all)
        self._status: int | None = None
        """The exit status, once the program is to exit."""

    async def run(self) -> int:
        """Run until the player leaves, the input ends, or the program is told to exit."""
        self._loop = asyncio.get_running_loop()
        resort = system.LastResort(lambda: self._typing.hide(False))
        resort.first = self._goodbyes.finish
        system.on_termination(self._loop, self._told_to_end, interrupt=True, last_resort=resort)
        self.background.start()
        self.background.spawn(self._look_around())
        self.background.spawn(self._look_back())
        self._typing.start(partial(self._post, self._heard))
        try:
            self._begin()
            while self._status is None:
                await self._next()
        except NobodyReads:
            self._status = 1
        finally:
            self._typing.hide(False)
            await asyncio.to_thread(self._goodbyes.finish)
            self.background.stop(timeout=0.0)
            resort.cancel()
            if self._identity:
                self._identity.release()
        return self._status

    def _begin(self) -> None:
        errand = self._errand
        if errand.lesson:
            self._lobby.typed("learn")
        if errand == Errand() or errand.lesson:
            self._lobby.greet()
        else:
            self.begin(errand)
        self._settle()

    async def _next(self) -> None:
        """Handle what has happened, and whatever is due."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pause()):
                self._do(await self._happened.get())
        # What has come meanwhile belongs together: a question after it is about all of it.
        while not self._happened.empty() and self._status is None:
            self._do(self._happened.get_nowait())
        if self._table is not None:
            self._table.advance(now().monotonic)
            self._table.show()
            self._table.tick()
            self._table.ask()
        self._settle()

    def _do(self, happened: Callable[[], None]) -> None:
        if self._status is None:
            happened()
        self._hide()
        if self._table is not None:
            self._table.show()

    def _pause(self) -> float:
        due = self._table.due if self._table else None
        if due is None:
            return TICK_INTERVAL
        return min(max(due - now().monotonic, 0.0), TICK_INTERVAL)

    def _settle(self) -> None:
        """Show a prompt if anything is asked."""
        self._hide()
        if self._status is None and (self._table is None or self._table.is_asked):
            self.lines.prompt()

    def _hide(self) -> None:
        """Turn echo off if what is typed next may be a hand: before it is asked for."""
        if self._status is None:
            self._typing.hide(self._table is not None and self._table.is_secret)

    def _post(self, function: Callable[..., None], *arguments: Any) -> None:
        """Have something done in this loop, in its turn; from any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended already
                self._loop.call_soon_threadsafe(
                    self._happened.put_nowait, partial(function, *arguments)
                )

    # What is typed

    def _heard(self, text: str | None) -> None:
        if text is None:
            self.leave()
            return
        self.lines.typed()
        if self._table is not None:
            self._table.typed(text, now().monotonic)
        else:
            self._lobby.typed(text)

    def _told_to_end(self, reason: str) -> None:
        self._post(self._end, system.STOPPED)

    def leave(self) -> None:
        """Exit the program."""
        self._end(0)

    def _end(self, status: int) -> None:
        if self._status is None:
            self._status = status
            self.lines.tell(_("Goodbye."))

    # Tables

    def begin(self, errand: Errand) -> None:
        """Go to a table."""
        from spoof_tui.bots.levels import Level
        from spoof_tui.runtime.client import TableClient

        if self._identity is None:
            self._identity = own_identity()
            self.background.spawn(self._share(self._identity))
        client = TableClient(
            self.background,
            self._identity,
            self.settings.name,
            lambda notice: post(notice),
            errand.door,
        )
        table = self._table = PlainTable(self, client, expects_seat=errand.sits)
        post = partial(self._post, partial(self._noticed, table))
        if errand.practice:
            chosen = self.settings.practice
            plan = practice_plan(self.settings)
            client.open(plan, chosen.bots, Level(chosen.level), ready=True)
        elif errand.plan is not None:
            level = errand.level or Level.MEDIUM
            client.open(errand.plan, errand.bots, level, company=errand.company)
        elif errand.address is not None:
            client.join(errand.address, errand.code, errand.sits)
        elif errand.saved is not None:
            client.resume(errand.saved)

    def _noticed(self, table: PlainTable, notice: object) -> None:
        if table is self._table:
            table.heard(notice, now().monotonic)

    def leave_table(self, heir: bytes | None = None) -> None:
        """Go back to the lobby, and leave the player's own table to `heir`."""
        table, self._table = self._table, None
        if table is not None:
            self._leaving[table.client] = self.background.spawn(table.client.close(heir))
            self.lines.tell(_("You have left the table."))
            self.background.spawn(self._look_back())
        i18n.play_with(tokens.COINS)
        self._lobby.come_back()

    async def _share(self, identity: Identity) -> None:
        """Give the identity up when another window of this player asks for it."""
        from spoof_tui.runtime.takeover import give_up_when_asked

        async def leave(asker: Holder) -> None:
            self._identity = None
            if self._table:
                await self._table.client.move_away(asker)

        await give_up_when_asked(identity, leave)

    async def _give_up_all(self) -> None:
        for client in self._leaving:
            client.hurry()
        last = [asyncio.wrap_future(closing) for closing in self._leaving.values()]
        if self._table:
            last.append(asyncio.ensure_future(self._table.client.close_at_once()))
        if self._browser:
            last.append(asyncio.ensure_future(self._browser.close()))
        await asyncio.gather(*last, return_exceptions=True)

    # Settings

    def keep(self, **chosen: Any) -> None:
        """Change settings from now on."""
        self.settings = replace(self.settings, **chosen)
        try:
            self.settings.save()
        except OSError as error:
            self.lines.tell(_("That could not be saved: {error}").format(error=error.strerror))

    def speak(self, language: str) -> None:
        """Use this language, or the next one, from now on."""
        wanted = language.strip().casefold()
        names = {name.casefold(): code for code, name in i18n.LANGUAGES.items()}
        code = names.get(wanted, wanted) or i18n.other()
        if code not in i18n.LANGUAGES:
            known = ", ".join(f"{code} ({name})" for code, name in i18n.LANGUAGES.items())
            self.lines.tell(_("The languages are: {known}.").format(known=known))
            return
        i18n.install(code)
        self.keep(language=code)
        self.lines.tell(i18n.LANGUAGES[code] + ".")

    # In the background

    async def _look_around(self) -> None:
        from spoof_tui.network.discovery import Browser
        from spoof_tui.runtime.troubleshooting import Troubleshooter, missed_in

        browser = Browser(lambda tables: self._tell_tables(), lambda trouble: self._tell_tables())
        self._browser = browser
        await browser.start()

        def missed() -> Request | None:
            return missed_in(browser) if self._table is None else None

        await Troubleshooter(missed, partial(self._post, self._lobby.examined)).run()

    def _tell_tables(self) -> None:
        self._post(self._found)

    def _found(self) -> None:
        if self._browser is not None:
            is_told = self._table is None
            self._lobby.found(self._browser.tables, self._browser.trouble, is_told=is_told)

    async def _look_back(self) -> None:
        """Tell the lobby what can be resumed; reading whole logs takes a moment."""
        from spoof_tui.runtime.saved_tables import continuable

        tables = await asyncio.to_thread(continuable)
        self._post(self._kept, tuple(tables))

    def _kept(self, tables: tuple[Any, ...]) -> None:
        if self._table is None:
            self._lobby.kept(tables)

    def look_at(self, address: Any) -> None:
        """Have the list of tables ask one more address."""
        if self._browser:
            self.background.call(self._browser.add, address)

    def turn_lines(self) -> None:
        """Have the program start with plain lines from now on, or with a screen again."""
        is_plain = not self.settings.plain
        self.keep(plain=is_plain)
        self.lines.tell(
            _("From now on spoof starts with plain lines.") if is_plain
            else _("From now on spoof starts full screen, where it can.")
        )  # fmt: skip

    def examine(self) -> None:
        """Examine the network, and report what is in the way."""
        client = self._table.client if self._table else None
        address = client.address if client and not client.is_host else None
        self.lines.tell(_("Looking at the network, for about four seconds …"))

        async def look() -> None:
            from spoof_tui.network.diagnosis.examining import Request, examine
            from spoof_tui.network.diagnosis.judging import judge
            from spoof_tui.runtime.client import hosting_of

            seen = await examine(Request(address, hosting=hosting_of(client)))
            self._post(self._tell_findings, judge(seen))

        self.background.spawn(look())

    def _tell_findings(self, findings: tuple[Finding, ...]) -> None:
        self.lines.tell(*(finding_lines(findings) or [_("Nothing is in the way.")]))

    def _failed(self, error: BaseException) -> None:
        """An unforeseen error: reported, and written to a file; the table goes on."""
        where = paths.keep_trouble(error)
        text = _("Something went wrong in this program, but the game goes on.")
        if where is not None:
            text = _("Something went wrong in this program, see {path}; the game goes on.")
        self._post(self.lines.tell, text.format(path=where))
