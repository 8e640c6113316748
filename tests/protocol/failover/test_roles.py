"""What each role heeds, does and waits for: who stands, hosts, hands its role over and goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from types import SimpleNamespace
from typing import Any, cast

import pytest

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Illegal, Reason
from protocol.failover.effects import (
    CannotHandOver,
    FailoverEffect,
    Left,
    Look,
    Pledge,
    Serve,
    Stand,
    StepDown,
    Tell,
)
from protocol.failover.election import LOOK_TIMEOUT, URGENT_DELAY, Election
from protocol.failover.failover import LAST_HAND_OVER_TIMEOUT, TRANSITIONS, Failover
from protocol.failover.inputs import Called, Found, HandOver, Hurry, Input, Prepared, Retire
from protocol.failover.roles import (
    ALONE_DELAY,
    HAND_OVER_TIMEOUT,
    LOOK_PAUSE,
    MAX_ALONE_DELAY,
    PLEDGE_TIMEOUT,
    RENEW_INTERVAL,
    Following,
    HandingOver,
    Hosting,
    Leaving,
    Preparing,
    Role,
    Standing,
)
from protocol.guest.effects import HandedOver, Pledged, Promise
from protocol.host.effects import HostEffect, Send, Stranded, Superseded
from protocol.host.host import Host
from protocol.limits import MAX_EPOCH_STEP
from protocol.table.electorate import sign_support
from protocol.table.statements import Backing
from protocol.timeouts import PING_INTERVAL, STAND_FOR, Moment
from protocol.views import LinkState
from protocol.wire.messages import Card, State
from tests.helpers.tables import MemoryTable

NOW = 1000.0

EPOCH = 3
"""In which this program hosts the table, or stands for that."""

EARLIER, OWN, LATER = range(3)
"""Seats, in their order."""

ILLEGAL = Illegal(Reason.NOT_NOW)


def at(seconds: float = NOW) -> Moment:
    return Moment(seconds, round(seconds * 1000))


@dataclass(eq=False)
class Server:
    """A host as far as a role asks it."""

    is_standing: bool = False
    here: int = 2
    """How many seats are connected."""
    goes_on: bool = True
    """Whether it has a majority."""
    deserted: bool = False
    """Whether it hears nobody, and has removed somebody."""
    takers: Sequence[bytes] = ()
    """Who can take its role."""
    key: bytes = MemoryTable(3).clients[OWN].guest.key
    said: list[tuple[Any, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.table = MemoryTable(3).host.table
        self.card = SimpleNamespace(epoch=EPOCH)
        self.lease = SimpleNamespace(is_deserted=lambda table, at: self.deserted)
        self.connections = SimpleNamespace(seats_here=range(self.here))

    def may_go_on(self, at: Moment) -> bool:
        return self.goes_on and at.monotonic >= NOW

    def hand_over(self, seat: bytes, support: bytes | None = None) -> list[HostEffect]:
        if seat not in (self.key, *self.takers):
            raise ILLEGAL
        return [Send((1,), b"to " + seat + (support or b""))]

    def close(self, *, is_moving: bool) -> list[HostEffect]:
        assert is_moving
        return [Send((1,), b"goodbye")]


def server(**what: Any) -> Host:
    return cast(Host, Server(**what))


CANDIDATE, LONELY = server(is_standing=True), server(is_standing=True, here=1)
HOST, ALONE, GIVING = server(), server(goes_on=False), server(takers=[b"heir"])
DESERTED = server(deserted=True)

STANDING, HOSTING = Standing(CANDIDATE, NOW + 4), Hosting(HOST)
HANDING = HandingOver(GIVING, b"heir")

ROLES: tuple[Role, ...] = (
    Following(),
    Preparing(),
    STANDING,
    HOSTING,
    HANDING,
    Leaving(NOW + 8),
)


def name(value: object) -> str:
    return type(value).__name__ if isinstance(value, Role | Input) else str(value)


def card(epoch: int, state: State = State.MOVING) -> Card:
    return replace(MemoryTable(3).host.card, epoch=epoch, state=state)


def election(**what: Any) -> Election:
    """What the program in the middle of three seats knows, which has just lost its host."""
    guest = MemoryTable(3).clients[OWN].guest
    guest.link = LinkState.DOWN
    guest.voter.hear(at())
    own = Election(guest._key, guest)
    for name, value in what.items():
        setattr(own, name, value)
    return own


def machine(role: Role, **what: Any) -> Failover:
    """A program in this role."""
    made = Failover(election(**what))
    made.role = role
    return made


def role_of(program: Failover) -> Role:
    """Its role now, whichever a test has just given it."""
    return program.role


def key_of(seat: int) -> bytes:
    return MemoryTable(3).clients[seat].guest.key


def hosts(own: Election, key: bytes, epoch: int = 0) -> None:
    """The log says that this is the host."""
    table = own.guest.table
    assert table
    own.guest.table = replace(table, host=key, epoch=epoch)


# What is heeded

INPUTS: tuple[Input, ...] = (
    Called(EPOCH + 1),
    Prepared(CANDIDATE),
    Found(None, None),
    HandOver(b"heir"),
    HandOver(b"heir", leaves=True),
    Hurry(),
    HandedOver(b"heir", None),
    Pledged(),
    Superseded(EPOCH + 1),
    Stranded(EPOCH + 1),
)

OVER = replace(HANDING, leaves_by=NOW + HAND_OVER_TIMEOUT)

HEEDED: dict[tuple[type[Role], Input], Role] = {
    (Preparing, Prepared(CANDIDATE)): Standing(CANDIDATE, NOW + STAND_FOR),
    (Standing, Found(None, None)): replace(STANDING, look_at=NOW + LOOK_PAUSE),
    (Standing, Superseded(EPOCH + 1)): replace(STANDING, is_outrun=True),
    (Standing, Stranded(EPOCH + 1)): replace(STANDING, is_outrun=True),
    (Hosting, Superseded(EPOCH + 1)): replace(HOSTING, is_outrun=True),
    (Hosting, Stranded(EPOCH + 1)): replace(HOSTING, is_outrun=True),
    (Hosting, HandOver(b"heir")): HandingOver(HOST, b"heir"),
    (Hosting, HandOver(b"heir", leaves=True)): HandingOver(HOST, b"heir", NOW + HAND_OVER_TIMEOUT),
    (HandingOver, Pledged()): replace(HANDING, is_pledged=True),
    (HandingOver, HandOver(b"heir", leaves=True)): OVER,
}
"""What changes a role, and to which; everything else changes none."""


@pytest.mark.parametrize("what", INPUTS, ids=name)
@pytest.mark.parametrize("role", ROLES, ids=name)
def test_a_role_heeds_what_concerns_it_and_nothing_else(role: Role, what: Input) -> None:
    program = machine(role)
    program.take(what, at())
    assert role_of(program) == HEEDED.get((type(role), what), role)


@pytest.mark.parametrize("role", [*ROLES, OVER], ids=name)
def test_who_retires_follows_and_never_stands_again(role: Role) -> None:
    program = machine(role)
    program.take(Retire(), at())
    assert (program.role, program.is_host) == (Following(), False)
    assert program.next_deadline(at(NOW + 100)) == inf and not program.tick(at(NOW + 100))
    assert machine(Following()).next_deadline(at()) < inf, "others do"


def test_only_a_host_is_one_until_its_role_is_handed_over() -> None:
    assert [machine(role).is_host for role in ROLES] == [False, False, False, True, True, False]
    assert isinstance(Failover(election(), HOST).role, Hosting)
    assert isinstance(Failover(election()).role, Following)


# What is done, and when

Done = tuple[Role, list[FailoverEffect]]

LOOK, LOOK_BESIDE = Look(LOOK_TIMEOUT, True), Look(LOOK_TIMEOUT, False)

DOWN, DOWN_AS_HOST = StepDown(was_host=False), StepDown(was_host=True)

TO_ITSELF = Tell((Send((1,), b"to " + HOST.key),))

TO_HEIR = Tell((Send((1,), b"to heir"), Send((1,), b"goodbye")))

REFUSING = replace(HANDING, host=HOST)

TICKS: dict[str, tuple[Role, Done]] = {
    "a candidate looks for others at once": (
        STANDING,
        (replace(STANDING, look_at=None), [LOOK]),
    ),
    "and again after a pause": (
        replace(STANDING, look_at=NOW),
        (replace(STANDING, look_at=None), [LOOK]),
    ),
    "but not before": (
        replace(STANDING, look_at=NOW + 0.01),
        (replace(STANDING, look_at=NOW + 0.01), []),
    ),
    "nor during a look": (replace(STANDING, look_at=None), (replace(STANDING, look_at=None), [])),
    "it is host once elected, whatever it has found": (
        Standing(HOST, NOW, None, gives_way=True, is_outrun=True),
        (HOSTING, [Serve()]),
    ),
    "it gives way to who has a better claim": (
        replace(STANDING, gives_way=True),
        (Following(), [DOWN]),
    ),
    "and to a later epoch": (replace(STANDING, is_outrun=True), (Following(), [DOWN])),
    "it stops when nobody has come in its time": (
        Standing(LONELY, NOW, None),
        (Following(), [DOWN]),
    ),
    "but not before it is over": (
        Standing(LONELY, NOW + 0.01, None),
        (Standing(LONELY, NOW + 0.01, None), []),
    ),
    "nor while others are here": (
        Standing(CANDIDATE, NOW, None),
        (Standing(CANDIDATE, NOW, None), []),
    ),
    "who prepares waits": (Preparing(), (Preparing(), [])),
    "a host with a majority hosts": (HOSTING, (HOSTING, [])),
    "it asks to be chosen again in a later epoch": (
        replace(HOSTING, is_outrun=True),
        (Following(), [TO_ITSELF, DOWN_AS_HOST]),
    ),
    "it notes that it is alone": (Hosting(ALONE), (Hosting(ALONE, alone_since=NOW), [])),
    "it is patient": (
        Hosting(ALONE, alone_since=NOW - ALONE_DELAY),
        (Hosting(ALONE, alone_since=NOW - ALONE_DELAY), []),
    ),
    "for a while": (
        Hosting(ALONE, alone_since=NOW - ALONE_DELAY - 0.01),
        (Hosting(ALONE, alone_since=NOW, is_looking=True), [LOOK_BESIDE]),
    ),
    "and looks for one other at a time": (
        Hosting(ALONE, alone_since=NOW - ALONE_DELAY - 0.01, is_looking=True),
        (Hosting(ALONE, alone_since=NOW, is_looking=True), []),
    ),
    "so does one that hears none of those it has not removed": (
        Hosting(DESERTED, alone_since=NOW - ALONE_DELAY - 0.01),
        (Hosting(DESERTED, alone_since=NOW, is_looking=True), [LOOK_BESIDE]),
    ),
    "it forgets that when the others are back": (
        Hosting(HOST, alone_since=NOW - 9, patience=12.0),
        (HOSTING, []),
    ),
    "it asks its own seat before it hands the role over": (
        HANDING,
        (replace(HANDING, until=NOW + PLEDGE_TIMEOUT), [Pledge((Promise(1), Pledged()))]),
    ),
    "and waits for it": (
        replace(HANDING, until=NOW + 0.01),
        (replace(HANDING, until=NOW + 0.01), []),
    ),
    "but not for long": (
        replace(HANDING, until=NOW),
        (Following(), [TO_HEIR, DOWN_AS_HOST]),
    ),
    "it goes on if the role cannot be given": (
        replace(REFUSING, until=NOW),
        (HOSTING, [CannotHandOver(ILLEGAL)]),
    ),
    "but not in an epoch that its own seat has given up": (
        replace(REFUSING, until=NOW, is_pledged=True),
        (replace(HOSTING, is_outrun=True), [CannotHandOver(ILLEGAL)]),
    ),
    "who leaves goes at once if the role cannot be given": (
        replace(REFUSING, until=NOW, leaves_by=NOW + 8),
        (Following(), [CannotHandOver(ILLEGAL), DOWN_AS_HOST, Left()]),
    ),
    "and if its vote is not needed": (
        replace(HANDING, until=NOW, leaves_by=NOW + 8),
        (Following(), [TO_HEIR, DOWN_AS_HOST, Left()]),
    ),
    "or is not needed any more": (Leaving(NOW + 8), (Following(), [Left()])),
}


@pytest.mark.parametrize(("role", "done"), TICKS.values(), ids=TICKS)
def test_when_its_time_has_come(role: Role, done: Done) -> None:
    program = machine(role)
    effects = program.tick(at())
    assert (program.role, effects) == done


DEADLINES: tuple[tuple[Role, float], ...] = (
    (Preparing(), inf),
    (STANDING, -inf),
    (replace(STANDING, look_at=None), NOW + 4),
    (replace(STANDING, look_at=NOW + 0.1), NOW + 0.1),
    (replace(STANDING, look_at=NOW + 9), NOW + 4),
    (Standing(CANDIDATE, NOW, None), inf),
    (Standing(CANDIDATE, NOW + 0.01, None), NOW + 0.01),
    (HOSTING, NOW + PING_INTERVAL),
    (HANDING, inf),
    (replace(HANDING, until=NOW + 0.2), NOW + 0.2),
    (Leaving(NOW + 8), NOW + 8),
)


@pytest.mark.parametrize(("role", "when"), DEADLINES, ids=name)
def test_until_when_it_waits(role: Role, when: float) -> None:
    assert machine(role).next_deadline(at()) == when


FOUND: tuple[tuple[Role, int | None, Card | None, dict[str, Any]], ...] = (
    (STANDING, EARLIER, card(EPOCH), {"gives_way": True}),
    (STANDING, LATER, card(EPOCH), {}),
    (STANDING, OWN, card(EPOCH), {}),
    (STANDING, None, card(EPOCH), {}),
    (STANDING, EARLIER, card(EPOCH - 1), {}),
    (STANDING, LATER, card(EPOCH + 1), {"gives_way": True}),
    (STANDING, LATER, card(EPOCH - 1, State.GATHERING), {"gives_way": True}),
    (replace(STANDING, gives_way=True), None, None, {"gives_way": True}),
    (HOSTING, None, None, {}),
    (HOSTING, LATER, card(EPOCH, State.GATHERING), {}),
    (HOSTING, LATER, card(EPOCH + 1), {"has_met": True}),
    (replace(HOSTING, has_met=True), LATER, card(EPOCH + 1), {"is_outrun": True}),
    (replace(HOSTING, has_met=True), None, None, {"has_met": True}),
    (HOSTING, LATER, card(EPOCH + 1, State.GATHERING), {"is_outrun": True}),
)


@pytest.mark.parametrize(("role", "who", "found", "then"), FOUND)
def test_who_is_found_counts(
    role: Role, who: int | None, found: Card | None, then: dict[str, Any]
) -> None:
    looked: dict[str, Any] = {"is_looking": False, "has_met": False}
    if isinstance(role, Standing):
        looked = {"look_at": NOW + LOOK_PAUSE}
    else:
        role = replace(cast(Hosting, role), is_looking=True)
    program = machine(role)
    program.take(Found(None if who is None else key_of(who), found), at())
    assert role_of(program) == replace(role, **looked | then)


def test_nobody_gives_way_to_a_host_from_before_the_last_move_of_the_log() -> None:
    for epoch, gives_way in ((EPOCH - 1, False), (EPOCH - 2, True)):
        candidate = Server(is_standing=True)
        candidate.table = replace(candidate.table, epoch=epoch)
        standing = replace(STANDING, host=cast(Host, candidate))
        program = machine(standing)
        program.take(Found(key_of(LATER), card(EPOCH - 2, State.PLAYING)), at())
        looked = replace(standing, look_at=NOW + LOOK_PAUSE)
        assert role_of(program) == replace(looked, gives_way=gives_way)


def test_without_a_seat_nobody_gives_way_to_a_seat_of_the_same_epoch() -> None:
    standing = Standing(server(is_standing=True, key=b"nobody"), inf)
    program = machine(standing)
    program.take(Found(key_of(EARLIER), card(EPOCH)), at())
    assert role_of(program) == replace(standing, look_at=NOW + LOOK_PAUSE)


# What outlives a role


def stands(program: Failover) -> Stand:
    """As which candidate it stands next."""
    program.role = Following()
    return program.election.stand(at())


def test_it_stands_when_its_turn_has_come_and_tells_how_long_the_host_was_silent() -> None:
    program = machine(Following())
    assert not program.tick(at(NOW + 1))
    due = program.next_deadline(at(NOW + 1))
    assert not program.tick(at(due - 0.01)) and role_of(program) == Following()
    assert program.tick(at(due)) == [Stand(1, due - NOW, ())]
    assert role_of(program) == Preparing()


@pytest.mark.parametrize(
    ("heir", "is_signed", "pledges"), [(OWN, True, 1), (OWN, False, 0), (LATER, True, 0)]
)
def test_it_stands_with_the_support_that_came_with_the_role(
    heir: int, is_signed: bool, pledges: int
) -> None:
    program, support = machine(Following()), bytes(SIGNATURE_BYTES)
    assert stands(program).pledges == ()
    program.take(HandedOver(key_of(heir), support if is_signed else None), at())
    assert stands(program).pledges == (Backing(MemoryTable(3).host.key, support),) * pledges


@pytest.mark.parametrize(
    ("role", "what", "epoch"),
    [
        (Following(), Called(7), 8),
        (Preparing(), Prepared(CANDIDATE), EPOCH + 1),
        (STANDING, Superseded(7), 8),
        (HOSTING, Stranded(7), 8),
        (HOSTING, Found(None, card(7, State.GATHERING)), 8),
        (HOSTING, Found(None, card(7)), 1),
        (STANDING, Found(None, card(7)), 1),
        (Following(), Superseded(7), 1),
        (Following(), Called(MAX_EPOCH_STEP), MAX_EPOCH_STEP),
    ],
)
def test_it_stands_in_a_later_epoch_than_all_that_it_has_heard_of(
    role: Role, what: Input, epoch: int
) -> None:
    program = machine(role)
    program.take(what, at())
    assert stands(program).epoch == epoch
    program.take(Called(1), at())
    assert stands(program).epoch == max(epoch, 2), "an earlier one changes nothing"


def test_without_a_seat_it_stands_two_epochs_above() -> None:
    guest = election().guest
    assert Election(guest._key, guest, plays=False).stand(at()).epoch == 2


def test_an_epoch_that_its_own_seat_has_promised_counts() -> None:
    program = machine(replace(REFUSING, until=NOW, is_pledged=True))
    program.election.guest.voter.promised = 5
    program.tick(at())
    assert program.election.last_epoch == 5
    program = machine(replace(REFUSING, until=NOW))
    program.tick(at())
    assert program.election.last_epoch == 0


@pytest.mark.parametrize(
    ("role", "is_failed"),
    [
        (replace(STANDING, gives_way=True), True),
        (Standing(LONELY, NOW, None), True),
        (replace(STANDING, is_outrun=True), False),
        (replace(STANDING, is_outrun=True, gives_way=True), False),
        (Standing(HOST, NOW), False),
    ],
)
def test_after_standing_nobody_who_was_named_is_waited_for(role: Role, is_failed: bool) -> None:
    program = machine(role)
    program.take(HandedOver(b"heir", None), at())
    program.tick(at())
    assert program.election.handed is None
    assert program.election.failed_at == (NOW if is_failed else -inf)


def test_who_cannot_serve_lets_others_try() -> None:
    program = machine(Preparing())
    program.take(Prepared(None), at())
    assert (program.role, program.election.failed_at) == (Following(), NOW)


def test_a_single_seat_has_its_host_chosen_again_not_too_often() -> None:
    program = machine(HOSTING)
    for when, epoch, is_heeded in (
        (NOW, 5, True),
        (NOW + RENEW_INTERVAL - 0.01, 6, False),
        (NOW + RENEW_INTERVAL, 7, True),
    ):
        program.role = HOSTING
        program.take(Stranded(epoch), at(when))
        assert (program.role != HOSTING) is is_heeded
    program.role = HOSTING
    program.take(Superseded(8), at(NOW + RENEW_INTERVAL))
    assert program.role != HOSTING, "more than one seat are heard at once"


def test_who_asks_to_be_chosen_again_stands_at_once_though_its_own_seat_hears_nothing() -> None:
    """That seat has promised to follow the later epoch, and so is not connected to its host."""
    program = machine(replace(HOSTING, is_outrun=True))
    program.election.heard_of(EPOCH + 1)
    assert program.election.due(at()) > NOW + URGENT_DELAY
    program.tick(at())
    assert program.election.due(at()) == NOW + URGENT_DELAY


def test_a_host_that_nobody_plays_with_looks_ever_more_seldom() -> None:
    own = election()
    program = Failover(Election(own.key, own.guest, plays=False), ALONE)
    program.tick(at())
    now, pauses = NOW, []
    for _ in range(4):
        role = cast(Hosting, program.role)
        pauses.append(role.patience)
        now += role.patience + 0.01
        assert program.tick(at(now)) == [LOOK_BESIDE]
        program.take(Found(None, None), at(now))
    assert pauses == [ALONE_DELAY, 2 * ALONE_DELAY, 4 * ALONE_DELAY, MAX_ALONE_DELAY]


def test_without_a_seat_it_stands_until_it_is_chosen() -> None:
    guest = election().guest
    program = Failover(Election(guest._key, guest, plays=False))
    program.role = Preparing()
    program.take(Prepared(LONELY), at())
    assert role_of(program) == Standing(LONELY, inf)
    assert program.tick(at()) == [LOOK_BESIDE], "no host of an earlier epoch is of use"
    assert program.next_deadline(at()) == inf


# Handing the role over


def test_its_own_seat_is_asked_to_support_the_one_that_is_to_follow() -> None:
    program, asked = machine(HANDING), []
    voter = program.election.guest.voter
    voter.pledge = lambda heir, table: asked.append((heir, table)) or [Pledged()]  # type: ignore
    assert program.tick(at()) == [Pledge((Pledged(),))]
    assert asked == [(b"heir", program.election.guest.table)]


def test_the_support_of_its_own_seat_goes_with_the_role() -> None:
    program = machine(replace(HANDING, until=NOW + 9, is_pledged=True))
    own, table = program.election.key, GIVING.table
    support = sign_support(own, table.id, 1, b"heir", table.head)
    told, down = program.tick(at())
    assert told == Tell((Send((1,), b"to heir" + support), Send((1,), b"goodbye")))
    assert (down, program.role) == (DOWN_AS_HOST, Following())


NO_VOTE: dict[str, Callable[[Election], object]] = {
    "it has another promise to keep": lambda own: setattr(own.guest.voter, "promised", 9),
    "it has gone along to a new table": lambda own: setattr(own.guest.departure, "signed", b"mark"),
    "it has no table": lambda own: setattr(own.guest, "table", None),
    "it has no seat": lambda own: setattr(own.guest, "key", b"nobody"),
}


@pytest.mark.parametrize("prevent", NO_VOTE.values(), ids=NO_VOTE)
def test_no_support_is_waited_for_that_cannot_come(prevent: Callable[[Election], object]) -> None:
    program = machine(HANDING)
    prevent(program.election)
    assert program.tick(at()) == [TO_HEIR, DOWN_AS_HOST]


def test_one_that_was_told_to_go_votes_until_somebody_has_the_role() -> None:
    program = machine(HANDING)
    own = program.election
    hosts(own, own.guest.key)
    own.guest.link = LinkState.UP
    program.take(HandOver(b"another", leaves=True), at())
    program.tick(at())
    program.take(Pledged(), at())
    assert program.tick(at())[1:] == [DOWN_AS_HOST]
    assert role_of(program) == Leaving(NOW + HAND_OVER_TIMEOUT) and not program.tick(at())
    assert not program.tick(at(NOW + HAND_OVER_TIMEOUT - 0.01)) and own.can_serve is False
    assert program.tick(at(NOW + HAND_OVER_TIMEOUT)) == [Left()]
    program.role = Leaving(NOW + HAND_OVER_TIMEOUT)
    hosts(own, b"heir")
    assert program.tick(at()) == [Left()], "somebody has the role"
    assert role_of(program) == Following() and program.next_deadline(at()) == inf


@pytest.mark.parametrize("is_late", [False, True])
def test_leaving_takes_no_longer_than_the_program_may(is_late: bool) -> None:
    program = machine(Following() if is_late else Leaving(NOW + HAND_OVER_TIMEOUT))
    own = program.election
    hosts(own, own.guest.key)
    program.take(Hurry(), at())
    if is_late:
        program.role = Leaving(NOW + HAND_OVER_TIMEOUT)
    end = NOW + LAST_HAND_OVER_TIMEOUT
    assert program.next_deadline(at()) == end
    assert (program.tick(at(end - 0.01)), program.tick(at(end))) == ([], [Left()])


# When to ask


def test_it_is_concerned_by_what_matters_for_who_hosts_and_by_nothing_else() -> None:
    program = machine(Following())
    guest = program.election.guest
    assert program.is_concerned() and not program.is_concerned()
    changes: tuple[Callable[[], None], ...] = (
        lambda: setattr(guest, "places", ("somewhere",)),
        lambda: setattr(guest, "elsewhere", {b"somebody"}),
        lambda: setattr(guest.departure, "signed", b"mark"),
        lambda: hosts(program.election, b"another"),
        lambda: hosts(program.election, b"another", epoch=4),
        lambda: setattr(guest, "link", None),
    )
    for change in changes:
        change()
        assert program.is_concerned() and not program.is_concerned()
    assert guest.table
    guest.table = replace(guest.table, time=7)
    assert not program.is_concerned(), "a word makes nobody host"
    program.take(HandedOver(b"heir", None), at())
    assert program.is_concerned() and program.is_concerned(), "somebody is about to host"


def test_every_role_has_its_row() -> None:
    assert list(TRANSITIONS) == [type(role) for role in ROLES]
