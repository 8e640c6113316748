"""Verdicts in two words."""

import pytest

from protocol.rules.outcome import Verdict
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.ui.wording.verdicts import moved, stamp
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.schools import a_school

NAMES = ("Ann", "Bob", "Cem")


@pytest.mark.parametrize(
    ("hands", "words", "told", "holds"),
    [
        ((1, 1, 1), (Bid(3), Ending.CALL), "good bid", True),
        ((1, 1, 0), (Bid(3), Ending.CALL), "too high", False),
        ((1, 1, 1), (Bid(3), Ending.CLIFF), "exact", True),
        ((1, 1, 1), (Bid(2), Ending.CLIFF), "not exact", False),
        ((3, 3, 3), (Ending.SPOOF,), "all are in", True),
        ((3, 3, 2), (Ending.SPOOF,), "not all in", False),
        ((0, 0, 0), (Ending.ZERO,), "all empty", True),
        ((0, 0, 1), (Ending.ZERO,), "not empty", False),
    ],
)
def test_every_ending_has_its_stamp(
    hands: tuple[int, ...], words: tuple[Word, ...], told: str, holds: bool
) -> None:
    table = MemoryTable(3, "milan", start_when=3)
    table.ready()
    table.choose(*hands)
    table.say(*words)
    played = table.clients[0].view.past[-1]
    assert stamp(played) == (f"{'✓' if holds else '✗'} {told}", holds)
    payers = played.outcome.changes
    assert moved(played, NAMES).count("−1") == sum(change < 0 for change in payers.values())
    assert ("nobody pays" in moved(played, NAMES)) == (not payers)


def test_i_am_called_you() -> None:
    table = MemoryTable(2, "milan", start_when=2)
    table.ready()
    table.choose(1, 1)
    table.say(Bid(3), Ending.CALL)
    played = table.clients[0].view.past[-1]
    [payer] = played.outcome.changes
    assert moved(played, NAMES, payer) == "you −1"
    assert moved(played, NAMES, None) == f"{NAMES[payer]} −1"


def test_whoever_guesses_leaves() -> None:
    played = a_school((1, 1, 1), 3, 4, 5).clients[0].view.past[-1]
    assert played.outcome.verdict is Verdict.GUESSED
    assert stamp(played)[0].endswith("guessed") and moved(played, NAMES).endswith("left")
