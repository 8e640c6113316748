"""The signs that follow a tag in either game, and what they say about a round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from protocol.notation.lookalikes import plain, skeleton
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Round
from protocol.rules.words import Ending, RoundOutcome, Verdict

SIGNS: Final[Mapping[str, Ending]] = MappingProxyType(
    {"!": Ending.CALL, "=": Ending.CLIFF, "max": Ending.SPOOF, "0": Ending.ZERO}
)
"""How the words that end a round of the bidding game are written (R5)."""

SHUT: Final = "?"
"""The sign for the hand of a fist that stayed shut (G3)."""

LOST: Final = "-"
"""The sign for a coin that is lost."""

WON: Final = "+"
"""The sign for a coin that is won."""

TAKEN: Final = "?"
"""The mark after a call that did not stand because the number was taken (H8)."""

LEAVES: Final = "*"
"""The sign for a right guess, by which its player leaves the school (H10)."""

FINED: Final = "$"
"""The sign for a fine (H13)."""

NOTHING: Final = "."
"""Written in place of the changes if there are none."""

UNFINISHED: Final = "*"
"""The result of a game that is not over."""

NOBODY: Final = "*"
"""Written in place of the payer if nobody in this record pays."""

Change = tuple[int, str]
"""A seat by its index, and the sign after its tag."""


def changes_of(outcome: RoundOutcome) -> list[Change]:
    """What a round changed, as a record writes it: in the order of the seats, and each seat's fines
    last."""
    changes = [(seat, LOST if n < 0 else WON) for seat, n in outcome.changes.items()]
    if outcome.verdict is Verdict.GUESSED:
        changes += [(seat, LEAVES) for seat in outcome.went_out]
    changes += [(seat, FINED) for seat in outcome.fined]
    return sorted(changes, key=lambda change: (change[0], change[1] == FINED))


def left_by(said: Round, outcome: RoundOutcome) -> list[Change]:
    """What a record writes after `=`: the coins of all players, or the players who are still in the
    school."""
    coins = outcome.coins
    if isinstance(said, BiddingRound):
        return [(seat, str(coins[seat])) for seat in said.players]
    return [(seat, "") for seat in said.players if coins[seat]]


def won_chips(tags: Iterable[str], winner: str, pot: int) -> dict[str, int]:
    """The chips that each seat has won or lost, by tag, once `winner` has taken the pot (S1)."""
    return {tag: pot - 1 if tag == winner else -1 for tag in tags}


def chips_text(chips: Mapping[str, int]) -> str:
    """Chips by tag as a record writes them: `S+2 D-1 M-1`."""
    return " ".join(f"{tag}{count:+d}" for tag, count in chips.items())


LONGEST_TAG: Final = 3
"""Maximum letters of a tag."""

LONGEST_NUMBER: Final = 9
"""Maximum digits of a number: more than the coins, words and rounds of any real game need."""

NUMBER: Final = re.compile(rf"0|[1-9][0-9]{{0,{LONGEST_NUMBER - 1}}}")
"""A number as written; without leading zeros, so that writing it again gives the same text."""

_LETTERS: Final = re.compile(r"[^\W\d_]*")
_SPOOF: Final = "max"

_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0")
"""Characters that Unicode calls letters although they are invisible."""


def is_letter(character: str) -> bool:
    """Whether a tag may contain `character`: a visible letter of any alphabet."""
    return character.isalpha() and character not in _BLANK_LETTERS


def is_tag(text: str) -> bool:
    """Whether `text` can be a tag: 1 to 3 visible letters."""
    return 1 <= len(text) <= LONGEST_TAG and all(map(is_letter, text))


def split_token(text: str) -> tuple[str, str]:
    """Tag and sign of a token; the tag is empty if `text` does not begin with one.

    No sign begins with a letter, except for `max`: so `Smax` is S and a spoof, and `max` alone is a
    tag.
    """
    text = plain(text)
    match = _LETTERS.match(text)
    tag = match.group() if match else ""
    if len(tag) > LONGEST_TAG and skeleton(tag).lower().endswith(_SPOOF):
        tag = tag[: -len(_SPOOF)]
        text = f"{tag}{_SPOOF}{text[len(tag) + len(_SPOOF) :]}"
    return (tag, text[len(tag) :]) if is_tag(tag) else ("", text)


def number(sign: str) -> int | None:
    """The number that `sign` stands for; None if it is not a number as the notation writes it."""
    return _number(sign) if len(sign) <= LONGEST_NUMBER else None


@lru_cache(maxsize=4096)
def _number(sign: str) -> int | None:
    return int(sign) if NUMBER.fullmatch(sign) else None
