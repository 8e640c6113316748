"""Bots in the guessing game: legal, better by level, and never to be read for certain."""

import random

from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import GuessingRules
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import play_game
from tests.spoof_tui.bots.arena import last_in

SCHOOLS = 300

levels = st.sampled_from(Level)
options = st.sampled_from(["", " impossible=refuse", " impossible=allow", " first_caller=toss"])


def mind(seed: int = 1, level: Level = Level.HARD) -> BotMind:
    return BotMind(level, random.Random(seed))


@given(st.integers(0, 2**32), st.integers(2, 9), levels, options)
def test_a_school_of_bots_is_legal_and_ends_with_a_payer(
    seed: int, players: int, level: Level, option: str
) -> None:
    rules = GuessingRules.parse("hollywood" + option)
    minds = [mind(seed + seat, level) for seat in range(players)]
    school = play_game(minds, rules, opener=seed % players)
    gone = [seat for played in school for seat in played.outcome.went_out]
    assert sorted([*gone, school[-1].outcome.winner or 0]) == list(range(players))
    assert option or not any(played.outcome.fined for played in school)


def test_the_stronger_pay_less_often() -> None:
    paid = last_in(list(Level), SCHOOLS, rules="hollywood")
    assert paid[Level.EASY] > paid[Level.MEDIUM] > paid[Level.HARD]
    assert paid[Level.EASY] > 1.25 * paid[Level.HARD]
