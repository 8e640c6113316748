"""Queries of the history, and games as other programs read them."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from protocol.notation.checking import check
from protocol.notation.reading import read
from spoof_tui.history.export import COLUMNS, Format, as_csv, exported
from spoof_tui.history.facts import FIRST_WORDS, Fact, Facts, Kind
from spoof_tui.history.index import consult
from spoof_tui.history.queries import (
    EVENING_GAP,
    Filter,
    GameResult,
    ListedGame,
    evening,
    evenings,
    games,
    rivals,
)
from spoof_tui.history.statistics import readable, statistics
from tests.helpers.histories import COMPANY, fill

HOUR = 3600 * 1000


def listed(
    place: int | None = 1, *, preset: str = "milan", finished: int = 0, event: str = "Night train"
) -> ListedGame:
    people = "Ada\nBoris\nCleo"
    return ListedGame(1, "stem", finished, event, preset, preset, 1, 5, 3, place, people)


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (Filter(), True),
        (Filter(preset="hollywood"), False),
        (Filter(people="bor"), True),
        (Filter(people=" NIGHT "), True),
        (Filter(result=GameResult.LOST), False),
        (Filter("milan", "Cleo", GameResult.WATCHED), False),
    ],
)
def test_all_that_is_said_has_to_fit(wanted: Filter, fits: bool) -> None:
    assert wanted.fits(listed()) is fits
    assert list(wanted.fitting([listed()])) == [listed()] * fits


def test_an_evening_is_the_games_of_one_table_in_one_go() -> None:
    times = [0, HOUR, HOUR + EVENING_GAP, HOUR + 2 * EVENING_GAP + 1]
    found = evenings([listed(finished=each) for each in reversed(times)])
    assert [[game.finished for game in each.games] for each in found] == [times[3:], times[:3]]
    mixed = [listed(finished=each, event="AB"[each % 2]) for each in range(6, 0, -1)]
    assert [(each.event, len(each.games)) for each in evenings(mixed)] == [("A", 3), ("B", 3)]


def test_the_pages_agree_with_the_list_of_games(state: Path) -> None:
    fill(state, 250)
    told, all_games = consult(statistics())[0], consult(games)[0]
    assert told.games == len(all_games) == sum(games for _m, games, _w in told.months)
    assert told.won == Counter(game.result for game in all_games)[GameResult.WON]
    assert sum(sum(places.values()) for places in told.places.values()) == len(all_games)
    parts = [consult(statistics(each))[0] for each in ("milan", "bid-spoof", "three-coins")]
    school = consult(statistics("hollywood"))[0]
    assert sum(each.games for each in (*parts, school)) == told.games
    assert sum(sum(each.bids.values()) for each in parts) == sum(told.bids.values()) > 0
    assert not school.bids and school.guesses == told.guesses
    table = consult(evening(1))[0]
    assert table is not None and sum(each.won for each in table.table) == len(table.games) == 5
    assert sum(each.chips or 0 for each in table.table) == 0
    found = consult(rivals)[0]
    sure = [(each.ahead + 1) / (each.games + 2) for each in found]
    assert {each.name for each in found} == set(COMPANY[1:]) and sure == sorted(sure, reverse=True)


# How readable somebody is


def said(counts: dict[tuple[int, int], int], coins: int = 3) -> Facts:
    """This many rounds in which a word of this class went with this hand."""
    return Counter(
        {Fact(Kind.FIRST_WORD, coins * FIRST_WORDS + word, hand): n
         for (word, hand), n in counts.items()}
    )  # fmt: skip


def test_a_word_for_each_hand_is_an_open_book_and_the_same_word_for_every_hand_a_closed_one() -> (
    None
):
    told = readable(said({(hand, hand): 50 for hand in range(4)}))
    assert told.guessed == 1.0 and told.bits > 0.95 and told.blind <= 0.25
    told = readable(said({(4, hand): 50 for hand in range(4)}))
    assert told.bits == 0.0 and told.guessed == told.blind
    told = readable(said({(4, 2): 1}))
    assert (told.rounds, told.guessed, told.bits) == (1, 0.0, 0.0)
    # A reader who has seen hand 2 once more than hand 1 wavers when the round is left out.
    assert readable(said({(4, 2): 3, (4, 1): 2})).guessed == pytest.approx(3 / 2 / 5)


# Export


def text_of(state: Path, kind: Format) -> str:
    return consult(exported(consult(games)[0], kind, state / "games"))[0]


def test_every_format_has_every_game(state: Path) -> None:
    (path, *_others) = fill(state, 700)
    records = [*read([text_of(state, Format.SPOOF).encode()])]
    assert len(records) == 700 and not any(check(game).faults for game in records[:7])
    rows = [*csv.DictReader(io.StringIO(text_of(state, Format.CSV)))]
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == sum(game.seats for game in consult(games)[0])
    assert sum(row["is_me"] == "True" for row in rows) == 700
    found = json.loads(text_of(state, Format.JSON))["games"]
    assert len(found) == 700
    for game in found:
        assert [each["place"] for each in game["players"]] == [*range(1, len(game["players"]) + 1)]
    listed = consult(games)[0]
    path.unlink()
    with pytest.raises(OSError):
        consult(exported(listed, Format.SPOOF, state / "games"))


def test_no_name_is_a_formula() -> None:
    game = ListedGame(1, "s", 0, "=1+1", "milan", "milan", 1, 1, 1, None, "@SUM(A1)")
    text = as_csv([game], {1: [{"player": "@SUM(A1)", "is_me": False, "place": 1}]})
    assert "'=1+1" in text and "'@SUM(A1)" in text


@pytest.mark.parametrize("kind", Format)
def test_nothing_in_it_commands_a_terminal(state: Path, kind: Format) -> None:
    (path,) = fill(state, 1)
    record = path.read_text("utf-8")
    evil = "\x1b]0;x\x07\x9b2J\u202e\r"
    record = record.replace("Night train", f"Night{evil} train").replace("Ada", f"A{evil}da")
    path.write_text(f"; a remark{evil}\n{record}", "utf-8")
    text = text_of(state, kind)
    assert "Night" in text
    assert all(line.isprintable() for line in text.split("\n"))
