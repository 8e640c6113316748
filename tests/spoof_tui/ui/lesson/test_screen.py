"""The lesson over the lobby: how it is begun, walked through and left."""

import pytest

from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.lesson.screen import LessonScreen
from spoof_tui.ui.lesson.script import RULES, Invite
from spoof_tui.ui.lesson.steps import script
from tests.spoof_tui.ui.lobbies import Lobby


def keys(number: int) -> list[str]:
    """The keys that lead through a lesson to its invitation."""
    return [sorted(step.keys)[0] for step in script(number) if not isinstance(step.ask, Invite)]


ONE, BOTH = keys(1), [*keys(1), "enter", *keys(2)]


def begun(app: Lobby) -> LessonScreen:
    """The lesson on the screen."""
    assert isinstance(app.screen, LessonScreen)
    return app.screen


def panel(app: Lobby) -> str:
    """What the lesson says."""
    stage = app.screen.query_one(Stage)
    return "\n".join(stage.render_line(y).text for y in range(16, stage.size.height))


async def test_l_begins_the_lesson_and_escape_leaves_it_at_any_step() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Learn by playing" in app.text
        await pilot.press("l", "enter", "0")
        assert begun(app).lesson.place == 2
        await pilot.press("escape")
        assert len(app.screen_stack) == 1
        await pilot.press("l", "q")
        assert app.is_running and len(app.screen_stack) == 1


@pytest.mark.parametrize("way", [ONE, BOTH, ["2", *keys(2)]])
async def test_each_lesson_ends_with_a_game_by_its_own_rules(way: list[str]) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", *way)
        assert isinstance(begun(app).lesson.step.ask, Invite)
        await pilot.press("p")
    assert (app.deeds.practised, app.deeds.rules) == (1, RULES.preset)


@pytest.mark.parametrize("key", ["enter", "escape", "q"])
async def test_the_second_lesson_ends_in_the_lobby(key: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", *BOTH, key)
        assert len(app.screen_stack) == 1
    assert app.deeds.practised == 0


async def test_something_wrong_may_be_tried() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", *ONE[:5])
        assert "try Enter first" in panel(app)
        await pilot.press("right", "enter")
        place = begun(app).lesson.place
        assert await app.sees(pilot, "Press Enter to take it back.")
        await pilot.press("enter")
        assert begun(app).lesson.place == place and "Press c to call" in panel(app)


async def test_a_wrong_key_is_answered_and_left_goes_back() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "enter", "9")
        assert "A hand is 0 to 3 coins" in panel(app)
        await pilot.press("left")
        assert begun(app).lesson.place == 0 and "Press Enter to begin" in panel(app)


async def test_p_before_the_end_does_not_leave_the_lesson() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "p")
        assert begun(app).lesson.place == 0
    assert app.deeds.practised == 0
