"""The remarks of characters: what they say, about which rounds, and how often."""

import random
from dataclasses import replace

import pytest

from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Ending
from protocol.views import TableView
from spoof_tui.bots.characters import (
    CHARACTERS,
    CharacterMind,
    Occasion,
    lines_of,
    name_of,
)
from spoof_tui.bots.levels import Level
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.text import i18n
from spoof_tui.text.names import MAX_CELLS
from tests.spoof_tui.bots.arena import bidding


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
    """The view of seat `me` after a first round: seat 0 bid 4, and seat 1 ended it."""
    running = bidding((3,) * len(hands), (0, Bid(4)), (1, ending))
    held = dict(enumerate(hands))
    outcome = running.count(held)
    past = (PlayedRound(running, held, outcome),)
    return view_of_round(bidding(outcome.coins), me, past, speaking=False)


@pytest.mark.parametrize("key", CHARACTERS)
def test_a_remark_is_one_of_its_lines_and_made_once_a_round(key: str) -> None:
    view, bot = after(0, 1), mind(key, talks=1.0)
    assert bot.remark(view) in lines_of(key)[Occasion.LOST]
    assert bot.remark(view) is None
    later = [replace(view, game_number=number) for number in range(view.game_number, 9)]
    said = [line for each in later if (line := bot.remark(each))]
    assert len(said) <= 2 * len(lines_of(key)[Occasion.LOST]), "some games pass before it repeats"
    assert mind(key, talks=0.0).remark(view) is None
