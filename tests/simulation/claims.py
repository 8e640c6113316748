"""What the screens of players claim, against what is so: at every change, and once a second.

Words are not read, only what they claim (`Claim`) and whether a key is offered. Who is heard is
what has come over the wires, and what a host would take is asked of that host.
"""

from __future__ import annotations

import asyncio
from math import inf
from typing import Final

from protocol.errors import Illegal
from protocol.guest.guest import Guest
from protocol.guest.viewpoint import Viewpoint
from protocol.host.host import Host
from protocol.table.electorate import can_move, could_move, voters_of
from protocol.table.fold import Phase, check_statement
from protocol.table.statements import VOTED, Vote
from protocol.views import LinkState, SeatStatus, TableView
from spoof_tui import clock
from spoof_tui.runtime.notices import (
    ContinuedAt,
    Ended,
    Moved,
    Notice,
    SeatState,
    Standing,
    TurnedAway,
)
from spoof_tui.runtime.seat import Seat
from spoof_tui.telling.connection import TAKES_OVER
from spoof_tui.telling.measures import Proposal
from spoof_tui.telling.notices import note
from spoof_tui.telling.table_state import TableState
from tests.simulation.laws import Broken, Laws
from tests.simulation.world import Machine

WITHIN: Final = 6.0
"""Seconds after which a screen knows what has changed: where packets are lost, a host has to be
silent for as long as they explain first."""

LOOK_INTERVAL: Final = 1.0
"""Seconds between two looks at a screen on which nothing changes."""

_NOTED: Final = (Standing, Moved, TurnedAway, Ended, ContinuedAt)
"""Notices that change what is said of the connection."""

_view = Viewpoint.view
"""As it ships: evenings make no views that nobody looks at."""


