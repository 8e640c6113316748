"""More than half of a table is gone at once: those who stay carry the game on, by one key each."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.table.state import Phase
from tests.end_to_end import markers
from tests.end_to_end.homes import eventually, table_of
from tests.end_to_end.party import PATIENCE, Party
from tests.helpers.namespaces import why_not

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")
GRACE = ("--grace", "5")


def carry_on(party: Party, *staying: int) -> None:
    """All the others are gone at once; these agree, and get as far as the fists of the new
    table."""
    for player in set(range(len(NAMES))) - set(staying):
        party.kill(player)
    for player in staying:
        party.terminals[player].wait(markers.NEW_TABLE, PATIENCE)
    for player in staying:
        party.terminals[player].send("y")
    for player in staying:
        party.terminals[player].wait(f"{3 * len(staying)} coins in play", PATIENCE)


def new_log(party: Party, player: int) -> Path:
    """A player's copy of the new table's log."""
    logs = [path for path in party.homes[player].logs() if table_of(path).continues]
    return logs[-1]


def test_two_of_five_carry_the_game_on_by_one_key_without_its_host(tmp_path: Path) -> None:
    staying = (1, 2)
    with Party(tmp_path, NAMES, options=GRACE) as party:
        party.deal(1, 1, 1, 1, 1)
        carry_on(party, *staying)
        for player in staying:
            party.terminals[player].send("u1")
        log = new_log(party, staying[0])
        eventually(lambda: table_of(log).phase is Phase.SPEAKING, "the first word", PATIENCE)
        verified = party.homes[staying[0]].run("verify", str(log))
        assert verified.returncode == 0, verified.stdout
        assert "The old table’s log confirms all of this" in verified.stdout
