"""Tables that no log tells of, drawn as any other."""

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import BiddingRules, GuessingRules
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.views import FistState, TableView
from spoof_tui.ui.table.ring import Centre
from spoof_tui.ui.table.static_table import Company, Instant, spoken, still

RULES = BiddingRules.parse("milan")
COMPANY = Company("Kyiv–Lviv", RULES, tuple(map(ForeignText, ("Sam", "Dan", "Mia"))), me=1)
COINS = (3, 3, 3)
SAID = BiddingRound(RULES, COINS, 0).say(0, Bid(2)).say(1, Bid(4))
HANDS = {0: 1, 1: 2, 2: 0}
OVER = SAID.say(2, Ending.CALL)


def view_at(moment: Instant, company: Company = COMPANY) -> TableView:
    view = still(company, moment).view
    assert view
    return view


def test_a_moment_is_looked_at_from_a_seat_or_from_none() -> None:
    moment = Instant(2, COINS, SAID)
    assert [seat.is_me for seat in view_at(moment).seats] == [False, True, False]
    watched = Company(COMPANY.title, RULES, COMPANY.names)
    assert not any(seat.is_me for seat in view_at(moment, watched).seats)
    assert still(COMPANY, moment).names == ("Sam", "Dan", "Mia")


@pytest.mark.parametrize(
    ("moment", "phase"),
    [
        (Instant(0, COINS), Phase.LOT),
        (Instant(1, COINS, SAID, missing=frozenset({2})), Phase.CHOOSING),
        (Instant(1, COINS, SAID), Phase.SPEAKING),
        (Instant(1, COINS, OVER), Phase.OPENING),
    ],
)
def test_a_moment_has_its_phase(moment: Instant, phase: Phase) -> None:
    assert view_at(moment).phase is phase


def test_a_fist_that_is_not_in_is_not_seen_in() -> None:
    view = view_at(Instant(1, COINS, SAID, missing=frozenset({2})))
    assert [seat.fist is FistState.IN for seat in view.seats] == [True, True, False]


def test_only_hands_that_are_open_are_seen() -> None:
    view = view_at(Instant(1, COINS, OVER, hands={2: 0}))
    assert [seat.hand for seat in view.seats] == [None, None, 0]


def test_the_coins_and_the_number_of_the_round_are_those_that_are_told() -> None:
    view = view_at(Instant(7, (1, 0, 3), SAID))
    assert [seat.coins for seat in view.seats] == [1, 0, 3]
    assert view.round_number == 7


def test_a_round_that_is_counted_shows_all_its_hands() -> None:
    played = PlayedRound(OVER, HANDS, OVER.count(HANDS))
    scene = still(COMPANY, Instant(1, played.outcome.coins, OVER, hands=HANDS, played=played))
    assert scene.showing and dict(scene.showing.hands) == HANDS
    assert scene.is_counted


@pytest.mark.parametrize("words", [0, 1, 2])
def test_a_round_is_told_word_by_word(words: int) -> None:
    calls = GuessingRound(GuessingRules.parse("hollywood"), COINS, 0).say(0, Bid(4)).say(1, Bid(5))
    first, school = spoken(SAID, words), spoken(calls, words)
    assert isinstance(first, BiddingRound) and first.words == SAID.words[:words]
    assert isinstance(school, GuessingRound) and school.calls == calls.calls[:words]


def test_a_caption_lies_in_the_middle_instead_of_what_stands_there() -> None:
    caption = Centre(number=9)
    moment = Instant(1, COINS, SAID)
    assert still(COMPANY, moment, caption).centre() == caption
    assert still(COMPANY, moment).centre().number == 4
