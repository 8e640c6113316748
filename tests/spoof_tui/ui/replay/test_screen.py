"""The replay screen by its keys."""

from collections.abc import Iterator

import pytest

from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.replay.player import REPLAY, SLICE
from spoof_tui.ui.replay.reader import Recording
from spoof_tui.ui.replay.screen import ReplayApp, ReplayScreen
from spoof_tui.ui.themes import coins_again
from tests.spoof_tui.ui.lobbies import until
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES, recording


class Replay(ReplayApp):
    """A replay that can be read."""

    @property
    def text(self) -> str:
        """Everything on the screen."""
        stage = self.screen.query_one(Stage)
        return "\n".join(row.text for row in stage.render_lines(stage.size.region))

    @property
    def shown(self) -> ReplayScreen:
        """The screen."""
        assert isinstance(self.screen, ReplayScreen)
        return self.screen


async def test_a_lone_escape_forgets_the_number_and_then_leaves() -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "escape")
        assert app.is_running and "Go to round" not in app.text
        await pilot.press("escape")
        assert await until(pilot, lambda: app.return_code == 0)
    again = Replay(recording(TWO_GAMES))
    async with again.run_test(size=(80, 24)) as pilot:
        await pilot.press("tab")
        assert again.shown.player.open_hands
        await pilot.press("ctrl+c")
        assert await until(pilot, lambda: again.return_code == 0)


async def test_every_key_that_is_shown_can_be_clicked(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Replay(recording(TWO_GAMES))
    async with app.run_test(size=(80, 24)) as pilot:
        pressed: list[str] = []
        stage = app.screen.query_one(Stage)
        await pilot.pause()
        spots = {stage.key_at(x, y): (x, y) for y in range(18, 24) for x in range(80)}
        monkeypatch.setattr(app.shown, "press", pressed.append)
        for label in filter(None, spots):
            await pilot.click(offset=spots[label])
        assert sorted(pressed) == sorted(act.key for act in REPLAY if act.key and act.id != "help")
        monkeypatch.undo()
        await pilot.press("2")
        await pilot.click(offset=(app.text.splitlines()[23].index("there"), 23))
        assert await until(pilot, lambda: app.shown.player.page == 2)


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


async def test_a_long_file_is_seen_to_its_end_as_soon_as_it_is_read() -> None:
    rounds = (f"{number}. Smax (S3 D3) . = S3 D3\n" for number in range(1, 3 * SLICE))
    head = '[Rules "milan"]\n[Seats "S:S D:D"]\n[Result "*"]\n\n'
    app = Replay(recording(head + "".join(rounds), size=10_000))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        assert await until(pilot, lambda: app.shown.player.page == 3 * SLICE)
        assert await until(pilot, lambda: "Reading" not in app.text)


async def test_a_record_of_pebbles_is_shown_with_pebbles() -> None:
    app = Replay(recording(TWO_GAMES.replace('"three-coins"', '"three-coins token=pebbles"', 1)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Three Coins, but played with pebbles" in app.text
        assert "•••" in app.text and "●" not in app.text
    coins_again()
