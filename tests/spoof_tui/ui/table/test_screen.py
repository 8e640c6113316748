"""What the mouse does on the help over a table."""

from __future__ import annotations

from tests.spoof_tui.ui.scripts import first


async def test_a_row_of_the_help_is_pressed_by_a_click_and_looks_like_no_link() -> None:
    app = first("choosing")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("question_mark")
        assert await app.sees(pilot, "Keys now")
        y = next(y for y, line in enumerate(app.lines) if line.strip("█│ ").startswith("t "))
        x = app.lines[y].index("talk")
        assert not app.screen.get_style_at(x, y).underline
        await pilot.click(offset=(x, y))
        assert await app.sees(pilot, "Talk:")
