"""The language of everything shown, with gettext; chosen at the start, and changed by a key."""

from __future__ import annotations

import gettext
import os
import re
from pathlib import Path
from typing import Final

from spoof_tui import console
from spoof_tui.text import coin_words

DOMAIN: Final = "spoof"
CATALOGUES: Final = Path(__file__).parent / "locale"

VARIABLE: Final = "SPOOF_LANG"
"""Environment variable that overrides the settings and the locale."""

SOURCE: Final = "en"
"""The language of the source code, which needs no catalogue."""

LANGUAGES: Final = {SOURCE: "English", "uk": "українська"}
"""Every language by code, with its own name for itself."""

_SOURCE_NAMES: Final = frozenset({SOURCE, "C", "POSIX"})
_LOCALE_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_translation = gettext.NullTranslations()
_spoken = SOURCE
_token = coin_words.COINS
_ellipsis = "…"


def begin(chosen: str | None) -> None:
    """Use the language of $SPOOF_LANG, or else the one in the settings, or else the locale's.

    `chosen` is the code from the settings; None if there is none.
    """
    install(os.environ.get(VARIABLE) or (chosen if chosen in LANGUAGES else None))


def install(language: str | None) -> None:
    """Use the language with this code, such as "uk"; that of the locale if None.

    English, the language of the source, is used if there is no catalogue.
    """
    global _translation, _spoken
    _translation, _spoken = _first_of([language] if language else _locale())


def play_with(token: str) -> None:
    """Speak of "coins", "pebbles" or "buttons" wherever a sentence mentions coins, from now on."""
    global _token
    _token = token


def end_with(ellipsis: str) -> None:
    """Write every ellipsis as `ellipsis` from now on."""
    global _ellipsis
    _ellipsis = ellipsis


def _first_of(wanted: list[str]) -> tuple[gettext.NullTranslations, str]:
    for locale in wanted:
        code = re.split(r"[-_.@]", locale)[0]
        if code in _SOURCE_NAMES:
            break
        try:
            return gettext.translation(DOMAIN, CATALOGUES, [locale, code]), code
        except OSError:
            continue
    return gettext.NullTranslations(), SOURCE


def _locale() -> list[str]:
    """Codes of the languages that the system asks for, the preferred one first.

    From gettext's environment variables or, without these, from Windows.
    """
    for variable in _LOCALE_VARIABLES:
        if value := os.environ.get(variable):
            return value.split(":")
    return console.ui_languages()


def spoken() -> str:
    """The code of the current language."""
    return _spoken


def other() -> str:
    """The code of the language after the current one, wrapping around."""
    codes = list(LANGUAGES)
    place = codes.index(_spoken) if _spoken in codes else 0
    return codes[(place + 1) % len(codes)]


def N_(message: str) -> str:
    """`message` unchanged; marks it for extraction, so that `_` can translate it later."""
    return message


def _(message: str) -> str:
    """`message` in the current language."""
    return respelt(_translation.gettext(message))


def respelt(text: str) -> str:
    """A sentence in the current language, with the current token for coins and the current
    ellipsis."""
    return with_ellipsis(coin_words.respelt(text, _token, _spoken))


def with_ellipsis(text: str) -> str:
    """The text with each ellipsis as this terminal can show it."""
    return text.replace("…", _ellipsis) if "…" in text else text


def pgettext(context: str, message: str) -> str:
    """The translation of `message` as used in `context`, for an English word with several meanings.

    Tokens and ellipses stay as they are.
    """
    return _translation.pgettext(context, message)


def ngettext(one: str, many: str, n: int) -> str:
    """The singular or plural sentence that fits the number `n`, in the current language."""
    return respelt(_translation.ngettext(one, many, n))
