"""What `spoof verify` tells of the stakes of an evening: chips, pot, and rounds paid."""

from __future__ import annotations

from protocol.encoding.framing import frame
from protocol.table.verify import LogReport, verify
from spoof_tui.commands.verify import as_json
from spoof_tui.ui.wording.verify_report import report
from tests.protocol.stories import Story


def verified(story: Story) -> LogReport:
    return verify([frame(entry.blob) for entry in story.entries])


def dealt(rules: str = "milan") -> Story:
    return Story(3, rules).start(0, 1, 2).toss(0, 1, 2)


def test_verify_tells_of_a_pot_that_nobody_took_s1() -> None:
    assert "3 chips lie in the pot (S1)." in list(report(verified(dealt())))


def test_verify_tells_nothing_where_nothing_is_kept_s3() -> None:
    lines = "".join(report(verified(dealt("milan stake=none").play_on())))
    assert "Chips: " not in lines and "Rounds paid: " not in lines and "(S1)" not in lines


def test_programs_are_told_the_stakes_by_key() -> None:
    story = dealt().play_on()
    stakes = story.table.stakes
    assert as_json(verified(story))["stakes"] == {
        "pot": 0, "chips": {key.hex(): stakes.up(key) for key in stakes.chips}, "paid": {},
    }  # fmt: skip
