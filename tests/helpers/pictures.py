"""Pictures of every screen and state, and a page with them all, to look at.

    python -m tests.helpers.pictures [FOLDER [WORD…]]

writes a SVG for each picture and `index.html`, into `spoof-pictures` among the temporary files if
no folder is named. Words choose those in whose names they are, such as `45x20` or `game-over`.
"""

from __future__ import annotations

import asyncio
import html
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from rich.color import Color, ColorSystem
from rich.style import Style
from textual.strip import Strip

from protocol.rules.words import Bid, Ending
from spoof_tui.storage import paths
from spoof_tui.text import i18n
from spoof_tui.text.ascii import cells_in_ascii, is_ascii
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from tests.helpers.histories import fill
from tests.helpers.moments import company
from tests.helpers.sheet import MODES, mode
from tests.helpers.states import Size, states
from tests.helpers.vector import still
from tests.spoof_tui.ui.lobbies import Lobby
from tests.spoof_tui.ui.tables import AtTable

SIZES: Final = ((80, 24), (120, 40), (60, 20), (45, 20), (40, 12))
CORE: Final = (
    "lobby-tables", "hiding", "my-turn", "second-press", "reveal-held", "reveal-stamp",
    "reveal-paid", "nine-my-turn", "school-my-call", "wheel", "game-over", "lesson-1-02",
)  # fmt: skip
"""States with pictures in every size, theme and depth of colours."""

CUBE: Final = "256"
"""The mode of a terminal with only the colour cube and the grey ramp."""

OVER_TABLE: Final = {
    "why": "w", "rounds": "g", "coach": "k", "help": "question_mark", "table-options": "o",
    "menu": "m", "gestures": "j",
}  # fmt: skip
"""Keys at a table, by what they lay over it."""

OVER_LOBBY: Final = {
    "new-table": "n", "options": "o", "address": "a", "rulebook": "h",
    "lobby-help": "question_mark", "history": "g", "statistics": "g tab", "evening": "g tab tab",
    "export": "g e", "history-help": "g question_mark",
}  # fmt: skip


class Picture(NamedTuple):
    """A drawing and what it shows."""

    state: str
    size: Size
    mode: str
    language: str
    sheet: Sheet

    @property
    def name(self) -> str:
        """Its file name, without an ending."""
        return f"{self.state}-{self.size[0]}x{self.size[1]}-{self.mode}-{self.language}"


def chosen() -> Iterator[tuple[str, Size, str, str]]:
    """Every state at every size in both languages; those of the core in every mode, too."""
    for size in SIZES:
        for language in ("en", "uk"):
            yield from ((name, size, "felt", language) for name in states())
        for how in (*MODES, CUBE):
            if how != "felt":
                yield from ((name, size, how, "en") for name in CORE)


def drawn(words: Sequence[str]) -> Iterator[Picture]:
    """Every picture of a screen that is drawn as a whole."""
    for name, size, how, language in chosen():
        picture = Picture(name, size, how, language, Sheet(*size))
        if not all(word in picture.name for word in words):
            continue
        i18n.install(language)
        with mode("felt" if how == CUBE else how):
            yield picture._replace(sheet=_as_written(states()[name](size), how))


def _as_written(sheet: Sheet, how: str) -> Sheet:
    """The drawing in the signs and colours that the painter writes in this mode."""
    ground = Style(color=palette.INK, bgcolor=palette.GROUND)
    for row in sheet.rows:
        # The picture is made from it after this mode has ended.
        row.styles[:] = [ground + style if style else ground for style in row.styles]
        if is_ascii():
            row.letters[:] = [cells_in_ascii(letter) for letter in row.letters]
        if how == CUBE:
            row.styles[:] = [_on_cube(style or ground) for style in row.styles]
    return sheet


def _on_cube(style: Style) -> Style:
    front, behind = (_nearest(color) for color in (style.color, style.bgcolor))
    return style + Style(color=front, bgcolor=behind)


def _nearest(color: Color | None) -> Color | None:
    return color and color.downgrade(ColorSystem.EIGHT_BIT)


async def screens(language: str, size: Size) -> list[Picture]:
    """What lies over a table or the lobby, from the program as it runs."""
    i18n.install(language)
    table = company()
    table.choose(2, 1, 3, 2)
    table.say(Bid(5), Bid(7), Bid(9), Ending.CALL)
    table.choose(2, 1, 3, 2)
    told = await _over(AtTable(table, table.speaker()), OVER_TABLE, language, size)
    return told + await _over(Lobby(), OVER_LOBBY, language, size)


async def _over(app: Any, keys: dict[str, str], language: str, size: Size) -> list[Picture]:
    told = []
    async with app.run_test(size=size) as pilot:
        i18n.install(language)
        if isinstance(app, AtTable):
            (await app.sit_down(pilot)).scene.is_practice = True
        for name, pressed in keys.items():
            depth = len(app.screen_stack)
            for key in pressed.split():
                await pilot.press(key)
                await pilot.pause(0.2)
            strips = app.screen._compositor.render_strips(app.screen.size)
            told.append(Picture(name, size, "felt", language, _sheet(strips, *size)))
            while len(app.screen_stack) > depth:
                app.pop_screen()
            await pilot.pause()
    return told


def _sheet(strips: Iterable[Strip], width: int, height: int) -> Sheet:
    """Painted lines, cell by cell."""
    sheet = Sheet(width, height)
    for y, strip in enumerate(strips):
        x = 0
        for text, style, _ in strip:
            x = sheet.put(x, y, text, style or Style.null())
    return sheet


def running(words: Sequence[str]) -> Iterator[Picture]:
    """What lies over a table or the lobby at every size in both languages."""
    with (
        tempfile.TemporaryDirectory() as home,
        patch.dict(os.environ, {paths.STATE_VARIABLE: home}),
    ):
        fill(Path(home), 20)
        for size in SIZES:
            for language in ("en", "uk"):
                for picture in asyncio.run(screens(language, size)):
                    if all(word in picture.name for word in words):
                        yield picture


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
    folder = Path(argv[0]) if argv else Path(tempfile.gettempdir()) / "spoof-pictures"
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [*drawn(argv[1:]), *running(argv[1:])]
    for each in pictures:
        (folder / f"{each.name}.svg").write_text(still(each.sheet, each.name), "utf-8")
    page = contact_sheet([f"{each.name}.svg" for each in pictures])
    (folder / "index.html").write_text(page, "utf-8")
    sys.stdout.write(f"{len(pictures)} pictures: {folder / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
