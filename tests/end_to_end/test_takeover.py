"""One person in two windows: the seat goes where its owner is."""

import signal

from tests.end_to_end import markers
from tests.end_to_end.homes import Home
from tests.end_to_end.machine import Machine
from tests.helpers.pty import Terminal

HELD = "Your seat is in another window"
TAKEN = "Your seat was taken over"


def again(machine: Machine, home: Home) -> Terminal:
    """A new window of somebody who sits at the table in another one."""
    window = machine.start(home, "join", f"127.0.0.1:{machine.port}", "--code", machine.code)
    window.wait(HELD)
    return window


def test_a_new_window_takes_the_seat_over_with_its_fist(machine: Machine) -> None:
    ben = machine.home("Ben")
    old = machine.join(ben)
    machine.deal(old)
    old.send("3")
    old.wait_gone(markers.HAND)
    new = again(machine, ben)
    new.send("\r")
    new.wait("Anna")
    old.wait(TAKEN)
    new.send(" ")
    new.wait_until(lambda terminal: markers.is_peeking(terminal.text()))
    machine.host.wait_gone(markers.AWAY)
    third = again(machine, ben)
    third.send("\r")
    new.wait(TAKEN)
    third.wait("Anna")


def test_a_window_that_stands_still_is_named_and_a_dead_one_never(machine: Machine) -> None:
    ben = machine.home("Ben")
    old = machine.join(ben)
    machine.deal(old)
    old.kill(signal.SIGSTOP)
    new = again(machine, ben)
    new.send("\r")
    new.wait(f"kill -9 {old.pid}")
    old.kill(signal.SIGKILL)
    old.wait_exit()
    last = machine.start(ben, "join", f"127.0.0.1:{machine.port}")
    last.wait(markers.HAND)


def test_a_host_goes_on_with_its_own_table_in_a_new_window(machine: Machine) -> None:
    guest = machine.join(machine.home("Ben"))
    machine.deal(guest)
    new = machine.start(machine.anna, "host", "--resume")
    new.wait(HELD)
    new.send("\r")
    machine.host.wait(TAKEN)
    new.wait_until(lambda shown: markers.HAND in shown.text() or markers.BACK in shown.text())
    guest.wait_gone(markers.AWAY)
