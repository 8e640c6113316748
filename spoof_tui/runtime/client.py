"""A seat as the painter's thread holds it; what it does is done in the background thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from protocol.encoding.codec import Message
from protocol.guest.guest import Guest
from protocol.rules.words import Direction, Word
from protocol.table.statements import Measure
from protocol.wire.messages import Card
from spoof_tui.bots.characters import Character
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.observations import Hosting
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.hosting import HostedTable, Plan
from spoof_tui.runtime.notices import ClientNotice, SeatState
from spoof_tui.runtime.player import Player
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.runtime.session import Session
from spoof_tui.storage.identity import Holder, Identity


class TableClient:
    """A seat at one table, and the table itself when it is the player's own.

    `notify` is called in the background thread. Commands return at once; refusals come as notices.
    """

    def __init__(
        self,
        background: BackgroundLoop,
        identity: Identity,
        name: str,
        notify: Callable[[ClientNotice], None],
        door: int | None = None,
    ) -> None:
        """`door` is the port of a door that is opened with the own table; 0: the usual one."""
        self._background = background
        self._player = Player(identity, name, notify)
        self._player.door_port = door

    @property
    def address(self) -> Address | None:
        """Where somebody else's table was found."""
        return self._player.address

    @property
    def card(self) -> Card | None:
        """What that table says of itself; None until it has answered."""
        return self._player.card

    @property
    def is_host(self) -> bool:
        """Whether this program hosts the table."""
        return self._player.state.is_host

    @property
    def known(self) -> SeatState:
        """What else this program knows of its table."""
        return self._player.state

    @property
    def heirs(self) -> frozenset[bytes]:
        """Keys of the seats whose programs can serve the table if its host goes."""
        return self._player.state.heirs

    def open(
        self,
        plan: Plan,
        bots: int = 0,
        level: Level = Level.MEDIUM,
        *,
        ready: bool = False,
        company: tuple[Character, ...] = (),
    ) -> None:
        """Open a table, sit down at it, ready or not, and let `bots` sit down too.

        They, and all that come later, are the characters of `company`; without, nobody special.
        """
        self._player.company = company
        self._player.gets_ready = ready
        self._background.spawn(self._player.arrival.open(plan, bots, level))

    def join(self, address: Address, code: str | None = None, sits: bool = True) -> None:
        """Sit down at the table at `address`, which may ask for its join code; or only watch."""
        self._player.address = address
        self._background.spawn(self._player.arrival.join(address, code, sits))

    def resume(self, saved: SavedTable) -> None:
        """Go on with a table that was hosted here, or had a seat here.

        It is joined if somebody else hosts it by now, and waited for if nobody does.
        """
        self._background.spawn(self._player.arrival.resume(saved))

    def use_code(self, code: str) -> None:
        """Prove the join code that the table asked for."""
        self._tell(Session.use_code, code)

    def peek(self) -> int | None:
        """The coins in the own fist; None while it is not in."""
        return self._player.state.own_hand

    def sit(self) -> None:
        """Ask for a seat again, after having watched."""
        self._tell(Session.sit)

    def ready(self) -> None:
        """Be ready for the next game."""
        self._tell(Session.ready)

    def choose(self, coins: int) -> None:
        """Put the fist in."""
        self._tell(Session.choose, coins)

    def speak(self, word: Word, direction: Direction | None = None) -> None:
        """Say a word."""
        self._tell(Session.do, Guest.speak, word, direction)

    def state(self, statement: Message) -> None:
        """Say anything that keeps no secret: talk, a gesture, a vote, what the slate asks for."""
        self._tell(Session.do, Guest.state, statement)

    def agree(self, *, yes: bool = True) -> None:
        """Go along to the new table that is offered, or rather not (G8)."""
        self._tell(partial(Session.agree, yes=yes))

    def stay_behind(self) -> None:
        """Play on at this table, after having gone along to another one (G8)."""
        self._tell(Session.come_back)

    def follow(self) -> None:
        """Go to the table where the game went without this player (G8)."""
        self._background.call(self._player.moves.follow)

    def decide(self, measure: Measure, seat: bytes) -> None:
        """As host, carry a measure about the owner of this key (G5)."""
        self._background.call(self._player.manage, HostedTable.decide, measure, seat)

    def renew_code(self) -> None:
        """Take another join code for the own table."""
        self._background.call(self._player.manage, HostedTable.renew_code)

    @property
    def is_shut(self) -> bool | None:
        """Whether the own open table takes nobody new; None where there is nothing to lock."""
        return self._player.state.is_shut

    def shut(self) -> None:
        """Lock the own open table for everybody new, or open it again."""
        self._background.call(self._player.manage, HostedTable.shut)

    def clear(self, strangers: Iterable[bytes]) -> None:
        """Lock the own open table, and ban these strangers."""
        self._background.call(self._player.manage, HostedTable.clear, tuple(strangers))

    def turn_door(self, *, is_open: bool) -> None:
        """Let people in by ssh at the own table; or nobody any more, and send those away."""
        self._background.spawn(self._player.turn_door(is_open=is_open))

    def add_bot(self, level: Level = Level.MEDIUM) -> None:
        """Have one more bot sit down at the own table."""
        self._background.call(self._player.add_bots, 1, level)

    def hand_over(self, seat: bytes) -> None:
        """As host, give the host's role to the owner of this key, and stay as a player."""
        self._background.call(self._player.hand_over, seat)

    def come_back(self) -> None:
        """Sit down again at a table that was closed and is open again."""
        self._background.spawn(self._player.come_back())

    def take_over(self) -> None:
        """Go on with the own seat, which another program of this player has."""
        self._background.spawn(self._player.arrival.take_over())

    def sit_apart(self) -> None:
        """Leave that seat where it is, and sit down as somebody else."""
        self._background.spawn(self._player.arrival.sit_apart())

    async def move_away(self, holder: Holder) -> None:
        """Leave the seat to another program of this player. In the background thread."""
        await self._player.move_away(holder)

    def hurry(self) -> None:
        """Have `close` come to its end within a second. In the background thread."""
        self._player.hurry()

    async def close_at_once(self) -> None:
        """Leave because the program ends. In the background thread."""
        await self._player.close_at_once()

    async def close(self, heir: bytes | None = None) -> None:
        """Leave the table; the own one closes, or moves to `heir`. In the background thread."""
        await self._player.close(heir)

    def _tell(self, command: Callable[..., None], *args: object) -> None:
        session = self._player.session
        if session:
            self._background.call(command, session, *args)


def hosting_of(client: TableClient | None) -> Hosting | None:
    """What the own table has noticed of others; None if there is none that others find.

    In the background thread.
    """
    return client._player.hosting if client else None
