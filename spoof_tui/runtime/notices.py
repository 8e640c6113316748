"""The notices of a table to those who play, host or watch in this program."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, RemoteError
from protocol.failover.inputs import Called
from protocol.guest.effects import CodeWanted, HandedOver, Pledged, WentOn
from protocol.table.log import Entry
from protocol.views import TableView
from protocol.wire.messages import Card, Farewell
from spoof_tui.door.program import DoorFailed, DoorOpened
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.storage.identity import Holder

if TYPE_CHECKING:
    from protocol.table.verify import LogFault


class CodeChange(Enum):
    """Why a table's join code was changed."""

    REOPENED = "reopened"
    """The program that serves the table is another one, or was started anew."""
    GUESSED = "guessed"
    """Too many wrong codes were tried."""
    BARRED = "barred"
    """Somebody who knows the old one was banned (G5)."""
    ASKED = "asked"
    """The host asked for another one."""


class TableNotice:
    """Base class of the notices of a table."""

    __slots__ = ()


Notice = TableNotice | Called | CodeWanted | HandedOver | Pledged | WentOn
"""A notice. Those after `TableNotice` are effects of the guest that a session passes on in their
order."""


# From a session


@dataclass(frozen=True, slots=True)
class ViewChanged(TableNotice):
    """The view of the table has changed."""

    view: TableView


@dataclass(frozen=True, slots=True)
class NotAllowed(TableNotice):
    """Something that the player said is not allowed now, and has changed nothing."""

    error: Illegal


@dataclass(frozen=True, slots=True)
class Saved(TableNotice):
    """A game is over and its record is saved in this file."""

    record: Path


@dataclass(frozen=True, slots=True)
class NotSaved(TableNotice):
    """The record of a game could not be written yet; the game goes on."""

    error: OSError


@dataclass(frozen=True, slots=True)
class DiskTrouble(TableNotice):
    """The log, or a secret, cannot be written, so that everything which needs it on disk waits; or
    it can be again."""

    error: OSError | None
    """What is wrong; None if writing works again."""
    is_host: bool
    """Whether it is the table's own log that waits, so that everybody waits."""


@dataclass(frozen=True, slots=True)
class NotKept(TableNotice):
    """There is no writable folder, so nothing is kept when this program ends."""

    is_host: bool
    """Whether that also applies to the log of the player's own table, not only to the own seat."""


@dataclass(frozen=True, slots=True)
class Ended(TableNotice):
    """The session is over for good, because the host or this side said farewell."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class TurnedAway(TableNotice):
    """The table, or whoever answers in its place, does not let this program in now; the session
    keeps trying."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class Broken(TableNotice):
    """The host's log is inconsistent; the session is over."""

    error: RemoteError
    evidence: Path | None
    fault: LogFault | None = None
    """What is wrong with the entry that does not follow; None if that is not known."""


@dataclass(frozen=True, slots=True)
class WhileAway(TableNotice):
    """The link is back after an absence in which something has happened at the table."""

    entries: tuple[Entry, ...]
    """The log entries that were missed, oldest first."""


# From a table that may move


@dataclass(frozen=True, slots=True)
class HostGone(TableNotice):
    """The host is gone and the table is being searched for; repeated every second."""

    seconds: int
    """Seconds since the host was last heard."""


@dataclass(frozen=True, slots=True)
class Standing(TableNotice):
    """This program now serves the table as a candidate, and asks the others to elect it host."""


@dataclass(frozen=True, slots=True)
class Moved(TableNotice):
    """The table has another host."""

    me: bool
    """Whether this program is the host now."""


