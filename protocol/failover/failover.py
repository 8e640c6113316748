"""Which program hosts a table next, sans-IO: one program's part in it, with or without a seat.

Every seat holds the whole log, so any seat's program can go on as host. What keeps two hosts from
both playing on (election, lease and log) is described in `protocol/FAILOVER.md` and enforced
elsewhere: by the fold, `protocol.guest.voter` and `protocol.host.lease`. This machine only decides
*when* to ask for support and when to give way. It may be wrong about who is here; then play only
goes on later.

Report what happens as `inputs` to `take`; call `tick` after that and at `next_deadline`; carry out
the `effects` that `tick` returns, in that order, before the next call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Final

from protocol.failover.effects import FailoverEffect
from protocol.failover.election import Election
from protocol.failover.inputs import Called, Found, HandOver, Hurry, Input, Prepared, Retire
from protocol.failover.roles import (
    Following,
    HandingOver,
    Hosting,
    Leaving,
    Preparing,
    Role,
    Standing,
    outrun,
)
from protocol.guest.effects import HandedOver, Pledged
from protocol.host.effects import Stranded, Superseded
from protocol.timeouts import Moment

if TYPE_CHECKING:
    from protocol.host.host import Host

LAST_HAND_OVER_TIMEOUT: Final = 0.6
"""Maximum seconds that leaving takes once the program is told to end."""

_Rule = Callable[[Any, Election, Any, Moment], Role]

TRANSITIONS: Final[Mapping[type[Role], Mapping[type[Input], _Rule]]] = {
    Following: {},
    Preparing: {Prepared: Preparing.prepared},
    Standing: {Superseded: outrun, Stranded: outrun, Found: Standing.found},
    Hosting: {
        Superseded: outrun,
        Stranded: outrun,
        Found: Hosting.found,
        HandOver: Hosting.hand_over,
    },
    HandingOver: {Pledged: HandingOver.pledged, HandOver: HandingOver.hand_over},
    Leaving: {},
}
"""For each role, the inputs that change it before its next tick, and the method that does so.
`Retire` ends every role; an input that is absent changes nothing."""


class Failover:
    """What one program does about hosting its table: it follows a host, stands for host, hosts, or
    hands over."""

    def __init__(self, election: Election, host: Host | None = None) -> None:
        """Begin as host if `host` is given, otherwise as a follower."""
        self.election: Final = election
        self.role: Role = Hosting(host) if host else Following()
        self._known: object = None

    @property
    def is_host(self) -> bool:
        """Whether this program is the table's host, as far as it knows."""
        return isinstance(self.role, Hosting | HandingOver)

    def take(self, what: Input, at: Moment) -> None:
        """Take in an input; call `tick` afterwards."""
        match what:
            case HandedOver():
                self.election.hand_over(what, at)
            case Called():
                self.election.call(what.epoch, at)
            case Hurry():
                self.election.ends_at = at.monotonic + LAST_HAND_OVER_TIMEOUT
            case Retire():
                self.role, self.election.can_serve = Following(), False
        if rule := TRANSITIONS[type(self.role)].get(type(what)):
            self.role = rule(self.role, self.election, what, at)

    def tick(self, at: Moment) -> list[FailoverEffect]:
        """Take in what the guest has learned, and return the effects that are due at `at`; may
        change the role."""
        self.election.note(at)
        self.role, effects = self.role.tick(self.election, at)
        return effects

    def next_deadline(self, at: Moment) -> float:
        """When to call `tick` next if nothing happens before, in monotonic seconds; infinity for
        never."""
        return min(self.role.deadlines(self.election, at), default=inf)

    def is_concerned(self) -> bool:
        """Whether the guest has learned anything that matters for who hosts since the last call of
        this method, which remembers what it saw.

        If not, `tick` has nothing new to decide: what is said in a game changes no host.
        """
        guest, table, before = self.election.guest, self.election.guest.table, self._known
        gone, of_host = guest.departure.signed, table and (table.host, table.epoch)
        self._known = guest.link, guest.places, guest.elsewhere, gone, of_host
        return self.election.handed is not None or self._known != before
