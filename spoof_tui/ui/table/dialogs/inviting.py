"""How others come to the player's table, and what is in the way between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from textual.content import Content
from textual.style import Style

from protocol.views import TableView
from spoof_tui.telling import findings
from spoof_tui.telling.pressing import press
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.table.scene import Scene

_NAME_CELLS = 30

MARGIN: Final = 2
"""The width of the quiet zone in squares; a code in a frame needs no more."""

_LIGHT: Final = "#ffffff"
_DARK: Final = "#000000"
_UPPER: Final = "▀"


def how_to_come(scene: Scene, view: TableView) -> list[str]:
    """What the host tells the others; nothing at somebody else's table."""
    if not scene.address:
        return []
    table = show(view.table_name, _NAME_CELLS)
    find = _("Others find “{table}” in their lobby.").format(table=table)
    typed = _("Or they type: {invitation}").format(invitation=scene.invitation)
    by_ssh = ""
    if scene.door:
        by_ssh = _("Without Spoof, by ssh: {command}").format(command=scene.door_line)
    if scene.page_address:
        by_ssh += " · " + _("with a phone: press a")
    if in_the_way(scene):
        # They may not find it in their lobby.
        typed = _("Others type: {invitation}").format(invitation=scene.invitation)
        return [typed, by_ssh, scene.code_news]
    return [find, typed, by_ssh, scene.code_news, scene.trouble or ""]


def in_the_way(scene: Scene) -> list[str]:
    """What is wrong, what to do, and where to read more; nothing if nothing is wrong."""
    told = findings.in_the_way(scene.findings)
    return [*told, _how_known()] if told else []


def _how_known() -> str:
    asked = press("x", _("network"), is_more=True)
    return _("{press} to see how that is known.").format(press=asked)


def qr_lines(text: str) -> list[Content]:
    """The code in rows of cells, dark on light in every theme; two rows are as high as
    one is wide."""
    squares = squares_of(text)
    blank = [False] * len(squares[0])
    pairs = zip_longest(squares[::2], squares[1::2], fillvalue=blank)
    return [
        Content("").join(_cell(upper, lower) for upper, lower in zip(above, below, strict=True))
        for above, below in pairs
    ]


def squares_of(text: str) -> Sequence[Sequence[bool]]:
    """The squares of the code, row by row with their margin; True is dark."""
    import segno

    code = segno.make(text, error="l", micro=False)
    return [[bool(square) for square in row] for row in code.matrix_iter(border=MARGIN)]


def _cell(upper: bool, lower: bool) -> Content:
    foreground, background = (_DARK if each else _LIGHT for each in (upper, lower))
    return Content.styled(_UPPER, Style.parse(f"{foreground} on {background}"))
