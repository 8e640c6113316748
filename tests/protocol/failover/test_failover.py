"""Who hosts a table: two never both go on, and when one can go on it soon does."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.keys import SigningKey
from protocol.failover import roles
from protocol.failover.effects import StepDown
from protocol.failover.election import Election
from protocol.failover.inputs import Found, Hurry
from protocol.failover.roles import (
    ALONE_DELAY,
    MAX_ALONE_DELAY,
    RENEW_INTERVAL,
    Hosting,
    Standing,
)
from protocol.guest import voter
from protocol.host.effects import Stranded
from protocol.table.head import Head
from protocol.table.transitions.seating import sign_support
from protocol.views import LinkState
from protocol.wire.messages import State
from tests.helpers.tables import MemoryTable
from tests.protocol.failover.company import Program, World, is_enough
from tests.simulation.memory import remembered

SOON = 40.0
"""Seconds within which a table has a host, and everybody is with it, after all is mended."""

MISHAPS = ("crash", "start", "stop", "part", "tear", "heal", "act", "give", "leave", "slow disk")

HOST = 6
"""Stands for the table's host at that time."""

PAUSES = (0.0, 0.1, 0.4, 1.0, 3.0, 4.0, 8.0)

mishaps = st.lists(
    st.tuples(
        st.sampled_from(MISHAPS),
        st.integers(0, HOST),
        st.integers(0, HOST - 1),
        st.sampled_from(PAUSES),
    ),
    max_size=12,
)


@pytest.fixture(scope="module", autouse=True)
def fast() -> Iterator[None]:
    """Entries are read and folded once for all programs."""
    with remembered():
        yield


@contextlib.contextmanager
def watched(world: World) -> Iterator[None]:
    """Note every support as it is signed; one that is handed over is on disk by then."""
    programs = {each.key.public: each for each in world.programs}

    def votes(key: SigningKey, table: bytes, epoch: int, host: bytes, head: Head) -> bytes:
        world.supports(key.public, epoch, host)
        return sign_support(key, table, epoch, host, head)

    def pledges(key: SigningKey, table: bytes, epoch: int, host: bytes, head: Head) -> bytes:
        assert programs[key.public].promised >= epoch, "a pledge that a crash could undo"
        return votes(key, table, epoch, host, head)

    with (
        patch.object(voter, "sign_support", votes),
        patch.object(roles, "sign_support", pledges),
    ):
        yield


def check(world: World) -> None:
    """No two hosts go on, whatever they know."""
    served = sum(each.server is not None for each in world.programs)
    assert served < 2 or len(world.hosts) < 2, "two hosts go on"


def play(world: World, what: str, one: Program, other: Program) -> None:
    """One mishap, or a move."""
    pairs = list(itertools.combinations(world.programs, 2))
    match what:
        case "crash" if one.is_up:
            one.crash()
        case "start":
            for each in world.programs:
                if not each.is_up:
                    last = each.guest.table
                    each.start(hosts=bool(last and last.host == each.key.public and each.host_log))
        case "stop" if one.is_up:
            one.stop(5.0)
        case "part":
            island = {each for each in world.programs if world.random.random() < 0.4}
            world.part(pair for pair in pairs if (pair[0] in island) != (pair[1] in island))
        case "tear":
            world.part(pair for pair in pairs if world.random.random() < 0.3)
        case "heal":
            world.part(())
        case "give" if one is not other:
            one.hand_over(other)
        case "leave" if one is not other:
            one.leave(other)
        case "slow disk":
            one.has_slow_disk = True
        case "act":
            for each in world.alive:
                each.act()


def is_together(world: World) -> bool:
    """Whether one host goes on, with everybody, and everybody holds its log."""
    heads = {each.server.log.head for each in world.hosts if each.server}
    guests = [each.guest for each in world.alive if each.plays and not each.leaves]
    heads |= {guest.log.head for guest in guests}
    return bool(world.hosts) and len(heads) == 1 and all(g.link is LinkState.UP for g in guests)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.booleans(), mishaps)
def test_no_two_hosts_both_go_on_and_whoever_can_go_on_does(
    seed: int, count: int, headless: bool, story: list[tuple[str, int, int, float]]
) -> None:
    told(World(seed, count, headless=headless), story)


