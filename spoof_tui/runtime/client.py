"""A seat as the painter's thread holds it; the work is done in the background thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from protocol.encoding.codec import Message
from protocol.guest.guest import Guest
from protocol.rules.words import Direction, Word
from protocol.table.statements import Measure
from spoof_tui.bots.characters import Character
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.arrival import Arrival
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
from spoof_tui.runtime.notices import Notice, SeatState
from spoof_tui.runtime.player import Player
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.runtime.session import Session
from spoof_tui.storage.identity import Identity


class TableClient:
    """A seat at one table, and the table itself if the player hosts it.

    `notify` is called in the background thread. Commands return at once; refusals come as notices.
    """

    def __init__(
        self,
        background: BackgroundLoop,
        identity: Identity,
        name: str,
        notify: Callable[[Notice], None],
        door: int | None = None,
    ) -> None:
        """`door` is the port of a door that is opened with the player's own table; 0:
        the usual one."""
        self._background = background
        self.player: Final = Player(identity, name, notify)
        self._arrival = Arrival(self.player)
        self.player.door_port = door

    @property
    def known(self) -> SeatState:
        """What else this program knows about its table, such as whether it hosts it."""
        return self.player.state

    def open(
        self,
        plan: TablePlan,
        bots: int = 0,
        level: Level = Level.MEDIUM,
        *,
        ready: bool = False,
        company: tuple[Character, ...] = (),
    ) -> None:
        """Open a table, sit down at it, ready or not, and add `bots`.

        These bots and all later ones are the characters of `company`; without it, plain bots.
        """
        self.player.company = company
        self.player.gets_ready = ready
        self._background.spawn(self._arrival.open(plan, bots, level))

    def join(self, address: Address, code: str | None = None, sits: bool = True) -> None:
        """Sit down at the table at `address`, which may ask for its join code; or only watch."""
        self.player.address = address
        self._background.spawn(self._arrival.join(address, code, sits))

    def resume(self, saved: SavedTable, address: Address | None = None) -> None:
        """Resume a table that was hosted here, or had a seat here.

        If somebody else hosts it by now, as at this `address`, it is joined; if nobody does it is
        waited for.
        """
        self.player.address = address
        self._background.spawn(self._arrival.resume(saved, address))

    def use_code(self, code: str) -> None:
        """Prove the join code that the table asked for."""
        self._tell(Session.use_code, code)

    def sit(self) -> None:
        """Ask for a seat again, after having watched."""
        self._tell(Session.sit)

    def ready(self) -> None:
        """Be ready for the next game."""
        self._tell(Session.ready)

    def choose(self, coins: int) -> None:
        """Hide this many coins."""
        self._tell(Session.choose, coins)

    def speak(self, word: Word, direction: Direction | None = None) -> None:
        """Say a word."""
        self._tell(Session.do, Guest.speak, word, direction)

    def state(self, statement: Message) -> None:
        """Make any statement that keeps no secret: talk, a gesture, a vote, a fine."""
        self._tell(Session.do, Guest.state, statement)

    def agree(self, *, yes: bool = True) -> None:
        """Agree to go along to the new table that is offered, or refuse (G8)."""
        self._tell(partial(Session.agree, yes=yes))

    def stay_behind(self) -> None:
        """Play on at this table after having agreed to go along to another one (G8)."""
        self._tell(Session.do, lambda guest: guest.departure.come_back())

    def follow(self) -> None:
        """Go to the table where the game went on without this player (G8)."""
        self._background.call(self.player.moves.follow)

    def decide(self, measure: Measure, seat: bytes) -> None:
        """As host, take a measure against the owner of this key, or lift it (G5)."""
        self._background.call(self.player.manage, HostedTable.decide, measure, seat)

    def renew_code(self) -> None:
        """Change the join code of the player's own table."""
        self._background.call(self.player.manage, HostedTable.renew_code)

    def shut(self) -> None:
        """Lock the player's open table for newcomers, or unlock it."""
        self._background.call(self.player.manage, HostedTable.shut)

    def clear(self, strangers: Iterable[bytes]) -> None:
        """Lock the player's open table, and ban these strangers."""
        self._background.call(self.player.manage, HostedTable.clear, tuple(strangers))

    def turn_door(self, *, is_open: bool) -> None:
        """Let people in by ssh at the player's table, or stop and send those away."""
        self._background.spawn(self.player.turn_door(is_open=is_open))

    def add_bot(self, level: Level = Level.MEDIUM) -> None:
        """Add one more bot to the player's table."""
        self._background.call(self.player.add_bots, 1, level)

    def hurry_bots(self) -> None:
        """Have the bots play the rest of this game at once."""
        self._background.call(self.player.hurry_bots)

    def come_back(self) -> None:
        """Sit down again at a table that was closed and is open again."""
        self._background.spawn(self.player.come_back())

    def take_over(self) -> None:
        """Go on with the player's own seat, which another of their programs has."""
        self._background.spawn(self._arrival.take_over())

    def sit_apart(self) -> None:
        """Leave that seat where it is, and sit down as somebody else."""
        self._background.spawn(self._arrival.sit_apart())

    def _tell(self, command: Callable[..., None], *args: object) -> None:
        session = self.player.session
        if session:
            self._background.call(command, session, *args)
