"""A seat as the interface's thread sees it; the work is done in the background thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import isawaitable
from typing import Concatenate, Final, ParamSpec, TypeVar

from protocol.errors import Illegal
from protocol.guest.effects import GuestEffect
from protocol.guest.guest import Guest
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.arrival import Arrival
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.hosted_table import HostedTable
from spoof_tui.runtime.new_table import Moves
from spoof_tui.runtime.notices import NotAllowed, Notice, SeatState
from spoof_tui.runtime.player import Player
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.runtime.session import Session
from spoof_tui.storage.identity import Identity

P = ParamSpec("P")
T = TypeVar("T")


def _command(
    of: Callable[[TableClient], T | None], does: Callable[Concatenate[T, P], object]
) -> Callable[Concatenate[TableClient, P], None]:
    """A method that returns at once and has `does` called in the background thread, on the object
    that `of` returns.

    Nothing happens if `of` returns None; what the rules forbid is reported as a notice.
    """

    async def carry_out(client: TableClient, /, *args: P.args, **options: P.kwargs) -> None:
        actor = of(client)
        if actor is not None:
            try:
                doing = does(actor, *args, **options)
                if isawaitable(doing):
                    await doing
            except Illegal as error:
                client.player.tell(NotAllowed(error))

    def command(client: TableClient, /, *args: P.args, **options: P.kwargs) -> None:
        client.background.spawn(carry_out(client, *args, **options))

    return command


def _says(
    said: Callable[Concatenate[Guest, P], Iterable[GuestEffect]],
) -> Callable[Concatenate[TableClient, P], None]:
    """A method by which the player says something at the table."""

    def does(session: Session, /, *args: P.args, **options: P.kwargs) -> None:
        session.do(said, *args, **options)

    return _command(_session, does)


def _session(client: TableClient) -> Session | None:
    return client.player.session


def _own_table(client: TableClient) -> HostedTable | None:
    return client.player.table


class TableClient:
    """A seat at one table, and the table itself if the player hosts it.

    `notify` is called in the background thread. Each command names the object that carries it out
    there.
    """

    def __init__(
        self,
        background: BackgroundLoop,
        identity: Identity,
        name: str,
        notify: Callable[[Notice], None],
        door: int | None = None,
    ) -> None:
        """`door` is the port of the ssh door that is opened with the player's own table: 0 for the
        usual port, None for no door."""
        self.background: Final = background
        self.player: Final = Player(identity, name, notify)
        self.arrival: Final = Arrival(self.player)
        self.player.door_port = door

    @property
    def known(self) -> SeatState:
        """What this program knows about its table besides the view, such as whether it is the
        host."""
        return self.player.state

    open = _command(lambda client: client.arrival, Arrival.open)
    take_over = _command(lambda client: client.arrival, Arrival.take_over)
    sit_apart = _command(lambda client: client.arrival, Arrival.sit_apart)

    def join(self, address: Address, code: str | None = None, sits: bool = True) -> None:
        """Sit down at the table at `address`, or only watch it; `code` is its join code, if
        known."""
        self.player.address = address
        self.background.spawn(self.arrival.join(address, code, sits))

    def resume(self, saved: SavedTable, address: Address | None = None) -> None:
        """Resume a table that was hosted here, or where the player has a seat.

        If somebody else hosts it by now, at `address` if that is known, join it; if the player has
        a seat there and nobody hosts it, wait for it.
        """
        self.player.address = address
        self.background.spawn(self.arrival.resume(saved, address))

    use_code = _command(_session, Session.use_code)
    sit = _command(_session, Session.sit)
    ready = _command(_session, Session.ready)
    choose = _command(_session, Session.choose)
    agree = _command(_session, Session.agree)
    speak = _says(Guest.speak)
    propose = _says(Guest.propose)
    stay_behind = _says(lambda guest: guest.departure.come_back())

    decide = _command(_own_table, HostedTable.decide)
    start = _command(_own_table, HostedTable.start)
    renew_code = _command(_own_table, HostedTable.renew_code)
    shut = _command(_own_table, HostedTable.shut)
    clear = _command(_own_table, HostedTable.clear)

    add_bots = _command(lambda client: client.player, Player.add_bots)
    hurry_bots = _command(lambda client: client.player, Player.hurry_bots)
    turn_door = _command(lambda client: client.player, Player.turn_door)
    follow = _command(lambda client: client.player.moves, Moves.follow)
    come_back = _command(lambda client: client.player, Player.come_back)
