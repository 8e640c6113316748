"""Text of other people cannot slip into a sentence as it is."""

import pytest
from hypothesis import given

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from tests.protocol.stories import few, typed

NASTY = ForeignText("\x1b]0;hi\x07\u202eolleh\x9b2J[bold]\n")


@pytest.mark.parametrize("drawn", [f"{NASTY}", f"{NASTY:s}", str(NASTY), "%s" % NASTY])  # noqa: UP031
def test_formatting_gives_harmless_ascii(drawn: str) -> None:
    assert drawn.isascii() and drawn.isprintable()
    assert drawn == ascii(NASTY.raw)


def test_its_repr_is_printable_too() -> None:
    assert repr(NASTY).isprintable()


@few
@given(typed)
def test_any_text_is_held_as_it_is_and_drawn_escaped(text: str) -> None:
    held = ForeignText(text)
    assert held.raw == text
    assert str(held).isascii() and str(held).isprintable()


def test_a_width_may_be_given() -> None:
    assert f"{ForeignText('a'):>5}" == "  'a'"


@pytest.mark.parametrize("text", ["\ud800", "a\udcffb"])
def test_half_a_character_is_no_text(text: str) -> None:
    with pytest.raises(Malformed) as error:
        ForeignText(text)
    assert str(error.value).isascii()


def test_equal_texts_are_equal_and_sorted() -> None:
    assert ForeignText("a") == ForeignText("a") < ForeignText("b")
    assert len({ForeignText("a"), ForeignText("a")}) == 1
