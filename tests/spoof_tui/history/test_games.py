"""A finished game as the history keeps it."""

from pathlib import Path

import pytest

from spoof_tui.history.games import KeptGame, read_game
from spoof_tui.storage.archive import archive
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.history.played import record

GAME = (
    "1. D4 M6 S! (S0 D2 M2) M- = S3 D3 M2",
    "2. M5 S! (S0 D0 M0) M- = S3 D3 M1",
    "3. M5 S! (S0 D0 M0) M- = S3 D3 M0",
    "4. S5 D! (S0 D0) S- = S2 D3",
    "5. S5 D! (S0 D0) S- = S1 D3",
    "6. S4 D! (S0 D0) S- = S0 D3",
)


def kept(tmp_path: Path, *lines: str, name: str = "", stem: str = "game", **said: str) -> KeptGame:
    path = tmp_path / f"{stem}.spoof"
    path.write_text(record(*lines, **said), "utf-8")
    return read_game(path, (), name)


def test_places_are_the_order_of_going_out(tmp_path: Path) -> None:
    game = kept(tmp_path, *GAME, result="D", name="Sue")
    assert [(each.name, each.place) for each in game.players] == [
        ("Sue", 2),
        ("Dan", 1),
        ("Max", 3),
    ]
    assert game.me == 0 and game.rounds == 6
    assert [each.coins for each in game.players] == [0, 3, 0]


def test_the_pot_goes_to_the_winner(tmp_path: Path) -> None:
    game = kept(tmp_path, *GAME, result="D")
    assert [each.chips for each in game.players] == [-1, 2, -1]
    assert {each.rounds_paid for each in game.players} == {None}


def test_the_first_one_out_pays_where_drinks_are_the_stake(tmp_path: Path) -> None:
    game = kept(tmp_path, *GAME, result="D", rules="milan stake=drinks")
    assert [each.rounds_paid for each in game.players] == [0, 0, 1]
    assert {each.chips for each in game.players} == {None}


def test_what_a_record_states_of_its_stakes_is_believed(tmp_path: Path) -> None:
    game = kept(tmp_path, *GAME, result="D", more='[Chips "S-1 D+5 M-1 X+9 D?"]\n')
    assert [each.chips for each in game.players] == [-1, 5, -1]
    drinks = "milan stake=drinks"
    game = kept(tmp_path, *GAME, result="D", rules=drinks, more='[Paid "S"]\n')
    assert [each.rounds_paid for each in game.players] == [1, 0, 0]
    game = kept(tmp_path, *GAME, result="D", rules=drinks, more='[Paid "*"]\n')
    assert [each.rounds_paid for each in game.players] == [0, 0, 0]


def test_of_a_school_the_last_one_left_pays(tmp_path: Path) -> None:
    lines = ("1. S4 D5 M6 (S1 D2 M1) S* = D M", "2. D3 M2 (D1 M1) M* = D")
    game = kept(tmp_path, *lines, rules="hollywood", result="D")
    assert [each.place for each in game.players] == [1, 3, 2]
    assert [each.rounds_paid for each in game.players] == [0, 1, 0]


def test_a_seat_that_was_removed_is_out_there(tmp_path: Path) -> None:
    first = record(GAME[0], more='[Removed "S"]\n')
    second = record(
        "1. M4 D! (D0 M0) M- = D3 M1",
        "2. M4 D! (D0 M0) M- = D3 M0",
        seats="D:Dan M:Max", result="D", more='[Coins "D3 M2"]\n',
    )  # fmt: skip
    path = tmp_path / "game.spoof"
    path.write_text(first + "\n" + second, "utf-8")
    game = read_game(path, (), "Max")
    assert [(each.name, each.place) for each in game.players] == [
        ("Sue", 3),
        ("Dan", 1),
        ("Max", 2),
    ]
    assert game.rounds == 3 and game.me == 2


def test_its_name_says_when_it_was_over(tmp_path: Path) -> None:
    early = kept(tmp_path, *GAME, stem="2026-11-22-200000-Night-train-game-3")
    late = kept(tmp_path, *GAME, stem="2026-11-22-203000-Night-train-game-4")
    assert (early.number, late.number) == (3, 4)
    assert late.finished - early.finished == 30 * 60 * 1000


@pytest.mark.parametrize("text", ["", "nonsense", '[Event "x"]\n[Rules "chess"]\n', "\x00" * 99])
def test_what_is_no_record_has_no_players(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.spoof"
    path.write_text(text)
    assert read_game(path, (), "Sue").players == ()


def test_names_are_made_harmless(tmp_path: Path) -> None:
    game = kept(tmp_path, *GAME, seats="S:Sue\u202e D:Dan M:Max")
    assert game.players[0].name == "Sue"


def test_the_log_beside_it_says_who_i_am() -> None:
    table = MemoryTable(3)
    table.ready()
    table.play_on()
    path = archive(table.host.table, table.host.log)
    assert path is not None
    for seat, client in enumerate(table.clients):
        game = read_game(path, (client.guest.key,), "somebody else")
        assert game.me == seat
        assert game.finished == table.host.table.time
    assert read_game(path, (), "Player1").me is None
