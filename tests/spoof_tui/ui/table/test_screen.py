"""What keys do at the table, and how the screen reacts to news."""

from __future__ import annotations

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui import beats
from spoof_tui.beats import Beat
from spoof_tui.ui.table import timing
from tests.spoof_tui.ui.scripts import (
    first,
    is_table,
    play,
    scene,
    second,
    speaker,
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


def is_peeking(app: AtTable) -> bool:
    """Whether the hand of 0 is at the end of the panel's rule."""
    return any(line.rstrip("─").endswith(" 0 ") for line in app.lines)


def is_shut(app: AtTable) -> bool:
    return scene(app).glance is None and not is_peeking(app)


def count(app: AtTable) -> None:
    app.table.say(Bid(2), Bid(3), Ending.CALL)


async def test_a_hand_is_shown_for_a_moment_only() -> None:
    await play(first(), "> space", is_peeking, is_shut)


@pytest.mark.parametrize("key", ["space", "w", "j", "t"])
async def test_any_key_ends_a_peek(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "REPEAT_INTERVAL", 0.0)
    monkeypatch.setattr(timing, "PEEK_TIMEOUT", 60.0)
    await play(first(), "> space", is_peeking, f"> {key}", lambda app: scene(app).glance is None)


# During a count


def have_beats_last(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WORD", "FIST", "LATER_FIST", "HELD", "LAST", "STAMP", "REST", "NEXT_WORD"):
        monkeypatch.setattr(beats, name, seconds)


def is_counting(app: AtTable) -> bool:
    shown = scene(app)
    return shown.presentation.is_running and not shown.is_judged and not shown.remark


def is_just_judged(app: AtTable) -> bool:
    shown = scene(app)
    nothing = (shown.talking, shown.glance, shown.remark) == (None, None, "")
    return shown.is_judged and is_table(app) and nothing


@pytest.mark.parametrize("key", ["space", "enter", "c", "t", "q", "r", "j"])
async def test_any_key_skips_to_the_verdict_and_does_nothing_else(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    have_beats_last(60.0, monkeypatch)
    await play(first(), count, is_counting, f"> {key}", is_just_judged)


async def test_the_fists_of_a_round_open_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    have_beats_last(0.01, monkeypatch)
    await play(first(), count, lambda app: scene(app).is_counted)


def beats_of(app: AtTable) -> list[Beat]:
    reveal = scene(app).reveal
    return [each.beat for each in reveal.steps] if reveal else []


async def test_without_animation_all_fists_open_at_once() -> None:
    app = first()
    app.animation_level = "none"
    told = [Beat.WORD, Beat.STAMP, Beat.PAID]
    await play(app, count, lambda app: beats_of(app) == told)


async def test_a_hand_pressed_early_is_sent_at_once_and_skips_nothing() -> None:
    sent = (count, "> 1", lambda app: app.seat.guest.own_hand == 1, is_counting)
    await play(first(), *sent, lambda app: "locked" not in app.text)


async def test_an_early_hand_that_is_too_big_tells_nothing_of_the_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    have_beats_last(60.0, monkeypatch)

    def lose(app: AtTable) -> None:
        app.table.say(Ending.SPOOF)

    steps = (lose, "> 3", is_counting, "> space space", lambda app: scene(app).is_counted)
    await play(speaker(), *steps, lambda app: bool(scene(app).remark))


async def test_a_bid_is_for_what_its_speaker_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    have_beats_last(60.0, monkeypatch)

    def go_on(app: AtTable) -> None:
        app.table.choose(0, 0, 0)
        while not app.seat.view.my_turn:
            app.table.say(Bid(app.table.speaker().view.lowest_bid or 1))

    app = first()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        for deed in (count, go_on):
            deed(app)
            await app.look(pilot)
        words = len(app.seat.view.words)
        await pilot.press("space", "space", "enter")
        assert scene(app).view == app.seat.view and len(app.seat.view.words) == words
        await pilot.press("enter")
        assert len(app.seat.view.words) == words + 1
        assert scene(app).last is None, "its speaker has looked at the count"


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
