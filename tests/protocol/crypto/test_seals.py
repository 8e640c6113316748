"""Seals: they bind every field, they tell nothing, and the lot is nobody's."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.seals import HASH_BYTES, Place, SealedHand, SealedShare, digest, draw_lot
from protocol.errors import LocalError
from tests.protocol.stories import few

A, B, C = (bytes([n]) * HASH_BYTES for n in b"abc")
PLACE = Place(table=A, game=1, round=2, seat=B)
HAND = SealedHand(PLACE, 3, C)
SHARE = SealedShare(PLACE, A, C)

CHANGES: list[tuple[str, Any]] = [("table", B), ("game", 2), ("round", 1), ("seat", A)]


def test_a_seal_is_the_hash_that_the_design_says() -> None:
    fields = [b"spoof fist 1", A, (1).to_bytes(8, "big"), (2).to_bytes(8, "big"), B]
    fields += [(3).to_bytes(8, "big"), C]
    spelled = b"".join(len(part).to_bytes(4, "big") + part for part in fields)
    assert HAND.seal == hashlib.blake2b(spelled, digest_size=32).digest()


def test_a_hand_opens_its_own_seal() -> None:
    assert HAND.opens(HAND.seal)
    assert SHARE.opens(SHARE.seal)


@pytest.mark.parametrize("field,value", CHANGES)
def test_a_seal_opens_in_no_other_place(field: str, value: Any) -> None:
    moved = replace(PLACE, **{field: value})
    assert not replace(HAND, place=moved).opens(HAND.seal)
    assert not replace(SHARE, place=moved).opens(SHARE.seal)


@pytest.mark.parametrize("changed", [{"coins": 2}, {"coins": 4}, {"nonce": A}])
def test_a_seal_opens_with_nothing_else_in_the_fist(changed: dict[str, Any]) -> None:
    assert not replace(HAND, **changed).opens(HAND.seal)


@pytest.mark.parametrize("changed", [{"share": B}, {"nonce": A}, {"share": C, "nonce": A}])
def test_a_share_opens_with_nothing_else(changed: dict[str, Any]) -> None:
    assert not replace(SHARE, **changed).opens(SHARE.seal)


@few
@given(st.integers(0, 2**53 - 1))
def test_a_seal_has_the_same_length_whatever_it_hides(coins: int) -> None:
    sealed = replace(HAND, coins=coins)
    assert len(sealed.seal) == HASH_BYTES
    assert (sealed.seal == HAND.seal) == (coins == 3)


def test_a_fist_is_not_taken_for_a_share() -> None:
    number = (3).to_bytes(8, "big")
    assert SealedShare(PLACE, number, C).seal != HAND.seal


@pytest.mark.parametrize("secret", [HAND, SHARE])
def test_a_secret_does_not_show_itself(secret: SealedHand | SealedShare) -> None:
    assert "coins" not in repr(secret) and "nonce" not in repr(secret)
    assert repr(C)[2:-1] not in repr(secret)
    assert f"{secret}" == repr(secret)


def test_hands_that_differ_only_in_their_coins_look_the_same() -> None:
    assert len({repr(replace(HAND, coins=coins)) for coins in range(4)}) == 1


@pytest.mark.parametrize("coins,nonce", [(-1, C), (0, b""), (0, C[1:]), (0, C + b"c")])
def test_an_impossible_hand_cannot_be_made(coins: int, nonce: bytes) -> None:
    with pytest.raises(LocalError) as error:
        SealedHand(PLACE, coins, nonce)
    assert repr(nonce) not in str(error.value)


@few
@given(st.lists(st.binary(max_size=3), max_size=4), st.lists(st.binary(max_size=3), max_size=4))
def test_no_two_lists_of_parts_have_one_digest(one: list[bytes], other: list[bytes]) -> None:
    assert (digest(b"p", one) == digest(b"p", other)) == (one == other)


def test_purposes_are_apart() -> None:
    assert digest(b"p", [b"q"]) != digest(b"pq", []) != digest(b"", [b"p", b"q"])


# The lot


@few
@given(st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=9))
def test_the_lot_falls_on_a_seat_and_always_on_the_same(shares: list[bytes]) -> None:
    assert 0 <= draw_lot(A, 1, shares) < len(shares)
    assert draw_lot(A, 1, shares) == draw_lot(A, 1, shares)


def test_any_one_share_moves_the_lot_to_every_seat() -> None:
    for turning in range(3):
        shares = [[A] * turning + [bytes([n]) * 32] + [A] * (2 - turning) for n in range(40)]
        assert {draw_lot(A, 1, each) for each in shares} == {0, 1, 2}


def test_the_lot_is_fair() -> None:
    drawn = [draw_lot(A, game, [A, B, C, A]) for game in range(800)]
    assert all(150 < drawn.count(seat) < 250 for seat in range(4))


def test_the_lot_of_another_table_is_another() -> None:
    lots = [[draw_lot(table, game, [A, B]) for game in range(40)] for table in (A, B)]
    assert lots[0] != lots[1]
