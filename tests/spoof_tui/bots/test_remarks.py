"""What characters say, of which rounds, and how often."""

import random
from dataclasses import replace

import pytest

from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Ending
from protocol.views import TableView
from spoof_tui.bots.arena import view_of_round
from spoof_tui.bots.characters import CHARACTERS, CharacterMind
from spoof_tui.bots.levels import Level
from spoof_tui.bots.names import MAX_CELLS
from spoof_tui.bots.player import BotMind
from spoof_tui.bots.remarks import Occasion, lines_of, name_of, occasion_of
from spoof_tui.text import i18n
from tests.spoof_tui.bots.arena import bidding
from tests.spoof_tui.bots.schools import guessing


def mind(key: str, talks: float) -> CharacterMind:
    return CharacterMind(replace(CHARACTERS[key], talks=talks), Level.EASY, random.Random(1))


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("key", CHARACTERS)
def test_every_character_has_a_name_that_fits_and_a_line_for_everything(
    key: str, language: str
) -> None:
    i18n.install(language)
    try:
        name, lines = name_of(key), lines_of(key)
    finally:
        i18n.install("en")
    assert 0 < len(name) <= MAX_CELLS
    assert set(lines) == set(Occasion) and all(lines.values())


def after(*hands: int, ending: Ending = Ending.CALL, me: int = 0) -> TableView:
    """What seat `me` sees after a first round: seat 0 bid 4, and seat 1 ended it."""
    running = bidding((3,) * len(hands), (0, Bid(4)), (1, ending))
    held = dict(enumerate(hands))
    outcome = running.count(held)
    past = (PlayedRound(running, held, outcome),)
    return view_of_round(bidding(outcome.coins), me, past, speaking=False)


@pytest.mark.parametrize(
    ("view", "occasion"),
    [
        (after(0, 1), Occasion.LOST),
        (after(0, 1, me=1), Occasion.RIGHT),
        (after(3, 1), None),
        (after(3, 1, me=1), Occasion.LOST),
        (after(3, 1, ending=Ending.CLIFF, me=1), Occasion.RIGHT),
        (view_of_round(bidding((3, 3)), 0), None),
    ],
)
def test_an_occasion_is_what_the_round_was_to_the_player(
    view: TableView, occasion: Occasion | None
) -> None:
    assert occasion_of(view) is occasion


def test_the_last_round_is_won_or_paid_for() -> None:
    last = bidding((1, 1), (0, Bid(2)), (1, Ending.CALL))
    won = (PlayedRound(last, {0: 0, 1: 0}, last.count({0: 0, 1: 0})),)
    view = view_of_round(bidding((1, 1)), 1, won)
    assert occasion_of(view) is Occasion.WON
    assert occasion_of(replace(view, me=0)) is Occasion.LOST
    school = guessing(2, 1, 2)
    paid = (PlayedRound(school, {0: 0, 1: 1}, school.count({0: 0, 1: 1})),)
    view = view_of_round(guessing(2), 0, paid)
    assert occasion_of(view) is Occasion.RIGHT
    assert occasion_of(replace(view, me=1)) is Occasion.LOST


@pytest.mark.parametrize("key", CHARACTERS)
def test_a_remark_is_one_of_its_lines_and_made_once_a_round(key: str) -> None:
    view, bot = after(0, 1), mind(key, talks=1.0)
    assert bot.remark(view) in lines_of(key)[Occasion.LOST]
    assert bot.remark(view) is None
    later = [replace(view, game_number=number) for number in range(view.game_number, 9)]
    said = [line for each in later if (line := bot.remark(each))]
    assert len(said) <= 2 * len(lines_of(key)[Occasion.LOST]), "some games pass before it repeats"
    assert mind(key, talks=0.0).remark(view) is None


def test_a_bot_without_a_character_says_nothing() -> None:
    assert BotMind(Level.EASY, random.Random(1)).remark(after(0, 1)) is None


def test_lines_are_in_the_language_of_the_program() -> None:
    i18n.install("uk")
    try:
        line = mind("miser", talks=1.0).remark(after(0, 1))
    finally:
        i18n.install("en")
    assert line and not line.isascii()