def told(world: World, story: list[tuple[str, int, int, float]]) -> None:
    """Play this; the laws hold whatever happens, and once all is mended the table goes on."""
    with watched(world):
        world.run(1.0, lambda: check(world))
        for what, first, second, pause in story:
            programs = world.programs
            hosts = world.hosts or programs[:1]
            one = hosts[0] if first == HOST else programs[first % len(programs)]
            play(world, what, one, programs[second % len(programs)])
            world.run(pause, lambda: check(world))
        world.part(())
        until = world.time + SOON
        while is_enough(world) and not is_together(world):
            assert world.time < until, "nobody goes on, or somebody does not come back"
            world.run(0.5, lambda: check(world))


# What chance comes to too seldom


def passed(world: World, seconds: float) -> None:
    with watched(world):
        world.run(seconds, lambda: check(world))


@pytest.mark.parametrize(
    ("heir_dies", "is_hurried", "least", "most"),
    [(False, False, 0.0, 2.0), (True, False, 7.9, 8.5), (True, True, 0.5, 1.0)],
)
def test_who_leaves_goes_when_somebody_has_the_role_and_never_late(
    heir_dies: bool, is_hurried: bool, least: float, most: float
) -> None:
    world = World(1, 2)
    host, heir = world.programs
    passed(world, 2.0)
    if heir_dies:
        heir.is_stopped = True
    host.leave(heir)
    if is_hurried:
        host.failover.take(Hurry(), host.now)
        host.wake()
    passed(world, least)
    left_early = host.has_left
    passed(world, most - least)
    assert (left_early, host.has_left, host.server) == (False, True, None)
    assert heir_dies or heir.goes_on


def test_a_role_that_is_on_its_way_to_one_seat_is_given_to_no_other() -> None:
    world = World(1, 4)
    host, first, second, _ = world.programs
    passed(world, 2.0)
    host.has_slow_disk = True
    host.hand_over(first)
    passed(world, 0.01)
    host.hand_over(second)
    passed(world, 4.0)
    assert first.goes_on and not host.server


def test_a_role_is_given_to_nobody_who_is_not_here_and_its_host_is_chosen_again() -> None:
    world = World(1, 3)
    host, gone, _ = world.programs
    passed(world, 2.0)
    gone.crash()
    passed(world, 25.0)
    host.hand_over(gone)
    passed(world, 8.0)
    assert host.refused and len(world.hosts) == 1 and world.elections == 1
    host.leave(gone)
    passed(world, 2.0)
    assert host.has_left, "nobody is waited for who cannot have the role"


def test_one_seat_has_its_host_chosen_again_not_too_often() -> None:
    world = World(1, 3)
    host = world.programs[0]
    passed(world, 2.0)
    for pause, elections in ((RENEW_INTERVAL / 2, 1), (RENEW_INTERVAL, 1), (5.0, 2)):
        for _ in range(2):
            host.failover.take(Stranded(host.guest.epoch + 1), host.now)
            host.wake()
        passed(world, pause)
        assert (world.elections, host.goes_on) == (elections, True)


@pytest.mark.parametrize(("headless", "most"), [(False, ALONE_DELAY), (True, MAX_ALONE_DELAY)])
def test_a_host_that_stays_alone_looks_for_a_later_one_ever_later_if_nobody_plays_there(
    headless: bool, most: float
) -> None:
    world = World(1, 3, headless=headless)
    host, *others = world.programs
    passed(world, 2.0)
    for other in others:
        other.crash()
    passed(world, 60.0)
    assert isinstance(host.failover.role, Hosting) and host.failover.role.patience == most
    others[0].start()
    others[1].start()
    passed(world, 5.0)
    assert host.goes_on and host.failover.role == Hosting(host.failover.role.host)


@pytest.mark.parametrize(
    ("found", "gives_way"),
    [
        ([(0, State.MOVING, 0)], True),
        ([(0, State.MOVING, 0), (2, State.MOVING, 0)], True),
        ([(2, State.MOVING, 0)], False),
        ([(9, State.MOVING, 0)], False),
        ([(0, State.MOVING, -1)], False),
        ([(2, State.MOVING, 1)], True),
        ([(2, State.GATHERING, -1)], True),
    ],
)
def test_who_stands_gives_way_to_a_host_and_to_a_later_epoch_or_an_earlier_seat(
    found: list[tuple[int, State, int]], gives_way: bool
) -> None:
    table = MemoryTable(3)
    own = table.clients[1]
    table.stand(own)
    election = Election(own.guest._key, own.guest)
    standing = Standing(table.host, inf)
    for who, state, later in found:
        key = table.clients[who].guest.key if who < 3 else None
        card = replace(table.host.card, state=state, epoch=table.host.card.epoch + later)
        standing = standing.found(election, Found(key, card), table.now())
    _, effects = standing.tick(election, table.now())
    assert (effects == [StepDown(was_host=False)]) is gives_way
