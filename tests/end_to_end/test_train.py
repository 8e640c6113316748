"""A table on a train: links, addresses, programs and terminals that go, and what people then see.

What is waited for is how a good table looks again. The seconds that are asserted are generous:
`python -m tests.benchmarks train` measures them.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from protocol.table.announcements import HostMoved
from protocol.table.head import Head
from tests.end_to_end import markers
from tests.end_to_end.homes import TABLE, Home, assert_one_story, entries, eventually
from tests.end_to_end.party import PATIENCE, Party, is_away, is_steady, shown, steady
from tests.helpers.namespaces import why_not

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

ANNA, BEN, CLEO = range(3)

TOLD_TIMEOUT = 4.5
"""Seconds from a silence to the word "unsteady": it is said after 3."""

BACK_TIMEOUT = 4.0
"""Seconds from the return of a link to a good table. The kernel needs one of them by itself."""

MOVED_TIMEOUT = 8.0
"""Seconds from the death of a host, or its silence, to a table at another one."""


@pytest.fixture(scope="module")
def parties(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Party]]:
    """One after the other: the next one sits down while a test waits for the one before."""
    with ExitStack() as stack, ThreadPoolExecutor(1) as pool:

        def sit_down() -> Party:
            party = stack.enter_context(Party(tmp_path_factory.mktemp("party")))
            party.deal(1, 2, 3)
            party.speak_until(BEN)
            return party

        def one_after_the_other(first: Future[Party]) -> Iterator[Party]:
            coming = first
            while True:
                party, coming = coming.result(), pool.submit(sit_down)
                yield party

        yield one_after_the_other(pool.submit(sit_down))


@pytest.fixture
def party(parties: Iterator[Party]) -> Iterator[Party]:
    """Anna, Ben and Cleo with 1, 2 and 3 coins in their fists, and it is Ben's turn."""
    party = next(parties)
    yield party
    party.end()


def long(*seconds: float) -> list[object]:
    """Cases that wait for so long that only `--long` runs them."""
    return [
        pytest.param(each, marks=[pytest.mark.long, pytest.mark.timeout(300)]) for each in seconds
    ]


def moves(home: Home) -> int:
    """How often the table has moved, by somebody's copy of the log."""
    return sum(isinstance(entry.statement, HostMoved) for entry in entries(home.logs()[0]))


def assert_same_table(party: Party) -> None:
    """Everybody's copy of the log ends alike, whatever an old host's own file says."""

    def ends() -> set[Head]:
        return {max(home.heads(), key=lambda head: head.length) for home in party.homes}

    eventually(lambda: len(ends()) == 1, "one head")


# Links


@pytest.mark.parametrize("seconds", [5.0, *long(30.0, 120.0)])
def test_who_was_cut_off_is_soon_back_and_still_to_speak(party: Party, seconds: float) -> None:
    ben = party.terminals[BEN]
    party.bridge.cut(party.machine(BEN))
    cut = time.perf_counter()
    assert 2 < shown(party.host, markers.UNSTEADY, cut) < TOLD_TIMEOUT
    assert shown(ben, markers.HOST_SILENT, cut) < TOLD_TIMEOUT
    time.sleep(cut + seconds - time.perf_counter())
    party.bridge.heal(party.machine(BEN))
    healed = time.perf_counter()
    assert steady(ben, healed) < BACK_TIMEOUT
    assert steady(party.host, healed) < BACK_TIMEOUT
    party.speak_on(BEN)
    assert moves(party.homes[CLEO]) == 0


@pytest.mark.parametrize("player", [BEN, ANNA], ids=["guest", "host"])
def test_a_new_address_in_place_of_the_old_one(party: Party, player: int) -> None:
    address = party.bridge.readdress(party.machine(player), 100 + player)
    changed = time.perf_counter()
    links = 2 if player == ANNA else 1
    # The others may also have chosen a host that they reach, before they find the old one again.
    eventually(lambda: party.links(address) == links or moves(party.homes[CLEO]) > 0, "new links")
    for terminal in party.terminals:
        assert steady(terminal, changed) < TOLD_TIMEOUT + BACK_TIMEOUT
    party.speak_on(BEN)


