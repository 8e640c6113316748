"""Tables that introduce themselves by datagram."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.rules.options import PRESETS, Rules
from spoof_tui.network.beacon import MAX_SIZE, NONCE_BYTES, SIZE, Introduction
from tests.protocol.greetings import CARD

NONCE = bytes(range(NONCE_BYTES))
TOLD = Introduction(7763, NONCE, CARD)


def test_an_introduction_is_read_as_it_was_written_without_what_was_before() -> None:
    card = replace(CARD, continues=(b"t" * 32,) * 9)
    for told in (TOLD, replace(TOLD, card=card)):
        assert Introduction.read(told.write()) == TOLD


@pytest.mark.parametrize("rules", PRESETS.values())
def test_the_longest_one_fits(rules: Rules) -> None:
    name = ForeignText("x" * MAX_NAME)
    longest = replace(TOLD, card=replace(CARD, name=name, host=name, rules=rules))
    assert SIZE < len(longest.write()) <= MAX_SIZE


@given(st.binary(max_size=MAX_SIZE + 9) | st.binary(max_size=99).map(TOLD.write()[:SIZE].__add__))
def test_any_bytes_are_an_introduction_or_none(data: bytes) -> None:
    read = Introduction.read(data)
    assert read is None or read.write() == data
