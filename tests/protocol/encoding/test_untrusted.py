"""Other people's text cannot slip into a sentence unescaped; and fields are replaced correctly."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given

from protocol.encoding.replacing import replace
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.table.statements import LiftFine
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import few, typed


@few
@given(typed)
def test_any_text_is_held_as_it_is_and_drawn_escaped(text: str) -> None:
    held = ForeignText(text)
    assert held.raw == text
    for drawn in (f"{held}", str(held), "%s" % held):  # noqa: UP031
        assert drawn == ascii(text)
    assert repr(held).isprintable()
    assert held == ForeignText(text) and hash(held) == hash(ForeignText(text))


def test_a_width_may_be_given_and_texts_are_sorted() -> None:
    assert f"{ForeignText('a'):>5}" == "  'a'"
    assert ForeignText("a") < ForeignText("b")


@pytest.mark.parametrize("text", ["\ud800", "a\udcffb"])
def test_half_a_character_is_no_text(text: str) -> None:
    with pytest.raises(Malformed) as error:
        ForeignText(text)
    assert str(error.value).isascii()


def test_a_value_is_replaced_as_by_the_standard_library() -> None:
    table = MemoryTable(3).host.table
    assert replace(table, turn=7) == dataclasses.replace(table, turn=7) != table
    assert replace(LiftFine(1)) == LiftFine(1)
    with pytest.raises(Malformed):
        replace(LiftFine(1), index=-1)
    unknown: dict[str, Any] = {"middle": 3}
    with pytest.raises(TypeError):
        replace(LiftFine(1), **unknown)
