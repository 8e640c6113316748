"""A game: its lot, its seals, its rounds."""

from dataclasses import replace

import pytest

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.rules.game import Game, Player
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending
from tests.protocol.stories import refused

TABLE, NONCE = b"t" * 32, b"n" * 32
KEYS = [bytes([n]) * 32 for n in range(3)]


def share(seat: int, byte: int = 7) -> SealedShare:
    return SealedShare(Place(TABLE, 4, 0, KEYS[seat]), bytes([byte]) * 32, NONCE)


def hand(game: Game, seat: int, coins: int) -> SealedHand:
    return SealedHand(Place(TABLE, 4, game.round_number, KEYS[seat]), coins, NONCE)


NEW = Game(
    TABLE, 4, PRESETS["milan"],
    tuple(Player(KEYS[n], ForeignText(f"P{n}"), share(n).seal) for n in range(3)), 0,
)  # fmt: skip
BEGUN = NEW.with_round(0)


def lost(game: Game) -> Game:
    """The game after its opener bid everything on the table and was called."""
    for seat in game.fists_missing:
        game = game.put_in(seat, hand(game, seat, 0).seal)
    game = game.say(game.speakers[0], Bid(sum(game.coins)), None)
    game = game.say(game.speakers[0], Ending.CALL, None)
    for seat in game.fists_shut:
        game = game.open(seat, 0, NONCE)
    return game


def test_a_share_is_opened_once_and_as_it_was_sealed() -> None:
    game = NEW.toss(0, share(0).share, NONCE)
    with refused(Reason.OPENED_ALREADY):
        game.toss(0, share(0).share, NONCE)
    with refused(Reason.WRONG_SHARE):
        game.toss(1, share(1, 8).share, NONCE)


@pytest.mark.parametrize("seat,coins,nonce", [(0, 2, NONCE), (0, 1, b"x" * 32), (1, 0, NONCE)])
def test_another_hand_than_the_sealed_one_does_not_open(
    seat: int, coins: int, nonce: bytes
) -> None:
    game = BEGUN.put_in(0, hand(BEGUN, 0, 1).seal).put_in(1, hand(BEGUN, 0, 1).seal)
    with refused(Reason.WRONG_OPENING):
        game.open(seat, coins, nonce)


def test_a_fist_goes_in_once_and_opens_once() -> None:
    game = BEGUN.put_in(0, hand(BEGUN, 0, 1).seal).put_in(1, bytes(32))
    with refused(Reason.FIST_IS_IN):
        game.put_in(0, bytes(32))
    game = game.open(0, 1, NONCE)
    with refused(Reason.OPENED_ALREADY):
        game.open(0, 1, NONCE)
    assert (game.fists_missing, game.fists_shut) == ((2,), (1,))


def test_a_seal_of_the_round_before_opens_no_more() -> None:
    old, game = hand(BEGUN, 1, 1), lost(BEGUN)
    assert (game.round_number, game.coins, game.seals, game.hands) == (2, (2, 3, 3), {}, {})
    with refused(Reason.WRONG_OPENING):
        game.put_in(1, old.seal).open(1, 1, NONCE)


def test_a_round_that_is_void_before_crap_has_spoken_is_opened_by_another_who_is_no_crap() -> None:
    game = replace(NEW, crap=0).with_round(0)
    game = game.put_in(2, hand(game, 2, 1).seal).without(1)
    assert game.round is not None
    assert (game.crap, game.voided, game.round.starter) == (None, 1, 2)
