"""The limits agree with each other, and leave room for everything honest."""

from protocol import limits
from tests.protocol.stories import Story


def test_a_log_that_is_almost_full_still_has_room_for_a_game() -> None:
    story = Story(9).start(*range(9)).toss(*range(9)).play_on()
    assert len(story.entries) < limits.LOG_RESERVE < limits.MAX_LOG
