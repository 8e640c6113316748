"""The door of a table: its code, wrong tries, and addresses that wait."""

import random

from protocol.host.entrance import Admission
from protocol.limits import (
    GUESS_INTERVAL,
    TRIES_AGAIN_DELAY,
    TRIES_OF_ADDRESS,
)


def locked() -> Admission:
    return Admission(random.Random(3).randbytes, locked=True)


def test_an_address_that_guesses_waits_a_while_and_nobody_else_does() -> None:
    handshakes = locked()
    for _ in range(TRIES_OF_ADDRESS):
        assert not handshakes.waits("10.0.0.1", 0.0)
        handshakes.wrong("10.0.0.1", 0.0)
    assert handshakes.waits("10.0.0.1", TRIES_AGAIN_DELAY - 1)
    assert not handshakes.waits("10.0.0.1", TRIES_AGAIN_DELAY)
    assert not handshakes.waits("10.0.0.2", 0.0)


def test_one_more_wrong_code_does_not_end_the_wait() -> None:
    handshakes = locked()
    for _ in range(TRIES_OF_ADDRESS + 1):
        handshakes.wrong("10.0.0.1", 0.0)
    assert handshakes.waits("10.0.0.1", TRIES_AGAIN_DELAY - 1)


def test_the_right_code_makes_up_for_the_slips_before() -> None:
    handshakes = locked()
    for _ in range(TRIES_OF_ADDRESS - 1):
        handshakes.wrong("10.0.0.1", 0.0)
    handshakes.right("10.0.0.1")
    handshakes.wrong("10.0.0.1", 0.0)
    assert not handshakes.waits("10.0.0.1", 0.0)


def test_who_waited_gets_as_many_tries_as_before() -> None:
    handshakes = locked()
    for _ in range(TRIES_OF_ADDRESS):
        handshakes.wrong("10.0.0.1", 0.0)
    handshakes.wrong("10.0.0.1", TRIES_AGAIN_DELAY)
    assert not handshakes.waits("10.0.0.1", TRIES_AGAIN_DELAY)


def test_guesses_are_answered_in_their_order_and_not_too_fast() -> None:
    handshakes = locked()
    for link in (4, 5, 6):
        handshakes.ask(link)
    assert handshakes.answers(0.0) == 4
    assert handshakes.answers(GUESS_INTERVAL / 2) is None
    assert handshakes.answers(GUESS_INTERVAL) == 5
    assert handshakes.answers(GUESS_INTERVAL * 2) == 6
    assert handshakes.answers(GUESS_INTERVAL * 9) is None


def test_who_hangs_up_holds_up_nobody_behind() -> None:
    handshakes = locked()
    for link in (4, 5):
        handshakes.ask(link)
    handshakes.forget(4)
    assert handshakes.answers(0.0) == 5
