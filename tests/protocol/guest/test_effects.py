"""What a participant wants done: values that show nothing of what is in them."""

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.guest.effects import Changed, Keep, Settle, Transmit

HERE = Place(bytes(32), 1, 2, bytes(32))


def test_bytes_for_the_host_are_not_shown() -> None:
    assert "spoof" not in repr(Transmit(b"spoof"))


def test_a_secret_is_kept_as_it_is_and_not_shown() -> None:
    hand, share = SealedHand(HERE, 2, b"n" * 32), SealedShare(HERE, b"s" * 32, b"n" * 32)
    assert (Keep(hand).secret, Keep(share).secret) == (hand, share)
    assert "nnn" not in repr(Keep(hand)) + repr(Keep(share))
    assert "sss" not in repr(Keep(share))


def test_what_says_nothing_more_is_the_same_each_time() -> None:
    assert Changed() == Changed() and Settle() == Settle()
    assert len({Changed(), Changed(), Settle()}) == 2
