"""Keys and signatures."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

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
