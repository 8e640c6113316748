"""How a player gets to a table: opens it, joins it, resumes it, or takes over a seat there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from protocol.errors import ProtocolError
from protocol.wire.messages import OtherVersion
from spoof_tui.bots.characters import Character
from spoof_tui.bots.levels import Level
from spoof_tui.network import known_addresses
from spoof_tui.network.addresses import Address, own_scoped_addresses
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.network.probe import SLOW_TIMEOUT, ProbeFailed, reach_any
from spoof_tui.runtime.hosted_table import Elsewhere, HostedTable, TablePlan
from spoof_tui.runtime.notices import (
    CannotOpen,
    Explained,
    KeyInUse,
    OpenElsewhere,
    SeatHeld,
)
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.runtime.second_window import HeldSeat, held_seat, take_over
from spoof_tui.runtime.troubleshooting import Diagnosis
from spoof_tui.storage import disk
from spoof_tui.storage.identity import Holder, Identity

if TYPE_CHECKING:
    from spoof_tui.runtime.player import Player

_TRIES: Final = 3
"""Attempts at an address that does not answer, since ARP requests may be lost, too."""


class Arrival:
    """How one player gets to a first table; runs in the background loop."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._held: HeldSeat | None = None

    async def open(
        self,
        plan: TablePlan,
        bots: int = 0,
        level: Level = Level.MEDIUM,
        *,
        ready: bool = False,
        company: tuple[Character, ...] = (),
        introduced: bool = False,
    ) -> None:
        """Open a table and sit down there, with `bots` bots of this `level`; with `ready`, also get
        ready.

        These bots and all later ones are the characters of `company`. If that is empty they are
        plain bots or, if `introduced`, have the characters of the coins that they are named after.
        What fails is reported as a notice.
        """
        key = self._player.keys.own
        self._player.introduced = introduced
        self._player.company, self._player.gets_ready = company, ready
        try:
            table = await HostedTable.open(plan, key)
        except (OSError, ProtocolError) as error:
            self._player.tell(CannotOpen(error))
            return
        if await self._player.host(table, key):
            self._player.add_bots(bots, level)

    async def join(
        self,
        address: Address,
        code: str | None = None,
        sits: bool = True,
        is_asked: bool = False,
    ) -> None:
        """Sit down at the table at `address`, or only watch it; what fails is reported as a notice.

        With `is_asked` the player has been told already that another program has a seat of theirs
        there.
        """
        explanation = Diagnosis(address, self._explain)
        try:
            addresses = own_scoped_addresses(address)
            reached = await reach_any(addresses, SLOW_TIMEOUT, tries=_TRIES)
        except ProbeFailed as error:
            self._player.tell(CannotOpen(error))
            await explanation.finish()
            return
        finally:
            explanation.cancel()
        answer = reached.answer
        if answer.card is None:
            reached.hang_up()
            self._player.tell(CannotOpen(OtherVersion(answer.protocol, answer.program)))
            return
        self._player.card = answer.card
        go_on = partial(self.join, address, code, sits, is_asked=True)
        find = partial(held_seat, answer.card.table, self._player.keys.own.public, go_on)
        if sits and not is_asked and (held := await disk.DISK.run(find)):
            reached.hang_up()
            self._offer(held)
            return
        await disk.DISK.run(partial(known_addresses.remember, answer.address))
        key = self._player.keys.own
        where = answer.address, address
        self._player.sit(key, answer.card.table, where, reached=reached, code=code, sits=sits)

    def _explain(self, findings: tuple[Finding, ...]) -> None:
        if not self._player.is_closed:
            self._player.tell(Explained(findings))

    async def resume(self, saved: SavedTable, address: Address | None = None) -> None:
        """Resume a table that was hosted here, or where the player has a seat; `address` is where
        somebody else hosts it, None if that is not known."""
        public = saved.key
        key = self._player.keys.find(public)
        if key is None:
            holder = Identity.holder(public)
            if holder:
                go_on = partial(self.resume, saved, address)
                self._offer(HeldSeat(public, holder, go_on, is_other_free=False))
            else:
                self._player.tell(CannotOpen(KeyInUse()))
            return
        if saved.seat is not None or address is not None:
            self._player.sit(key, saved.table, [address] if address else ())
            return
        try:
            table = await HostedTable.resume(saved, key, self._player.search)
        except Elsewhere as found:
            assert found.answer.card
            self._player.address, self._player.card = found.answer.address, found.answer.card
            self._player.tell(OpenElsewhere(found.answer.card.host))
            self._player.sit(key, saved.table, (found.answer.address,))
        except (OSError, ProtocolError) as error:
            self._player.tell(CannotOpen(error))
        else:
            await self._player.host(table, key)

    def _offer(self, held: HeldSeat) -> None:
        """Ask the player whether to take this seat over."""
        self._held = held
        self._player.tell(SeatHeld(held.holder, held.is_other_free))

    async def take_over(self) -> None:
        """Take over the player's own seat from another of their programs, and go on with it."""
        held, self._held = self._held, None
        if held is None:
            return
        taken = await take_over(held.key, held.holder)
        if isinstance(taken, Holder):
            if taken.pid == held.holder.pid:
                self._player.tell(CannotOpen(KeyInUse(taken)))
            else:
                # A third window was quicker: it can be asked just as well.
                self._offer(replace(held, holder=taken))
        elif self._player.is_closed:
            taken.release()
        else:
            self._player.keys.other = taken
            await held.go_on()

    async def sit_apart(self) -> None:
        """Leave the held seat to the other program, and sit down with a key of this one."""
        held, self._held = self._held, None
        if held:
            await held.go_on()
