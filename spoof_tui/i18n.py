"""The language of every word that this program shows: gettext, chosen once at the start."""

from __future__ import annotations

import gettext
from pathlib import Path
from typing import Final

DOMAIN: Final = "spoof"
CATALOGUES: Final = Path(__file__).parent / "locale"

_translation = gettext.NullTranslations()


def install(language: str | None) -> None:
    """Speak `language` (such as "uk"), or what the environment asks for when it is None.

    English, the language of the source, is spoken when there is no catalogue.
    """
    global _translation
    languages = None if language is None else [language]
    _translation = gettext.translation(DOMAIN, CATALOGUES, languages, fallback=True)


def _(message: str) -> str:
    """`message` in the language that is spoken now."""
    return _translation.gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """The form of the sentence that fits the number `n`, in the language that is spoken now."""
    return _translation.ngettext(one, many, n)
