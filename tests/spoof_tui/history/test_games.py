"""A finished game as the history keeps it: by its record, and by the log beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Offence
from protocol.table.statements import AwardFine
from spoof_tui.history.games import KeptGame, read_game, unrecorded
from spoof_tui.storage import paths
from spoof_tui.storage.archive import Archive, GameLog, Unrecorded
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
    path.write_text(record(*lines, result="D", **said), "utf-8")
    return read_game(path, (), name)


def test_a_record_says_the_places_the_coins_and_who_took_from_me(tmp_path: Path) -> None:
    game = kept(tmp_path, *GAME, name="Sue")
    assert [(each.name, each.place, each.coins) for each in game.players] == [
        ("Sue", 2, 0), ("Dan", 1, 3), ("Max", 3, 0),
    ]  # fmt: skip
    assert [(each.took, each.gave) for each in game.players] == [(0, 0), (3, 0), (0, 3)]
    assert (game.me, game.rounds, game.preset, game.event) == (0, 6, "milan", "Night train")


NONE: list[int | None] = [None] * 3
DRINKS = "milan stake=drinks"
STAKES: list[tuple[str, str, list[int] | None, list[int] | None]] = [
    ("milan", "", [-1, 2, -1], None),
    (DRINKS, "", None, [0, 0, 1]),
    ("milan", '[Chips "S-1 D+5 M-1 X+9 D?"]\n', [-1, 5, -1], None),
    (DRINKS, '[Paid "S"]\n', None, [1, 0, 0]),
    (DRINKS, '[Paid "*"]\n', None, [0, 0, 0]),
]


@pytest.mark.parametrize(("rules", "more", "chips", "paid"), STAKES)
def test_what_a_record_states_of_its_stakes_is_believed_and_else_the_rules_say_it(
    tmp_path: Path, rules: str, more: str, chips: list[int] | None, paid: list[int] | None
) -> None:
    players = kept(tmp_path, *GAME, rules=rules, more=more).players
    assert [each.chips for each in players] == (chips or NONE)
    assert [each.rounds_paid for each in players] == (paid or NONE)


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
    assert [(each.place, each.coins) for each in game.players] == [(3, 0), (1, 3), (2, 0)]
    assert (game.rounds, game.me) == (3, 2)
    path.write_text("\n".join([first] * 10), "utf-8")
    with pytest.raises(OSError, match="more than one game"):
        read_game(path, (), "Max")


def test_its_name_says_when_it_was_over_and_else_its_file(tmp_path: Path) -> None:
    early = kept(tmp_path, *GAME, stem="2026-11-22-200000-Night-train-game-3")
    late = kept(tmp_path, *GAME, stem="2026-11-22-203000-Night-train-game-4")
    assert (early.number, late.number) == (3, 4)
    assert late.finished - early.finished == 30 * 60 * 1000
    for stem in ("game", "2026-99-22-200000-Night-train-game-3"):
        written = kept(tmp_path, *GAME, stem=stem).finished
        assert written == int((tmp_path / f"{stem}.spoof").stat().st_mtime * 1000)


@pytest.mark.parametrize("text", ["", "nonsense", '[Event "x"]\n[Rules "chess"]\n', "\x00" * 99])
def test_what_is_no_record_has_no_players(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.spoof"
    path.write_text(text)
    assert read_game(path, (), "Sue").players == ()


def test_names_are_made_harmless(tmp_path: Path) -> None:
    game = kept(tmp_path, *GAME, seats="S:Sue\u202e D:Big_Dan M:_", name="Big Dan")
    assert [each.name for each in game.players] == ["Sue", "Big Dan", "M"] and game.me == 1


# The log beside it


def played(rules: str = "milan", games: int = 1) -> MemoryTable:
    table = MemoryTable(3, rules=rules)
    for _game in range(games):
        table.ready()
        table.play_on()
    return table


def saved(table: MemoryTable) -> Path:
    path = Archive().save(table.host.table, table.host.log)
    assert path is not None
    return path


def test_the_log_says_who_i_am_and_when_the_game_was_over() -> None:
    table = played(games=2)
    path, game = saved(table), table.host.table.game
    assert game is not None
    keys = tuple(player.key for player in game.players)
    assert unrecorded(path) == Unrecorded(keys, table.host.table.time, {})
    for seat, key in enumerate(keys):
        kept = read_game(path, (key,), "somebody else")
        assert (kept.me, kept.finished) == (seat, table.host.table.time)
    assert read_game(path, (), "Player1").me is None


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_a_game_without_what_was_kept_beside_its_record_has_it_in_its_log(rules: str) -> None:
    table = played(rules, games=2)
    path = saved(table)
    path.with_suffix(".log").write_bytes(GameLog.of(path).path.read_bytes())
    kept, keys = unrecorded(path), {each.guest.key for each in table.clients}
    game = read_game(path, keys, "")
    for damage in ("{}", '{"players": 3}', "[]", '{"players": ["x"], "finished": 1, "owed": {}}'):
        path.with_suffix(".json").write_text(damage)
        assert (unrecorded(path), read_game(path, keys, "")) == (kept, game)
    path.with_suffix(".json").unlink()
    assert (unrecorded(path), read_game(path, keys, "")) == (kept, game)


def test_the_fines_of_a_chairman_are_on_the_slate() -> None:
    table = played("hollywood")
    offender = table.clients[1].guest.key
    chairman = next(each for each in table.clients if each.guest.key == table.host.table.chairman)
    table.act(chairman, chairman.guest.propose(AwardFine(offender, Offence.OTHER)))
    path, slate = saved(table), table.host.table.slate
    owed = {fine.key: slate.owed(fine.key) for fine in slate.fines}
    assert unrecorded(path).owed == owed and owed[offender] > 0
    game, order = read_game(path, (), ""), unrecorded(path).players
    assert [each.owed for each in game.players] == [owed.get(key, 0) for key in order]


@given(st.binary(max_size=200))
def test_a_file_that_is_no_log_says_nothing_wrong(data: bytes) -> None:
    path = paths.state_folder() / "any.log"
    path.write_bytes(data)
    seen = unrecorded(path)
    assert seen.players == () or all(len(key) <= 32 for key in seen.players)
