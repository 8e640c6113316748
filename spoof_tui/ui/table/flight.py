"""Coins that travel over the felt when a round is paid: from a loser to the pile, or back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from spoof_tui.ui.canvas.cells import Place, Sheet
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.table.tone import Tone

FRAMES: Final = 5
"""Places on the way at which a coin is shown."""

FRAME_SECONDS: Final = 0.1

_MOST: Final = 2
"""Coins that travel at the same time at most: every place costs some fifty bytes."""


@dataclass(frozen=True, slots=True)
class Coin:
    """One coin on the felt."""

    def draw(self, sheet: Sheet) -> None:
        """Its sign."""
        sheet.put(0, 0, glyphs().coin, Tone.MONEY.style)


@dataclass(frozen=True, slots=True)
class Flight:
    """A coin on its way."""

    seat: int
    """Whose coin it was, or becomes."""
    part: float
    """How much of the way from the seat to the pile, from 0 to 1."""

    def place(self, seat: Place, pile: Place) -> Place:
        """The cell on the way from the middle of one place to the middle of the other."""
        x, y = (
            round(here + (there - here) * self.part)
            for here, there in zip(_middle(seat), _middle(pile), strict=True)
        )
        return Place(x, y, 1, 1)


def _middle(place: Place) -> tuple[int, int]:
    return place.x + place.width // 2, place.y + place.height // 2


def flights(played: PlayedRound, frame: int | None) -> Sequence[Flight]:
    """The coins that a round has moved, at a frame of their way; none before and after it."""
    if frame is None:
        return ()
    part = (frame + 1) / (FRAMES + 1)
    changes = played.outcome.changes.items()
    return [Flight(seat, part if change < 0 else 1 - part) for seat, change in changes]


def is_followed(played: PlayedRound) -> bool:
    """Whether a round moves coins, and few enough to follow them with the eye."""
    is_bid = not isinstance(played.words, GuessingRound)
    return is_bid and 0 < len(played.outcome.changes) <= _MOST
