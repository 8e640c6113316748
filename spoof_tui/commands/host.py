"""`spoof host`: opens a table, with the player's screen or headless."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shlex
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from protocol.limits import MAX_NAME
from protocol.rules.options import MAX_PLAYERS
from protocol.table.state import Phase
from protocol.views import LinkState, TableView
from protocol.wire.messages import State
from spoof_tui import system
from spoof_tui.acts.table_form import FORM, TableForm, suggestion
from spoof_tui.clock import now
from spoof_tui.commands import options
from spoof_tui.commands.options import add_plain
from spoof_tui.commands.printing import Parser, complain, why_closed
from spoof_tui.commands.unit import print_unit, without_unit
from spoof_tui.door.program import DEFAULT_PORT as DOOR_PORT
from spoof_tui.door.program import missing
from spoof_tui.runtime.arrival import Arrival
from spoof_tui.runtime.background import LAST_TIMEOUT
from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
from spoof_tui.runtime.notices import (
    CannotOpen,
    KeyInUse,
    Moved,
    NewCode,
    Notice,
    NotSaved,
    Opened,
    OpenElsewhere,
    Saved,
    SeatHeld,
    ViewChanged,
    WhileAway,
)
from spoof_tui.runtime.player import Player
from spoof_tui.runtime.saved_tables import (
    SavedTable,
    handed_over,
    has_outdated,
    kept,
    resumable,
)
from spoof_tui.storage import keeping
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.settings import Settings
from spoof_tui.telling.names import name_of
from spoof_tui.telling.notices import note
from spoof_tui.telling.table_state import TableState
from spoof_tui.text.i18n import _
from spoof_tui.text.parsing import called
from spoof_tui.text.safe_text import show


def main(words: Sequence[str]) -> int:
    """Open the table, and serve it until it closes; return 0 if it closed properly."""
    given = parser().parse_args(words)
    if given.unit:
        if not given.headless:
            parser().error(_("--unit needs --headless: a service has no screen"))
        return print_unit("Spoof, a table", "spoof-table", ["host", *without_unit(words)])
    if given.web:
        given.ssh = given.ssh or 0
    if given.ssh is not None and (why := missing()):
        complain(why)
        return 1
    if given.resume is not None:
        return _resume(given)
    try:
        plan = _plan(given, Settings.load().name or system.computer_name() or _("somebody"))
    except ValueError as error:
        parser().error(str(error))
    if given.headless:

        async def begin(player: Player) -> None:
            player.company = given.company
            await Arrival(player).open(plan, given.bots, given.level)

        return system.run(_serve(begin, given.ssh))
    from spoof_tui.commands.play import show_app
    from spoof_tui.runtime.launch import Launch

    launch = Launch(plan=plan, bots=given.bots, level=given.level, company=given.company)
    return show_app(replace(launch, door=given.ssh), is_plain=given.plain)


def _resume(given: argparse.Namespace) -> int:
    """Resume a table that was hosted on this computer; return the exit status."""
    try:
        saved = saved_table(given.resume)
    except CannotSave as error:
        complain(error)
        return 1
    if given.headless:
        return system.run(_serve(lambda player: Arrival(player).resume(saved), given.ssh))
    from spoof_tui.commands.play import show_app
    from spoof_tui.runtime.launch import Launch

    return show_app(Launch(saved=saved, door=given.ssh), is_plain=given.plain)


class CannotSave(Exception):
    """Raised if no saved table matches; the text is a sentence for the player."""


def saved_table(named: str) -> SavedTable:
    """The latest saved table called `named`, or the latest of all if `named` is empty; raises
    `CannotSave`."""
    from spoof_tui.telling.resumable import table_name

    saved = resumable()
    found = called(named, saved, table_name)
    if not found:
        _check_elsewhere(named, table_name)
    if not saved and has_outdated():
        raise CannotSave(_("no table here to continue: the saved ones are from another version"))
    if not saved:
        raise CannotSave(_("no table here to continue"))
    if not found:
        names = ", ".join(dict.fromkeys(table_name(each) for each in saved))
        text = _("no table called {name!r} was hosted here; there are: {names}")
        raise CannotSave(text.format(name=named, names=names))
    return found[0]


def _check_elsewhere(named: str, table_name: Callable[[SavedTable], str]) -> None:
    """Raise `CannotSave`, with the command to join it, if the table of this name has another host
    now."""
    seated = _("{name!r} has another host now. To go back to your seat: spoof join {typed}")
    seatless = _(
        "{name!r} has another host now, and you have no seat there. To join: spoof join {typed}"
    )
    mine = [each for each in kept() if each.seat is not None]
    for tables, text in ((mine, seated), (handed_over(), seatless)):
        if found := called(named, tables, table_name):
            name = table_name(found[0])
            raise CannotSave(text.format(name=name, typed=shlex.quote(name)))


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof host`."""
    parser = Parser(prog="spoof host", description=_("Open a table."))
    parser.add_argument(
        "--table", type=options.name, metavar="NAME", help=_("the name of the table")
    )
    # Until 0.2 this named the table; it is the player's name everywhere.
    parser.add_argument("-n", "--name", type=_no_name, help=argparse.SUPPRESS)
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
        "--unit",
        action="store_true",
        help=_("print a unit file for systemd, which opens the table whenever the machine starts"),
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
            "let in people without Spoof, over ssh on this port (default: {port}, or any port "
            "if that is taken)"
        ).format(port=DOOR_PORT),
    )
    parser.add_argument(
        "--web",
        action="store_true",
        help=_("let people in by browser, too: a phone scans a code"),
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="TABLE",
        help=_("continue a table that was hosted here: the latest, or the latest called TABLE"),
    )
    return parser


