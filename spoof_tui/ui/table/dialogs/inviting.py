"""Texts on how others come to the player's table, and on what may stop them."""

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
from spoof_tui.ui.canvas.cells import bound
from spoof_tui.ui.table.scene import Scene

_NAME_CELLS = 30

MARGIN: Final = 2
"""Width of the QR code's quiet zone in modules; a code in a frame needs no more."""

_LIGHT: Final = "#ffffff"
_DARK: Final = "#000000"
_UPPER: Final = "▀"


def how_to_come(scene: Scene, view: TableView) -> list[str]:
    """Lines saying how others find the player's own table; no lines at somebody else's."""
    if not scene.address:
        return []
    table, invited = show(view.table_name, _NAME_CELLS), bound(scene.invitation)
    find = _("Others find “{table}” in their lobby.").format(table=table)
    typed = _("Or they type: {invitation}").format(invitation=invited)
    by_ssh = ""
    if scene.door:
        by_ssh = _("Without Spoof, by ssh: {command}").format(command=bound(scene.door_line))
    if scene.page_address:
        by_ssh += " · " + _("press a to invite phones")
    if in_the_way(scene):
        # They may not find it in their lobby.
        typed = _("Others type: {invitation}").format(invitation=invited)
        return [typed, by_ssh, scene.code_news]
    return [find, typed, by_ssh, scene.code_news, scene.trouble or ""]


def in_the_way(scene: Scene) -> list[str]:
    """Lines on the worst network problem, what to do, and where to read more; none if there is
    none."""
    told = findings.in_the_way(scene.findings)
    return [*told, _how_known()] if told else []


def _how_known() -> str:
    asked = press("x", _("network"), is_more=True)
    return _("{press} to see how Spoof knows that.").format(press=asked)


def qr_lines(text: str) -> list[Content]:
    """A QR code of `text` as lines; each character shows two modules, dark on light in every
    theme."""
    squares = squares_of(text)
    blank = [False] * len(squares[0])
    pairs = zip_longest(squares[::2], squares[1::2], fillvalue=blank)
    return [
        Content("").join(_cell(upper, lower) for upper, lower in zip(above, below, strict=True))
        for above, below in pairs
    ]


def squares_of(text: str) -> Sequence[Sequence[bool]]:
    """The modules of a QR code of `text`, row by row with the quiet zone; True is dark."""
    import segno

    code = segno.make(text, error="l", micro=False)
    return [[bool(square) for square in row] for row in code.matrix_iter(border=MARGIN)]


def _cell(upper: bool, lower: bool) -> Content:
    foreground, background = (_DARK if each else _LIGHT for each in (upper, lower))
    return Content.styled(_UPPER, Style.parse(f"{foreground} on {background}"))
