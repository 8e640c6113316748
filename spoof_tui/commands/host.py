"""`spoof host`: opens a table, with the player's screen or without one."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from protocol.crypto.keys import SigningKey
from protocol.errors import ProtocolError
from protocol.limits import MAX_NAME
from protocol.rules.options import MAX_PLAYERS
from spoof_tui import system
from spoof_tui.acts.table_form import FORM, NewTable, suggestion
from spoof_tui.commands import options
from spoof_tui.commands.options import add_plain
from spoof_tui.commands.printing import Parser, complain
from spoof_tui.door.program import DEFAULT_PORT as DOOR_PORT
from spoof_tui.door.program import DoorFailed, DoorOpened, web_missing
from spoof_tui.network.locator import Search
from spoof_tui.runtime.background import LAST_TIMEOUT
from spoof_tui.runtime.bot_players import BotPlayers
from spoof_tui.runtime.headless import HeadlessHost
from spoof_tui.runtime.hosting import Elsewhere, HostedTable, Plan, TableDoor
from spoof_tui.runtime.notices import (
    CarriedOn,
    DiskTrouble,
    HeadlessNotice,
    NotKept,
    NotSaved,
    Standing,
    Succeeded,
)
from spoof_tui.runtime.saved_tables import SavedTable, has_outdated, resumable
from spoof_tui.runtime.session import Saver
from spoof_tui.storage import disk, keeping
from spoof_tui.storage.archive import Archive
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.settings import Settings
from spoof_tui.telling.doors import door_lines
from spoof_tui.telling.notices import disk_words, not_kept_words
from spoof_tui.text.i18n import _
from spoof_tui.text.known import called
from spoof_tui.text.safe_text import show

T = TypeVar("T")


def main(words: Sequence[str]) -> int:
    """Open the table; 0 if it closed properly."""
    given = parser().parse_args(words)
    if given.web:
        if why := web_missing():
            parser().error(why)
        given.ssh = given.ssh or 0
    if given.resume is not None:
        return _resume(given)
    try:
        plan = _plan(given, Settings.load().name or _("somebody"))
    except ValueError as error:
        parser().error(str(error))
    if given.headless:
        begin = partial(HostedTable.open, plan)
        seat_bots = partial(_seat_bots, given)
        return system.run(_serve(begin, None, Search(), seat_bots, door=given.ssh))
    from spoof_tui.commands.play import show_app
    from spoof_tui.runtime.errand import Errand

    errand = Errand(plan=plan, bots=given.bots, level=given.level, company=given.company)
    return show_app(replace(errand, door=given.ssh), is_plain=given.plain)


def _resume(given: argparse.Namespace) -> int:
    """Resume a table that was hosted here."""
    try:
        saved = saved_table(given.resume)
    except CannotSave as error:
        complain(error)
        return 1
    if given.headless:
        search = Search()
        begin = partial(HostedTable.resume, saved, search=search)
        return system.run(_serve(begin, saved.host, search, door=given.ssh))
    from spoof_tui.commands.play import show_app
    from spoof_tui.runtime.errand import Errand

    return show_app(Errand(saved=saved, door=given.ssh), is_plain=given.plain)


class CannotSave(Exception):
    """No saved table, or more than one, matches; the text is a sentence for the player."""


def saved_table(named: str) -> SavedTable:
    """The table to resume: the latest, or the latest of that name; raises `CannotSave`."""
    from spoof_tui.telling.resumable import table_name

    saved = resumable()
    if not saved and has_outdated():
        raise CannotSave(_("no table here to continue: the saved ones are from another version"))
    if not saved:
        raise CannotSave(_("no table here to continue"))
    found = called(named, saved, table_name)
    if not found:
        names = ", ".join(dict.fromkeys(table_name(each) for each in saved))
        text = _("no table called {name!r} was hosted here; there are: {names}")
        raise CannotSave(text.format(name=named, names=names))
    return found[0]


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof host`."""
    parser = Parser(prog="spoof host", description=_("Open a table."))
    parser.add_argument("--name", type=options.name, help=_("the name of the table"))
    options.add_rule_set(parser)
    for question in FORM:
        options.add(parser, question)
    parser.add_argument(
        "--port",
        type=options.whole(0, 65535),
        help=_("the port to listen on (default: 7763, or any port if that is taken)"),
    )
    parser.add_argument(
        "--headless", action="store_true", help=_("serve the table only: no screen, no seat")
    )
    parser.add_argument(
        "--start-when",
        type=options.whole(2, MAX_PLAYERS),
        default=2,
        metavar="N",
        help=_("start when N are ready and nobody else is getting ready"),
    )
    add_plain(parser)
    parser.add_argument(
        "--games", type=options.whole(1, 9999), metavar="N", help=_("close after N games")
    )
    parser.add_argument(
        "--ssh",
        nargs="?",
        type=options.whole(1, 65535),
        const=0,
        metavar="PORT",
        help=_(
            "let in people without Spoof over ssh, on this port (default: {port}, or any if "
            "that is taken)"
        ).format(port=DOOR_PORT),
    )
    parser.add_argument(
        "--web",
        action="store_true",
        help=_("let people in by a browser, too: a phone scans a picture"),
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="TABLE",
        help=_("continue a table hosted here: the last one, or the last with that name"),
    )
    return parser


