"""The effects of a host: what the program has to do, in the order of the list.

Safety depends on the order. `Record` comes before the `Send` of the same entry, so a guest that has
seen an entry can rely on the host to have it after a crash. A host that came back with fewer
entries than its guests would sign different entries for the same positions. A `Goodbye` is sent
before its link is closed, and the entry that a seat is away comes after both.
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
    """Base class of the effects of a host."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LinkEffect(HostEffect):
    """Base class of effects on one link."""

    link: LinkId


@dataclass(frozen=True, slots=True)
class Send(HostEffect):
    """Send the bytes on each of these links."""

    links: tuple[LinkId, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Record(HostEffect):
    """Save the entry on disk before any later effect is carried out."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Found(HostEffect):
    """Save the first entry of a new table on disk before any later effect, then serve that table.

    The old table is no longer served: see `protocol.table.continuation`.
    """

    entry: Entry


@dataclass(frozen=True, slots=True)
class Disconnect(LinkEffect):
    """Close the link after everything queued on it is sent."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class More(LinkEffect):
    """Call `Host.pump` for this link as soon as everything queued on it is sent."""


@dataclass(frozen=True, slots=True)
class Compute(LinkEffect):
    """Run `work` in another thread or process, and pass its result to `Host.computed`."""

    work: Callable[[], HostExchange | None] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Stall(LinkEffect):
    """Stop reading from this link: more messages came than its budget allows."""


@dataclass(frozen=True, slots=True)
class Resume(LinkEffect):
    """Read from this link again."""


@dataclass(frozen=True, slots=True)
class CodeChanged(HostEffect):
    """The table has a new join code: show it."""


@dataclass(frozen=True, slots=True)
class Elected(HostEffect):
    """The candidate has become the host."""


@dataclass(frozen=True, slots=True)
class Superseded(HostEffect):
    """A seat has seen a later host, or promised one its support: look for the table again."""

    epoch: int
    """The later epoch."""


@dataclass(frozen=True, slots=True)
class Stranded(HostEffect):
    """A seat has promised its support to a later host that was not elected, and cannot come back to
    this one.

    To let it in, this host has itself elected again: `Host.hand_over` to its own key, then stand in
    an epoch above this one. Limit how often, because a seat can claim this without a reason.
    """

    epoch: int
    """The later epoch."""


def send(link: LinkId, message: Message) -> Send:
    """The effect that sends one message on one link."""
    return Send((link,), write(message))
