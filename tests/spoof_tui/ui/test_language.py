"""The language: another one at a key press, at once and for good."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spoof_tui.storage.settings import Settings
from spoof_tui.text import i18n
from tests.spoof_tui.ui.lobbies import Lobby


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    i18n.install("en")
    yield
    i18n.install("en")


async def test_a_key_switches_the_language_at_once_and_back() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        assert "u українська" in app.text
        await pilot.press("u")
        assert "u English" in app.text
        assert "Столи в цій мережі" in app.text
        await pilot.press("г")  # the same key of a Cyrillic keyboard
        assert "Tables on this network" in app.text


async def test_a_dialog_speaks_the_language_that_was_chosen() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("u", "e")
        assert "Ваше ім'я" in app.text.replace("’", "'")


async def test_the_choice_is_kept() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("u")
    assert Settings.load().language == "uk"


async def test_a_choice_that_cannot_be_kept_is_told_and_holds_for_now(state: Path) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        (state / "settings.json").mkdir()
        await pilot.press("u")
        assert "u English" in app.text
        assert await app.sees(pilot, "зберегти")


@pytest.mark.parametrize(("width", "shown"), [(80, True), (40, False)])
async def test_the_hint_gives_way_in_a_narrow_terminal(width: int, shown: bool) -> None:
    app = Lobby("A player")
    async with app.run_test(size=(width, 24)):
        assert ("українська" in app.text) is shown
        assert "options" in app.text


@pytest.mark.parametrize(
    ("variable", "chosen", "words"),
    [("", "uk", "бракує"), ("", None, "missing"), ("en", "uk", "missing"), ("uk", None, "бракує")],
)
def test_a_command_speaks_the_language_too(
    variable: str, chosen: str | None, words: str, tmp_path: Path
) -> None:
    Settings("Ann", language=chosen).save()
    record = tmp_path / "empty.spoof"
    record.write_text("")
    run = subprocess.run(
        [sys.executable, "-m", "spoof_tui", "check", str(record)],
        env={**os.environ, "SPOOF_LANG": variable, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert words in run.stdout + run.stderr
