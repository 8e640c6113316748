"""The quick way to another value is the same as the one of the standard library."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding import replacing
from tests.helpers.tables import MemoryTable


@dataclass(frozen=True, slots=True)
class Pair:
    left: int
    right: int = 2

    def __post_init__(self) -> None:
        if self.left > self.right:
            raise ValueError("the left one is larger")


@dataclass(frozen=True)
class One:
    only: int


@given(st.integers(0, 9), st.integers(10, 99))
def test_other_values_are_in_their_fields(left: int, right: int) -> None:
    pair = Pair(1)
    assert replacing.replace(pair) == pair
    assert replacing.replace(pair, left=left, right=right) == Pair(left, right)
    assert replacing.replace(One(1), only=left) == One(left)


def test_a_whole_table_is_as_the_standard_library_has_it() -> None:
    table = MemoryTable(3).host.table
    assert replacing.replace(table, turn=7) == dataclasses.replace(table, turn=7)


def test_what_may_not_be_is_refused() -> None:
    unknown: dict[str, Any] = {"middle": 3}
    with pytest.raises(ValueError):
        replacing.replace(Pair(1), left=3)
    with pytest.raises(TypeError):
        replacing.replace(Pair(1), **unknown)
