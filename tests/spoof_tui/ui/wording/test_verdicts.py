"""Verdicts in two words."""

from protocol.rules.words import Bid, Ending
from spoof_tui.ui.wording.verdicts import moved
from tests.helpers.tables import MemoryTable

NAMES = ("Ann", "Bob", "Cem")


def test_i_am_called_you() -> None:
    table = MemoryTable(2, "milan", start_when=2)
    table.ready()
    table.choose(1, 1)
    table.say(Bid(3), Ending.CALL)
    played = table.clients[0].view.past[-1]
    [payer] = played.outcome.changes
    assert moved(played, NAMES, payer) == "you −1"
    assert moved(played, NAMES, None) == f"{NAMES[payer]} −1"