def _plan(given: argparse.Namespace, host: str) -> Plan:
    """The plan that was asked for; raises `ValueError` with a sentence if there are not enough
    seats for the bots."""
    answers = {question.field: getattr(given, question.field) for question in FORM}
    table = NewTable(given.name or suggestion(host), given.rules, **answers)
    plan = table.plan(host, own_seats=0 if given.headless else 1)
    start_when = min(max(given.start_when, plan.start_when), plan.seats)
    return replace(plan, start_when=start_when, games=given.games, port=given.port)


def _seat_bots(given: argparse.Namespace, table: HostedTable) -> BotPlayers:
    """The requested bots, at a table without a screen."""
    bots = BotPlayers(table.server.connect)
    bots.add(given.bots, given.level, company=given.company)
    return bots


Begin: TypeAlias = Callable[[SigningKey], Awaitable[HostedTable]]
"""Opens or resumes a table as the host with this key."""


async def _serve(
    begin: Begin,
    host: bytes | None,
    search: Search,
    seat_bots: Callable[[HostedTable], BotPlayers] | None = None,
    door: int | None = None,
) -> int:
    """Serve without a screen; `host` is the key that a saved table needs, `door` the
    port of --ssh."""
    ended, told = asyncio.Event(), asyncio.Event()

    def stop(reason: str) -> None:
        told.set()
        ended.set()

    system.on_termination(asyncio.get_running_loop(), stop)
    identity = Identity.of(host) if host else Identity.claim()
    if identity is None:
        complain(_("another program of yours hosts that table."))
        return 1
    key = SigningKey(identity.seed)
    try:
        table = await _unless(told, begin(key))
    except Elsewhere as found:
        text = _("that table is open already, at {address}. To play on: spoof join {address}")
        complain(text.format(address=found.answer.address.text))
        return 1
    except (OSError, ProtocolError) as caught:
        error = caught if isinstance(caught, OSError) else OSError(str(caught))
        why = error.strerror or str(error)
        complain(_("the table cannot be opened: {why}").format(why=why))
        return 1
    if table is None:
        return 0
    reporter = _Reporter(table, ended)
    table.listen(reporter.report)
    reporter.opened()
    bots = [seat_bots(table)] if seat_bots else []
    at_door = TableDoor(reporter.tell_door)
    if door is not None:
        await at_door.open(table, door or None)
    minder = HeadlessHost(key, table, lambda notice: reporter.tell(notice, minder), search=search)
    minding = asyncio.create_task(minder.run())
    minding.add_done_callback(lambda task: ended.set())
    try:
        await ended.wait()
        if not told.is_set():
            await reporter.goodbyes()
    finally:
        minder.stop(hands_over=told.is_set())
        last: asyncio.Future[Any] = asyncio.gather(
            minding, at_door.close(), reporter.saver.wait(LAST_TIMEOUT), *(b.close() for b in bots)
        )
        # A network that does not answer must not keep a program that was told to exit.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(last, LAST_TIMEOUT if told.is_set() else None)
        identity.release()
    if told.is_set():
        reporter.ended(minder.heir)
    return 0


