"""What a telephone shows of a table below its seats: the panel, and the buttons of the page."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from spoof_tui.acts.buttons import Button
from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.table.panel.panel import table_panel
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen.buttons import table_buttons
from spoof_tui.visiting import ENTRANCE_VARIABLE, PAGE
from tests.helpers.laying import drawn
from tests.helpers.states import scenes

_PANEL: Final = Place(0, 0, 45, 12)
"""Larger than on any telephone, so that all of a text is seen."""


@contextmanager
def on_a_page() -> Iterator[None]:
    """Inside the context the player sees the program on the page of a browser."""
    os.environ[ENTRANCE_VARIABLE] = PAGE
    try:
        yield
    finally:
        del os.environ[ENTRANCE_VARIABLE]


def told() -> Iterator[str]:
    """The panel and the buttons of a table in every state."""
    with on_a_page():
        # A scene keeps what was told while it was made: these are made on a page.
        for name, scene in scenes.__wrapped__().items():
            yield f"# {name}"
            yield from _panel(scene, _PANEL)
            buttons = table_buttons(scene)
            yield from (_row(row) for row in buttons.main)
            yield f"· {_row(buttons.also)}"
            yield from (f"⋯ {_row(row)}" for row in buttons.more)


def panels(sizes: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The panel in every state and in these sizes, columns and rows."""
    places = [Place(0, 0, *size) for size in sizes]
    with on_a_page():
        for scene in scenes.__wrapped__().values():
            for place in places:
                yield from _panel(scene, place)


def _panel(scene: Scene, place: Place) -> Iterator[str]:
    shown = drawn(table_panel(scene, place), place.width, place.height)
    return (text for row in shown.rows if (text := "".join(row.letters).rstrip()))


def _row(row: Iterable[Button]) -> str:
    return " ".join(map(_button, row))


def _button(button: Button) -> str:
    way = f" ({button.way.value})" if button.way.value else ""
    small = f" · {button.small}" if button.small else ""
    return f"[{button.key}: {button.label}{small}{way}]"
