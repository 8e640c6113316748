"""A port that is kept free for the day when this program has to serve its table."""

import socket

import pytest

from spoof_tui.network.reserved_port import ReservedPort


def connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=1.0).close()


def test_two_programs_of_one_machine_keep_different_ports() -> None:
    one, other = ReservedPort(), ReservedPort()
    assert one.port != other.port
    one.close()
    other.close()


def test_a_port_that_is_kept_refuses_at_once() -> None:
    reserved = ReservedPort()
    with pytest.raises(ConnectionRefusedError):
        connect(reserved.port)
    reserved.close()


def test_a_port_is_listened_on_given_up_and_listened_on_again() -> None:
    reserved = ReservedPort()
    for _ in range(3):
        listening = reserved.take()
        for each in listening:
            each.setblocking(True)
            each.listen()
        connect(reserved.port)
        for each in listening:
            each.close()
        reserved.keep()
        with pytest.raises(ConnectionRefusedError):
            connect(reserved.port)
    reserved.close()


def test_a_port_that_somebody_else_listens_on_cannot_be_kept() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken, pytest.raises(OSError, match="in use"):
        ReservedPort(taken.getsockname()[1])


def test_a_port_that_was_lost_meanwhile_is_asked_for_again() -> None:
    reserved = ReservedPort()
    for each in reserved.take():
        each.close()
    with socket.create_server(("0.0.0.0", reserved.port)):
        reserved.keep()
        with pytest.raises(OSError, match="in use"):
            reserved.take()
    for each in reserved.take():
        each.close()
