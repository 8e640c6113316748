"""The dialog for another name."""

import pytest

from spoof_tui.storage.settings import Settings
from tests.spoof_tui.ui.lobbies import Lobby


async def test_another_name_is_shown_and_kept() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("e", "ctrl+u", *"Оксана", "enter")
        assert "e Оксана" in app.text
    assert Settings.load().name == "Оксана"


async def test_a_blank_name_is_refused() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("e", "ctrl+u", "space", "enter")
        assert "A name needs a visible letter" in app.text
        await pilot.press("escape")
        assert "e Brisk Otter" in app.text


async def test_a_name_that_cannot_be_saved_is_used_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(settings: Settings) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Settings, "save", full)
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("e", "s", "enter")
        assert "e Brisk Otters" in app.text
        assert await app.sees(pilot, "No space left on device")
