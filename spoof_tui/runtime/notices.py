"""Every notice that a table gives to those who play, host or watch."""

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
    """Base of everything that a table says to this program."""

    __slots__ = ()


Notice = TableNotice | Called | CodeWanted | HandedOver | Pledged | WentOn
"""The last four are also what a session does in the order of its other effects."""


# From a session


@dataclass(frozen=True, slots=True)
class ViewChanged(TableNotice):
    """There is something new to see."""

    view: TableView


@dataclass(frozen=True, slots=True)
class NotAllowed(TableNotice):
    """Something that was said is not allowed now; it changed nothing."""

    error: Illegal


@dataclass(frozen=True, slots=True)
class Saved(TableNotice):
    """A game is over and its record is on the disk."""

    record: Path


@dataclass(frozen=True, slots=True)
class NotSaved(TableNotice):
    """The record of a game could not be written yet; the game goes on."""

    error: OSError


@dataclass(frozen=True, slots=True)
class DiskTrouble(TableNotice):
    """The log, or a secret, cannot be written: effects that need it on the disk wait."""

    error: OSError | None
    """What is wrong; None: it can be written again."""
    is_host: bool
    """Whether the table's log is what waits, so that everybody waits."""


@dataclass(frozen=True, slots=True)
class NotKept(TableNotice):
    """There is no writable folder: nothing outlives this program."""

    is_host: bool
    """Whether that goes for the table, and not only for the player's own seat."""


@dataclass(frozen=True, slots=True)
class Ended(TableNotice):
    """The session is over: the host, or this side, said farewell for good."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class TurnedAway(TableNotice):
    """The table, or what answers in its place, cannot be joined now; the session keeps trying."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class Broken(TableNotice):
    """The host's log is inconsistent; the session is over."""

    error: RemoteError
    evidence: Path | None
    fault: LogFault | None = None
    """What is wrong with the entry that does not follow."""


@dataclass(frozen=True, slots=True)
class WhileAway(TableNotice):
    """What has happened at the table while this player was away."""

    entries: tuple[Entry, ...]
    """What the log says about it, oldest first."""


# From a table that may move


@dataclass(frozen=True, slots=True)
class HostGone(TableNotice):
    """The host is gone; the table is being searched for."""

    seconds: int
    """Seconds since the host was last heard; the notice is repeated every second."""


@dataclass(frozen=True, slots=True)
class Standing(TableNotice):
    """This program serves the table, and asks the others to elect it host."""


@dataclass(frozen=True, slots=True)
class Moved(TableNotice):
    """The table has another host."""

    me: bool
    """Whether this program is the host now."""


@dataclass(frozen=True, slots=True)
class SeatState(TableNotice):
    """What else a program knows about its table; immutable, so any thread may read it."""

    is_host: bool = False
    """Whether this program hosts the table."""
    tried: tuple[Address, ...] = ()
    """Where the table is searched for while there is no link to it, the likeliest first."""
    heirs: frozenset[bytes] = frozenset()
    """Keys of the seats whose programs can serve the table if its host goes."""
    heir: bytes | None = None
    """Key of the seat whose program takes it over if the host stays away, of those that are heard;
    None while there is a link."""
    heard: frozenset[bytes] = frozenset()
    """Keys of the other seats that were heard a moment ago although the host is not."""
    can_move: bool = False
    """Whether these are enough, with this one, to move the table (G7)."""
    could_move: bool = False
    """Whether all would be whose programs have not gone with the host's."""
    unheard_since: int | None = None
    """When most of the table was last heard, in milliseconds since 1970, if its host can take
    nothing because it was not heard since (G7)."""
    has_network: bool = True
    """Whether this machine is on the network over which it reaches the table."""
    is_shut: bool | None = None
    """Whether the player's open table is locked for newcomers; None if there is nothing to lock."""
    strangers: tuple[bytes, ...] = ()
    """Keys of the seats at the player's open table whose owners have never opened a fist there."""
    start_when: int = 0
    """How many have to be ready before a game begins at the player's table; 0 at other tables."""
    own_hand: int | None = field(default=None, repr=False)
    """The coins in the player's own fist, for a peek; None while they have not hidden any."""


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
    """The key of a saved table is not here, or is in use by a program that does not answer."""

    def __init__(self, holder: Holder | None = None) -> None:
        super().__init__()
        self.holder = holder
        """The program that does not answer; None if the key is not here."""


@dataclass(frozen=True, slots=True)
class SeatHeld(TableNotice):
    """The player's seat is held by another of their programs, which can be asked for it.

    `TableClient.take_over` then goes on with that seat.
    """

    holder: Holder
    is_other_free: bool
    """Whether the player can also sit down as somebody else, by `TableClient.sit_apart`."""


@dataclass(frozen=True, slots=True)
class TakenOver(TableNotice):
    """Another program of the player has taken this seat over; this one is done with the table."""

    holder: Holder


@dataclass(frozen=True, slots=True)
class Opened(TableNotice):
    """The player's own table is open."""

    port: int | None
    """Where others reach it; None if it is for this machine only."""
    trouble: str | None
    """Why others may not find it; None if they can."""
    code: str | None
    """The join code to tell others; None if the table is private, or open to all."""
    address: str = ""
    """The address that others reach it at; empty if it is for this machine only."""
    is_anew: bool = False
    """Whether it was open before, here or at another player's program, with another code."""


@dataclass(frozen=True, slots=True)
class AddressesChanged(TableNotice):
    """The player's own table is reached in another way now, or can no longer be found."""

    address: str
    """The address that others reach it at; empty if it is for this machine only."""
    trouble: str | None
    """Why others may not find it; None if they can."""


@dataclass(frozen=True, slots=True)
class NewCode(TableNotice):
    """The player's own table has a new join code."""

    code: str
    why: CodeChange


@dataclass(frozen=True, slots=True)
class OpenElsewhere(TableNotice):
    """The table to be resumed has another host by now: the player joins it there."""

    host: ForeignText


@dataclass(frozen=True, slots=True)
class Explained(TableNotice):
    """An examination has found what is in the way between this player and others."""

    findings: tuple[Finding, ...]
    """The worst first; empty if nothing is in the way any more."""


@dataclass(frozen=True, slots=True)
class Reopened(TableNotice):
    """The table that was closed is open again: `TableClient.come_back` leads to it."""


@dataclass(frozen=True, slots=True)
class DoorChanged(TableNotice):
    """The door of the player's own table was opened or closed, or could not be opened."""

    said: DoorOpened | DoorFailed | None
    """None: it is closed."""
