"""What keys do at the table, and how the screen reacts to news."""

from __future__ import annotations

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui import beats
from spoof_tui.beats import Beat
from spoof_tui.ui.table import timing
from tests.spoof_tui.ui.scripts import (
    first,
    play,
    scene,
    second,
)
from tests.spoof_tui.ui.tables import AtTable


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


# A peek


def count(app: AtTable) -> None:
    app.table.say(Bid(2), Bid(3), Ending.CALL)


# During a count


async def test_the_fists_of_a_round_open_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WORD", "FIST", "HELD", "LAST", "STAMP"):
        monkeypatch.setattr(beats, name, 0.01)
    await play(first(), count, lambda app: scene(app).is_counted)


def beats_of(app: AtTable) -> list[Beat]:
    reveal = scene(app).reveal
    return [each.beat for each in reveal.steps] if reveal else []


async def test_without_animation_all_fists_open_at_once() -> None:
    app = first()
    app.animation_level = "none"
    told = [Beat.WORD, Beat.STAMP, Beat.PAID]
    await play(app, count, lambda app: beats_of(app) == told)


# Away, and moving


async def test_the_time_of_who_is_away_goes_on_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "TICK_INTERVAL", 0.01)
    app = second("choosing")
    began: list[int] = []

    def begin(app: AtTable) -> bool:
        began.append(scene(app).now)
        return True

    steps = ("* cut 1", begin, "+ Player1 is away for", lambda app: scene(app).now > began[0])
    await play(app, *steps)
