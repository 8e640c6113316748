"""A table on a train: links, addresses and programs that fail, and what people then see.

Tests wait until the table looks good again; the drills of the simulator measure how soon it does.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.table.head import Head
from protocol.table.statements import HostMoved
from tests.end_to_end import markers
from tests.end_to_end.homes import Home, entries, eventually
from tests.end_to_end.party import PATIENCE, Party
from tests.helpers.namespaces import why_not

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

ANNA, BEN, CLEO = range(3)


@pytest.fixture
def party(state: Path) -> Iterator[Party]:
    """Anna, Ben and Cleo with 1, 2 and 3 coins in their fists, and it is Ben's turn."""
    with Party(state) as party:
        party.deal(1, 2, 3)
        party.speak_until(BEN)
        yield party


def moves(home: Home) -> int:
    """How often the table has moved, by one player's copy of the log."""
    return sum(isinstance(entry.statement, HostMoved) for entry in entries(home.logs()[0]))


def assert_same_table(party: Party) -> None:
    """All copies of the log end alike, whatever the file of an old host says."""

    def ends() -> set[Head]:
        return {max(home.heads(), key=lambda head: head.length) for home in party.homes}

    eventually(lambda: len(ends()) == 1, "one head")


# Links


def test_a_new_address_in_place_of_the_old_one(party: Party) -> None:
    party.bridge.readdress(party.machine(ANNA), 100)
    # No old connection carries anything: what everybody hears went over new ones, or to a new host.
    party.speak_on(BEN)


# Programs


def test_a_host_that_is_gone_for_good_is_followed_by_another_one(party: Party) -> None:
    party.kill(ANNA)
    for guest in party.guests:
        guest.wait(markers.MOVED, PATIENCE)
    party.speak_on(BEN)
    anna = party.start(ANNA, "host", "--resume")
    anna.wait("now hosts the table: you come back")
    party.play_to_the_end(2)
    assert_same_table(party)
    assert party.homes[BEN].first_hands() == {"Anna": 1, "Ben": 2, "Cleo": 3}
    assert moves(party.homes[CLEO]) == 1


# Programs that stand still


def test_a_host_that_falls_silent_is_followed_soon_and_comes_back_as_a_player(
    party: Party,
) -> None:
    party.host.kill(signal.SIGSTOP)
    for guest in party.guests:
        guest.wait(markers.MOVED, PATIENCE)
    party.host.kill(signal.SIGCONT)
    party.speak_on(BEN)
    assert_same_table(party)
    assert moves(party.homes[CLEO]) == 1


# Networks


def test_people_on_one_machine_without_a_network_keep_their_table_without_its_host(
    state: Path,
) -> None:
    with Party(state, is_on_one_machine=True) as party:
        party.deal(1, 2, 3)
        party.speak_until(CLEO)
        party.kill(ANNA)
        for guest in party.guests:
            guest.wait(markers.MOVED, PATIENCE)
        party.speak_on(CLEO)
