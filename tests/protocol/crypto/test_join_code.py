"""The join code and its proof: the code lets a player in, and others learn nothing of use."""

import random
import re
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st
from spake2 import ed25519_basic

import protocol
from protocol.crypto.join_code import (
    ALPHABET,
    CODE_LENGTH,
    PAKE_BYTES,
    ExchangeContext,
    GuestExchange,
    answer,
    make_code,
    read_code,
)
from protocol.errors import Malformed
from tests.helpers.vectors import Case, each_case
from tests.protocol.stories import very_few

PAGE = Path(protocol.__file__).with_name("WIRE.md").read_text("utf-8")
SETTING = ExchangeContext(bytes(32), b"c" * 32, b"t" * 32, b"k" * 32)
PARTS = ("channel", "challenge", "table", "key")
entropy = random.Random(7).randbytes


def scalar(drawn: str):  # type: ignore[no-untyped-def]
    """Entropy that makes this scalar."""
    return lambda length: bytes.fromhex(drawn).rjust(length, b"\0")


@each_case("codes", having="typed")
def test_what_is_typed_is_a_code_or_none(case: Case) -> None:
    if "guest_pake" not in case:
        assert read_code(case["typed"]) == case["code"]


@each_case("codes", having="guest_pake")
def test_a_code_is_proven_by_both_sides_or_by_neither(case: Case) -> None:
    here, there = (
        ExchangeContext(*(bytes.fromhex(known[part]) for part in PARTS))
        for known in (case, case | case.get("host_has", {}))
    )
    guess = GuestExchange(case["typed"], here, scalar(case["guest_scalar"]))
    assert not guess.is_proven(b"")
    answered = answer(case["code"], there, guess.message, scalar(case["host_scalar"]))
    mac = guess.proof(answered.message)
    found = (guess.message, answered.message, mac, answered.host)
    names = ("guest_pake", "host_pake", "guest_confirm", "host_confirm")
    assert [each.hex() for each in found] == [case[name] for name in names]
    assert answered.is_proven(mac) == guess.is_proven(answered.host) == case["proven"]
    assert not answered.is_proven(answered.host) and not guess.is_proven(mac)
    shown = f"{guess!r}{answered!r}"
    assert case["code"] not in shown and repr(mac) not in shown
    with pytest.raises(Malformed):
        guess.proof(answered.message)


@each_case("codes", having="secret")
def test_the_page_alone_makes_the_secret_of_a_proof(case: Case) -> None:
    """With the constants of the page; the library only provides the group."""
    known = dict(re.findall(r"^([MN]) +([0-9a-f]{64})$", PAGE, re.MULTILINE))
    named = dict(re.findall(r"^([pL])   (2\^\d+ [−+] \d+) ", PAGE, re.MULTILINE))
    field, order = (eval(named[each].replace("^", "**").replace("−", "-")) for each in "pL")
    assert (field, order) == (ed25519_basic.Q, ed25519_basic.L)
    code = case["code"].encode()
    derived = HKDF(hashes.SHA256(), 48, b"", b"SPAKE2 pw").derive(code)
    w = int.from_bytes(derived, "big") % order
    x, y = (int(case[side], 16) for side in ("guest_scalar", "host_scalar"))
    m, n = (ed25519_basic.bytes_to_element(bytes.fromhex(known[each])) for each in "MN")
    guest = ed25519_basic.Base.scalarmult(x).add(m.scalarmult(w)).to_bytes()
    host = ed25519_basic.Base.scalarmult(y).add(n.scalarmult(w)).to_bytes()
    shared = ed25519_basic.bytes_to_element(host).add(n.scalarmult(order - w)).scalarmult(x)
    parts = (code, b"client", bytes.fromhex(case["channel"]))
    hashed = b"".join(sha256(each).digest() for each in parts)
    secret = sha256(hashed + guest + host + shared.to_bytes()).hexdigest()
    assert (w.to_bytes(32, "big").hex(), secret) == (case["w"], case["secret"])
    assert (case["guest_pake"], case["host_pake"]) == (f"41{guest.hex()}", f"42{host.hex()}")


@each_case("codes", having="pake")
def test_only_a_point_is_a_guess(case: Case) -> None:
    message = bytes.fromhex(case["pake"])
    if not case["malformed"]:
        assert len(answer("K7M4Q", SETTING, message, entropy).message) == PAKE_BYTES
        return
    with pytest.raises(Malformed):
        answer("K7M4Q", SETTING, message, entropy)


def test_a_message_that_is_sent_back_proves_nothing() -> None:
    guess = GuestExchange("K7M4Q", SETTING, entropy)
    with pytest.raises(Malformed):
        guess.proof(guess.message)


@very_few
@given(st.binary(min_size=PAKE_BYTES, max_size=PAKE_BYTES))
def test_what_is_no_message_of_the_proof_is_malformed_or_proves_nothing(message: bytes) -> None:
    guess = GuestExchange("K7M4Q", SETTING, entropy)
    try:
        answered = answer("K7M4Q", SETTING, message, entropy)
    except Malformed:
        return
    assert not answered.is_proven(guess.message)


@given(st.binary(min_size=32, max_size=32))
def test_a_code_reads_back_however_it_is_typed(drawn: bytes) -> None:
    code = make_code(drawn)
    assert len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)
    assert read_code(f" {code[:2].lower()}-{code[2:]} ") == code


def test_every_letter_of_a_code_comes_equally_often() -> None:
    drawn = [make_code(random.Random(n).randbytes(32)) for n in range(2600)]
    for place in range(CODE_LENGTH):
        counts = [sum(code[place] == letter for code in drawn) for letter in ALPHABET]
        assert min(counts) > 60 and max(counts) < 140
