"""What a host wants done in the world: to be carried out in the order in which it says it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from protocol.crypto.join_code import HostExchange
from protocol.host.connections import LinkId
from protocol.wire.messages import Farewell


@dataclass(frozen=True, slots=True)
class Send:
    """Send the bytes on each of these links."""

    links: tuple[LinkId, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """Put the entry on disk before anything that follows is carried out."""

    blob: bytes


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Close the link once what was sent on it is out."""

    link: LinkId
    why: Farewell


@dataclass(frozen=True, slots=True)
class More:
    """Call `Host.pump` for this link, as soon as what was sent on it is on its way."""

    link: LinkId


@dataclass(frozen=True, slots=True)
class Compute:
    """Do the work, where it keeps nobody waiting, and call `Host.computed` with its result."""

    link: LinkId
    work: Callable[[], HostExchange | None] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Stall:
    """Read no more from this link: more came than is taken of one at a time."""

    link: LinkId


@dataclass(frozen=True, slots=True)
class Resume:
    """Read from this link again."""

    link: LinkId


@dataclass(frozen=True, slots=True)
class CodeChanged:
    """The table has another join code: show it."""


@dataclass(frozen=True, slots=True)
class Elected:
    """Who stood for host is it now."""


@dataclass(frozen=True, slots=True)
class Superseded:
    """Somebody has seen, or promised its support to, a later host: look for the table anew."""

    epoch: int
    """The later epoch."""


@dataclass(frozen=True, slots=True)
class Stranded:
    """A seat has promised its support to a later host, which was not chosen, and cannot come back.

    To let it in have this host chosen anew: `Host.hand_over` to its own key, then stand in an
    epoch above this one. Not too often, because a seat can say so without a reason.
    """

    epoch: int
    """The later epoch."""


HostEffect = (
    Send
    | Record
    | Disconnect
    | More
    | Compute
    | Stall
    | Resume
    | CodeChanged
    | Elected
    | Superseded
    | Stranded
)
