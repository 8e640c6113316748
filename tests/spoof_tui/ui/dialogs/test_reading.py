"""What is read over a screen: lines with labels, and how it scrolls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from spoof_tui.ui.dialogs.frame import inside
from spoof_tui.ui.dialogs.reading import Reading, hanging, stacked
from tests.spoof_tui.ui.lobbies import Lobby

texts = st.text(st.sampled_from("ab щ漢 "), max_size=80)


class Poem(Reading):
    def __init__(self) -> None:
        verses = [Content(f"[b]verse[/] {number}") for number in range(99)]
        super().__init__("A [poem]", lambda width: stacked(verses))


def test_a_label_stands_beside_its_text_or_above_it() -> None:
    assert hanging(Content("R8"), "one two", 4, 8).plain == "R8  one\n    two"
    assert hanging(Content("a label"), "one two", 4, 12).plain == "a label\n    one two"


@given(texts, st.integers(0, 9), st.integers(12, 40))
def test_no_word_is_lost_and_no_line_is_too_long(text: str, label: int, width: int) -> None:
    lines = hanging(Content("x" * label), text, 8, width).plain.split("\n")
    assert "".join(lines).replace(" ", "").removeprefix("x" * label) == text.replace(" ", "")
    assert max(map(cell_len, lines)) <= max(width, label)


async def test_a_page_is_read_by_keys_and_by_the_wheel() -> None:
    app = Lobby()
    async with app.run_test(size=(60, 12)) as pilot:
        app.push_screen(Poem())
        await pilot.pause()
        first = app.lines
        assert first[0].startswith("╭─ A [poem] ─") and "[b]verse[/] 0" in first[1]
        for down, up in [("down", "up"), ("j", "k"), ("pagedown", "pageup"), ("end", "home")]:
            await pilot.press(down)
            assert await app.shows(pilot, lambda lines: lines != first)
            await pilot.press(up)
            assert await app.shows(pilot, lambda lines: lines == first)
        await pilot.press("end")
        assert await app.sees(pilot, "verse[/] 98")


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (30, 8)])
async def test_a_page_is_never_wider_or_higher_than_the_terminal(size: tuple[int, int]) -> None:
    app = Lobby()
    async with app.run_test(size=size) as pilot:
        app.push_screen(Poem())
        await pilot.pause()
        assert len(app.lines) == size[1]
        assert {len(line) for line in app.lines} == {min(size[0], Poem.WIDTH)}
        assert inside(len(app.lines[0])) <= size[0]


async def test_a_click_beside_the_frame_goes_back() -> None:
    app = Lobby()
    async with app.run_test(size=(100, 24)) as pilot:
        app.push_screen(Poem())
        await pilot.pause()
        await pilot.click(offset=(50, 12))
        assert isinstance(app.screen, Poem)
        await pilot.click(offset=(0, 0))
        assert not isinstance(app.screen, Poem)


@pytest.mark.parametrize("width", [80, 60, 40])
async def test_a_line_of_the_page_is_broken_where_the_page_ends_and_nowhere_before(
    width: int,
) -> None:
    wide: list[int] = []

    def page(columns: int) -> Content:
        wide.append(columns)
        return stacked([Content("x" * columns)] * 40)

    app = Lobby()
    async with app.run_test(size=(width, 12)) as pilot:
        app.push_screen(Reading("Wide", page))
        await pilot.pause()
        assert await app.sees(pilot, "x" * wide[-1])