@dataclass(frozen=True, slots=True)
class SeatState(TableNotice):
    """What a program knows about its table besides the view; immutable, so any thread may read
    it."""

    is_host: bool = False
    """Whether this program hosts the table."""
    tried: tuple[Address, ...] = ()
    """The addresses at which the table is searched for while there is no link to it, the likeliest
    first."""
    heirs: frozenset[bytes] = frozenset()
    """Public keys of the seats whose programs can serve the table if its host goes."""
    heir: bytes | None = None
    """Public key of the first heard seat, or of this one, whose program takes the table over if the
    host stays away; None while there is a link, or if none can."""
    heard: frozenset[bytes] = frozenset()
    """Public keys of the other seats that were heard a moment ago although the host is not."""
    can_move: bool = False
    """Whether the heard seats and this one are enough to move the table (G7)."""
    could_move: bool = False
    """Whether all seats whose programs have not ended with the host's would be enough to move the
    table."""
    gone_along: frozenset[bytes] = frozenset()
    """Public keys of the seats whose programs have ended with the host's: its bots and visitors."""
    unheard_since: int | None = None
    """When most of the table was last heard, in milliseconds since 1970, if the host can accept
    nothing because it has not heard them since (G7); None otherwise."""
    has_network: bool = True
    """Whether this machine is on the network over which it reaches the table."""
    is_shut: bool | None = None
    """Whether the player's open table is locked to newcomers; None for other tables, or one with a
    join code."""
    strangers: tuple[bytes, ...] = ()
    """Public keys of the seats at the player's open table whose owners have never opened a fist
    there."""
    start_when: int = 0
    """How many have to be ready for a game to begin at the player's table; 0 at other tables."""
    own_hand: int | None = field(default=None, repr=False)
    """The coins in the player's own fist, for a peek; None if none is in."""


@dataclass(frozen=True, slots=True)
class ContinuedAt(TableNotice):
    """The game goes on at a new table, without this player (G8)."""

    address: Address
    card: Card
    entry: Entry
    """The first entry of the new table, which identifies it."""


# From a player's own program


@dataclass(frozen=True, slots=True)
class CannotOpen(TableNotice):
    """The table could not be opened or reached."""

    error: Exception


class KeyInUse(Exception):
    """The key of a saved table is not on this machine, or is in use by a program that does not
    answer."""

    def __init__(self, holder: Holder | None = None) -> None:
        super().__init__()
        self.holder = holder
        """The program that does not answer; None if the key is not on this machine."""


@dataclass(frozen=True, slots=True)
class SeatHeld(TableNotice):
    """The player's seat is in use by another program of theirs, which can be asked to give it up.

    `TableClient.take_over` then goes on with that seat.
    """

    holder: Holder
    is_other_free: bool
    """Whether the player can also sit down with another key, by `TableClient.sit_apart`."""


@dataclass(frozen=True, slots=True)
class TakenOver(TableNotice):
    """Another program of the player has taken this seat over; this program has left the table."""

    holder: Holder


@dataclass(frozen=True, slots=True)
class Opened(TableNotice):
    """The player's own table is open."""

    port: int | None
    """The port at which others reach it; None if only this machine can."""
    trouble: str | None
    """A sentence that says why others may not find it; None if they can."""
    code: str | None
    """The join code to tell others; None if the table is private, or open to all."""
    address: str = ""
    """The address at which others reach it; empty if only this machine can."""
    is_anew: bool = False
    """Whether it was open before, here or at another player's program, with another code."""


@dataclass(frozen=True, slots=True)
class AddressesChanged(TableNotice):
    """The player's own table has another address now, or others can no longer find it, or can
    again."""

    address: str
    """The address at which others reach it; empty if only this machine can."""
    trouble: str | None
    """A sentence that says why others may not find it; None if they can."""


@dataclass(frozen=True, slots=True)
class NewCode(TableNotice):
    """The player's own table has a new join code."""

    code: str
    why: CodeChange


@dataclass(frozen=True, slots=True)
class OpenElsewhere(TableNotice):
    """The table to be resumed has another host by now, where the player joins it."""

    host: ForeignText


@dataclass(frozen=True, slots=True)
class Explained(TableNotice):
    """The network was examined, and what keeps this player and others apart is known or has
    changed."""

    findings: tuple[Finding, ...]
    """The findings, the worst first; empty if nothing is in the way any more."""


@dataclass(frozen=True, slots=True)
class Reopened(TableNotice):
    """A table that its host had closed is open again: `TableClient.come_back` goes back to it."""


@dataclass(frozen=True, slots=True)
class DoorChanged(TableNotice):
    """The door of the player's own table was opened or closed, or could not be opened."""

    said: DoorOpened | DoorFailed | None
    """The opened door, or why it could not be opened; None if the door was closed."""
