"""The replay screen by its keys."""

import asyncio
import re
from collections.abc import Iterator

import pytest

from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.replay.reader import Recording
from spoof_tui.ui.replay.screen import ReplayApp, ReplayScreen
from spoof_tui.ui.tokens import coins_again
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES, recording


class Replay(ReplayApp):
    """A replay that can be read."""

    @property
    def text(self) -> str:
        """Everything on the screen."""
        stage = self.screen.query_one(Stage)
        return "\n".join(stage.render_line(y).text for y in range(stage.size.height))

    @property
    def shown(self) -> ReplayScreen:
        """The screen."""
        assert isinstance(self.screen, ReplayScreen)
        return self.screen


async def test_words_and_rounds_by_their_keys() -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Round the table: Svitlana (S), Dmytro (D), Maria (M)." in app.text
        await pilot.press("down", "right", "right")
        assert "Maria raises 4 to 6." in app.text
        await pilot.press("2", "enter")
        assert "round 2 of 3" in app.text
        await pilot.press("right_square_bracket", "end")
        assert "Dmytro wins" in app.text
        await pilot.press("q")
    assert not app.is_running


async def test_control_c_ends_it() -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert not app.is_running and app.return_code == 0


async def test_hands_are_shut_as_at_the_time_until_o() -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("2", "enter")
        shut = app.text
        assert not re.search(r"[▀▄█] *3 *[▀▄█]", shut)
        await pilot.press("o")
        assert app.text != shut and re.search(r"[▀▄█] *3 *[▀▄█]", app.text)
        await pilot.press("o")
        assert app.text == shut


async def test_it_plays_by_itself_until_a_key_stops_it() -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*["plus"] * 6, "space")
        async with asyncio.timeout(20):
            while app.shown.player.page < 2:
                await pilot.pause(0.05)
        await pilot.press("space")
        assert not app.shown.player.playing


async def test_a_lone_escape_forgets_the_number_and_then_leaves() -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "escape")
        assert app.is_running and "Go to round" not in app.text
        await pilot.press("escape")
    assert not app.is_running


async def test_a_cyrillic_keyboard_works_by_place() -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("щ")
        assert app.shown.player.open_hands


async def test_a_file_that_fails_while_it_is_read_is_told_and_what_was_read_stays() -> None:
    def failing() -> Iterator[bytes]:
        yield TWO_GAMES.encode()[:300]
        raise OSError(5, "Input/output error")

    app = Replay(Recording(failing))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        assert "The file could not be read to its end: Input/output error." in app.text
        await pilot.press("home", "down")
        assert "Dmytro opens." in app.text
        await pilot.press("right_square_bracket", "left_square_bracket", "end")
        assert "Input/output error" in app.text


@pytest.mark.parametrize("size", [(20, 6), (60, 20), (80, 24), (200, 60)])
async def test_every_size_is_drawn(size: tuple[int, int]) -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=size) as pilot:
        await pilot.press("down", "right", "o", "end")
        assert app.is_running


async def test_a_record_of_pebbles_is_shown_with_pebbles() -> None:
    app = Replay(recording(TWO_GAMES.replace('"three-coins"', '"three-coins token=pebbles"', 1)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Three Coins, but played with pebbles" in app.text
        assert "•••" in app.text and "●" not in app.text
    coins_again()
