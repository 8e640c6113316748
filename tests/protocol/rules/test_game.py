"""A game: its lot, its rounds, its winner."""

from dataclasses import replace

import pytest

from protocol.crypto.seals import Place, SealedHand, SealedShare, draw_lot
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.rules.game import Game, Player
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid, Ending
from tests.protocol.stories import refused

TABLE = b"t" * 32
NONCE = b"n" * 32
KEYS = [bytes([n]) * 32 for n in range(3)]


def share(seat: int, byte: int = 7) -> SealedShare:
    return SealedShare(Place(TABLE, 4, 0, KEYS[seat]), bytes([byte]) * 32, NONCE)


def new_game(players: int = 3) -> Game:
    seated = tuple(
        Player(KEYS[seat], ForeignText(f"P{seat}"), share(seat).seal) for seat in range(players)
    )
    return Game(TABLE, 4, PRESETS["milan"], seated, 0)


def hand(game: Game, seat: int, coins: int) -> SealedHand:
    return SealedHand(Place(TABLE, 4, game.round_number, KEYS[seat]), coins, NONCE)


def played(game: Game, hands: list[int], *words: Bid | Ending) -> Game:
    """The game after a round of these hands, by seat, and words."""
    sealed = {seat: hand(game, seat, hands[seat]) for seat in game.fists_missing}
    for seat, each in sealed.items():
        game = game.put_in(seat, each.seal)
    for word in words:
        assert game.round is not None and game.round.speaker is not None
        game = game.say(game.round.speaker, word, None)
    for seat, each in sealed.items():
        game = game.open(seat, each.coins, NONCE)
    return game


def lost(game: Game) -> Game:
    """The game after its opener bid everything on the table and was called."""
    return played(game, [0, 0, 0], Bid(sum(game.coins)), Ending.CALL)


def test_all_shares_together_pick_the_opener() -> None:
    game = new_game()
    for seat in (2, 0, 1):
        assert game.round is None
        game = game.toss(seat, share(seat).share, NONCE)
    assert game.round is not None
    assert game.round.starter == draw_lot(TABLE, 4, [share(0).share] * 3)


def test_a_share_is_opened_once_and_as_it_was_sealed() -> None:
    game = new_game().toss(0, share(0).share, NONCE)
    with refused(Reason.OPENED_ALREADY):
        game.toss(0, share(0).share, NONCE)
    with refused(Reason.WRONG_SHARE):
        game.toss(1, share(1, 8).share, NONCE)


def test_everybody_starts_with_three_coins_r1() -> None:
    assert new_game().coins == (3, 3, 3)
    assert new_game().round_number == 0


def test_nothing_is_said_before_the_first_round() -> None:
    with refused(Reason.NO_GAME):
        new_game().say(0, Bid(1), None)


def test_the_last_fist_to_open_counts_the_round_r11() -> None:
    game = played(new_game().with_round(0), [1, 1, 1], Bid(4), Ending.CALL)
    assert game.coins == (2, 3, 3)
    assert game.past[0].hands == {0: 1, 1: 1, 2: 1}
    assert (game.round_number, game.hands, game.seals) == (2, {}, {})
    assert game.round is not None and game.round.starter == 0


@pytest.mark.parametrize("seat,coins,nonce", [(0, 2, NONCE), (0, 1, b"x" * 32), (1, 0, NONCE)])
def test_another_hand_than_the_sealed_one_does_not_open(
    seat: int, coins: int, nonce: bytes
) -> None:
    game = new_game().with_round(0)
    game = game.put_in(0, hand(game, 0, 1).seal).put_in(1, hand(game, 0, 1).seal)
    with refused(Reason.WRONG_OPENING):
        game.open(seat, coins, nonce)


def test_a_seal_of_more_coins_than_owned_never_opens_r2() -> None:
    game = new_game().with_round(0)
    game = game.put_in(0, hand(game, 0, 4).seal)
    with refused(Reason.HAND_TOO_BIG):
        game.open(0, 4, NONCE)
    poorer = lost(new_game().with_round(0))
    poorer = poorer.put_in(0, hand(poorer, 0, 3).seal)
    with refused(Reason.HAND_TOO_BIG):
        poorer.open(0, 3, NONCE)


def test_a_seal_of_the_round_before_opens_no_more() -> None:
    old = hand(new_game().with_round(0), 0, 1)
    game = played(new_game().with_round(0), [1, 1, 1], Bid(4), Ending.CALL)
    with refused(Reason.WRONG_OPENING):
        game.put_in(0, old.seal).open(0, 1, NONCE)


def test_a_fist_is_put_in_once_r3() -> None:
    game = new_game().with_round(0).put_in(0, bytes(32))
    with refused(Reason.FIST_IS_IN):
        game.put_in(0, bytes(32))
    assert game.fists_missing == (1, 2)


def test_a_fist_is_opened_once() -> None:
    game = new_game().with_round(0)
    sealed = hand(game, 0, 1)
    game = game.put_in(0, sealed.seal).put_in(1, bytes(32)).open(0, 1, NONCE)
    with refused(Reason.OPENED_ALREADY):
        game.open(0, 1, NONCE)
    assert game.fists_shut == (1,)


def test_who_is_out_owes_nothing_and_may_do_nothing_r12() -> None:
    game = new_game().with_round(0)
    for _ in range(3):
        game = lost(game)
    assert game.coins == (0, 3, 3)
    assert game.fists_missing == (1, 2)
    with refused(Reason.IS_OUT):
        game.put_in(0, bytes(32))
    with refused(Reason.IS_OUT):
        game.open(0, 0, NONCE)
    assert game.round is not None and game.round.starter == 1


def test_the_last_one_left_wins_r13() -> None:
    game = new_game(2).with_round(0)
    for _ in range(3):
        assert game.winner is None
        game = lost(game)
    assert (game.winner, game.round, game.round_number) == (1, None, 3)


def test_the_first_out_is_the_nearest_after_the_ender_when_several_go_out() -> None:
    game = new_game().with_round(1)
    for _ in range(3):
        assert game.first_out is None
        game = played(game.with_round(1), [0, 0, 0], Ending.ZERO)
    assert game.coins == (0, 3, 0)
    assert game.first_out == 2


def test_the_first_out_stays_the_first() -> None:
    game = new_game().with_round(0)
    for _ in range(3):
        game = lost(game)
    for _ in range(3):
        game = lost(game)
    assert (game.winner, game.first_out) == (2, 0)


def test_a_player_is_found_by_key() -> None:
    assert [new_game().seat_of(key) for key in (KEYS[2], b"x" * 32)] == [2, None]


def test_a_round_that_is_void_before_crap_has_spoken_is_opened_by_another_who_is_no_crap() -> None:
    game = replace(new_game(), crap=0).with_round(0)
    game = game.put_in(2, hand(game, 2, 1).seal).without(1)
    assert game.round is not None
    assert (game.crap, game.voided, game.round.starter) == (None, 1, 2)
