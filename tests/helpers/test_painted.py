"""What a terminal is sent when one drawing takes the place of another."""

from spoof_tui.ui.canvas.cells import Sheet
from tests.helpers.painted import painted


def test_only_the_cells_that_differ_are_written() -> None:
    before, after = Sheet(20, 2), Sheet(20, 2)
    after.put(3, 1, "ab")
    assert painted(before, before) == ""
    assert painted(before, after).startswith("\x1b[2;4H")
    assert painted(before, after).endswith("ab\x1b[m")