def _no_name(text: str) -> NoReturn:
    raise argparse.ArgumentTypeError(
        _("use --table to name the table; your own name is set in the options")
    )


def _plan(given: argparse.Namespace, host: str) -> TablePlan:
    """The plan of the table that the arguments describe.

    Raises `ValueError` with a sentence if there are not enough seats for the bots.
    """
    answers = {question.field: getattr(given, question.field) for question in FORM}
    table = TableForm(given.table or suggestion(host), given.rules, **answers)
    plan = table.plan(host, own_seats=0 if given.headless else 1)
    start_when = min(max(given.start_when, plan.start_when), plan.seats)
    return replace(plan, start_when=start_when, games=given.games, port=given.port)


LAST_MOMENT: Final = 0.2
"""Seconds that others' programs get to read the last entries before the table closes."""


async def _serve(begin: Callable[[Player], Coroutine[Any, Any, None]], door: int | None) -> int:
    """Serve the table that `begin` opens or resumes, headless and without a seat, until it ends.

    `door` is the port of --ssh, None without a door. Returns the exit status.
    """
    asked, over = asyncio.Event(), asyncio.Event()
    system.on_termination(asyncio.get_running_loop(), lambda reason: asked.set())
    identity = Identity.claim()

    player = Player(identity, None, lambda notice: reporter.hear(notice))
    player.door_port = door
    reporter = _Reporter(player, over)
    waiting = [asyncio.create_task(each.wait()) for each in (asked, over)]
    beginning = asyncio.create_task(begin(player))
    await asyncio.wait({beginning, *waiting}, return_when=asyncio.FIRST_COMPLETED)
    if beginning.done():
        beginning.result()
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    await system.end(beginning, *waiting)
    over.set()
    heir = None
    if asked.is_set():
        player.hurry()
        heir = player.table.successor(now()) if player.table else None
    else:
        await asyncio.sleep(LAST_MOMENT)
    # A network that does not answer must not keep a program that was told to exit.
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(player.close(heir), LAST_TIMEOUT if asked.is_set() else None)
    identity.release()
    if asked.is_set():
        reporter.tell_end(heir)
    return reporter.status


def _say(line: str) -> None:
    """Print a line, ignoring errors: the table goes on even if nobody can read the lines."""
    with contextlib.suppress(OSError):
        print(line, flush=True)


