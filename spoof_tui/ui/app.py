"""The app: the lobby, at most one table at a time, and a background thread for everything slow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import constants, on
from textual.message import Message

from spoof_tui.acts.buttons import Buttons
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.program import Program
from spoof_tui.storage.settings import Animation, Settings, trouble
from spoof_tui.text import i18n
from spoof_tui.ui.app_protocol import tell
from spoof_tui.ui.base_app import BaseApp
from spoof_tui.ui.dialogs.rows import ActScreen
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.messages import (
    Examined,
    Failed,
    KeepingChanged,
    Noticed,
    ReplayWanted,
    TablesFound,
    TablesKept,
)
from spoof_tui.ui.themes import coins_again, dress, own_themes

if TYPE_CHECKING:
    from textual.screen import Screen

    from protocol.views import TableView
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.plain.aloud import Aloud
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.runtime.notices import Notice
    from spoof_tui.runtime.saved_tables import SavedTable


class SpoofApp(BaseApp, Program):
    """The program with full screens."""

    def __init__(
        self,
        settings: Settings,
        launch: Launch | None = None,
        aloud: Callable[[], Aloud] | None = None,
    ) -> None:
        """`launch` is done first.

        `aloud` makes the object that words a table for a screen reader.
        """
        BaseApp.__init__(self)
        Program.__init__(self, settings)
        self._aloud = aloud
        self._is_trying = False
        """Whether the theme is being tried out and must not be saved."""
        own, self._trouble = own_themes()
        dress(self, settings.theme, own)
        self._obey_motion()
        self._errand = launch or Launch()
        self._has_begun = False
        self._waits: Screen[Any] | None = None
        """The screen of the silent table that waits during a practice game; None if there is
        none."""
        self.last_resort.first = self._goodbyes.finish

    def get_default_screen(self) -> LobbyScreen:
        """The lobby, which is below all other screens."""
        return LobbyScreen()

    def on_mount(self) -> None:
        for said in filter(None, (trouble(), self._trouble)):
            tell(self, said)
        # The rest imports a lot: the first frame comes first.
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.open_house()
        self._has_begun = True
        if self._errand == Launch():
            self.background.spawn(asyncio.to_thread(_prepare))
        else:
            self.begin(self._errand)

    def buttons(self) -> Buttons:
        """The buttons for a web page; none until the app has begun, since it may go straight to a
        table."""
        return super().buttons() if self._has_begun else Buttons()

    def watch_theme(self, name: str) -> None:
        """Draw everything in the new theme, and save the choice unless it is being tried out."""
        super().watch_theme(name)
        if not self.is_running:
            return
        is_kept = name == self.settings.theme or self._is_trying
        if not is_kept and (trouble := self.keep(theme=name)):
            tell(self, trouble)

    def choose_options(self) -> None:
        """Show the dialog of options; apply and save what the player chooses."""
        from spoof_tui.ui.dialogs.options import OptionsDialog

        self.push_screen(OptionsDialog(self.settings, self.theme, self._wear), self._adopt)

    def _wear(self, theme: str) -> None:
        """Use a theme without saving the choice."""
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
        trouble = self.keep()
        for screen in self.screen_stack:
            if isinstance(screen, ActScreen):
                screen.adapt()
        tell(self, trouble or "")

    def _obey_motion(self) -> None:
        full = constants.TEXTUAL_ANIMATIONS
        self.animation_level = "none" if self.settings.motion is Animation.NONE else full

    async def action_quit(self) -> None:
        """Exit the program; at a table, only leave the table, asking first if the player
        would be missed."""
        from spoof_tui.ui.table.screen.screen import TableScreen

        table = next((each for each in self.screen_stack if isinstance(each, TableScreen)), None)
        if table is None:
            self.exit()
        else:
            table.ask_to_leave()

    def action_examine(self) -> None:
        """Examine the network, and show the findings; while a table is being joined, about its
        address."""
        from spoof_tui.ui.dialogs.examination import ExaminationDialog

        self.push_screen(ExaminationDialog(self.joined))

    def begin(self, launch: Launch) -> None:
        """Open the table screen and do what `launch` says, or open the lesson; nothing if at a
        table."""
        from spoof_tui.ui.table.screen.screen import TableScreen

        if launch.lesson:
            from spoof_tui.ui.lesson.screen import LessonScreen

            self.push_screen(LessonScreen())
            return
        if self.client is not None:
            return
        screen = TableScreen(self._aloud() if self._aloud else None)

        def tell(notice: Notice) -> None:
            screen.post_message(Noticed(notice))

        screen.scene.is_opening = launch.opens
        if isinstance(self._waits, TableScreen):
            screen.scene.waiting = self._waits.scene
        self.claim_seat(tell, launch.door)
        self.push_screen(screen)
        self.carry_out(launch)

    def practise(self, screen: Screen[Any], view: TableView) -> None:
        """Open a practice game by the rules of the silent table `view`, where the seat of `screen`
        waits meanwhile."""
        if self.waiting is None:
            self._waits, self.waiting, self.client = screen, self.client, None
            self.begin(Launch(practice=True, rules=view.rules))

    def seat_of(self, screen: Screen[Any]) -> TableClient | None:
        """The seat that a screen shows; None once it is given up."""
        return self.waiting if screen is self._waits else self.client

    def call_back(self, screen: Screen[Any]) -> None:
        """If the table of `screen` waits, tell the player at the practice table whether it is heard
        now."""
        from spoof_tui.ui.table.screen.screen import TableScreen

        for each in self.screen_stack if screen is self._waits else ():
            if isinstance(each, TableScreen) and each is not screen:
                each.hear_of_waiting()

    def action_history(self) -> None:
        """Show the history: games played, and statistics."""
        from spoof_tui.ui.history.screen import HistoryScreen

        self.push_screen(HistoryScreen())

    @on(ReplayWanted)
    def _replay(self, message: ReplayWanted) -> None:
        from spoof_tui.ui.history.looking import chunks
        from spoof_tui.ui.replay.reader import Recording
        from spoof_tui.ui.replay.screen import ReplayScreen

        self.push_screen(ReplayScreen(Recording(chunks(message.record))))

    def leave_table(self, heir: bytes | None = None) -> None:
        """Give up the seat, and return to the lobby or, after a practice game, to the table that
        waits.

        The player's own table goes to `heir`, None closes it; this happens in the background.
        """
        below, self._waits = self._waits or self.screen_stack[0], None
        self.give_up_seat(heir)
        coins_again()
        while self.screen is not below:
            self.pop_screen()
        self.tell_tables()

    # From the background

    def _tell_lobby(self, message: Message) -> None:
        if self.screen_stack:
            self.screen_stack[0].post_message(message)

    def tables_found(self, tables: tuple[FoundTable, ...], trouble: str | None) -> None:
        if self.client is None:  # else nobody sees it
            self._tell_lobby(TablesFound(tables, trouble))

    def tables_kept(self, tables: tuple[SavedTable, ...] | None) -> None:
        self._tell_lobby(TablesKept(tables))

    def keeping_changed(self) -> None:
        for screen in self.screen_stack:
            screen.post_message(KeepingChanged())

    def explained(self, findings: tuple[Finding, ...]) -> None:
        self._tell_lobby(Examined(findings))

    def failed(self, sentence: str) -> None:
        if self.screen_stack:
            self.screen_stack[-1].post_message(Failed(sentence))

    def leave(self, reason: str) -> None:
        """Begin to say goodbye to tables, then exit; `reason` is the signal, or that the terminal
        is lost."""
        self._goodbyes.begin()
        super().leave(reason)

    def on_unmount(self) -> None:
        self.close_house()


def _prepare() -> None:
    """Import, while the player looks at the lobby, the modules that a table needs, which takes
    long."""
    import spoof_tui.runtime.bot_players
    import spoof_tui.runtime.client
    import spoof_tui.runtime.hosted_table
    import spoof_tui.ui.table.screen.screen  # noqa: F401
