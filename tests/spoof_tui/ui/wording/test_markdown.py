"""Sentences in Markdown say what they say without it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from spoof_tui.ui.wording.markdown import literal


def read(text: str) -> str:
    """What a reader of the document sees."""
    tokens = MarkdownIt("gfm-like").parseInline(text)[0].children or []
    assert {token.type for token in tokens} <= {"text", "text_special"}, tokens
    return "".join(token.content for token in tokens)


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), max_size=40))
def test_every_sign_is_read_as_it_stands(text: str) -> None:
    assert read(literal(text)) == text


@pytest.mark.parametrize("text", ["*a*", "[x](http://a.b)", "www.a.de", "a@b.de", "`x`", "<b>"])
def test_nothing_becomes_bold_or_a_link(text: str) -> None:
    assert read(literal(text)) == text
