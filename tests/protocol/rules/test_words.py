"""The words of both games."""

from protocol.rules.words import Direction


def test_the_word_goes_to_the_next_seat_or_to_the_one_before() -> None:
    assert [direction.step for direction in Direction] == [1, -1]
