"""Pictures of every screen and state, and a sheet of them all, to look at.

    python -m tests.helpers.pictures [FOLDER]

writes PNG where Pillow is installed, else SVG, and `index.html`; `build/pictures` is the folder
if none is named, which git ignores.
"""

from __future__ import annotations

import asyncio
import html
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from protocol.rules.words import Bid, Ending
from spoof_tui.text import i18n
from spoof_tui.text.ascii import in_ascii, is_ascii
from spoof_tui.ui.canvas.cells import Sheet
from tests.helpers import raster
from tests.helpers.moments import company
from tests.helpers.sheet import MODES, mode
from tests.helpers.states import SIZES, Size, states
from tests.helpers.vector import still
from tests.spoof_tui.ui.tables import AtTable

FOLDER: Final = Path("build") / "pictures"
CORE: Final = (
    "lobby-tables",
    "hiding",
    "my-turn",
    "reveal-held",
    "reveal-paid",
    "nine",
    "game-over",
)
"""States of which there are pictures in every size and mode."""

DIALOGS: Final = {
    "rounds": "g", "why": "w", "help": "question_mark", "rulebook": "h", "options": "o",
    "leave": "q",
}  # fmt: skip
USUAL: Final = (80, 24)


class Picture(NamedTuple):
    """A drawing and what it is of."""

    state: str
    size: Size
    mode: str
    language: str
    sheet: Sheet

    @property
    def name(self) -> str:
        """What its file is called, without an ending."""
        return f"{self.state}-{self.size[0]}x{self.size[1]}-{self.mode}-{self.language}"


def chosen() -> Iterator[tuple[str, Size, str, str]]:
    """Every state in the usual way; those of the core in every size, mode and language."""
    for language in ("en", "uk"):
        yield from ((name, USUAL, "felt", language) for name in states())
        yield from (
            (name, size, "felt", language) for size in SIZES if size != USUAL for name in CORE
        )
    yield from ((name, USUAL, each, "en") for each in MODES if each != "felt" for name in CORE)


def drawn() -> Iterator[Picture]:
    """Every picture of a screen that is drawn as a whole."""
    for name, size, how, language in chosen():
        i18n.install(language)
        with mode(how):
            yield Picture(name, size, how, language, _as_written(states()[name](size)))


def _as_written(sheet: Sheet) -> Sheet:
    """The drawing in the signs that the painter writes in this mode."""
    if is_ascii():
        for row in sheet.rows:
            row.letters[:] = [in_ascii(letter) for letter in row.letters]
    return sheet


async def dialogs(language: str, size: Size) -> list[Picture]:
    """Every dialog over a table."""
    i18n.install(language)
    table = company()
    table.choose(2, 1, 3, 2)
    table.say(Bid(5), Bid(7), Bid(9), Ending.CALL)
    app = AtTable(table, table.clients[0])
    told = []
    async with app.run_test(size=size) as pilot:
        i18n.install(language)
        await app.sit_down(pilot)
        for name, key in DIALOGS.items():
            depth = len(app.screen_stack)
            await pilot.press(key)
            await pilot.pause()
            strips = app.screen._compositor.render_strips(app.screen.size)
            told.append(Picture(name, size, "felt", language, Sheet.of(strips, *size)))
            while len(app.screen_stack) > depth:
                app.pop_screen()
            await pilot.pause()
    return told


def save(picture: Picture, folder: Path) -> str:
    """Write the picture; the name of its file."""
    if raster.is_here():
        raster.save(picture.sheet, folder / f"{picture.name}.png")
        return f"{picture.name}.png"
    text = still(picture.sheet, picture.name)
    (folder / f"{picture.name}.svg").write_text(text, "utf-8")
    return f"{picture.name}.svg"


def contact_sheet(names: Sequence[str]) -> str:
    """A page with all pictures."""
    figures = "".join(
        f'<figure><a href="{html.escape(name)}"><img src="{html.escape(name)}" loading="lazy"></a>'
        f"<figcaption>{html.escape(name)}</figcaption></figure>"
        for name in names
    )
    style = (
        "body{background:#222;color:#ccc;font:13px sans-serif;display:flex;flex-wrap:wrap}"
        "figure{margin:8px}img{width:420px}"
    )
    return f"<!doctype html><meta charset=utf-8><title>Spoof</title><style>{style}</style>{figures}"


def main(argv: Sequence[str]) -> int:
    """The command; its exit code."""
    folder = Path(argv[0]) if argv else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    names = [save(picture, folder) for picture in drawn()]
    for language in ("en", "uk"):
        for size in (USUAL, (60, 20), (40, 12)):
            names += [save(each, folder) for each in asyncio.run(dialogs(language, size))]
    (folder / "index.html").write_text(contact_sheet(names), "utf-8")
    sys.stdout.write(f"{len(names)} pictures: {folder / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
