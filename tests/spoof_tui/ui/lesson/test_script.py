"""The lesson: the rules allow it, the right keys lead through it, and no other key does."""

import pytest

from protocol.errors import Illegal, Reason
from protocol.rules.outcome import Verdict
from protocol.rules.words import Bid, Ending
from protocol.views import FistState
from spoof_tui.ui.lesson.drawing import scene
from spoof_tui.ui.lesson.script import ME, ROUNDS, Invite, Lesson, Stage, Step, Topic, play
from spoof_tui.ui.lesson.steps import lesson as begun
from spoof_tui.ui.lesson.steps import script
from spoof_tui.ui.table.controls import Act, PutIn, SayWord

KEYS = (
    *"0123456789clszpmtqh?o",
    *("enter", "space", "up", "down", "left", "right", "backspace", "escape", "f5", "tab"),
)

BACK = ("left", "backspace")


BOTH = (1, 2)
"""The lessons by their numbers."""


def lessons() -> list[Lesson]:
    """Both lessons at each of their steps."""
    return [Lesson(script(number), place, begun(number).known)
            for number in BOTH for place in range(len(script(number)))]  # fmt: skip


def at(topic: Topic) -> Lesson:
    """The lesson at the step that teaches something."""
    return next(lesson for lesson in lessons() if lesson.step.topic is topic)


def test_the_rules_allow_all_rounds_and_give_every_kind_of_ending() -> None:
    assert [played.outcome.verdict for played in play()] == [
        Verdict.CALL_BID_FALSE,
        Verdict.CALL_BID_TRUE,
        Verdict.CLIFF_RIGHT,
        Verdict.SPOOF_RIGHT,
        Verdict.ZERO_RIGHT,
    ]


def test_the_first_rounds_are_those_of_the_kyiv_guide() -> None:
    coins = [played.outcome.coins for played in play()]
    assert coins[:3] == [(3, 3, 2), (3, 2, 2), (3, 2, 3)]
    assert ROUNDS[1].words == (Bid(1), Bid(2), Bid(3), Bid(4), Ending.CALL)


@pytest.mark.parametrize("number", BOTH)
def test_the_right_keys_lead_to_the_end(number: int) -> None:
    lesson = begun(number)
    pressed = 0
    while not isinstance(lesson.step.ask, Invite):
        place = lesson.place
        lesson.press(sorted(lesson.step.keys)[0])
        assert lesson.place == place + 1 and not lesson.remark
        pressed += 1
    assert pressed == len(lesson.script) - 1


def test_both_lessons_together_teach_everything_once() -> None:
    taught = [step.topic for number in BOTH for step in script(number) if step.topic]
    assert sorted(taught, key=str) == sorted(Topic, key=str)
    assert begun(2).known == tuple(step.topic for step in script(1) if step.topic)


@pytest.mark.parametrize("number", BOTH)
def test_a_lesson_is_short(number: int) -> None:
    assert len(script(number)) <= 14


@pytest.mark.parametrize(
    "lesson", lessons(), ids=lambda lesson: f"{len(lesson.known)}-{lesson.place + 1}"
)
def test_a_wrong_key_gets_its_sentence_and_changes_nothing(lesson: Lesson) -> None:
    before = scene(lesson)
    for key in KEYS:
        if key in lesson.step.keys or key in BACK or key in lesson.step.tries:
            continue
        place = lesson.place
        lesson.press(key)
        assert lesson.remark
        assert (lesson.place, scene(lesson)) == (place, before)


def trying() -> list[tuple[Lesson, str]]:
    """Both lessons where another word may be tried, and its key."""
    return [(lesson, key) for lesson in lessons() for key in lesson.step.tries]


def test_each_lesson_lets_one_word_be_tried() -> None:
    assert [len(lesson.known) for lesson, _key in trying()] == [0, 3]


@pytest.mark.parametrize(("lesson", "key"), trying())
def test_what_is_tried_costs_a_coin_and_is_taken_back(lesson: Lesson, key: str) -> None:
    before, place = scene(lesson), lesson.place
    lesson.press(key)
    assert lesson.step.stage is Stage.COUNT and not lesson.remark
    assert lesson.round.outcome.coins[ME] == lesson.round.words.coins[ME] - 1
    lesson.press("f5")
    assert lesson.remark and lesson.tried
    lesson.press("enter")
    assert "take it back" not in lesson.step.request
    assert (lesson.place, scene(lesson)) == (place, before)


