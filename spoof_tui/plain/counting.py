"""The count of a round in lines, beat by beat: nothing tells the end before it is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from spoof_tui.beats import Beat
from spoof_tui.ui.table.presentation import Reveal, opening_order
from spoof_tui.ui.wording.sentences import outcome, the_count, went_out
from spoof_tui.ui.wording.telling import beat_words, last_fist


def step_lines(reveal: Reveal, at: int, names: Sequence[str], me: int | None) -> Iterator[str]:
    """What one step of a count adds to those before it; `at` is its place.

    The ending word of the bidding game is told with the words.
    """
    step, played, order = reveal.steps[at], reveal.played, reveal.order
    before = reveal.steps[at - 1].opened if at else 0
    if step.beat is Beat.WORD:
        if not isinstance(played.words, BiddingRound):
            yield beat_words(played, (), Beat.WORD, names, me)
        return
    if step.opened > before + 1:
        yield the_count(played, names, order, me) + "."
    elif step.opened > before:
        beat = Beat.LAST if step.beat >= Beat.LAST else Beat.FIST
        yield beat_words(played, order[: step.opened], beat, names, me)
    if step.beat is Beat.HELD:
        yield last_fist(played, order[: step.opened], names, me)
    if step.beat is Beat.PAID:
        yield from price_lines(played, names, me)


def price_lines(played: PlayedRound, names: Sequence[str], me: int | None) -> Iterator[str]:
    """Whether the ender was right, who wins and loses a coin, and who is out."""
    yield outcome(played, names, me)
    if out := went_out(played, names, me):
        yield out


def whole_count(played: PlayedRound, names: Sequence[str], me: int | None) -> Iterator[str]:
    """A count that was not seen, at once."""
    if played.hands:
        yield the_count(played, names, opening_order(played), me) + "."
    yield from price_lines(played, names, me)
