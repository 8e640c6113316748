"""The join code and its proof: who knows it gets in, who does not learns nothing of use."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.join_code import (
    ALPHABET,
    CODE_LENGTH,
    PAKE_BYTES,
    ExchangeContext,
    GuestExchange,
    HostExchange,
    answer,
    make_code,
    read_code,
)
from protocol.errors import Malformed
from tests.protocol.stories import very_few

SETTING = ExchangeContext(bytes(32), b"c" * 32, b"t" * 32, b"k" * 32)
entropy = random.Random(7).randbytes

FIELD = 2**255 - 19
GENERATOR = bytes.fromhex("58" + "66" * 31)
"""The point from which Ed25519 makes all others."""


def meet(
    guessed: str, code: str, there: ExchangeContext = SETTING
) -> tuple[GuestExchange, HostExchange, bytes]:
    """A guess, the host's answer to it, and the guest's proof."""
    guess = GuestExchange(guessed, SETTING, entropy)
    answered = answer(code, there, guess.message, entropy)
    return guess, answered, guess.proof(answered.message)


def test_the_right_code_is_proven_by_both_sides() -> None:
    guess, answered, mac = meet("K7M4Q", "K7M4Q")
    assert answered.is_proven(mac)
    assert guess.is_proven(answered.host)


def test_a_wrong_code_is_proven_by_neither_side() -> None:
    guess, answered, mac = meet("K7M4Q", "K7M4R")
    assert not answered.is_proven(mac)
    assert not guess.is_proven(answered.host)


def test_nothing_is_proven_before_the_answer_came() -> None:
    assert not GuestExchange("K7M4Q", SETTING, entropy).is_proven(b"")


@pytest.mark.parametrize("part", ["channel", "challenge", "table", "key"])
def test_a_proof_holds_on_its_own_connection_table_and_key_only(part: str) -> None:
    elsewhere = replace(SETTING, **{part: b"x" * 32})
    guess, answered, mac = meet("K7M4Q", "K7M4Q", elsewhere)
    assert not answered.is_proven(mac)
    assert not guess.is_proven(answered.host)


def test_a_proof_is_not_good_for_the_other_side() -> None:
    _, answered, mac = meet("K7M4Q", "K7M4Q")
    assert not answered.is_proven(answered.host)
    assert mac != answered.host


def test_a_message_that_is_sent_back_proves_nothing() -> None:
    guess = GuestExchange("K7M4Q", SETTING, entropy)
    with pytest.raises(Malformed):
        guess.proof(guess.message)


def test_a_guess_is_answered_once() -> None:
    guess, answered, _ = meet("K7M4Q", "K7M4Q")
    with pytest.raises(Malformed):
        guess.proof(answered.message)


@very_few
@given(st.binary(min_size=PAKE_BYTES, max_size=PAKE_BYTES))
def test_what_is_no_message_of_the_proof_is_malformed_or_proves_nothing(message: bytes) -> None:
    guess = GuestExchange("K7M4Q", SETTING, entropy)
    try:
        answered = answer("K7M4Q", SETTING, message, entropy)
    except Malformed:
        return
    assert not answered.is_proven(guess.message)


@pytest.mark.parametrize(
    "encoded",
    [
        b"B" + GENERATOR,
        b"A" + (2).to_bytes(32, "little"),
        b"A" + (1).to_bytes(32, "little"),
        b"A" + (1 | 1 << 255).to_bytes(32, "little"),
        b"A" + (FIELD + 1).to_bytes(32, "little"),
        b"A" + (FIELD - 1).to_bytes(32, "little"),
        b"A" + bytes(32),
    ],
    ids=["other side", "off the curve", "neutral", "-neutral", "p + 1", "order 2", "order 4"],
)
def test_no_point_is_malformed(encoded: bytes) -> None:
    with pytest.raises(Malformed):
        answer("K7M4Q", SETTING, encoded, entropy)


def test_a_point_is_a_guess() -> None:
    assert answer("K7M4Q", SETTING, b"A" + GENERATOR, entropy).message


def test_nothing_of_a_proof_is_shown() -> None:
    guess, answered, mac = meet("K7M4Q", "K7M4Q")
    shown = f"{guess!r}{answered!r}"
    assert "K7M4Q" not in shown
    assert mac.hex() not in shown and repr(mac) not in shown


@given(st.binary(min_size=32, max_size=32))
def test_a_code_reads_back_however_it_is_typed(drawn: bytes) -> None:
    code = make_code(drawn)
    assert len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)
    assert read_code(code) == code
    assert read_code(f" {code[:2].lower()}-{code[2:]} ") == code


@pytest.mark.parametrize("typed", ["", "K7M4", "K7M4QQ", "K7M4O", "K7M40", "К7М4Q", "K7M4\u0130"])
def test_what_cannot_be_a_code_is_none(typed: str) -> None:
    assert read_code(typed) is None


def test_every_letter_of_a_code_comes_equally_often() -> None:
    drawn = [make_code(random.Random(n).randbytes(32)) for n in range(2600)]
    for place in range(CODE_LENGTH):
        counts = [sum(code[place] == letter for code in drawn) for letter in ALPHABET]
        assert min(counts) > 60 and max(counts) < 140