@pytest.mark.parametrize(("lesson", "key"), trying())
def test_a_wrong_word_is_tried_only_once(lesson: Lesson, key: str) -> None:
    for pressed in (key, "enter", key):
        lesson.press(pressed)
    assert lesson.tried is None
    assert lesson.remark == lesson.step.instead[key]


@pytest.mark.parametrize("key", BACK)
def test_back_leads_back_to_the_beginning(key: str) -> None:
    lesson = Lesson(script(), 3)
    lesson.press("f5")
    for place in (2, 1, 0, 0):
        lesson.press(key)
        assert (lesson.place, lesson.remark) == (place, "")


def test_what_the_rules_forbid_is_told_by_the_rules() -> None:
    hand = at(Topic.HAND)
    hand.press("7")
    assert isinstance(hand.remark, Illegal) and hand.remark.reason is Reason.HAND_TOO_BIG
    assert told_by_rules("z") is Reason.ZERO_FIRST_ONLY
    assert told_by_rules("c") is None


def told_by_rules(key: str) -> Reason | None:
    """What the rules object to a key at the raise."""
    lesson = at(Topic.RAISE)
    lesson.press(key)
    return lesson.remark.reason if isinstance(lesson.remark, Illegal) else None


def test_what_is_allowed_and_unwise_is_told_by_the_lesson() -> None:
    lesson = at(Topic.RAISE)
    lesson.press("c")
    assert isinstance(lesson.remark, str) and "fewer than 3" in lesson.remark


def test_every_word_of_the_player_is_the_players_turn_and_the_next_of_the_round() -> None:
    for lesson in lessons():
        ask = lesson.step.ask
        if isinstance(ask, SayWord):
            assert lesson.step.stage is Stage.SPEAKING
            assert lesson.round.words.words[lesson.step.words] == (ME, ask.word)
        elif isinstance(ask, PutIn):
            assert lesson.step.stage is Stage.CHOOSING
            assert lesson.round.hands[ME] == ask.coins


def test_no_word_of_the_player_is_said_by_the_lesson_itself() -> None:
    asked = [(lesson.step.round_index, lesson.step.ask.word) for lesson in lessons()
             if isinstance(lesson.step.ask, SayWord)]  # fmt: skip
    own = [(tale, word) for tale, played in enumerate(play())
           for seat, word in played.words.words if seat == ME]  # fmt: skip
    assert asked == own


def test_the_story_only_goes_forward() -> None:
    stages = list(Stage)
    steps = [step for number in BOTH for step in script(number)]
    places = [(step.round_index, stages.index(step.stage), step.words) for step in steps]
    assert places == sorted(places)


def test_no_hand_is_in_a_view_before_the_count() -> None:
    for lesson in lessons():
        still = scene(lesson)
        assert still.view is not None
        if lesson.step.stage is not Stage.COUNT:
            assert {seat.hand for seat in still.view.seats} == {None}
            assert FistState.OPEN not in {seat.fist for seat in still.view.seats}
        assert (still.peek is not None) == lesson.step.peeks


def test_the_player_sits_below_and_peeks_at_the_own_hand_only() -> None:
    (peeking,) = (lesson for lesson in lessons() if lesson.step.peeks)
    still = scene(peeking)
    assert still.view is not None and still.view.me == ME
    assert still.peek == peeking.round.hands[ME]


def test_every_step_says_something_and_asks_for_something() -> None:
    for step in (step for number in BOTH for step in script(number)):
        assert step.says and step.request and step.otherwise
        assert step.keys or isinstance(step.ask, Invite)


def test_a_step_tells_its_keys() -> None:
    def keys(ask: PutIn | SayWord | Act) -> frozenset[str]:
        return Step(round_index=0, stage=Stage.EMPTY, says="", ask=ask).keys

    assert keys(PutIn(2)) == {"2"}
    assert keys(SayWord(Ending.CLIFF)) == {"l"}
    assert keys(SayWord(Bid(4))) == {"enter"}
    assert keys(Act.PEEK) == {"space"}
