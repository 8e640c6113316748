"""One person in two windows: the seat goes where its owner is."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.homes import Home
from tests.end_to_end.house import House
from tests.helpers.pty import Terminal

HELD = "Your seat is in another window"
TAKEN = "You have taken your seat over"


@pytest.fixture
def house(state: Path) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(state, stack)


def again(house: House, home: Home) -> Terminal:
    """A new window of somebody who sits at the table in another one."""
    window = house.start(home, "join", f"127.0.0.1:{house.port}", "--code", house.code)
    window.wait(HELD)
    return window


def test_a_new_window_takes_the_seat_over_with_its_fist(house: House) -> None:
    ben = house.home("Ben")
    old = house.join(ben)
    house.deal(old)
    old.send("3")
    old.wait_gone(markers.HAND)
    new = again(house, ben)
    new.send("\r")
    new.wait("Anna")
    old.wait(TAKEN)
    new.send(" ")
    new.wait_until(lambda terminal: markers.is_peeking(terminal.text()))
    house.host.wait_gone(markers.AWAY)
    third = again(house, ben)
    third.send("\r")
    new.wait(TAKEN)
    third.wait("Anna")


def test_who_has_a_seat_may_sit_down_as_another_player_too(house: House) -> None:
    ben = house.home("Ben")
    old = house.join(ben)
    new = again(house, ben)
    new.send("\x1b[C\r")
    new.wait(markers.taken(3))
    old.wait(markers.taken(3))


def test_a_window_that_stands_still_is_named_and_a_dead_one_never(house: House) -> None:
    ben = house.home("Ben")
    old = house.join(ben)
    house.deal(old)
    old.kill(signal.SIGSTOP)
    new = again(house, ben)
    new.send("\r")
    new.wait(f"kill -9 {old.pid}")
    old.kill(signal.SIGKILL)
    old.wait_exit()
    last = house.start(ben, "join", f"127.0.0.1:{house.port}")
    last.wait(markers.HAND)


def test_a_host_goes_on_with_its_own_table_in_a_new_window(house: House) -> None:
    guest = house.join(house.home("Ben"))
    house.deal(guest)
    new = house.start(house.anna, "host", "--resume")
    new.wait(HELD)
    new.send("\r")
    house.host.wait(TAKEN)
    new.wait_until(lambda shown: markers.HAND in shown.text() or markers.BACK in shown.text())
    guest.wait_gone(markers.AWAY)