async def _unless(told: asyncio.Event, work: Awaitable[T]) -> T | None:
    """The result of `work`; None if the program is told to exit first."""
    working = asyncio.ensure_future(work)
    ending = asyncio.ensure_future(told.wait())
    await asyncio.wait({working, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if not working.done():
        working.cancel()
        return None
    return working.result()


def _say(line: str) -> None:
    """Print a line. If that goes to a file on a full disk, the table carries on without it."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        return


class _Reporter:
    """Prints what happens at a table without a screen."""

    def __init__(self, table: HostedTable, ended: asyncio.Event) -> None:
        self._table = table
        self._ended = ended
        self._told = ""
        self._finished = 0
        self._archive = Archive()
        self.saver = Saver(disk.DISK, self._not_saved)
        """Writes the finished games to the disk."""
        self._code: str | None = None

    def opened(self) -> None:
        """Print where the table is."""
        text = _("Table “{name}” ({rules}) listens on port {port}.")
        plan = self._table.plan
        _say(text.format(name=plan.name, rules=plan.rules.text, port=self._table.port))
        self._tell_code()
        if not self._table.journal.is_lasting:
            _say(not_kept_words(NotKept(is_host=True)))
        if trouble := keeping.trouble():
            _say(trouble)
        if self._table.trouble:
            _say(self._table.trouble)

    def tell(self, notice: HeadlessNotice, minder: HeadlessHost) -> None:
        """Print that the table is elsewhere, or whether it goes on here."""
        if isinstance(notice, Standing):
            self._table = minder.hosted
            self._table.listen(self.report)
            line = _("Asking the players to accept this program as the host again.")
        elif isinstance(notice, DiskTrouble):
            line = disk_words(notice)
        elif isinstance(notice, CarriedOn):
            self._table = minder.hosted
            self._table.listen(self.report)
            self._finished, self._code, self._archive = 0, None, Archive()
            _say(_("Too many players are gone: the others carry on at a new table."))
            self.opened()
            return
        elif isinstance(notice, Succeeded):
            text = _("{name} now hosts the table; this program has stopped serving it.")
            line = text.format(name=show(notice.host, MAX_NAME) or _("somebody"))
        else:
            line = _("The players have accepted this program as the host again.")
        _say(line)

    def tell_door(self, said: DoorOpened | DoorFailed | None) -> None:
        """Print how people come in by ssh, or why they cannot."""
        if isinstance(said, DoorFailed):
            _say(said.why)
        elif said is not None:
            for line in door_lines(said, self._table.code):
                _say(line)

    def ended(self, heir: bytes | None) -> None:
        """Print what becomes of the table when this program is told to exit."""
        seats = self._table.server.host.table.seats
        name = next((show(seat.name, MAX_NAME) for seat in seats if seat.key == heir), None)
        line = _(
            "Asked to quit: the table is closed. To continue it: spoof host --resume --headless"
        )
        if not self._table.journal.is_lasting:
            line = _("Asked to quit: the table is closed.")
        if name is not None:
            line = _("Asked to quit: the table goes on in {name}’s program.").format(name=name)
        _say(line)

    def _tell_code(self) -> None:
        """Print the join code, and why it was changed."""
        from spoof_tui.telling.notices import code_renewed

        code, code_change = self._table.code, self._table.code_change
        if code is None or code == self._code:
            return
        self._code = code
        _say(
            code_renewed(code_change, code)
            if code_change
            else _("Join code: {code}").format(code=code)
        )

    def report(self) -> None:
        """Print what has changed since the last report."""
        self._tell_code()
        host = self._table.server.host
        game = host.table.game
        card = host.card
        line = _("{taken} of {seats} seats taken, {state}").format(
            taken=card.taken, seats=card.seats, state=card.state.value
        )
        if line != self._told:
            self._told = line
            _say(line)
        if game and game.winner is not None and game.number > self._finished:
            self._finished = game.number
            self._tell_game()
        if host.is_done:
            self._ended.set()

    def _tell_game(self) -> None:
        host = self._table.server.host
        game = host.table.game
        assert game is not None and game.winner is not None
        winner = show(game.players[game.winner].name, 16)
        sentence = _("Game {number}: {winner} has won.")
        if host.table.has_slate:
            sentence = _("School {number}: {winner} is honoured to pay.")
        _say(sentence.format(number=game.number, winner=winner))
        save = partial(self._archive.save, host.table, tuple(host.log))
        self.saver.save(save, self._tell_saved, waits_for_room=True)

    def _not_saved(self, notice: NotSaved) -> None:
        _say(_("The game is not saved: {why}").format(why=notice.error.strerror))

    def _tell_saved(self, path: Path | None) -> None:
        _say(_("Game saved: {path}").format(path=path))

    async def goodbyes(self) -> None:
        """Give everybody a moment to read the last entries, and the disk to store the last game."""
        await asyncio.sleep(0.2)
        await self.saver.wait()
