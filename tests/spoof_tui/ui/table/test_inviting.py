"""How others come to the own table, and what is in the way."""

from spoof_tui.door.opening import DoorOpened
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.ui.table.inviting import door_line, how_to_come, in_the_way
from spoof_tui.ui.table.scene import Scene
from tests.helpers.tables import MemoryTable

TABLE = Scene(address="192.168.1.20:7763", door=DoorOpened(2222, "SHA256:x"))
PROBLEM = Finding(Code.OWN_FIREWALL, Severity.PROBLEM)
NOTE = Finding(Code.QUIET, Severity.NOTE)


def test_only_what_hinders_is_told_at_the_table() -> None:
    assert in_the_way(Scene()) == []
    assert in_the_way(Scene(findings=(NOTE,))) == []
    headline, todo, more = in_the_way(Scene(findings=(PROBLEM, NOTE)))
    assert headline == "A firewall on this computer hides the tables from you."
    assert todo.startswith("Let Spoof through")
    assert "x" in more


def test_nobody_is_said_to_find_a_table_that_something_hides() -> None:
    view = MemoryTable(1).clients[0].view
    scene = Scene(address="192.168.1.20:7763", code="K7M4Q", findings=(PROBLEM,))
    typed, *others = how_to_come(scene, view)
    assert typed == "Others type: spoof join 192.168.1.20 K7M4Q"
    assert not any(others)


def test_a_door_is_named_beside_the_invitation() -> None:
    view = MemoryTable(1).clients[0].view
    assert door_line(TABLE) == "ssh -p 2222 192.168.1.20"
    assert any("ssh -p 2222 192.168.1.20" in line for line in how_to_come(TABLE, view))
    closed = Scene(address=TABLE.address)
    assert door_line(closed) == "" and not any("ssh" in line for line in how_to_come(closed, view))
