"""Seals: they bind every field and reveal nothing, and nobody can steer the lot."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.seals import (
    SealedHand,
    SealedShare,
    SealPlace,
    digest,
    draw_lot,
    draw_toss,
)
from protocol.errors import LocalError
from tests.helpers.vectors import Case, each_case
from tests.protocol.stories import few

A, B, C = (bytes([n]) * 32 for n in b"abc")
PLACE = SealPlace(table=A, game=1, round=2, seat=B)
HAND, SHARE = SealedHand(PLACE, 3, C), SealedShare(PLACE, A, C)


def parsed(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a case, with bytes for hexadecimal."""
    read: dict[type, Any] = {
        str: bytes.fromhex,
        list: lambda each: list(map(bytes.fromhex, each)),
        int: int,
    }
    return {name: read[type(value)](value) for name, value in fields.items()}


def sealed(fields: dict[str, Any]) -> SealedHand | SealedShare:
    """The secret of a case."""
    place = SealPlace(*(fields.pop(name) for name in ("table", "game", "round", "seat")))
    return (SealedHand if "coins" in fields else SealedShare)(place, **fields)


@each_case("hashes", having="hash")
def test_the_hash_of_a_case_is_that_of_its_input(case: Case) -> None:
    hashed = hashlib.blake2b(bytes.fromhex(case["input"]), digest_size=32)
    assert hashed.hexdigest() == case["hash"]


@each_case("hashes", having="fist")
def test_a_fist_is_sealed_as_the_case_says(case: Case) -> None:
    hand = sealed(parsed(case["fist"]))
    assert hand.seal.hex() == case["hash"]
    assert hand.opens(hand.seal) and not hand.opens(HAND.seal)


@each_case("hashes", having="share")
def test_a_share_is_sealed_as_the_case_says(case: Case) -> None:
    share = sealed(parsed(case["share"]))
    assert share.seal.hex() == case["hash"]
    assert share.opens(share.seal) and not share.opens(SHARE.seal)


@each_case("hashes", having="lot")
def test_a_lot_falls_as_the_case_says(case: Case) -> None:
    assert draw_lot(**parsed(case["lot"])) == case["picks"]


@each_case("hashes", having="toss")
def test_a_toss_picks_as_the_case_says(case: Case) -> None:
    toss = draw_toss(**parsed(case["toss"]))
    assert toss == int(case["hash"], 16) and toss % case["staying"] == case["picks"]


@pytest.mark.parametrize("secret", [HAND, SHARE], ids=["a hand", "a share"])
def test_a_secret_does_not_show_itself(secret: SealedHand | SealedShare) -> None:
    assert str(secret) == repr(secret) == f"{type(secret).__name__}(place={PLACE!r})"


@pytest.mark.parametrize("coins,nonce", [(-1, C), (0, b""), (0, C[1:]), (0, C + b"c")])
def test_an_impossible_hand_cannot_be_made(coins: int, nonce: bytes) -> None:
    with pytest.raises(LocalError) as error:
        SealedHand(PLACE, coins, nonce)
    assert repr(nonce) not in str(error.value)


@few
@given(st.lists(st.binary(max_size=3), max_size=4), st.lists(st.binary(max_size=3), max_size=4))
def test_no_two_lists_of_parts_have_one_digest(one: list[bytes], other: list[bytes]) -> None:
    assert (digest(b"p", one) == digest(b"p", other)) == (one == other)
    assert digest(b"p", [b"q", *one]) != digest(b"pq", one)


def test_the_lot_is_fair_and_any_one_share_moves_it_to_every_seat() -> None:
    drawn = [draw_lot(A, game, [A, B, C, A]) for game in range(800)]
    assert all(150 < drawn.count(seat) < 250 for seat in range(4))
    for turning in range(3):
        shares = [[A] * turning + [bytes([n]) * 32] + [A] * (2 - turning) for n in range(40)]
        assert {draw_lot(A, 1, each) for each in shares} == {0, 1, 2}
