"""Moments of games that no log tells of, seen as any other table."""

from __future__ import annotations

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.views import FistState
from spoof_tui.ui.table.centre import Centre
from spoof_tui.ui.table.middle import middle
from spoof_tui.ui.table.static_table import Company, Instant, spoken, still

RULES = BIDDING_PRESETS["milan"]
NAMES = (ForeignText("Ann"), ForeignText("Bob"), ForeignText("Cat"))
ROUND = BiddingRound(RULES, (3, 3, 3), 0).say(0, Bid(2)).say(1, Bid(3)).say(2, Ending.CALL)


def company(me: int | None = None) -> Company:
    return Company("Night train", RULES, NAMES, me)


@pytest.mark.parametrize(
    ("words", "missing", "phase"),
    [
        (0, frozenset({1}), Phase.CHOOSING),
        (1, frozenset[int](), Phase.SPEAKING),
        (3, frozenset[int](), Phase.OPENING),
    ],
)
def test_a_moment_is_in_its_phase(words: int, missing: frozenset[int], phase: Phase) -> None:
    moment = Instant(1, (3, 3, 3), spoken(ROUND, words), missing)
    shown = still(company(), moment)
    assert shown.view and shown.view.phase is phase


def test_before_the_first_round_the_lot_is_drawn() -> None:
    shown = still(company(), Instant(0, (3, 3, 3)))
    assert shown.view and shown.view.phase is Phase.LOT


def test_a_shut_fist_shows_no_hand_even_to_its_owner() -> None:
    shown = still(company(me=1), Instant(1, (3, 3, 3), spoken(ROUND, 1)))
    assert shown.view
    assert [seat.hand for seat in shown.view.seats] == [None] * 3
    assert {seat.fist for seat in shown.view.seats} == {FistState.IN}


def test_a_fist_that_is_missing_is_awaited() -> None:
    shown = still(company(), Instant(1, (3, 3, 3), spoken(ROUND, 0), frozenset({2})))
    assert shown.view and shown.view.seats[2].fist is FistState.NOT_IN


def test_a_caption_stands_instead_of_what_lies_in_the_middle() -> None:
    moment, caption = Instant(1, (3, 3, 3), spoken(ROUND, 1)), Centre(above="Here")
    assert middle(still(company(), moment, caption)) is caption
    assert middle(still(company(), moment)).number == 2


def test_so_many_words_are_spoken() -> None:
    said = spoken(ROUND, 2)
    assert [word for _seat, word in said.words] == [Bid(2), Bid(3)]
