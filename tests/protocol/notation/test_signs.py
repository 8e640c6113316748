"""The signs of a record: each says one thing, and none can be taken for a tag."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.notation.signs import CHANGES, FINED, LEAVES, NOTHING, SHUT, SIGNS, school_changes
from protocol.notation.tokens import split_token
from protocol.rules.words import Ending

seats = st.integers(0, 8)


def test_every_ending_is_written_with_a_sign_of_its_own() -> None:
    assert set(SIGNS.values()) == set(Ending)
    assert len(SIGNS) == len(Ending)


def test_behind_a_tag_every_sign_is_told_from_it() -> None:
    for sign in (*SIGNS, *CHANGES, SHUT, LEAVES, FINED, NOTHING):
        assert split_token(f"S{sign}") == ("S", sign)


def test_in_one_part_of_a_round_no_sign_says_two_things() -> None:
    assert len({*CHANGES, LEAVES, FINED, NOTHING}) == len(CHANGES) + 3
    assert SHUT not in SIGNS


def test_a_coin_that_moves_is_one_coin() -> None:
    assert sorted(CHANGES.values()) == [-1, 1]


def test_changes_are_written_clockwise_and_who_leaves_does_so_before_the_fine() -> None:
    assert school_changes([2], [0, 2, 2]) == [(0, FINED), (2, LEAVES), (2, FINED), (2, FINED)]
    assert school_changes([], []) == []


@given(st.sets(seats), st.lists(seats))
def test_everybody_who_left_and_every_fine_is_written_once(
    left: set[int], fined: list[int]
) -> None:
    changes = school_changes(left, fined)
    assert sorted(seat for seat, sign in changes if sign == LEAVES) == sorted(left)
    assert sorted(seat for seat, sign in changes if sign == FINED) == sorted(fined)
    assert [seat for seat, _sign in changes] == sorted([*left, *fined])
