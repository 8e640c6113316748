"""The steps of the lessons in words."""

from spoof_tui.storage.settings import PRESETS
from spoof_tui.ui.lesson.script import RULES, Invite
from spoof_tui.ui.lesson.steps import lesson, names, script


def test_the_first_lesson_invites_to_the_second_and_both_to_a_game() -> None:
    asks = [script(number)[-1].ask for number in (1, 2)]
    assert asks == [Invite(goes_on=True), Invite(goes_on=False)]
    assert all("Press" in script(number)[-1].request for number in (1, 2))


def test_the_second_lesson_knows_what_the_first_has_taught() -> None:
    assert not lesson(1).known and len(lesson(2).known) == 3


def test_the_rules_that_are_taught_can_be_played_at_once() -> None:
    assert RULES.preset in PRESETS and not RULES.changes


def test_everybody_has_another_name() -> None:
    assert len(set(names())) == 3
