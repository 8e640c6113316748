"""The lines of the list."""

import pytest

from spoof_tui.history.queries import ListedGame
from spoof_tui.ui.history.listing import day, game_line, game_lines, hour, preset_words
from spoof_tui.ui.history.pictures import length

GAME = ListedGame(
    1, "stem", 1_700_000_000_000, "Night train", "milan", "milan", 1, 5, 3, 1,
    "Ada\nBoris\nCleo",
)  # fmt: skip


def text(game: ListedGame, width: int = 78) -> str:
    return "".join(piece for piece, _tone in game_line(game, width))


def test_a_line_says_when_how_what_where_and_who() -> None:
    assert text(GAME).split("  ")[0] == f"{day(GAME.finished)} {hour(GAME.finished)}"
    told = text(GAME).split()
    assert told[2:] == ["won", "Milan", "Night", "train", "Ada,", "Boris,", "Cleo"]


@pytest.mark.parametrize(
    ("place", "preset", "words"),
    [
        (2, "milan", "  2 of 3"),
        (None, "milan", "watched"),
        (1, "hollywood", "left 1 of 3"),
        (3, "hollywood", "paid"),
    ],
)
def test_how_it_went_is_a_word_or_two(place: int | None, preset: str, words: str) -> None:
    assert words in text(GAME._replace(place=place, preset=preset))


@pytest.mark.parametrize("width", [40, 57, 77, 120])
def test_a_line_fits(width: int) -> None:
    crowd = GAME._replace(
        names="\n".join(["Somebody of a long name"] * 9), event="A very long name " * 4
    )
    assert length(game_line(crowd, width)) <= width


def test_rules_of_a_later_version_are_called_by_their_name() -> None:
    assert preset_words("calvinball") == "calvinball"


def test_a_game_by_itself_has_everybody_s_place() -> None:
    lines = ["".join(piece for piece, _tone in line) for line in game_lines(GAME, 60)]
    assert lines[1:] == ["  1. Ada", "  2. Boris", "  3. Cleo"]
