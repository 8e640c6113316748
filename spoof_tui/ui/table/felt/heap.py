"""Coins on the felt beside the middle: the pile of lost ones, the pot, and those in motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import Stake
from protocol.rules.stakes import stake_of
from protocol.views import TableView
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import Piece, Place, Sheet, fit, length
from spoof_tui.ui.table.felt.tone import Tone

SIZES: Final = ((16, 3), (12, 1), (8, 1))
"""Columns and rows of a heap, the best first: in layers, in words, and in digits."""

_LAYERS: Final = (6, 5)
"""The most coins drawn separately in the lower and in the upper layer."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Lost coins, and chips in the pot, as a picture."""

    lost: int = 0
    pot: int = 0

    @property
    def is_bare(self) -> bool:
        """Whether there are neither coins nor chips."""
        return not (self.lost or self.pot)

    def draw(self, sheet: Sheet) -> None:
        """Draw layers with words below them or, where there is little height, one line of words or
        signs."""
        if self.is_bare:
            return
        if sheet.height >= SIZES[0][1]:
            self._draw_layers(sheet)
            return
        # In words if there is room: rows of characters would look like more of the track.
        signs = glyphs()
        pile = _("lost {coins}").format(coins=self.lost) if self.lost else ""
        pot = _("pot {chips}").format(chips=self.pot) if self.pot else ""
        line = [(" ".join(filter(None, (pile, pot))), Tone.QUIET.style)]
        if length(line) > sheet.width:
            pieces = [*_line(signs.coin, self.lost, Tone.MONEY)]
            chips = [*_line(signs.chip, self.pot, Tone.PLAIN)]
            gap: list[Piece] = [("  ", Tone.PLAIN.style)] if pieces and chips else []
            line = [*pieces, *gap, *chips]
        sheet.pieces(max(sheet.width - length(line), 0) // 2, 0, line)

    def _draw_layers(self, sheet: Sheet) -> None:
        signs, half = glyphs(), sheet.width // 2
        kinds = [
            (signs.coin, self.lost, _("lost {coins}").format(coins=self.lost), Tone.MONEY),
            (signs.chip, self.pot, _("pot {chips}").format(chips=self.pot), Tone.PLAIN),
        ]
        shown = [kind for kind in kinds if kind[1]]
        room = half if len(shown) > 1 else sheet.width
        for place, (sign, count, words, tone) in enumerate(shown):
            lower, upper = layers(count)
            for row, text in enumerate((sign * upper, sign * lower)):
                sheet.put(place * half + (room - cell_len(text)) // 2, row, text, tone.style)
            words = fit(words, room)
            x = place * half + (room - cell_len(words)) // 2
            sheet.put(x, 2, words, Tone.QUIET.style)


def layers(count: int) -> tuple[int, int]:
    """How many of `count` coins to draw in the lower and in the upper layer."""
    lower = min(count if count <= 2 else (count + 2) // 2, _LAYERS[0])
    return lower, min(count - lower, lower - 1, _LAYERS[1])


def _line(sign: str, count: int, tone: Tone) -> Sequence[Piece]:
    return ((sign, tone.style), (f" {count}", Tone.QUIET.style)) if count else ()


def heap_of(view: TableView | None) -> Heap:
    """The lost coins and the pot of a view; an empty heap without a view."""
    if view is None:
        return Heap()
    pot = view.stakes.pot if stake_of(view.rules) is Stake.POT else 0
    return Heap(view.stakes.pile, pot)


FRAMES: Final = 5
"""Number of positions on its way at which a moving coin is shown."""

FRAME_SECONDS: Final = 0.1

_MOST: Final = 2
"""The most coins that move at once: each position costs some fifty bytes of output."""


def flights(played: PlayedRound, frame: int | None) -> Mapping[int, float]:
    """By seat, how far its moving coin is at `frame`: from 0 at the seat to 1 at the pile.

    Empty if `frame` is None: nothing moves.
    """
    if frame is None:
        return {}
    part = (frame + 1) / (FRAMES + 1)
    changes = played.outcome.changes.items()
    return {seat: part if change < 0 else 1 - part for seat, change in changes}


def on_the_way(part: float, seat: Place, pile: Place) -> tuple[int, int]:
    """Column and row at `part` (0 to 1) of the way from the middle of `seat` to that of `pile`."""
    (x, y), (to_x, to_y) = _middle(seat), _middle(pile)
    return round(x + (to_x - x) * part), round(y + (to_y - y) * part)


def _middle(place: Place) -> tuple[int, int]:
    return place.x + place.width // 2, place.y + place.height // 2


def is_followed(played: PlayedRound) -> bool:
    """Whether the coins that a round moves are animated: there are some, but at most `_MOST`."""
    is_bid = not isinstance(played.words, GuessingRound)
    return is_bid and 0 < len(played.outcome.changes) <= _MOST