# Programs


def test_a_killed_guest_has_its_hand_and_its_turn_when_it_is_back(party: Party) -> None:
    killed = party.kill(BEN)
    assert party.host.started + party.host.wait_until(is_away) - killed < 1.0
    ben = party.start(BEN, "join", party.table)
    assert party.speaker() == BEN
    ben.send(" ")
    ben.wait_until(lambda terminal: markers.is_peeking(terminal.text()))
    ben.wait_until(lambda terminal: not markers.is_peeking(terminal.text()))
    party.play_to_the_end(1)
    assert_one_story(*party.homes)
    assert party.homes[BEN].first_hands() == {"Anna": 1, "Ben": 2, "Cleo": 3}


def test_a_host_that_is_resumed_at_once_finds_all_of_them_again(party: Party) -> None:
    party.kill(ANNA)
    party.start(ANNA, "host", "--resume")
    for terminal in party.terminals:
        steady(terminal, 0)
    party.speak_on(BEN)
    assert_same_table(party)


def test_a_host_that_is_gone_for_good_is_followed_by_another_one(party: Party) -> None:
    killed = party.kill(ANNA)
    for guest in party.guests:
        assert shown(guest, markers.MOVED, killed) < MOVED_TIMEOUT
    party.speak_on(BEN)
    anna = party.start(ANNA, "host", "--resume")
    anna.wait("now hosts the table: you come back")
    for terminal in party.terminals:
        steady(terminal, 0)
    party.play_to_the_end(2)
    assert_same_table(party)
    assert party.homes[BEN].first_hands() == {"Anna": 1, "Ben": 2, "Cleo": 3}
    assert moves(party.homes[CLEO]) == 1


def test_who_is_left_finds_who_restarts_though_nobody_knows_an_address(party: Party) -> None:
    party.kill(BEN)
    party.kill(ANNA)
    party.bridge.readdress(party.machine(CLEO), 102)
    party.start(BEN, "join", TABLE)
    left = [party.homes[BEN], party.homes[CLEO]]
    eventually(lambda: all(moves(home) == 1 for home in left), "another host", 2 * PATIENCE)
    party.speak_on(BEN)


# Programs and terminals that stand still


@pytest.mark.parametrize("is_stopped", [False, True], ids=["cable", "program"])
def test_a_host_that_falls_silent_is_followed_soon_and_comes_back_as_a_player(
    party: Party, is_stopped: bool
) -> None:
    if is_stopped:
        party.host.kill(signal.SIGSTOP)
    else:
        party.bridge.cut(party.machine(ANNA))
    silent = time.perf_counter()
    for guest in party.guests:
        assert shown(guest, markers.MOVED, silent) < MOVED_TIMEOUT
    if is_stopped:
        party.host.kill(signal.SIGCONT)
    else:
        party.bridge.heal(party.machine(ANNA))
    healed = time.perf_counter()
    for terminal in party.terminals:
        assert steady(terminal, healed) < BACK_TIMEOUT
    party.speak_on(BEN)
    assert_same_table(party)
    assert moves(party.homes[CLEO]) == 1


@pytest.mark.parametrize("seconds", [8.0, *long(30.0)])
def test_a_terminal_of_the_host_that_stands_still_is_nobodys_business(
    party: Party, seconds: float
) -> None:
    party.host.freeze()
    stalled = time.perf_counter()
    party.bid(BEN)
    ben, cleo = party.guests
    left = stalled + seconds - time.perf_counter()
    with pytest.raises(TimeoutError, match="in vain"):
        ben.wait_until(lambda _: not all(map(is_steady, (ben, cleo))), left)
    party.host.unstall()
    party.speak_until(CLEO)


# Networks


def test_people_on_one_machine_without_a_network_keep_their_table_without_its_host(
    state: Path,
) -> None:
    with Party(state, is_on_one_machine=True) as party:
        party.deal(1, 2, 3)
        party.speak_until(CLEO)
        killed = party.kill(ANNA)
        for guest in party.guests:
            assert shown(guest, markers.MOVED, killed) < MOVED_TIMEOUT
        party.speak_on(CLEO)
