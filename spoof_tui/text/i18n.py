"""The language of every word that this program shows: gettext, chosen at the start and by a key."""

from __future__ import annotations

import gettext
import os
import re
from pathlib import Path
from typing import Final

from spoof_tui import console
from spoof_tui.text import tokens

DOMAIN: Final = "spoof"
CATALOGUES: Final = Path(__file__).parent / "locale"

VARIABLE: Final = "SPOOF_LANG"
"""Environment variable that decides the language before the settings and the locale do."""

SOURCE: Final = "en"
"""The language of the source, which needs no catalogue."""

LANGUAGES: Final = {SOURCE: "English", "uk": "українська"}
"""Every language by its code, with the name that it gives itself."""

_SOURCE_NAMES: Final = frozenset({SOURCE, "C", "POSIX"})
_LOCALE_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_translation = gettext.NullTranslations()
_spoken = SOURCE
_token = tokens.COINS


def begin(chosen: str | None) -> None:
    """Speak what $SPOOF_LANG says, else what the player has chosen, else what the locale says."""
    install(os.environ.get(VARIABLE) or (chosen if chosen in LANGUAGES else None))


def install(language: str | None) -> None:
    """Speak `language` (such as "uk"), or what the locale asks for when it is None.

    English, the language of the source, is spoken when there is no catalogue.
    """
    global _translation, _spoken
    _translation, _spoken = _first_of([language] if language else _locale())


def play_with(token: str) -> None:
    """Speak of "coins", "pebbles" or "buttons" from now on, wherever coins are spoken of."""
    global _token
    _token = token


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
    """What the system asks for, the best first: as gettext has it, and as Windows has it."""
    for variable in _LOCALE_VARIABLES:
        if value := os.environ.get(variable):
            return value.split(":")
    return console.ui_languages()


def spoken() -> str:
    """The code of the language that is spoken now."""
    return _spoken


def other() -> str:
    """The code of the language after the one that is spoken now, round the end."""
    codes = list(LANGUAGES)
    place = codes.index(_spoken) if _spoken in codes else 0
    return codes[(place + 1) % len(codes)]


def _(message: str) -> str:
    """`message` in the language that is spoken now."""
    return tokens.respelt(_translation.gettext(message), _token, _spoken)


def pgettext(context: str, message: str) -> str:
    """`message` as it is meant in `context`, where one English word has several meanings.

    It is the same whatever a table plays with.
    """
    return _translation.pgettext(context, message)


def ngettext(one: str, many: str, n: int) -> str:
    """The form of the sentence that fits the number `n`, in the language that is spoken now."""
    return tokens.respelt(_translation.ngettext(one, many, n), _token, _spoken)
