"""Registers the themes of `palette` with Textual, and applies the look and names of tokens."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from textual.app import App
from textual.color import Color
from textual.theme import Theme

from spoof_tui.storage import paths
from spoof_tui.text import coin_words, i18n
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import BUILT_IN, TERMINAL, THEMES, USUAL, Colours

if TYPE_CHECKING:
    # The lobby starts before any rules are known.
    from protocol.rules.options import Token


_FEW_COLOURS: Final = frozenset({"linux", "vt100", "vt220", "screen", "rxvt", "ansi"})
"""Names of terminals with sixteen colours or fewer, unless they claim more."""


def dress(app: App[int], name: str | None, own: Mapping[str, Colours] | None = None) -> None:
    """Register our themes and the user's `own` with `app`, in place of Textual's, and apply the one
    called `name`."""
    for added in set(THEMES) - set(BUILT_IN):
        del THEMES[added]
    THEMES.update(own or {})
    for other in app.available_themes:
        if other not in ("textual-dark", "textual-light"):
            app.unregister_theme(other)
    for each, colours in THEMES.items():
        app.register_theme(_theme(each, colours))
    app.theme = worn(name, os.environ)
    for left_over in ("textual-dark", "textual-light"):
        app.unregister_theme(left_over)
    palette.use(app.theme)


MAX_OWN: Final = 20
"""The most themes of the user's own, and the most characters of each name."""

_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")

_LIKE: Final = "like"
"""The key that names the theme from which all other colours are taken."""


def own_themes() -> tuple[Mapping[str, Colours], str]:
    """The user's own themes, and a sentence on what is wrong with their file, empty if nothing."""
    try:
        return read_own(paths.read_themes())
    except ValueError:
        return {}, _("themes.json does not contain a JSON object.")


def read_own(raw: Mapping[str, object]) -> tuple[Mapping[str, Colours], str]:
    """The user's own themes from a JSON object of objects, and a sentence on the first error, or
    empty.

    `{"midnight": {"like": "night", "felt": "#00005f"}}` is night except for its felt. Themes after
    an error are not read.
    """
    found: dict[str, Colours] = {}
    for name, said in list(raw.items())[:MAX_OWN]:
        wrong = _wrong(name, said)
        if wrong is not None:
            return found, _("themes.json: “{what}” is not valid.").format(what=wrong[:MAX_OWN])
        assert isinstance(said, dict)
        found[name] = _coloured(said)
    return found, ""


def _wrong(name: str, said: object) -> str | None:
    """The name or key that is invalid in a theme; None if all of it is valid."""
    if name in BUILT_IN or not name.isprintable() or not 0 < len(name) <= MAX_OWN:
        return name
    if not isinstance(said, dict):
        return name
    if said.get(_LIKE, USUAL) not in _MODELS:
        return _LIKE
    known = {each.name for each in fields(Colours) if each.type == "str"}
    return next(
        (
            key
            for key, colour in said.items()
            if key not in _NO_COLOURS
            and (key not in known or not isinstance(colour, str) or not _COLOUR.fullmatch(colour))
        ),
        None,
    )


_NO_COLOURS: Final = frozenset({_LIKE, "stale"})
"""Keys of a theme that are not colours; "stale" is ignored."""

_MODELS: Final = frozenset(BUILT_IN) - {TERMINAL}
"""Themes that a user's own theme can be like."""


def _coloured(said: Mapping[str, str]) -> Colours:
    chosen: dict[str, Any] = {key: colour for key, colour in said.items() if key not in _NO_COLOURS}
    colours = replace(THEMES[said.get(_LIKE, USUAL)], **chosen)
    return replace(colours, is_dark=Color.parse(colours.ground).brightness < 0.5)


def worn(name: str | None, environ: Mapping[str, str]) -> str:
    """The theme to use: the chosen one, or one that suits the terminal that `environ` describes."""
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
    """Whether $COLORFGBG, "foreground;background", names a light background."""
    background = colours.rpartition(";")[2]
    return background in ("7", "15")


def _theme(name: str, colours: Colours) -> Theme:
    colours = palette.wanted(colours)
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
            "block-cursor-text-style": "reverse" if colours.is_ansi else "none",
            "block-cursor-blurred-background": colours.raised,
            "block-hover-background": colours.raised,
            "input-cursor-background": colours.ink,
            "input-cursor-foreground": colours.ground,
            "input-cursor-text-style": "reverse" if colours.is_ansi else "none",
            "input-selection-background": "ansi_white" if colours.is_ansi else colours.rim,
            "input-selection-foreground": "ansi_black" if colours.is_ansi else colours.ink,
            "scrollbar": colours.rim if colours.is_ansi else colours.line,
            "scrollbar-hover": colours.rim if colours.is_ansi else colours.faint,
            "scrollbar-active": colours.rim if colours.is_ansi else colours.accent,
            "scrollbar-background": colours.raised,
            "scrollbar-background-hover": colours.raised,
            "scrollbar-background-active": colours.raised,
            "scrollbar-corner-color": colours.raised,
        },
    )


def play_with(token: Token) -> None:
    """Speak of this token, and draw it, instead of coins from now on."""
    _play_with(token.value)


def coins_again() -> None:
    """Speak of coins and draw them again, as everywhere outside a table."""
    _play_with(coin_words.COINS)


def _play_with(token: str) -> None:
    i18n.play_with(token)
    palette.play_with(token)
