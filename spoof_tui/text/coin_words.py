"""Rewrites sentences about coins for tables that play with pebbles or buttons.

Catalogues speak of coins alone. The words for the other tokens have the same plural forms in each
language; where their gender differs, the words before the token are changed, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Final

COINS: Final = "coins"
"""The token that all sentences in the catalogues are about."""

_ENGLISH: Final[Mapping[str, str]] = {"pebbles": "pebble", "buttons": "button"}

_UKRAINIAN: Final[Mapping[str, Mapping[str, str]]] = {
    "pebbles": {
        "монета": "камінець", "монету": "камінець", "монеті": "камінцю", "монетою": "камінцем",
        "монети": "камінці", "монет": "камінців", "монетам": "камінцям", "монетами": "камінцями",
        "монетах": "камінцях", "однієї монети": "камінця",
    },
    "buttons": {
        "монета": "ґудзик", "монету": "ґудзик", "монеті": "ґудзику", "монетою": "ґудзиком",
        "монети": "ґудзики", "монет": "ґудзиків", "монетам": "ґудзикам", "монетами": "ґудзиками",
        "монетах": "ґудзиках", "однієї монети": "ґудзика",
    },
}  # fmt: skip
"""For each other token, its form by the form of "coin"."""

_GENITIVE_AFTER: Final = frozenset({"втрачає", "до", "однієї"})
"""Words after which an ambiguous form is the genitive singular, not the plural."""

_MASCULINE: Final[Mapping[str, str]] = {
    "одна": "один", "одну": "один", "однієї": "одного", "дві": "два", "свою": "свій",
    "моя": "мій", "ваша": "ваш", "виграну": "виграний",
}  # fmt: skip
"""Feminine words before "coin", each with its masculine form."""

_COIN: Final = re.compile(r"(?<![\w{])(?!(?<=Three )Coins)([Cc])oin(s?)(?![\w}])")
"""Finds "coin" everywhere but in the name of the Kyiv game, Three Coins."""
_MONETA: Final = re.compile(r"(?<![\w{])(?:(\w+)(\s+))?([Мм]онет(?:а|и|у|і|ою|ам|ами|ах)?)(?!\w)")


@lru_cache(maxsize=4096)
def respelt(text: str, token: str, language: str) -> str:
    """A sentence about coins as a table that plays with `token` says it; unchanged if that is
    unknown."""
    if token == COINS or language not in _RESPELLINGS or token not in _ENGLISH:
        return text
    pattern, told = _RESPELLINGS[language]
    return pattern.sub(partial(told, token), text)


def _english(token: str, found: re.Match[str]) -> str:
    word = _ENGLISH[token] + found[2]
    return word.capitalize() if found[1] == "C" else word


def _ukrainian(token: str, found: re.Match[str]) -> str:
    before, gap, coin = found[1] or "", found[2] or "", found[3]
    forms, form, known = _UKRAINIAN[token], coin.lower(), before.lower()
    is_one = form == "монети" and known in _GENITIVE_AFTER
    word = forms["однієї монети"] if is_one else forms[form]
    if known in _MASCULINE:
        agreed = _MASCULINE[known]
        before = agreed.capitalize() if before[:1].isupper() else agreed
    return before + gap + (word.capitalize() if coin[0] == "М" else word)


_RESPELLINGS: Final[Mapping[str, tuple[re.Pattern[str], Callable[[str, re.Match[str]], str]]]] = {
    "en": (_COIN, _english),
    "uk": (_MONETA, _ukrainian),
}
