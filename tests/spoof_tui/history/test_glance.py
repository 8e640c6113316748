"""What a glance at a log says."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Offence
from protocol.table.statements import AwardFine, Say
from spoof_tui.history.glance import Glance, glance
from spoof_tui.storage import paths
from spoof_tui.storage.archive import archive
from tests.helpers.tables import MemoryTable


def saved(table: MemoryTable) -> Path:
    path = archive(table.host.table, table.host.log)
    assert path is not None
    return path.with_suffix(".log")


def played(rules: str = "milan", games: int = 1) -> MemoryTable:
    table = MemoryTable(3, rules=rules)
    for _game in range(games):
        table.ready()
        table.play_on()
    return table


def test_the_players_of_the_last_game_are_those_that_it_names() -> None:
    table = played(games=2)
    seen = glance(saved(table))
    game = table.host.table.game
    assert game is not None and game.number == 2
    assert seen.players == tuple(player.key for player in game.players)
    assert seen.finished == table.host.table.time
    assert seen.owed == {}


@pytest.mark.parametrize("kind", ["game-started", "fine"])
def test_a_line_of_talk_is_taken_for_nothing_else(kind: str) -> None:
    table = played()
    before = glance(saved(table))
    talker = table.clients[1]
    # As UTF-8 these letters end in the bytes with which such a statement begins in msgpack.
    for letter in ("\u14ac", "\u14e4"):
        table.act(talker, talker.guest.state(Say(ForeignText(f"{letter}{kind}"))))
    seen = glance(saved(table))
    assert (seen.players, seen.owed) == (before.players, {})
    assert len(seen.players) == 3


def test_the_fines_of_a_chairman_are_on_the_slate() -> None:
    table = played("hollywood")
    offender = table.clients[1].guest.key
    chairman = next(each for each in table.clients if each.guest.key == table.host.table.chairman)
    table.act(chairman, chairman.guest.state(AwardFine(offender, Offence.OTHER)))
    seen = glance(saved(table))
    assert seen.owed[offender] == table.host.table.slate.owed(offender) > 0


def test_without_a_log_nothing_is_seen(tmp_path: Path) -> None:
    assert glance(tmp_path / "none.log") == Glance()


@given(st.binary(max_size=200))
def test_a_file_that_is_no_log_says_nothing_wrong(data: bytes) -> None:
    path = paths.state_folder() / "any.log"
    path.write_bytes(data)
    seen = glance(path)
    assert seen.players == () or all(len(key) <= 32 for key in seen.players)
