"""The themes of `palette` as Textual's own, so that its widgets wear the same colours."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from textual.app import App
from textual.theme import Theme

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import TERMINAL, THEMES, USUAL, Colours

_FEW_COLOURS: Final = frozenset({"linux", "vt100", "vt220", "screen", "rxvt", "ansi"})
"""Terminals that have sixteen colours or fewer, unless they say more."""


def dress(app: App[int], name: str | None) -> None:
    """Give `app` these themes and no others, and have it wear one of them."""
    for other in app.available_themes:
        if other not in ("textual-dark", "textual-light"):
            app.unregister_theme(other)
    for each, colours in THEMES.items():
        app.register_theme(_theme(each, colours))
    app.theme = worn(name, os.environ)
    for left_over in ("textual-dark", "textual-light"):
        app.unregister_theme(left_over)
    palette.use(app.theme)


def worn(name: str | None, environ: Mapping[str, str]) -> str:
    """The theme to wear: the chosen one, or one that suits the terminal of `environ`."""
    if _has_few_colours(environ):
        return name if name == "contrast" else TERMINAL
    if name in THEMES:
        return name
    return "paper" if _is_light(environ.get("COLORFGBG", "")) else USUAL


def _has_few_colours(environ: Mapping[str, str]) -> bool:
    terminal = environ.get("TERM", "")
    few = terminal in _FEW_COLOURS or terminal.endswith("-16color")
    return few and not environ.get("COLORTERM")


def _is_light(colours: str) -> bool:
    """Whether the background of "foreground;background" is one of the light of the sixteen."""
    background = colours.rpartition(";")[2]
    return background in ("7", "15")


def _theme(name: str, colours: Colours) -> Theme:
    return Theme(
        name,
        primary=colours.accent,
        secondary=colours.coin,
        accent=colours.accent,
        warning=colours.coin,
        error=colours.bad,
        success=colours.good,
        foreground=colours.ink,
        background=colours.ground,
        surface=colours.box,
        panel=colours.raised,
        dark=colours.is_dark,
        ansi=colours.is_ansi,
        variables={
            "ansi-background": "ansi_black",
            "ansi-foreground": "ansi_white",
            "quiet": colours.faint,
            "line": colours.line,
            "coin": colours.coin,
            "border": colours.accent,
            "border-blurred": colours.line,
            "block-cursor-background": colours.raised,
            "block-cursor-foreground": colours.ink,
            "block-cursor-text-style": "none",
            "block-cursor-blurred-background": colours.raised,
            "block-hover-background": colours.raised,
            "input-cursor-background": colours.ink,
            "input-cursor-foreground": colours.ground,
            "input-selection-background": colours.rim,
            "scrollbar": colours.line,
            "scrollbar-hover": colours.faint,
            "scrollbar-active": colours.accent,
            "scrollbar-background": colours.raised,
            "scrollbar-background-hover": colours.raised,
            "scrollbar-background-active": colours.raised,
            "scrollbar-corner-color": colours.raised,
        },
    )
