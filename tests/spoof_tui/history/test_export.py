"""Games as other programs take them."""

import csv
import io
import json
from pathlib import Path

import pytest

from protocol.notation import check, read
from spoof_tui.history.export import COLUMNS, Format, as_csv, exported
from spoof_tui.history.index import consult
from spoof_tui.history.queries import ListedGame, games
from tests.helpers.histories import fill


def text_of(state: Path, kind: Format) -> str:
    listed, _answer = consult(games)
    return consult(exported(listed, kind, state / "games"))[0]


def test_records_are_one_file_of_games_without_a_fault(state: Path) -> None:
    fill(state, 7)
    found = [*read([text_of(state, Format.SPOOF).encode()])]
    assert len(found) == 7
    assert not any(check(game).faults for game in found)


def test_csv_has_a_line_for_each_player_of_each_game(state: Path) -> None:
    fill(state, 5)
    rows = [*csv.DictReader(io.StringIO(text_of(state, Format.CSV)))]
    assert tuple(rows[0]) == COLUMNS
    listed, _answer = consult(games)
    assert len(rows) == sum(game.seats for game in listed)
    assert sum(row["is_me"] == "True" for row in rows) == 5


def test_json_has_the_same(state: Path) -> None:
    fill(state, 700)
    found = json.loads(text_of(state, Format.JSON))["games"]
    assert len(found) == 700
    for game in found:
        assert [each["place"] for each in game["players"]] == [*range(1, len(game["players"]) + 1)]


def test_a_record_that_is_gone_is_an_error(state: Path) -> None:
    (path,) = fill(state, 1)
    listed, _answer = consult(games)
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
