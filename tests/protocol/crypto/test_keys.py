"""Keys and signatures."""

from hashlib import sha512
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from spake2 import ed25519_basic as curve

from protocol.crypto.keys import SigningKey, is_key, is_signed
from protocol.errors import LocalError
from tests.helpers.vectors import Case, each_case
from tests.protocol.stories import signing_key, very_few

KEY = signing_key(1)


def octets(case: Case, *names: str) -> list[bytes]:
    return [bytes.fromhex(case[name]) for name in names]


@each_case("signatures", having="seed")
def test_a_key_signs_what_the_case_says(case: Case) -> None:
    seed, public, message, signed, signature = octets(
        case, "seed", "key", "message", "input", "signature"
    )
    key, purpose = SigningKey(seed), case["purpose"].encode()
    assert (key.public, key.seed) == (public, seed)
    assert key.sign(purpose, message) == signature
    assert Ed25519PrivateKey.from_private_bytes(seed).sign(signed) == signature
    assert is_signed(public, purpose, message, signature)


@each_case("signatures", having="holds")
def test_a_signature_holds_or_not(case: Case) -> None:
    key, message, signature = octets(case, "key", "message", "signature")
    assert is_signed(key, case["purpose"].encode(), message, signature) == case["holds"]


@each_case("signatures", having="lax")
def test_a_laxer_check_would_take_what_does_not_hold(case: Case) -> None:
    """Checked by the group alone, with any key and any S, and in the case's own way."""
    purpose = case["purpose"].encode()
    key, message, signature = octets(case, "key", "message", "signature")
    signed = b"".join(len(part).to_bytes(4, "big") + part for part in (purpose, message))
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(sha512(r + key + signed).digest(), "little")
    if case["lax"] != "the whole hash":
        k %= curve.L
    # 8 L is the order of the whole group.
    negative = times(point(key), 8 * curve.L - k % (8 * curve.L))
    found = curve.add_elements(times(curve.xform_affine_to_extended(curve.B), s), negative)
    if case["lax"] == "the cofactor":
        assert bytes_of(times(found, 8)) == bytes_of(times(point(r), 8))
    elif case["lax"] == "R decoded":
        assert bytes_of(found) == bytes_of(point(r))
    else:
        assert bytes_of(found) == r
    assert case["holds"] is False
    assert (s >= curve.L) == (case["lax"] == "any S")
    assert is_key(key) == (case["lax"] != "any key")


def point(encoded: bytes) -> Any:
    x, y = curve.decodepoint(encoded)
    return curve.xform_affine_to_extended((x % curve.Q, y % curve.Q))


def times(element: Any, number: int) -> Any:
    return curve.scalarmult_element_safe_slow(element, number)


def bytes_of(element: Any) -> bytes:
    x, y = curve.xform_extended_to_affine(element)
    encoded: bytes = curve.encodepoint((x % curve.Q, y % curve.Q))
    return encoded


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_key_is_made_of_32_bytes(length: int) -> None:
    with pytest.raises(LocalError, match=f"not {length}"):
        SigningKey(bytes(length))


def test_a_key_shows_its_public_half_only() -> None:
    assert repr(KEY) == f"<SigningKey of {KEY.public.hex()[:8]}>" == str(KEY)
    assert not hasattr(KEY, "__dict__")


@very_few
@given(st.binary(min_size=32, max_size=32))
def test_every_key_that_is_made_is_one(seed: bytes) -> None:
    assert is_key(SigningKey(seed).public)
