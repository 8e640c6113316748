"""One player's program below every interface: at most one seat at a time, and everything slow."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from spoof_tui.clock import now
from spoof_tui.runtime.background import BackgroundLoop, LastWork
from spoof_tui.runtime.launch import Launch, practice_plan
from spoof_tui.runtime.listing import TableList
from spoof_tui.storage import paths
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.storage.settings import Settings
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of

if TYPE_CHECKING:
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.examining import Request
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.discovery import Browser
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.runtime.notices import Notice
    from spoof_tui.runtime.saved_tables import SavedTable


LOOK_INTERVAL: Final = 5.0
"""Seconds between two checks of this program's folder."""


class Program:
    """Base class of the interfaces; its hooks are called in the thread of the background loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.client: TableClient | None = None
        """The client of the player's seat; None in the lobby."""
        self.waiting: TableClient | None = None
        """The client of a seat at a table that is not heard, while a practice game is played; None
        otherwise."""
        self.background = BackgroundLoop(self._failed)
        self._goodbyes = LastWork(self.background, self._give_up_all)
        self._leaving: dict[TableClient, concurrent.futures.Future[object]] = {}
        """Clients whose seats are being given up in the background, each with the future of
        that."""
        self._identity: Identity | None = None
        self._browser: Browser | None = None
        self._list = TableList()
        self._listing: asyncio.TimerHandle | None = None
        self.not_kept = ""
        """A sentence that says why nothing is kept on this computer, or who else can read it;
        empty if all is well."""

    # What is told

    def tables_found(self, tables: tuple[FoundTable, ...], trouble: str | None) -> None:
        """A hook: the tables on this network, or the reason why they cannot be found, have
        changed."""
        raise NotImplementedError

    def tables_kept(self, tables: tuple[SavedTable, ...] | None) -> None:
        """A hook: these are the tables that can be gone back to while they are served; those that
        `has_begun` can also be resumed. None while they are being read."""
        raise NotImplementedError

    def keeping_changed(self) -> None:
        """A hook: `not_kept` has changed."""
        raise NotImplementedError

    def explained(self, findings: tuple[Finding, ...]) -> None:
        """A hook: the reasons why no table is found have changed."""
        raise NotImplementedError

    def failed(self, sentence: str) -> None:
        """A hook: an unforeseen error was written to a file, and the table goes on; `sentence` says
        so."""
        raise NotImplementedError

    def _failed(self, error: BaseException) -> None:
        where = paths.keep_trouble(error)
        text = _("Something went wrong in this program, but the game goes on.")
        if where is not None:
            text = _("Something went wrong in this program (see {path}), but the game goes on.")
        self.failed(text.format(path=where))

    # Its beginning and its end

    def open_house(self) -> None:
        """Start the background loop, and search for tables from now on."""
        self.background.start()
        self.background.spawn(self._look_around())
        self.background.spawn(self._watch_folder())
        self.look_back()

    def close_house(self) -> None:
        """Leave every table and end the background loop; waits a moment for the network."""
        self._goodbyes.finish()
        self.background.stop(timeout=0.0)
        if self._identity:
            self._identity.release()

    async def _give_up_all(self) -> None:
        for client in self._leaving:
            client.player.hurry()
        last = [asyncio.wrap_future(closing) for closing in self._leaving.values()]
        for client in filter(None, (self.client, self.waiting)):
            last.append(asyncio.ensure_future(client.player.close_at_once()))
        if self._browser:
            last.append(asyncio.ensure_future(self._browser.close()))
        await asyncio.gather(*last, return_exceptions=True)

    # Tables

    def claim_seat(self, tell: Callable[[Notice], None], door: int | None = None) -> TableClient:
        """A new client for the next table; `tell` gets its notices, `door` is the port of an ssh
        door there (0 for the usual one, None for no door)."""
        from spoof_tui.runtime.client import TableClient

        if self._identity is None:
            self._identity = Identity.claim()
            self.background.spawn(self._share(self._identity))
        self.client = TableClient(self.background, self._identity, self.settings.name, tell, door)
        return self.client

    def carry_out(self, launch: Launch) -> None:
        """Have the client go to the table of `launch`."""
        from spoof_tui.bots.levels import Level

        client, practice = self.client, self.settings.practice
        assert client is not None
        if launch.practice:
            plan = practice_plan(self.settings, launch.rules)
            level, introduced = Level(practice.level), self.settings.company
            client.open(plan, practice.bots, level, ready=True, introduced=introduced)
        elif launch.plan is not None:
            self.keep(practice=replace(practice, preset=launch.plan.rules.preset))
            level = launch.level or Level.MEDIUM
            client.open(launch.plan, launch.bots, level, company=launch.company)
        elif launch.saved is not None:
            client.resume(launch.saved, launch.address)
        elif launch.address is not None:
            client.join(launch.address, launch.code, launch.sits)

    def give_up_seat(self, heir: bytes | None = None) -> None:
        """Leave the table in the background; the player's own table goes to `heir`, or closes.

        After a practice game, the player is back at the table that was waited for.
        """
        client, self.client, self.waiting = self.client, self.waiting, None
        if client:
            self._leaving[client] = self.background.spawn(client.player.close(heir, is_asked=True))
        self.look_back()

    async def _share(self, identity: Identity) -> None:
        """Give the identity up when another window of this player asks for it."""
        from spoof_tui.runtime.second_window import give_up_when_asked

        async def leave(asker: Holder) -> None:
            self._identity = None
            for client in filter(None, (self.client, self.waiting)):
                await client.player.move_away(asker)

        await give_up_when_asked(identity, leave)

    # Settings

    def keep(self, **chosen: Any) -> str | None:
        """Change these settings; return a sentence if they could not be saved, otherwise None."""
        self.settings = replace(self.settings, **chosen)
        try:
            self.settings.save()
        except OSError as error:
            return _("Your settings could not be saved: {error}").format(error=reason_of(error))
        return None

    def speak(self, language: str) -> str | None:
        """Change the language; return a sentence if that could not be saved, otherwise None.

        Texts are translated while they are shown, so the caller must show them again.
        """
        i18n.install(language)
        return self.keep(language=language)

    # In the background

    async def _look_around(self) -> None:
        from spoof_tui.network.discovery import Browser
        from spoof_tui.runtime.troubleshooting import Troubleshooter, missed_in

        def told(_news: object) -> None:
            self._list.follow(browser.tables, now().monotonic)
            self._tell_tables()

        # Trouble is reported separately, too: without a network no table may ever be found.
        browser = Browser(told, told)
        self._browser = browser
        await browser.start()

        def missed() -> Request | None:
            return missed_in(browser) if self.client is None else None

        await Troubleshooter(missed, self.explained).run()

    def _tell_tables(self) -> None:
        """Report the tables that are listed, and do so again when that changes by time alone."""
        if self._listing:
            self._listing.cancel()
        if self._list.due is not None:
            delay = self._list.due - now().monotonic
            loop = asyncio.get_running_loop()
            self._listing = loop.call_later(delay, self._look_again)
        self.tell_tables()

    def tell_tables(self) -> None:
        """Report the tables that are listed once more."""
        if self._browser:
            self.tables_found(self._list.tables, self._browser.trouble)

    def _look_again(self) -> None:
        self._list.look_again(now().monotonic)
        self._tell_tables()

    async def _watch_folder(self) -> None:
        """Check every few seconds whether anything can be kept, and report a change."""
        from spoof_tui.storage import keeping

        while True:
            before, self.not_kept = self.not_kept, await asyncio.to_thread(keeping.trouble)
            if self.not_kept != before:
                self.keeping_changed()
            await asyncio.sleep(LOOK_INTERVAL)

    def look_at(self, address: Address) -> None:
        """Have the list of tables also ask an address that the player typed."""
        if self._browser:
            self.background.call(self._browser.add, address)

    def look_back(self) -> None:
        """Find out where the player has seats; in the background, because reading whole logs takes
        a moment."""

        async def look() -> None:
            from spoof_tui.runtime.saved_tables import kept

            # Whether a seat was given up is known once its table has answered.
            await asyncio.gather(*map(asyncio.wrap_future, self._leaving.values()))
            tables = await asyncio.to_thread(kept)
            self._list.keep(tables, now().monotonic)
            if self.client is None:
                self.tables_kept(tuple(tables))
            self._tell_tables()

        self.tables_kept(None)
        self.background.spawn(look())

    @property
    def joined(self) -> Address | None:
        """The address of somebody else's table where the player is or wants to be; None at the
        player's own table, and in the lobby."""
        return self.client.player.address if self.client and not self.client.known.is_host else None

    def examine(
        self,
        told: Callable[[tuple[Finding, ...], Sequence[Address]], None],
        address: Address | None = None,
    ) -> None:
        """Examine the network in the background, or why `address` does not answer; `told` gets the
        findings, and the addresses at which tables answered."""

        async def look() -> None:
            from spoof_tui.network.diagnosis.examining import Request, examine
            from spoof_tui.network.diagnosis.judging import judge

            hosting = self.client.player.hosting if self.client else None
            seen = await examine(Request(address, hosting=hosting))
            told(judge(seen), seen.tables)

        self.background.spawn(look())
