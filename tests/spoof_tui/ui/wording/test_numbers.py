"""Numbers as people write them."""

from spoof_tui.ui.wording.numbers import percent


def test_a_chance_is_a_percentage() -> None:
    assert [percent(chance) for chance in (0.0, 0.256, 1.0)] == ["0 %", "26 %", "100 %"]
