"""How others come to the own table, and what is in the way."""

from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.ui.table.inviting import in_the_way
from spoof_tui.ui.table.scene import Scene

PROBLEM = Finding(Code.OWN_FIREWALL, Severity.PROBLEM)
NOTE = Finding(Code.QUIET, Severity.NOTE)


def test_only_what_hinders_is_told_at_the_table() -> None:
    assert in_the_way(Scene()) == []
    assert in_the_way(Scene(findings=(NOTE,))) == []
    headline, todo, more = in_the_way(Scene(findings=(PROBLEM, NOTE)))
    assert headline == "A firewall on this computer hides the tables from you."
    assert todo.startswith("Let Spoof through")
    assert "x" in more
