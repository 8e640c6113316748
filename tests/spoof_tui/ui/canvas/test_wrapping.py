"""Text in lines."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from spoof_tui.ui.canvas.wrapping import wrap

texts = st.text(st.sampled_from("ab c中文ї★─"), max_size=12)


@given(texts, st.integers(2, 14))
def test_wrapped_lines_fit_and_hold_every_letter(text: str, width: int) -> None:
    wrapped = wrap(text, width)
    assert wrapped
    assert all(cell_len(line) <= width for line in wrapped)
    assert "".join(wrapped).replace(" ", "") == text.replace(" ", "")


def test_words_are_kept_whole_where_they_fit() -> None:
    assert wrap("the quick brown fox", 9) == ["the quick", "brown fox"]
    assert wrap("a transcontinental b", 6) == ["a", "transc", "ontine", "ntal b"]


@given(texts, st.integers(-5, 0))
def test_what_has_no_width_is_wrapped_as_if_it_had_one_column(text: str, width: int) -> None:
    assert wrap(text, width) == wrap(text, 1)
