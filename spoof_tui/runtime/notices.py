"""What a table tells whoever plays at it, hosts it or watches it: every notice of this program."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, RemoteError
from protocol.guest.effects import CodeWanted, HandedOver, Pledged, WentOn
from protocol.table.log import Entry
from protocol.table.verify import LogFault
from protocol.views import TableView
from protocol.wire.messages import Card, Farewell
from spoof_tui.door.program import DoorFailed, DoorOpened
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.storage.identity import Holder


class CodeChange(Enum):
    """Why a table has another join code than at first."""

    GUESSED = "guessed"
    """Too many wrong codes were tried."""
    BARRED = "barred"
    """Somebody who knows the old one is refused (G5)."""
    ASKED = "asked"
    """The host wanted another one."""


# Of a session


@dataclass(frozen=True, slots=True)
class ViewChanged:
    """There is something new to see."""

    view: TableView


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """Something that was said is forbidden now; it changed nothing."""

    error: Illegal


@dataclass(frozen=True, slots=True)
class Saved:
    """A game is over and its record is on the disk."""

    record: Path


@dataclass(frozen=True, slots=True)
class NotSaved:
    """The record of a game could not be written yet; the game goes on."""

    error: OSError


@dataclass(frozen=True, slots=True)
class DiskTrouble:
    """The log, or a secret, cannot be written: what must not come before that waits."""

    error: OSError | None
    """Why; None: it can be written again."""
    is_host: bool
    """Whether it is the table's log that waits, and so everybody does."""


@dataclass(frozen=True, slots=True)
class NotKept:
    """There is no folder that can be written: nothing outlives this program."""

    is_host: bool
    """Whether that is so of the table, and not only of the own seat."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over: the host, or this side, said farewell for good."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The table, or what answers in its place, cannot be joined now; the session tries again."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class Broken:
    """The host's log does not hold together; the session is over."""

    error: RemoteError
    evidence: Path | None
    fault: LogFault | None = None
    """What is wrong with the entry that does not follow."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """The candidate of this epoch holds less of the log than this player."""

    epoch: int


@dataclass(frozen=True, slots=True)
class WhileAway:
    """What has happened at the table while this player was not there."""

    entries: tuple[Entry, ...]
    """What the log says of it, oldest first."""


Notice = (
    ViewChanged
    | NotAllowed
    | Saved
    | NotSaved
    | Ended
    | CodeWanted
    | TurnedAway
    | Broken
    | HandedOver
    | Pledged
    | Ahead
    | WentOn
    | WhileAway
)

# Of a table that may move


@dataclass(frozen=True, slots=True)
class HostGone:
    """The host is not there; the table is looked for."""

    seconds: int
    """For how long nothing was heard of it; told again with every second."""


@dataclass(frozen=True, slots=True)
class Standing:
    """This program serves the table, and asks the others to take it for the host."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The table has another host."""

    me: bool
    """Whether it is this program."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """What else a program knows of its table; never changed, so any thread may read it."""

    is_host: bool = False
    """Whether this program hosts the table."""
    tried: tuple[Address, ...] = ()
    """Where the table is looked for while there is no link to it, the likeliest first."""
    heirs: frozenset[bytes] = frozenset()
    """Keys of the seats whose programs can serve the table if its host goes."""
    heard: frozenset[bytes] = frozenset()
    """Keys of the other seats that are heard although the host is not."""
    is_shut: bool | None = None
    """Whether the own open table takes nobody new; None where there is nothing to lock."""
    strangers: tuple[bytes, ...] = ()
    """Keys of the seats at the own open table whose owners have never opened a fist there."""
    own_hand: int | None = field(default=None, repr=False)
    """The coins in the own fist, for a peek; None while it is not in."""


@dataclass(frozen=True, slots=True)
class ContinuedAt:
    """The game of a table that is looked for goes on at a new one (G8)."""

    address: Address
    card: Card
    entry: Entry
    """The first entry of the new table, by which that is known."""


FailoverNotice = Notice | HostGone | Standing | Moved | SeatState | ContinuedAt | DiskTrouble


@dataclass(frozen=True, slots=True)
class Chosen:
    """The players have taken this program, which has no seat, for the host again."""


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The table has a later host; this program, which has no seat, serves it no more."""

    host: ForeignText
    """Who that is, by its card."""


@dataclass(frozen=True, slots=True)
class CarriedOn:
    """The players have found a new table, which this program, without a seat, hosts (G8)."""


HeadlessNotice = Standing | Chosen | Succeeded | CarriedOn | DiskTrouble

# Of a player's own program


@dataclass(frozen=True, slots=True)
class CannotOpen:
    """The table could not be opened or reached."""

    error: Exception


class KeyInUse(Exception):
    """The key of a saved table is not here, or in use by a program that does not answer."""

    def __init__(self, holder: Holder | None = None) -> None:
        super().__init__()
        self.holder = holder
        """That program, if there is one."""


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """The own seat is in another program of the player, which can be asked for it.

    Then `TableClient.take_over` goes on with that seat.
    """

    holder: Holder
    is_other_free: bool
    """Whether the player can also sit down as somebody else, by `TableClient.sit_apart`."""


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Another program of the player has taken this seat over; the table is over here."""

    holder: Holder


@dataclass(frozen=True, slots=True)
class Opened:
    """The own table stands."""

    port: int | None
    """Where others reach it; None when it is for this machine only."""
    trouble: str | None
    """Why others may not find it; None when they can."""
    code: str | None
    """The join code to tell others; None where nobody else comes, or anybody may."""
    address: str = ""
    """The same with an address of this machine; empty when it is for this machine only."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """The own table has another join code."""

    code: str
    why: CodeChange


@dataclass(frozen=True, slots=True)
class OpenElsewhere:
    """The table to go on with has another host meanwhile: the player joins it there."""

    host: ForeignText


@dataclass(frozen=True, slots=True)
class Explained:
    """What is in the way between this player and others was looked into."""

    findings: tuple[Finding, ...]
    """The worst first; empty if nothing is in the way any more."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """The table that was closed is open again: `TableClient.come_back` leads to it."""


@dataclass(frozen=True, slots=True)
class DoorChanged:
    """The door of the own table was opened, or closed; or it could not be opened."""

    said: DoorOpened | DoorFailed | None
    """None: it is closed."""


ClientNotice = (
    Notice
    | HostGone
    | Standing
    | Moved
    | ContinuedAt
    | CannotOpen
    | Opened
    | DiskTrouble
    | NotKept
    | NewCode
    | OpenElsewhere
    | Explained
    | Reopened
    | DoorChanged
    | SeatHeld
    | TakenOver
)
