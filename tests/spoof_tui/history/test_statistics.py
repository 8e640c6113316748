"""What the history says of a person, as numbers."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Ending
from spoof_tui.history.facts import FIRST_WORDS, Fact, Facts, Kind
from spoof_tui.history.index import consult
from spoof_tui.history.queries import games
from spoof_tui.history.statistics import readable, statistics
from tests.helpers.histories import fill


def said(counts: dict[tuple[int, int], int], coins: int = 3) -> Facts:
    """So many rounds in which a word of this class went with this hand."""
    return Counter(
        {Fact(Kind.FIRST_WORD, coins * FIRST_WORDS + word, hand): n
         for (word, hand), n in counts.items()}
    )  # fmt: skip


def test_a_word_for_each_hand_is_an_open_book() -> None:
    told = readable(said({(hand, hand): 50 for hand in range(4)}))
    assert told.guessed == 1.0 and told.bits > 0.95
    assert told.blind == pytest.approx(0.25, abs=0.26)


def test_the_same_word_for_every_hand_tells_nothing() -> None:
    told = readable(said({(4, hand): 50 for hand in range(4)}))
    assert told.bits == 0.0 and told.guessed == told.blind


def test_few_rounds_seem_to_tell_less_than_many_of_the_same() -> None:
    pattern = {(0, 0): 3, (1, 1): 3, (2, 2): 2, (0, 3): 1, (1, 0): 1}
    few = readable(said(pattern))
    many = readable(said({each: n * 50 for each, n in pattern.items()}))
    assert few.bits < many.bits


def test_one_round_says_nothing() -> None:
    told = readable(said({(4, 2): 1}))
    assert (told.rounds, told.guessed, told.bits) == (1, 0.0, 0.0)


@given(
    st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 3)), st.integers(1, 30), min_size=1)
)
def test_what_is_given_away_is_a_share(counts: dict[tuple[int, int], int]) -> None:
    told = readable(said(counts))
    assert told.rounds == sum(counts.values())
    assert 0.0 <= told.bits <= 1.0
    assert 0.0 <= told.guessed <= 1.0 and 0.0 <= told.blind <= 1.0


def test_they_agree_with_the_list_of_games(state: Path) -> None:
    fill(state, 250)
    told, _answer = consult(statistics())
    listed, _answer = consult(games)
    assert told.games == len(listed)
    assert sum(sum(places.values()) for places in told.places.values()) == len(listed)
    by_word = sum(each.all for word in Ending for each in told.odds[word])
    assert by_word == sum(each.all for each in told.odds[None]) > 0
    assert told.doubted.right <= told.doubted.all <= sum(told.bids.values())
    assert told.hoovers <= told.all_hoovers
    assert told.cliffs.all <= told.all_cliffs.all


def test_those_of_one_preset_are_part_of_all(state: Path) -> None:
    fill(state, 250)
    parts = [consult(statistics(each))[0]
             for each in ("milan", "bid-spoof", "three-coins", "hollywood")]  # fmt: skip
    told, _answer = consult(statistics())
    assert sum(each.games for each in parts) == told.games
    assert sum(sum(each.bids.values()) for each in parts) == sum(told.bids.values())
    assert not parts[3].bids and parts[3].guesses == told.guesses


def test_without_a_game_there_is_nothing(state: Path) -> None:
    told, _answer = consult(statistics())
    assert (told.games, told.readable.rounds, told.rivals) == (0, 0, ())
