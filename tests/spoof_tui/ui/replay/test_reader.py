"""A record recomputed: what the rules say counts, not what the file claims."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.game import Game
from protocol.rules.words import Ending
from spoof_tui.ui.replay.reader import MAX_TOLD, RecordedGame, Recording
from tests.protocol.notation.games import RULES, SCHOOL_RULES, game_of, school_of, text_of
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES, recording


def whole(text: str | bytes) -> RecordedGame:
    """The first game of a record, read to its end."""
    shown = recording(text)
    while not shown.record.is_whole:
        shown.grow(7)
    return shown.record


SEEDS, PLAYERS = st.integers(0, 10_000), st.integers(2, 9)


@given(
    st.builds(game_of, SEEDS, PLAYERS, st.sampled_from(RULES))
    | st.builds(school_of, SEEDS, PLAYERS, st.sampled_from(SCHOOL_RULES))
)
def test_a_game_that_was_written_down_comes_back_as_it_was_played(game: Game) -> None:
    record = whole(text_of(game))
    assert [each.said for each in record.rounds] == [played.words for played in game.past]
    assert [each.hands for each in record.rounds] == [dict(played.hands) for played in game.past]
    for each, played in zip(record.rounds, game.past, strict=True):
        assert each.outcome is not None and each.outcome.fined == played.outcome.fined
        assert each.coins == each.outcome.coins == played.outcome.coins
    assert record.winner == game.winner
    assert not any(each.faults for each in record.rounds)


def test_games_are_held_one_at_a_time_and_found_again() -> None:
    shown = recording(TWO_GAMES)
    shown.grow(1000)
    assert (len(shown.record.rounds), shown.has_next) == (3, True)
    shown.next()
    shown.grow(1000)
    assert [name.raw for name in shown.record.title.names] == ["Olena", "Dmytro"]
    assert shown.record.rounds[0].said is not None
    assert shown.record.rounds[0].said.words == ((1, Ending.ZERO),)
    assert (shown.has_next, shown.record.winner) == (False, 1)
    shown.previous()
    shown.grow(1000)
    assert (shown.game, len(shown.record.rounds)) == (0, 3)


def test_nothing_is_read_before_somebody_looks() -> None:
    taken: list[int] = []

    def endless() -> Iterator[bytes]:
        yield b'[Rules "milan"]\n[Seats "S:S D:D"]\n[Result "*"]\n\n'
        for number in range(1, 1_000_000):
            taken.append(number)
            yield f"{number}. Smax (S3 D3) . = S3 D3\n".encode()

    shown = Recording(endless)
    shown.grow(20)
    assert len(shown.record.rounds) < 20 and len(taken) < 30


def test_a_file_that_ends_before_its_game_does_is_at_its_end() -> None:
    texts = [TWO_GAMES, ""]
    shown = Recording(lambda: iter([texts.pop(0).encode()]))
    shown.grow(1000)
    shown.next()
    shown.grow(1000)
    shown.previous()
    shown.grow(1000)
    shown.grow(1000)
    assert shown.record.is_whole and not shown.has_next


def test_of_a_round_full_of_faults_only_so_many_are_kept() -> None:
    text = '[Rules "milan"]\n[Seats "S:S D:D"]\n[Result "*"]\n\n1.' + "\n\x01" * 500
    (only,) = whole(text).rounds
    assert len(only.faults) == MAX_TOLD


@pytest.mark.parametrize("text", ["", "{", "1.", "[", "\x1b[31m", '[Seats "S:S S:S"]', "1. (1. ("])
def test_what_is_no_record_is_a_game_with_faults(text: str) -> None:
    record = whole(text)
    assert record.title.faults or record.faults
    assert not record.title.is_clear


@given(st.binary(max_size=300))
def test_any_bytes_end(data: bytes) -> None:
    assert whole(data).is_whole
