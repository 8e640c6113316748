"""What a host wants done in the world, to be carried out in the order of the list.

Safety depends on the order. `Record` comes before the `Send` of the same entry: a guest that has
seen an entry can count on the host's having it after a crash. A host that comes back with fewer
entries than its guests would tell a second story for the same places in the log, under its own
signature. A `Goodbye` is sent before its link is closed, and the entry that a seat is away comes
after both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from protocol.crypto.join_code import HostExchange
from protocol.encoding.codec import Message
from protocol.table.log import Entry
from protocol.wire.messages import Farewell, write

LinkId = int
"""The caller's name for a connection."""


class HostEffect:
    """Base of everything that a host wants done."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LinkEffect(HostEffect):
    """Something to be done with one link."""

    link: LinkId


@dataclass(frozen=True, slots=True)
class Send(HostEffect):
    """Send the bytes on each of these links."""

    links: tuple[LinkId, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Record(HostEffect):
    """Put the entry on disk before anything that follows is carried out."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Found(HostEffect):
    """Put the first entry of a new table on disk before anything that follows, then serve it.

    The old table is no longer served: see `protocol.table.continuation`.
    """

    entry: Entry


@dataclass(frozen=True, slots=True)
class Disconnect(LinkEffect):
    """Close the link once what was sent on it is out."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class More(LinkEffect):
    """Call `Host.pump` for this link as soon as what was sent on it is on its way."""


@dataclass(frozen=True, slots=True)
class Compute(LinkEffect):
    """Do the work where it keeps nobody waiting, and call `Host.computed` with its result."""

    work: Callable[[], HostExchange | None] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Stall(LinkEffect):
    """Stop reading from this link: more came than is read of one link at a time."""


@dataclass(frozen=True, slots=True)
class Resume(LinkEffect):
    """Read from this link again."""


@dataclass(frozen=True, slots=True)
class CodeChanged(HostEffect):
    """The table has a new join code: show it."""


@dataclass(frozen=True, slots=True)
class Elected(HostEffect):
    """The candidate is the host now."""


@dataclass(frozen=True, slots=True)
class Superseded(HostEffect):
    """A seat has seen a later host, or promised one its support: look for the table again."""

    epoch: int
    """The later epoch."""


@dataclass(frozen=True, slots=True)
class Stranded(HostEffect):
    """A seat has promised its support to a later host that was not chosen, and cannot come back.

    To let it in, have this host chosen again: `Host.hand_over` to its own key, then stand in an
    epoch above this one. Not too often, because a seat can claim this without a reason.
    """

    epoch: int
    """The later epoch."""


def send(link: LinkId, message: Message) -> Send:
    """The effect that sends one message on one link."""
    return Send((link,), write(message))
