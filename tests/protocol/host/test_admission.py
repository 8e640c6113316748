"""The door of a table: its code, wrong tries, and addresses that wait."""

import random

from protocol.host.admission import Admission
from protocol.limits import (
    GUESS_INTERVAL,
    RENEW_INTERVAL,
    TRIES_AGAIN_DELAY,
    TRIES_OF_ADDRESS,
    TRIES_OF_CODE,
)


def locked() -> Admission:
    return Admission(random.Random(3).randbytes, locked=True)


def test_after_some_wrong_codes_the_table_takes_a_new_one() -> None:
    handshakes = locked()
    code = handshakes.code
    changed = [handshakes.wrong(f"10.0.0.{n}", 0.0) for n in range(TRIES_OF_CODE)]
    assert changed == [*[False] * (TRIES_OF_CODE - 1), True]
    assert handshakes.code != code


def test_a_code_stays_long_enough_to_be_typed_however_many_guess() -> None:
    handshakes, codes = locked(), set()
    for second in range(600):
        handshakes.wrong(f"10.0.0.{second}", float(second))
        codes.add(handshakes.code)
    assert 2 <= len(codes) <= 600 / RENEW_INTERVAL + 1


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
