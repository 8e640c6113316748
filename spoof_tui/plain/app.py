"""The program in plain lines: the lobby, and one table at a time.

All of it runs in the event loop of the main thread. A thread reads what is typed, and the
background loop posts what happens at the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

from protocol.views import TableView
from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.console import TypedLines
from spoof_tui.plain.acts import PlainActs
from spoof_tui.plain.lines import LineWriter, NobodyReads
from spoof_tui.plain.lobby import PlainLobby
from spoof_tui.plain.table import PlainTable
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.program import Program
from spoof_tui.storage.settings import Settings
from spoof_tui.telling import practice
from spoof_tui.telling.notices import finding_lines
from spoof_tui.telling.sentences import sentence
from spoof_tui.text import coin_words, i18n
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.runtime.saved_tables import SavedTable

TICK_INTERVAL: Final = 1.0
"""Seconds between two checks for changes that come with time alone."""


class Typing(Protocol):
    """A source of typed lines: `console.TypedLines`, or a script."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person types at a terminal."""

    def start(self, heard: Callable[[str | None], None]) -> None:
        """Call `heard`, perhaps in another thread, with every typed line, and with None at the end
        of the input."""

    def hide(self, is_hidden: bool) -> None:
        """Turn the terminal's echo off, or on again."""


def run_plain(settings: Settings, launch: Launch | None) -> int:
    """Run the program in plain lines on standard input and output; return the exit status."""
    app = PlainApp(settings, launch or Launch(), TypedLines(), sys.stdout)
    return system.run(app.run())


