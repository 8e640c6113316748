"""The dialog that asks what shall be written where."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from spoof_tui.history.export import Format
from spoof_tui.ui.history.export_dialog import Export, ExportDialog
from tests.spoof_tui.ui.lobbies import Lobby, until


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program was started."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def chosen(pilot: Pilot[int], app: Lobby, *keys: str) -> Export | None:
    """What the dialog ends with after these keys."""
    found: list[Export | None] = []
    app.push_screen(ExportDialog(12), found.append)
    assert await until(pilot, lambda: isinstance(app.screen, ExportDialog))
    assert await app.sees(pilot, "spoof-games.spoof")
    await pilot.press(*keys)
    assert await until(pilot, lambda: found)
    return found[0]


@pytest.mark.parametrize(
    ("keys", "name", "kind", "is_one"),
    [
        ((), "spoof-games.spoof", Format.SPOOF, True),
        (("right",), "spoof-games.spoof", Format.SPOOF, False),
        (("down", "right"), "spoof-games.csv", Format.CSV, True),
        (("down", "right", "right"), "spoof-games.json", Format.JSON, True),
        (("down", "left", "left", "left"), "spoof-games.spoof", Format.SPOOF, True),
    ],
)
async def test_the_usual_name_ends_as_the_format_says(
    folder: Path, keys: tuple[str, ...], name: str, kind: Format, is_one: bool
) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        assert await chosen(pilot, app, *keys, "enter") == Export(folder / name, kind, is_one)


async def test_escape_writes_nothing() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        assert await chosen(pilot, app, "escape") is None


async def test_a_folder_and_no_name_are_refused(folder: Path) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ExportDialog(12))
        assert await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        await pilot.press("up", "ctrl+u", "enter")
        assert await app.sees(pilot, "Say the name of a file.")
        await pilot.press(".", "enter")
        assert await app.sees(pilot, "That is a folder")


async def test_a_file_that_is_there_is_asked_about(folder: Path) -> None:
    (folder / "spoof-games.spoof").write_text("mine", "utf-8")
    app = Lobby()
    found: list[Export | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ExportDialog(12), found.append)
        assert await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        await pilot.press("enter")
        assert await app.sees(pilot, "There is a file of that name.")
        # Who changes anything is asked again.
        await pilot.press("right", "enter")
        assert not found and await app.sees(pilot, "There is a file of that name.")
        await pilot.press("enter")
        assert await until(pilot, lambda: found)
    assert found[0] and found[0].replaces and not found[0].is_one
