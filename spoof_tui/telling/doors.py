"""What everybody is told about a seat whose player came in through a door: by ssh or by browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from protocol.table.fold import Phase
from protocol.views import SeatView, TableView
from spoof_tui import visiting
from spoof_tui.telling.names import name_of
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.door.program import DoorOpened

MARK = "@"
"""Shown after the name of a player who came through a door, as in an ssh address."""


def came(before: TableView | None, view: TableView) -> Iterator[str]:
    """A sentence for each other player who has just sat down and came in through a door."""
    sat = {seat.key for seat in before.seats} if before else set()
    for seat in view.seats:
        if before and not seat.is_me and seat.key not in sat:
            yield from told(seat, name_of(view, seat.key))


def told(seat: SeatView, name: str) -> Iterator[str]:
    """A sentence on the player called `name` if they came through a door, otherwise nothing.

    The sentence does not say whose computer the program runs on.
    """
    if seat.through_door:
        text = _(
            "{name} came in by ssh or browser: the owner of the computer that let them in could "
            "look at the hand."
        )
        yield text.format(name=name)


def brought(before: TableView | None, view: TableView) -> Iterator[str]:
    """Sentences for this player, if they have just sat down and came through a door; otherwise
    nothing.

    Whoever comes back to a running game was told when they first sat down.
    """
    seat, had = view.my_seat, before.my_seat if before else None
    if seat is None or not seat.through_door or (had and had.key == seat.key):
        return
    if before is None and seat.plays and view.phase is not Phase.GATHERING:
        return
    yield from comeback()
    yield _(
        "You came in by ssh or browser, and play on somebody else’s computer: its owner could look "
        "at your hand."
    )
    if visiting.has_page():
        yield from _was_somebody(seat, view)


def _was_somebody(mine: SeatView, view: TableView) -> Iterator[str]:
    """Advice for this player, if a seat of the same name that came through a door is away.

    The key of that seat may be in another page, or lost.
    """
    for seat in view.seats:
        is_away = seat.through_door and seat.away_since is not None
        if is_away and not seat.is_me and seat.name == mine.name:
            text = _(
                "Were you {name}? Go back to the page that you opened first, or leave, and come "
                "back by typing your return word."
            )
            yield text.format(name=name_of(view, seat.key))


def comeback() -> Iterator[str]:
    """A short sentence with the word that a player without an ssh key types at the door to come
    back. In a browser it says where to find that word, because only the page knows it. Nothing for
    all other players.
    """
    if word := visiting.word():
        yield _("Your return word: {word}").format(word=word)
    elif visiting.has_page():
        yield _("To see your return word, tap the button with the dots.")


def legend() -> str:
    """A sentence saying what `MARK` after a name means."""
    text = _(
        "{mark} after a name: this player came in by ssh or browser, and the owner of the computer "
        "that let them in could look at the hand."
    )
    return text.format(mark=MARK)


def seen_by_others() -> str:
    """What `spoof verify` says about a seat whose player came through a door."""
    return _(
        "came in by ssh or browser: the owner of the computer that let them in could look "
        "at this seat’s hands"
    )


def door_lines(opened: DoorOpened, code: str | None = None) -> tuple[str, ...]:
    """The ssh command for this machine's door, the fingerprint of its key, and the lines of its
    page."""
    from spoof_tui.network.addresses import own_addresses

    host = next(iter(own_addresses()), "127.0.0.1")
    return (
        _("The door is open: {command}").format(command=opened.invitation(host)),
        _("The door’s key: {fingerprint}").format(fingerprint=opened.fingerprint),
        *opened.page_lines(host, code),
    )
