"""The rations of statements that are not moves in a game."""

from protocol.encoding.untrusted import ForeignText
from protocol.host.sequencer import TalkLimits
from protocol.limits import (
    SEATING_BURST,
    SEATING_OF_ADDRESS_BURST,
    TALK_BURST,
    TALK_INTERVAL,
    TALK_OF_ROUND,
)
from protocol.table.statements import Say, Sit
from tests.protocol.stories import Story

HM = Say(ForeignText("hm"))


def taken(rations: TalkLimits, story: Story, who: int, times: int, every: float = 0.0) -> int:
    """How often a participant was allowed to talk."""
    intent = story.intent(who, HM)
    return sum(rations.take(story.table, intent, number * every) for number in range(times))


def test_a_round_has_room_for_so_much_talk_of_each_however_slow() -> None:
    rations, story = TalkLimits(), Story(2).start(0, 1).toss(0, 1)
    assert taken(rations, story, 0, 200, TALK_INTERVAL) == TALK_OF_ROUND
    assert taken(rations, Story(2), 0, 200, TALK_INTERVAL) > TALK_OF_ROUND


def test_sitting_down_takes_of_what_all_share_and_who_has_nothing_left_takes_none_of_it() -> None:
    rations, story = TalkLimits(), Story(0)
    sit = Sit(ForeignText("x"))
    for _ in range(100):
        rations.take(story.table, story.intent(19, sit), 0.0)
    rest = [rations.take(story.table, story.intent(who, sit), 0.0) for who in range(18)]
    assert rest.count(True) == min(18, SEATING_BURST - TALK_BURST)


def test_throw_away_keys_of_one_address_leave_seats_to_others() -> None:
    rations, story = TalkLimits(), Story(0)
    sit = Sit(ForeignText("x"))
    here = [rations.take(story.table, story.intent(who, sit), 0.0, "10.0.0.1") for who in range(19)]
    assert here.count(True) == SEATING_OF_ADDRESS_BURST
    assert rations.take(story.table, story.intent(19, sit), 0.0, "10.0.0.2")
