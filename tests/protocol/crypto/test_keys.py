"""Keys and signatures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.keys import SIGNATURE_BYTES, SigningKey, is_key, is_signed
from protocol.errors import LocalError
from tests.protocol.stories import signing_key, very_few

KEY, OTHER = signing_key(1), signing_key(2)
SIGNED = KEY.sign(b"purpose", b"message")


def test_a_key_can_be_made_anew_from_its_seed() -> None:
    assert SigningKey(KEY.seed).public == KEY.public
    assert repr(KEY.seed) not in repr(KEY)


def test_a_signature_is_its_owners() -> None:
    assert len(SIGNED) == SIGNATURE_BYTES
    assert is_signed(KEY.public, b"purpose", b"message", SIGNED)
    assert not is_signed(OTHER.public, b"purpose", b"message", SIGNED)


@pytest.mark.parametrize(
    "purpose,message",
    [
        (b"purpose", b"massage"),
        (b"purpose", b"message "),
        (b"purpose2", b"message"),
        (b"", b"message"),
        (b"purposem", b"essage"),
        (b"purpos", b"emessage"),
    ],
)
def test_a_signature_is_good_for_one_purpose_and_one_message(
    purpose: bytes, message: bytes
) -> None:
    assert not is_signed(KEY.public, purpose, message, SIGNED)


@very_few
@given(st.integers(0, SIGNATURE_BYTES * 8 - 1))
def test_no_bit_of_a_signature_may_turn(bit: int) -> None:
    turned = (int.from_bytes(SIGNED, "big") ^ (1 << bit)).to_bytes(SIGNATURE_BYTES, "big")
    assert not is_signed(KEY.public, b"purpose", b"message", turned)


@pytest.mark.parametrize(
    "public", [b"", KEY.public[1:], KEY.public + b"x", bytes(32), b"\xff" * 32]
)
def test_what_is_no_key_has_signed_nothing(public: bytes) -> None:
    assert not is_signed(public, b"purpose", b"message", SIGNED)


@pytest.mark.parametrize("signature", [b"", SIGNED[1:], SIGNED + b"x", bytes(64)])
def test_what_is_no_signature_is_none(signature: bytes) -> None:
    assert not is_signed(KEY.public, b"purpose", b"message", signature)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_key_is_made_of_32_bytes(length: int) -> None:
    with pytest.raises(LocalError, match=f"not {length}"):
        SigningKey(bytes(length))


def test_a_key_follows_from_its_seed() -> None:
    assert SigningKey(b"\x01" * 32).public == KEY.public != OTHER.public


def test_a_key_shows_its_public_half_only() -> None:
    assert repr(KEY) == f"<SigningKey of {KEY.public.hex()[:8]}>" == str(KEY)
    assert not hasattr(KEY, "__dict__")


PRIME = 2**255 - 19
ORDER_EIGHT = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826


@pytest.mark.parametrize("second", [0, 1, PRIME - 1, ORDER_EIGHT, PRIME - ORDER_EIGHT])
@pytest.mark.parametrize("sign", [0, 1 << 255])
def test_a_key_for_which_anybody_can_sign_is_none(second: int, sign: int) -> None:
    assert not is_key((second | sign).to_bytes(32, "little"))


def test_a_key_of_small_order_signs_nothing_though_the_equation_holds() -> None:
    # R = identity, S = 0: true for every message where the key is the identity.
    identity = (1).to_bytes(32, "little")
    assert not is_signed(identity, b"purpose", b"message", identity + bytes(32))


@pytest.mark.parametrize("second", range(PRIME, 2**255))
def test_a_key_has_one_spelling(second: int) -> None:
    assert not is_key(second.to_bytes(32, "little"))


@very_few
@given(st.binary(min_size=32, max_size=32))
def test_every_key_that_is_made_is_one(seed: bytes) -> None:
    assert is_key(SigningKey(seed).public)
