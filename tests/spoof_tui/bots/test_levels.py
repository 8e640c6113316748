"""Stronger levels win more, and names and paces are fit for a table."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid
from protocol.table.fold import Phase
from spoof_tui import beats
from spoof_tui.beats import count_seconds
from spoof_tui.bots.characters import of_coin
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import QUICKEST, SLOWEST, BotMind, patience
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.text import i18n
from spoof_tui.text.i18n import LANGUAGES
from spoof_tui.text.names import MAX_CELLS, bot_names, friendly_name
from spoof_tui.text.safe_text import show
from tests.spoof_tui.bots.arena import bidding, last_in
from tests.spoof_tui.bots.test_opinions import PAST

GAMES = 240
MARGIN = 0.08
"""Part of all games by which a level must lead the next lower one: over two standard errors."""


def test_hard_beats_medium_and_medium_beats_easy() -> None:
    won = last_in(list(Level), GAMES, seed=5)
    assert won[Level.HARD] - won[Level.MEDIUM] > MARGIN * GAMES
    assert won[Level.MEDIUM] - won[Level.EASY] > MARGIN * GAMES


# Pace


@given(st.integers(0, 8), st.integers(), st.booleans())
def test_a_bot_takes_between_the_quickest_and_the_slowest(
    bid: int, seed: int, speaking: bool
) -> None:
    words, me = ([(0, Bid(bid))], 1) if bid and speaking else ([], 0)
    view = view_of_round(bidding((3, 3, 3), *words), me, speaking=speaking)
    bot = BotMind(Level.MEDIUM, random.Random(seed))
    assert QUICKEST <= bot.think_seconds(view) <= SLOWEST
    waiting = replace(view, phase=Phase.GATHERING, game_number=0, own_fist_due=False)
    assert bot.think_seconds(waiting) == 0.0


def test_a_fist_waits_for_the_count_and_the_first_word_for_a_rest_after_it() -> None:
    running = bidding((3, 3, 3))
    speaks = view_of_round(running, 0, PAST[:1])
    hides = replace(view_of_round(running, 0, PAST[:1], speaking=False), own_fist_due=True)
    assert patience(hides, 0.0) == count_seconds(3)
    assert patience(speaks, 1.0) == count_seconds(3) + beats.REST - 1.0
    assert patience(speaks, 60.0) == 0.0
    assert patience(view_of_round(running, 0), 0.0) == 0.0


# Names


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_names_are_plain_fit_a_seat_and_are_nobody_elses(
    language: str, seed: int, amount: int
) -> None:
    i18n.install(language)
    rng = random.Random(seed)
    taken = bot_names(amount, rng)
    names = [*taken, *bot_names(9, rng, [name.upper() for name in taken])]
    friendly, known = friendly_name(rng), [of_coin(name) is not None for name in names]
    i18n.install("en")
    assert len({name.casefold() for name in names}) == len(names) == amount + 9
    assert all(known) and len(friendly.split()) == 2
    letters = "".join(filter(str.isalpha, "".join([*names, friendly])))
    assert letters.isascii() if language == "en" else re.fullmatch("[А-ЯҐЄІЇа-яґєії]+", letters)
    for name in (*names, friendly):
        assert cell_len(name) <= MAX_CELLS and show(ForeignText(name), 40) == name
