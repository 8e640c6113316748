"""The app: one lobby, at most one table at a time, and everything slow in the background."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import constants

from spoof_tui.runtime.background import BackgroundLoop, LastWork
from spoof_tui.runtime.errand import Errand, own_identity, practice_plan
from spoof_tui.storage import paths
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.storage.settings import Motion, Settings, trouble
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _
from spoof_tui.ui.acting import ActingApp
from spoof_tui.ui.actions import Adapting, tell
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.widget import Canvas
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.messages import Examined, Failed, Noticed, TablesFound, TablesKept
from spoof_tui.ui.themes import coins_again, dress, own_themes

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

    from spoof_tui.bots.characters import Character
    from spoof_tui.bots.levels import Level
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.examining import Request
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.discovery import Browser
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.runtime.hosting import Plan
    from spoof_tui.runtime.notices import ClientNotice
    from spoof_tui.runtime.saved_tables import SavedTable
    from spoof_tui.ui.table.screen import Aloud


class SpoofApp(ActingApp):
    """Spoof."""

    def __init__(
        self,
        settings: Settings,
        errand: Errand | None = None,
        aloud: Callable[[], Aloud] | None = None,
    ) -> None:
        """`aloud` makes what words a table for somebody who hears it."""
        super().__init__()
        self._aloud = aloud
        self._is_trying = False
        """Whether a theme is being tried out, and not saved."""
        own, self._trouble = own_themes()
        dress(self, settings.theme, own)
        self.settings = settings
        self._obey_motion()
        self.background = BackgroundLoop(self._failed_in_background)
        self.client: TableClient | None = None
        """The player's client, while at a table."""
        self._errand = errand or Errand()
        self._leaving: dict[TableClient, concurrent.futures.Future[object]] = {}
        """Seats that are being given up in the background."""
        self._goodbyes = LastWork(self.background, self._give_up_all)
        self.last_resort.first = self._goodbyes.finish
        self._identity: Identity | None = None
        self._browser: Browser | None = None

    def get_default_screen(self) -> LobbyScreen:
        """The lobby is below everything else."""
        return LobbyScreen()

    def on_mount(self) -> None:
        for said in filter(None, (trouble(), self._trouble)):
            tell(self, said)
        # The rest imports a lot: the first frame comes first.
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.background.start()
        self.background.spawn(self._look_around())
        self.background.spawn(self._look_back())
        if self._errand.plan:
            errand = self._errand
            self.open_table(self._errand.plan, errand.bots, errand.level, company=errand.company)
        elif self._errand.address:
            self.join(self._errand.address, self._errand.code, self._errand.sits)
        elif self._errand.saved:
            self.resume(self._errand.saved)
        elif self._errand.lesson:
            self.learn()
        elif self._errand.practice:
            self.practise()
        else:
            self.background.spawn(asyncio.to_thread(_prepare))

    def keep(self, **chosen: Any) -> str | None:
        """Change settings from now on; return a sentence if they could not be saved."""
        self.settings = replace(self.settings, **chosen)
        return self._save_settings(_("That could not be saved: {error}"))

    def watch_theme(self, name: str) -> None:
        """Draw everything in another theme, and save the choice."""
        palette.use(name)
        if not self.is_running:
            return
        for screen in self.screen_stack:
            for canvas in screen.query(Canvas):
                canvas.redraw()
        is_kept = name == self.settings.theme or self._is_trying
        if not is_kept and (trouble := self.keep(theme=name)):
            tell(self, trouble)

    def choose_options(self) -> None:
        """Ask for other settings, and use them from then on."""
        from spoof_tui.ui.dialogs.options import OptionsDialog

        self.push_screen(OptionsDialog(self.settings, self.theme, self._wear), self._adopt)

    def _wear(self, theme: str) -> None:
        """Use a theme without saving it."""
        self._is_trying = True
        self.theme = theme
        self._is_trying = False

    def _adopt(self, chosen: Settings | None) -> None:
        if chosen is None:
            return
        if chosen.language != self.settings.language:
            i18n.install(chosen.language)
        self.settings = chosen
        self._obey_motion()
        trouble = self._save_settings(_("That could not be saved: {error}"))
        for screen in self.screen_stack:
            if isinstance(screen, Adapting):
                screen.adapt()
        tell(self, trouble or "")

    def _obey_motion(self) -> None:
        full = constants.TEXTUAL_ANIMATIONS
        self.animation_level = "none" if self.settings.motion is Motion.NONE else full

    async def action_quit(self) -> None:
        """Exit the program; at a table only leave that, asking first if the player
        would be missed."""
        from spoof_tui.ui.table.screen import TableScreen

        table = next((each for each in self.screen_stack if isinstance(each, TableScreen)), None)
        if table is None:
            self.exit()
        else:
            table.ask_to_leave()

    def action_examine(self) -> None:
        """Show what the network lets through, or why the table being joined does not answer."""
        from spoof_tui.ui.dialogs.examination import ExaminationDialog

        client = self.client
        address = client.address if client and not client.is_host else None
        self.push_screen(ExaminationDialog(address))

    def speak(self, language: str) -> str | None:
        """Use another language from now on; return a sentence if that was not saved.

        Texts are looked up while they are drawn: the caller must redraw its screen.
        """
        i18n.install(language)
        return self.keep(language=language)

    def _save_settings(self, sentence: str) -> str | None:
        """Save the settings; if that fails, return `sentence` with the reason filled in."""
        try:
            self.settings.save()
        except OSError as error:
            return sentence.format(error=error.strerror)
        return None

    def open_table(
        self,
        plan: Plan,
        bots: int = 0,
        level: Level | None = None,
        *,
        ready: bool = False,
        company: tuple[Character, ...] = (),
    ) -> None:
        """Open a table, sit down at it, and add `bots` of a level (by default medium).

        With `ready` the player gets ready for the first game without pressing a key. Bots are the
        characters of `company`, if there are any.
        """
        from spoof_tui.bots.levels import Level

        strength = level or Level.MEDIUM
        self._take_seat(
            lambda client: client.open(plan, bots, strength, ready=ready, company=company)
        )

    def join(self, address: Address, code: str | None = None, sits: bool = True) -> None:
        """Sit down at somebody's table, whose join code may be known; or only watch."""
        self._take_seat(lambda client: client.join(address, code, sits))

    def resume(self, saved: SavedTable) -> None:
        """Resume a table that was hosted here."""
        self._take_seat(lambda client: client.resume(saved))

    def practise(self, preset: str | None = None) -> None:
        """Play at once against bots on this machine, at a hidden table.

        A `preset` changes the rules there from now on.
        """
        from spoof_tui.bots.levels import Level

        if preset is not None and (
            trouble := self.keep(practice=replace(self.settings.practice, preset=preset))
        ):
            tell(self, trouble)
        chosen, plan = self.settings.practice, practice_plan(self.settings)
        self.open_table(plan, chosen.bots, Level(chosen.level), ready=True)

    def learn(self) -> None:
        """Start the lesson: a first game against players who follow a script."""
        from spoof_tui.ui.lesson.screen import LessonScreen

        self.push_screen(LessonScreen())

    def action_history(self) -> None:
        """Show the games that were played, and their statistics."""
        from spoof_tui.ui.history.screen import HistoryScreen

        self.push_screen(HistoryScreen())

    def look_at(self, address: Address) -> None:
        """Have the lobby's list ask one more address, typed by the player."""
        if self._browser:
            self.background.call(self._browser.add, address)

    def examine(self, screen: MessagePump, address: Address | None = None) -> None:
        """Examine the network, or why an address does not answer; `screen` gets `Examined`."""

        async def look() -> None:
            from spoof_tui.network.diagnosis.examining import Request, examine
            from spoof_tui.network.diagnosis.judging import judge
            from spoof_tui.runtime.client import hosting_of

            seen = await examine(Request(address, hosting=hosting_of(self.client)))
            found = seen.tables
            screen.post_message(Examined(judge(seen), found))

        self.background.spawn(look())

    def leave_table(self, heir: bytes | None = None) -> None:
        """Go back to the lobby; the seat is given up in the background, the player's
        table left to `heir`."""
        client, self.client = self.client, None
        if client:
            self._leaving[client] = self.background.spawn(client.close(heir))
        coins_again()
        while len(self.screen_stack) > 1:
            self.pop_screen()
        if self._browser:
            self._tell(self._browser)
        self.background.spawn(self._look_back())

    def _take_seat(self, begin: Callable[[TableClient], None]) -> None:
        from spoof_tui.runtime.client import TableClient
        from spoof_tui.ui.table.screen import TableScreen

        if self.client is not None:
            return
        if self._identity is None:
            self._identity = own_identity()
            self.background.spawn(self._share(self._identity))
        screen = TableScreen(self._aloud() if self._aloud else None)

        def tell(notice: ClientNotice) -> None:
            screen.post_message(Noticed(notice))

        self.client = TableClient(
            self.background,
            self._identity,
            self.settings.name,
            tell,
            self._errand.door,
        )
        self._errand = replace(self._errand, door=None)
        self.push_screen(screen)
        begin(self.client)

    async def _share(self, identity: Identity) -> None:
        """Give the identity up when another window of this player asks for it."""
        from spoof_tui.runtime.takeover import give_up_when_asked

        async def leave(asker: Holder) -> None:
            self._identity = None
            if self.client:
                await self.client.move_away(asker)

        await give_up_when_asked(identity, leave)

    async def _look_around(self) -> None:
        from spoof_tui.network.discovery import Browser

        # Trouble is reported separately, too: without a network no table may ever be found.
        browser = Browser(lambda tables: self._tell(browser), lambda trouble: self._tell(browser))
        self._browser = browser
        await browser.start()
        await self._explain(browser)

    async def _explain(self, browser: Browser) -> None:
        """Find out what is in the way while the lobby finds no tables."""
        from spoof_tui.runtime.troubleshooting import Troubleshooter, missed_in

        def missed() -> Request | None:
            return missed_in(browser) if self.client is None else None

        def told(findings: tuple[Finding, ...]) -> None:
            if self.screen_stack:
                self.screen_stack[0].post_message(Examined(findings))

        await Troubleshooter(missed, told).run()

    async def _look_back(self) -> None:
        """Tell the lobby what can be resumed; reading whole logs takes a moment."""
        from spoof_tui.runtime.saved_tables import continuable

        tables = await asyncio.to_thread(continuable)
        if self.client is None and self.screen_stack:
            self.screen_stack[0].post_message(TablesKept(tuple(tables)))

    def _tell(self, browser: Browser) -> None:
        if self.client is not None or not self.screen_stack:
            return  # nobody sees it
        self.screen_stack[0].post_message(TablesFound(browser.tables, browser.trouble))

    async def _give_up_all(self) -> None:
        for client in self._leaving:
            client.hurry()
        last = [asyncio.wrap_future(closing) for closing in self._leaving.values()]
        if self.client:
            last.append(asyncio.ensure_future(self.client.close_at_once()))
        if self._browser:
            last.append(asyncio.ensure_future(self._browser.close()))
        await asyncio.gather(*last, return_exceptions=True)

    def _failed_in_background(self, error: BaseException) -> None:
        """An unforeseen error: reported, and written to a file; the table goes on."""
        where = paths.keep_trouble(error)
        screen = self.screen_stack[-1] if self.screen_stack else None
        if screen:
            screen.post_message(Failed(where))

    def leave(self, reason: str) -> None:
        """Say goodbye before the screen is taken down."""
        self._goodbyes.begin()
        super().leave(reason)

    def on_unmount(self) -> None:
        self._goodbyes.finish()
        self.background.stop(timeout=0.0)
        if self._identity:
            self._identity.release()


def _prepare() -> None:
    """Import what a table needs while the player looks at the lobby: it takes longer
    than anything else."""
    import spoof_tui.runtime.bot_players
    import spoof_tui.runtime.client
    import spoof_tui.runtime.hosting
    import spoof_tui.ui.table.screen  # noqa: F401