class PlainApp(Program):
    """The program in plain lines."""

    def __init__(self, settings: Settings, launch: Launch, typing: Typing, stream: TextIO) -> None:
        super().__init__(settings)
        is_seen = typing.is_terminal and stream.isatty()
        self.lines = LineWriter(stream, is_terminal=is_seen)
        self._typing = typing
        self._errand = launch
        self._happened: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        """Calls to be made in this loop, in the order in which they were posted."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lobby = PlainLobby(self)
        self._table: PlainTable | None = None
        self._acts: PlainActs
        """Carries out acts at the current table."""
        self._waits: tuple[PlainTable, PlainActs] | None = None
        """The silent table that waits during a practice game, with its acts; None if there is
        none."""
        self._status: int | None = None
        """The exit status once the program is to exit; None before."""

    async def run(self) -> int:
        """Run until the player leaves, the input ends, or the program is told to exit.

        Returns the exit status: 1 if nobody reads the output any more.
        """
        self._loop = asyncio.get_running_loop()
        resort = system.LastResort(lambda: self._typing.hide(False))
        resort.first = self._goodbyes.finish
        system.on_termination(self._loop, self._told_to_end, resort)
        self.open_house()
        self._typing.start(partial(self._post, self._heard))
        try:
            self._begin()
            while self._status is None:
                await self._next()
        except NobodyReads:
            self._status = 1
        finally:
            self._typing.hide(False)
            await asyncio.to_thread(self.close_house)
            resort.cancel()
        return self._status

    def _begin(self) -> None:
        launch = self._errand
        if launch.lesson:
            self._lobby.typed("learn")
        if launch == Launch() or launch.lesson:
            self._lobby.greet()
        else:
            self.begin(launch)
        self._prompt()

    async def _next(self) -> None:
        """Wait for the next calls or the next time that something is due, and handle all of
        that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pause()):
                self._do(await self._happened.get())
        # What has come meanwhile belongs together: a question after it is about all of it.
        while not self._happened.empty() and self._status is None:
            self._do(self._happened.get_nowait())
        if self._table is not None:
            self._table.pacing.advance(now().monotonic)
            self._table.show()
            self._table.tick()
            self._table.ask()
        self._prompt()

    def _do(self, happened: Callable[[], None]) -> None:
        if self._status is None:
            happened()
        self._hide()
        if self._table is not None:
            self._table.show()

    def _pause(self) -> float:
        due = self._table.pacing.due if self._table else None
        if due is None:
            return TICK_INTERVAL
        return min(max(due - now().monotonic, 0.0), TICK_INTERVAL)

    def _prompt(self) -> None:
        """Hide what is typed next if it may be a hand, and show a prompt if a question is open."""
        self._hide()
        asked = "" if self._table is None else self._table.asked_for
        if self._status is None and asked is not None:
            self.lines.prompt(asked)

    def _hide(self) -> None:
        """Turn echo off if what is typed next may be a hand, and on otherwise.

        This happens before the hand is asked for.
        """
        if self._status is None:
            self._typing.hide(self._table is not None and self._table.is_secret)

    def _post(self, function: Callable[..., None], *arguments: Any) -> None:
        """From any thread, have `function` called in this loop after everything posted before."""
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
            asked = self._table.typed(text, now().monotonic)
            if asked is not None:
                self._acts.do(asked)
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

    def begin(self, launch: Launch) -> None:
        """Leave the lobby for the table of `launch`, and do what it says."""
        client = self.claim_seat(lambda notice: post(notice), launch.door)
        table = self._table = PlainTable(self, client, expects_seat=launch.sits)
        table.state.waiting = self._waits[0].state if self._waits else None
        self._acts = PlainActs(self, table)
        post = partial(self._post, partial(self._noticed, table))
        self.carry_out(launch)

    def _noticed(self, table: PlainTable, notice: object) -> None:
        if table is self._table:
            table.heard(notice, now().monotonic)
        elif (
            self._waits
            and table is self._waits[0]
            and (heard := table.keep(notice, now().monotonic))
        ):
            self.lines.ring()
            self.lines.tell(heard)

    def practise(self, view: TableView) -> None:
        """Open a practice game by the rules of the silent table `view`, where the seat waits
        meanwhile; only one at a time."""
        if self.waiting is None and self._table is not None:
            waiting = self._table
            self._waits, self.waiting, self.client = (waiting, self._acts), self.client, None
            self.begin(Launch(practice=True, rules=view.rules))
            self.lines.tell(sentence(practice.heard_words(waiting.state)[0]))

    def leave_table(self, heir: bytes | None = None) -> None:
        """Leave the table for the lobby, or after a practice game for the table that waits.

        The player's own table goes to `heir`; None closes it.
        """
        waits, self._waits, self._table = self._waits, None, None
        self.give_up_seat(heir)
        i18n.play_with(coin_words.COINS)
        if waits is None:
            self.lines.tell(_("You have left the table."))
            self._lobby.come_back()
            return
        self.lines.tell(_("You have left the practice game, and are back in your seat."))
        self._table, self._acts = waits
        self._table.come_back(now().monotonic)

    # Settings

    def keep(self, **chosen: Any) -> str | None:
        """Change settings and save them; print and return why they could not be saved, None if they
        were."""
        if trouble := super().keep(**chosen):
            self.lines.tell(trouble)
        return trouble

    def speak(self, language: str) -> str | None:
        """Use the language of this code or name, or the next one if empty, and save the choice.

        Returns why it could not be saved, otherwise None. An unknown language is only reported.
        """
        wanted = language.strip().casefold()
        names = {name.casefold(): code for code, name in i18n.LANGUAGES.items()}
        code = names.get(wanted, wanted) or i18n.other()
        if code not in i18n.LANGUAGES:
            known = ", ".join(f"{code} ({name})" for code, name in i18n.LANGUAGES.items())
            self.lines.tell(_("The languages are: {known}.").format(known=known))
            return None
        trouble = super().speak(code)
        self.lines.tell(i18n.LANGUAGES[code] + ".")
        return trouble

    # From the background

    def tables_found(self, tables: tuple[FoundTable, ...], trouble: str | None) -> None:
        self._post(self._found, tables, trouble)

    def _found(self, tables: tuple[FoundTable, ...], trouble: str | None) -> None:
        is_told = self._table is None
        self._lobby.found(tables, trouble, is_told=is_told)

    def tables_kept(self, tables: tuple[SavedTable, ...] | None) -> None:
        self._post(self._kept, tables)

    def _kept(self, tables: tuple[SavedTable, ...] | None) -> None:
        if self._table is None:
            self._lobby.kept(tables)

    def keeping_changed(self) -> None:
        self._post(self.lines.tell, self.not_kept)

    def explained(self, findings: tuple[Finding, ...]) -> None:
        self._post(self._lobby.examined, findings)

    def failed(self, sentence: str) -> None:
        self._post(self.lines.tell, sentence)

    def turn_lines(self) -> None:
        """From the next start on, begin with plain lines, or with a screen again."""
        is_plain = not self.settings.plain
        self.keep(plain=is_plain)
        self.lines.tell(
            _("From now on spoof starts in plain text.") if is_plain
            else _("From now on spoof starts full screen, where that is possible.")
        )  # fmt: skip

    def diagnose(self) -> None:
        """Start to examine the network; the findings are printed when they come."""
        self.lines.tell(_("Checking the network. This takes about four seconds …"))
        self.examine(lambda findings, found: self._post(self._tell_findings, findings), self.joined)

    def _tell_findings(self, findings: tuple[Finding, ...]) -> None:
        self.lines.tell(*(finding_lines(findings) or [_("Nothing is in the way.")]))
