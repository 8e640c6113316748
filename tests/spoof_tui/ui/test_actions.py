"""What screens may ask of the app: the app can do all of it."""

import inspect

import pytest

from spoof_tui.ui.actions import Actions, actions
from spoof_tui.ui.app import SpoofApp
from tests.spoof_tui.ui.lobbies import Lobby

ASKED = [name for name, what in vars(Actions).items() if inspect.isfunction(what)]


@pytest.mark.parametrize("name", [name for name in ASKED if not name.startswith("_")])
def test_the_app_does_what_a_screen_may_ask_in_the_same_words(name: str) -> None:
    wanted = inspect.signature(getattr(Actions, name)).parameters
    given = inspect.signature(getattr(SpoofApp, name)).parameters
    assert [(each.name, each.default) for each in wanted.values()] == [
        (each.name, each.default) for each in given.values()
    ]


async def test_a_screen_asks_the_app_that_it_is_part_of() -> None:
    app = Lobby(name="Maria")
    async with app.run_test(size=(80, 24)):
        asked = actions(app.screen.app)
        asked.practise()
        assert (asked.settings.name, asked.client) == ("Maria", None)
    assert app.deeds.practised == 1
