"""Every law, for real games and for what Hypothesis makes of them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from random import Random
from typing import Final

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzzing.links import GUEST, HOST, STRANGER
from tests.fuzzing.logs import LOG, TOLD
from tests.fuzzing.mutation import NUMBERS, Target, mutated
from tests.fuzzing.readers import CODEC, FRAMING, HELLO, NOTATION

TARGETS: Final[Mapping[str, Target]] = {
    target.name: target
    for target in (CODEC, FRAMING, HELLO, LOG, TOLD, HOST, STRANGER, GUEST, NOTATION)
}
BY_NAME = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)

LONGEST_RUN: Final = 10_000
"""Milliseconds for one input: more is as bad as never ending."""


@functools.cache
def inputs(target: Target) -> st.SearchStrategy[bytes]:
    """Seeds of a target after some changes."""
    seeds = st.sampled_from(list(target.seeds()))
    chance = st.randoms(use_true_random=False)
    return st.builds(mutated, seeds, seeds, st.just(target.words), chance)


@BY_NAME
def test_the_laws_hold_for_real_games(target: Target) -> None:
    for data in target.seeds():
        target.run(data)


@BY_NAME
@settings(max_examples=5 * settings().max_examples, deadline=LONGEST_RUN)
@given(st.data())
def test_the_laws_hold_for_what_is_made_of_real_games(target: Target, drawn: st.DataObject) -> None:
    target.run(drawn.draw(inputs(target)))


def packed(number: int) -> bytes:
    made: bytes = msgpack.packb([1, b"", msgpack.packb(["say", 1, [2, number]])])
    return made


def test_a_number_in_an_array_in_packed_bytes_is_changed_and_all_else_stays() -> None:
    seed, chance = packed(3), Random(1)
    made = {mutated(seed, seed, (), chance) for _ in range(3000)}
    assert made & {packed(number) for number in NUMBERS if number > 3}
