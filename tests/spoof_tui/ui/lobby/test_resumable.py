"""Tables that can be continued, in words."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.table.fold import Phase
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.ui.lobby import resumable as kept

NOW = 1_700_000_000_000


def saved(
    phase: Phase = Phase.SPEAKING, game: int = 2, round: int = 3, minutes: int = 5
) -> SavedTable:
    time = NOW - minutes * 60_000
    return SavedTable(b"t" * 32, ForeignText("Night train"), time, phase, game, round, b"h" * 32)


def test_how_far_a_table_has_come() -> None:
    assert kept.where(saved()) == "game 2, round 3"
    assert kept.where(saved(Phase.LOT, round=0)) == "game 2, round 1"
    assert kept.where(saved(Phase.GATHERING)) == "after game 2"
    assert kept.where(saved(Phase.GATHERING, game=0)) == "no game yet"


def test_a_game_that_broke_off_of_late_is_remembered() -> None:
    assert kept.reminder(saved(), NOW) == "game 2, round 3, 5 minutes ago"


def test_nobody_is_reminded_of_what_ended_or_is_long_ago() -> None:
    assert kept.reminder(saved(Phase.GATHERING), NOW) == ""
    assert kept.reminder(saved(minutes=60 * 24), NOW) == ""