class _Reporter:
    """Prints what happens at a headless table."""

    def __init__(self, player: Player, over: asyncio.Event) -> None:
        """`over` is set by the reporter when the program has nothing left to do for `player`."""
        self.status = 0
        """The exit status of the program."""
        self._player = player
        self._over = over
        self._state = TableState()
        self._table: HostedTable | None = None
        """The table once it is open; None before."""
        self._told = ""
        self._finished = b"", 0
        """Id of the table and number of the last game whose end was printed."""

    def hear(self, notice: Notice) -> None:
        """Handle a notice and print what it says, unless the program is ending."""
        if self._over.is_set():
            return
        was_standing = self._state.is_standing
        if isinstance(notice, ViewChanged):
            self._state.receive(notice.view)
            self._tell_view(notice.view)
            if was_standing and not self._state.is_standing:
                _say(_("The players have accepted this program as the host again."))
            return
        told = note(notice, self._state)
        match notice:
            case Opened():
                self._tell_opened(notice)
            case CannotOpen() | OpenElsewhere() | SeatHeld():
                self._fail(notice)
            case Moved(me=False):
                guest = self._player.session and self._player.session.guest
                name = show(guest.card.host, MAX_NAME) if guest and guest.card else ""
                text = _("{name} now hosts the table; this program has stopped serving it.")
                _say(text.format(name=name or _("somebody")))
                self._over.set()
            case WhileAway():
                pass  # whoever sat down before this program looked is counted anyway
            case _:
                for line in told.lines if isinstance(notice, NewCode) else told.plain:
                    _say(line)
                if told.is_over:
                    self._over.set()
        self._end_if_done(notice)

    def _tell_opened(self, notice: Opened) -> None:
        """Print on which port the table listens, its join code, and problems if there are any."""
        table = self._table = self._player.table
        assert table
        text = _("Table “{name}” ({rules}) listens on port {port}.")
        plan = table.plan
        _say(text.format(name=plan.name, rules=plan.rules.text, port=notice.port))
        if notice.code:
            _say(_("Join code: {code}").format(code=notice.code))
        for trouble in filter(None, (keeping.trouble(), notice.trouble)):
            _say(trouble)

    def _fail(self, notice: CannotOpen | OpenElsewhere | SeatHeld) -> None:
        """Print why the table cannot be served, and end the program with status 1."""
        self.status = 1
        self._over.set()
        if isinstance(notice, OpenElsewhere):
            text = _("that table is open already, at {address}. To play on: spoof join {address}")
            where = self._player.address
            complain(text.format(address=where.text if where else "?"))
        elif isinstance(notice, SeatHeld) or isinstance(notice.error, KeyInUse):
            complain(_("another program of yours hosts that table."))
        else:
            why = why_closed(notice.error)
            complain(_("the table cannot be opened: {why}").format(why=why))

    def _tell_view(self, view: TableView) -> None:
        """Print the taken seats and the winner, if they have changed since the last view."""
        if view.link is not LinkState.UP:
            return
        state = _("{taken} of {seats} seats taken, {state}")
        is_gathering = view.phase is Phase.GATHERING
        word = (State.GATHERING if is_gathering else State.PLAYING).value
        line = state.format(taken=len(view.seats), seats=view.seat_count, state=word)
        if line != self._told:
            self._told = line
            _say(line)
        game = view.table_id, view.game_number
        if view.winner is not None and game != self._finished:
            self._finished = game
            sentence = _("Game {number}: {winner} has won.")
            if view.has_slate:
                sentence = _("School {number}: {winner} has the honour of paying.")
            winner = name_of(view, view.seats[view.winner].key)
            _say(sentence.format(number=view.game_number, winner=winner))

    def _end_if_done(self, notice: Notice) -> None:
        """End the program after the last of the agreed games, once its record is written or cannot
        be."""
        table, is_written = self._player.table, isinstance(notice, Saved | NotSaved)
        if table and table.server.host.is_done and (is_written or not table.journal.is_lasting):
            self._over.set()

    def tell_end(self, heir: bytes | None) -> None:
        """Print what becomes of the table when the program is told to exit.

        `heir` is the key of the next host; None if the table is closed.
        """
        if self._table is None:
            return
        line = _(
            "This program was told to quit: the table is closed. To continue it: spoof host "
            "--resume --headless"
        )
        if not self._table.journal.is_lasting:
            line = _("This program was told to quit: the table is closed.")
        if heir is not None and self._state.view:
            name = name_of(self._state.view, heir)
            line = _(
                "This program was told to quit: the table goes on in {name}’s program."
            ).format(name=name)
        _say(line)
