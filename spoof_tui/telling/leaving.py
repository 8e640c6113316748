"""What leaving means for the table and for the player, said before they leave."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.table.fold import Phase
from protocol.views import SeatStatus, TableView
from spoof_tui.telling import measures
from spoof_tui.telling.absence import STALE
from spoof_tui.telling.durations import duration
from spoof_tui.telling.names import name_of
from spoof_tui.text.i18n import _


@dataclass(frozen=True, slots=True)
class Parting:
    """A way to leave the table."""

    heir: bytes | None = None
    """Key of the player who becomes host; None if this player does not host the table, or closes
    it."""
    closes: bool = False
    """Whether the table closes for everybody."""


def is_missed(view: TableView, *, hosts: bool) -> bool:
    """Whether others would notice that this player leaves; `hosts`: this program hosts the
    table."""
    plays = view.phase is not Phase.GATHERING
    seat = view.my_seat
    return (plays and seat is not None and seat.coins > 0) or (
        hosts and len(measures.sitting(view)) > 1
    )


def successors(view: TableView, heirs: frozenset[bytes]) -> tuple[bytes, ...]:
    """Keys of the seats to which the host can hand its role now; `heirs` are the programs able to
    host."""
    return tuple(
        seat.key
        for seat in measures.sitting(view)
        if seat.key in heirs and not seat.is_me and seat.presence is not SeatStatus.AWAY
    )


def ways(view: TableView, heirs: frozenset[bytes], *, hosts: bool) -> tuple[Parting, ...]:
    """The ways to leave, the best one first; `hosts`: this program hosts the table."""
    if not hosts:
        return (Parting(),)
    return (
        *(Parting(key) for key in successors(view, heirs)),
        Parting(closes=True),
    )


def words(parting: Parting, view: TableView) -> str:
    """What becomes of the table if the player leaves this way: a few words, with no grammatical
    subject."""
    if parting.closes:
        return _("closes for everybody")
    if parting.heir is None:
        if _is_silent(view):
            return _("stays under Continue in the lobby")
        return _("stays for the others")
    return _("moves to {name}").format(name=name_of(view, parting.heir))


def _is_silent(view: TableView) -> bool:
    """Whether nothing is heard from a table whose game can be continued later."""
    return view.link in STALE and view.phase is not Phase.GATHERING


def meaning(parting: Parting, view: TableView) -> str:
    """What a way to leave means for the table and for the player's own seat."""
    if parting.closes:
        if not view.game_number:
            return _("No game has begun here.")
        return _("You can continue this table later: the lobby lists it.")
    own = _own_seat(view)
    if parting.heir is None:
        return own
    text = _("{name}’s computer will host the table from then on.")
    return f"{text.format(name=name_of(view, parting.heir))} {own}".strip()


def _own_seat(view: TableView) -> str:
    seat = view.my_seat
    if view.phase is Phase.GATHERING or seat is None or not seat.coins:
        return ""
    if _is_silent(view):
        return _("Your seat and your coins are kept. Come back whenever you like.")
    return _(
        "Your seat and your coins are kept: the table waits {time} for you; after that "
        "the others can play on. Come back whenever you like."
    ).format(time=duration(view.grace))