class Screen:
    """What one player reads of the connection to the table, and whether it is true."""

    def __init__(self, machine: Machine, seat: Seat, laws: Laws) -> None:
        self._machine, self._seat, self._laws = machine, seat, laws
        self._viewpoint = Viewpoint(seat.guest)
        self._state = TableState()
        self._known = SeatState()
        self._last: object = None
        """What the screen depended on at the last look."""
        self._looked = -inf
        self._possible = self._takeable = self._awake = machine.world.time
        """When something could happen at the table, when an offer would have been taken, and since
        when the machine is awake, in the world's time."""
        self._candidate = b""
        """Key of the last program at the other end of the link: what it told is still believed in
        the moment after."""
        self._ways: object = None
        """The machine whose host can be heard, and whether it can hear this one."""

    def hear(self, notice: Notice) -> None:
        """Take in what the program tells its player."""
        if isinstance(notice, SeatState):
            self._known = notice
        elif isinstance(notice, _NOTED):
            note(notice, self._state)
        if self._depends != self._last:
            self.look()

    async def run(self) -> None:
        """Look once a second, until this is cancelled."""
        while True:
            await asyncio.sleep(LOOK_INTERVAL)
            self.look()

    def look(self) -> None:
        """Read the screen; raises `Broken` if it claims what is not so."""
        world, guest = self._machine.world, self._guest
        if guest.table is None or self._machine.loop.is_dead or self._laws.is_over:
            return
        if world.time - self._looked > 2 * LOOK_INTERVAL:
            # A closed lid shows nothing, and a program that stood still has seen nothing yet.
            self._possible = self._takeable = self._awake = world.time
        self._looked = world.time
        is_other, self._last = self._depends != self._last, self._depends
        if is_other or not self._is_quiet:
            self._show(_view(self._viewpoint))
        if self._state.over or guest.departure.signed or self._state.continued:
            return
        host = self._host
        ways = self._ways_to(host)
        if ways != self._ways:
            # Of two mishaps in a row, each takes its own time to be noticed.
            self._ways, self._possible, self._takeable = ways, world.time, world.time
        self._check_takeover(guest)
        self._check_offer(guest, host)
        self._check_silence(guest, host)

    @property
    def _guest(self) -> Guest:
        return self._seat.guest

    @property
    def _depends(self) -> object:
        guest, table = self._guest, self._guest.table
        phase = table.phase if table else None
        return guest.link, phase, guest.departure.offer, self._known

    @property
    def _is_quiet(self) -> bool:
        """Whether nothing is the matter that a screen would show."""
        guest, table = self._guest, self._guest.table
        is_up = guest.link is LinkState.UP and self._known.unheard_since is None
        view, asks = self._state.view, table is not None and (table.votes or table.paused)
        asked = view is not None and (view.votes or view.paused)
        return is_up and table is not None and not (table.away or asks or asked)

    def _show(self, view: TableView) -> None:
        state, before, at = self._state, self._state.view, clock.now()
        state.learn(self._known, at.wall)
        state._follow_link(before, view)
        state.view = view
        state.steady.follow(state.silence, at.monotonic)

    # What is so

    @property
    def _host(self) -> tuple[Machine, Host] | None:
        """The table's host, if its program runs and can be heard here."""
        table, network = self._guest.table, self._machine.loop.network
        for machine, host in self._laws.hosts():
            is_it = table is not None and (host.key, host.table.epoch) == (table.host, table.epoch)
            if is_it and machine.is_awake and network.is_way(machine, self._machine):
                return machine, host
        return None

    def _ways_to(self, host: tuple[Machine, Host] | None) -> object:
        machine = host[0] if host else None
        is_way = self._machine.loop.network.is_way
        return machine, machine is not None and is_way(self._machine, machine)

    def _last_heard(self, key: bytes) -> float:
        heard, here = self._machine.loop.network.heard, self._machine.name
        names = [name for name, each in self._laws.keys.items() if each == key]
        return max((heard.get((name, here), -inf) for name in names), default=-inf)

    def _heard(self, machine: Machine, at: float | None = None) -> frozenset[bytes]:
        """Keys of those of whom anything had come to a machine lately at this time, or now."""
        time = machine.world.time if at is None else at
        heard, since = machine.loop.network.heard, time - self._patience
        names = [name for name in self._laws.keys if heard.get((name, machine.name), -inf) >= since]
        return frozenset(self._laws.keys[name] for name in (*names, machine.name))

    # The laws

    def _check_takeover(self, guest: Guest) -> None:
        """Who says that the table is taken over hears enough to move it, or is with somebody who
        does, or who has been chosen already, perhaps by seats that this guest's log has removed."""
        claim, table = self._state.claim, guest.table
        if claim not in TAKES_OVER or table is None:
            return
        if self._machine.world.time - self._awake <= LOOK_INTERVAL:
            return
        is_with = guest.link is LinkState.MOVING
        self._candidate = self._seat.session.other_end or (is_with and self._candidate) or guest.key
        candidate = self._candidate
        hosts = (host for _, host in self._laws.hosts())
        if any(each.key == candidate and each.table.epoch > table.epoch for each in hosts):
            return
        heard = self._heard(self._machine)
        for name, key in self._laws.keys.items():
            if key == candidate and is_with:
                machine = self._machine.loop.network.machines[name]
                # Whom it heard is only known as of its last word.
                heard |= self._heard(machine, self._last_heard(key))
        # Until it has greeted, nobody knows whether the other one stands.
        chosen = candidate if is_with else guest.key
        if not can_move(table, heard | {guest.key}, chosen):
            raise Broken(f"{self._name} claims {claim.value} and hears {len(heard)} in all")

    def _check_offer(self, guest: Guest, host: tuple[Machine, Host] | None) -> None:
        """A vote that a key is offered for would be taken, or it is said that the host is not
        steady."""
        world = self._machine.world
        is_told = guest.link is LinkState.UNSTEADY
        if is_told or self._is_taken(self._state.to_agree_to, host):
            self._takeable = world.time
        links = host[1].connections.values() if host else ()
        # Whom a host does not hear it marks by what it has measured itself.
        marks = [each.trip.unsteady_delay for each in links if each.key == guest.key]
        if world.time - self._takeable > max([self._patience, *(m + LOOK_INTERVAL for m in marks)]):
            raise Broken(f"{self._name} is offered a vote that nobody would take")

    def _is_taken(self, offered: tuple[Proposal, ...], host: tuple[Machine, Host] | None) -> bool:
        """Whether all these votes would be, if any are offered."""
        votes = [Vote(each.measure, each.seat, yes=True) for each in offered]
        if self._known.is_host:
            # A host decides the others at once.
            votes = [vote for vote in votes if vote.measure in VOTED]
        if not votes or host is None:
            return not votes
        if not self._machine.loop.network.is_way(self._machine, host[0]):
            return self._is_marked
        table = host[1].table
        if table.phase is not Phase.GATHERING and not self._can_go_on(*host):
            return False
        try:
            for vote in votes:
                check_statement(table, self._guest.key, vote)
        except Illegal:
            return False
        return True

    @property
    def _is_marked(self) -> bool:
        """Whether a player who is not heard can see that: their own seat is marked."""
        seat = self._state.view.my_seat if self._state.view else None
        return seat is not None and seat.presence is not SeatStatus.HERE

    def _check_silence(self, guest: Guest, host: tuple[Machine, Host] | None) -> None:
        """Nobody plays at a table where nothing can happen without being told so."""
        state, world, table = self._state, self._machine.world, guest.table
        is_play = table is not None and table.phase is not Phase.GATHERING
        can_happen = host is not None and self._can_go_on(*host)
        is_told = state.silence or state.turned_away or guest.departure.offer
        if not is_play or can_happen or is_told or guest.link is not LinkState.UP:
            self._possible = world.time
        elif table is not None and host is None:
            # What was on its way still came from a host that was gone.
            self._possible = max(self._possible, self._last_heard(table.host))
        if world.time - self._possible > self._patience:
            raise Broken(f"{self._name} is not told that nothing can happen")

    @property
    def _patience(self) -> float:
        return (
            max(WITHIN, self._guest.trip.unsteady_delay, self._guest.trip.gone_delay)
            + LOOK_INTERVAL
        )

    def _can_go_on(self, machine: Machine, host: Host) -> bool:
        """Whether a host may go on; for others, also if it hears of enough, though too late."""
        if host.may_go_on(machine.now()):
            return True
        silent = voters_of(host.table) - self._heard(machine)
        return machine is not self._machine and not could_move(host.table, silent)

    @property
    def _name(self) -> str:
        return self._machine.name
