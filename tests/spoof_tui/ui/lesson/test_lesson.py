"""The lesson: the rules allow it, the right keys lead through it, and no other key does."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from protocol.rules.options import Rules
from protocol.rules.words import Verdict
from spoof_tui.beats import Beat
from spoof_tui.storage.settings import PRESETS, Practice
from spoof_tui.telling.pacing import Reveal
from spoof_tui.text import i18n
from spoof_tui.text.i18n import LANGUAGES
from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.lesson.screen import (
    LessonScreen,
    lesson_acts,
    lesson_panel,
    lesson_parts,
    scene,
)
from spoof_tui.ui.lesson.steps import (
    DMYTRO,
    MARIA,
    ME,
    RULES,
    SCHOOL,
    Invite,
    Lesson,
    LessonStage,
    Topic,
    names,
    play,
    script,
)
from spoof_tui.ui.lesson.steps import lesson as begun
from tests.helpers.pages import on_a_page
from tests.spoof_tui.ui.lobbies import Lobby, until
from tests.spoof_tui.ui.table.scenes import lines

KEYS = (
    *"0123456789clszpmtqh?o",
    *("enter", "space", "up", "down", "left", "right", "backspace", "escape", "f5", "tab"),
)
BACK = ("left", "backspace")
KEY = re.compile(r"\b(Enter|Esc|[b-z])\b|(?:[Pp]ress|[Нн]атисніть) (\d)|(space bar|[Пп]робіл)")
"""What names a key in a text."""
ENDINGS = frozenset({Topic.CALL, Topic.CLIFF, Topic.ZERO, Topic.SPOOF, Topic.LEAVING, Topic.FINES})
"""What only a count shows."""
PLACES = [(number, place) for number in (1, 2, 3) for place in range(len(script(number)))]
"""Every step of all lessons."""


def at(place: tuple[int, int]) -> Lesson:
    """A lesson at one of its steps."""
    number, step = place
    return Lesson(script(number), step)


def panel(lesson: Lesson, width: int = 80, height: int = 8) -> str:
    """The panel in one line, without its frame."""
    parts = lesson_panel(lesson, Place(0, 0, width, height))
    rows = [strip.text.strip() for strip in lines(parts, width, height)]
    return " ".join(" ".join(rows).split())


@pytest.mark.parametrize("place", PLACES)
def test_a_page_is_asked_for_the_button_that_goes_on_and_told_of_no_key(
    place: tuple[int, int],
) -> None:
    lesson = at(place)
    with on_a_page():
        shown = panel(lesson, 45, 30)
        first = lesson_acts(lesson)[0].words
    assert f"Tap “{first}”." in shown and not KEY.search(shown)


# What is taught


def test_the_rules_allow_all_rounds_and_they_end_in_every_way() -> None:
    assert [played.outcome.verdict for played in play()] == [
        Verdict.CALL_BID_FALSE, Verdict.CALL_BID_TRUE, Verdict.CLIFF_RIGHT, Verdict.CLIFF_WRONG,
        Verdict.ZERO_RIGHT, Verdict.ZERO_WRONG, Verdict.SPOOF_WRONG, Verdict.SPOOF_RIGHT,
        Verdict.GUESSED, Verdict.GUESSED,
    ]  # fmt: skip
    # The eight examples of the Kyiv guide.
    coins = [played.outcome.coins for played in play()]
    assert coins[:8] == [
        (3, 3, 2), (3, 2, 2), (3, 2, 3), (2, 2, 3), (2, 1, 2), (2, 1, 1), (2, 0, 1), (2, 0, 1),
    ]  # fmt: skip


def test_in_the_guessing_game_the_first_orders_and_the_last_is_fined_and_pays() -> None:
    first, last = (played.outcome for played in play()[8:])
    assert (first.went_out, first.fined, first.next_starter) == ((ME,), (), MARIA)
    assert (last.went_out, last.fined, last.winner) == ((DMYTRO,), (MARIA,), MARIA)
    assert RULES.preset in PRESETS and not RULES.changes and len(set(names())) == 3


def test_three_short_lessons_teach_everything_once_and_invite_to_play() -> None:
    taught = [at(place).step.topic for place in PLACES]
    assert sorted(filter(None, taught), key=str) == sorted(Topic, key=str)
    assert [begun(number).number for number in (1, 2, 3)] == [1, 2, 3]
    stages = list(LessonStage)
    steps = [at(place).step for place in PLACES]
    told = [(step.round_index, stages.index(step.stage), step.words) for step in steps]
    assert told == sorted(told), "the story only goes forward"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_list_is_ticked_from_the_top_and_nothing_before_its_count_is_told(number: int) -> None:
    lesson = begun(number)
    assert not lesson.learned, "who begins with this lesson has learned nothing yet"
    for place in range(len(lesson.script)):
        lesson.place, step = place, lesson.script[place]
        ticked = len(lesson.learned)
        assert lesson.learned == lesson.topics[:ticked]
        assert [lesson.next_topic] == list(lesson.topics[ticked : ticked + 1] or [None])
        if step.stage is LessonStage.COUNT and not isinstance(step.ask, Invite):
            said = [each for each in lesson.script if each.round_index == step.round_index]
            assert not any(each.topic in {*ENDINGS} for each in said if each is not step)
    assert lesson.learned == lesson.topics


# What keys do


@pytest.mark.parametrize("place", PLACES)
def test_a_step_is_passed_by_its_key_alone_and_any_other_gets_its_sentence(
    place: tuple[int, int],
) -> None:
    lesson = at(place)
    before = scene(lesson)
    for key in KEYS:
        if key in lesson.step.keys or key in BACK or key in lesson.step.tries:
            continue
        lesson.press(key)
        assert lesson.remark
        assert (lesson.place, scene(lesson)) == (place[1], before)
    lesson.press("f5")
    assert lesson.reply in panel(lesson)
    for key in sorted(lesson.step.keys):
        lesson = at(place)
        lesson.press(key)
        assert (lesson.place, lesson.remark) == (place[1] + 1, "")
    assert lesson.place == place[1] + 1 or isinstance(lesson.step.ask, Invite)


TRIES = [(place, key) for place in PLACES for key in at(place).step.tries]


@pytest.mark.parametrize(("place", "key"), TRIES)
def test_what_is_tried_costs_a_coin_and_is_taken_back_once(
    place: tuple[int, int], key: str
) -> None:
    lesson = at(place)
    before = scene(lesson)
    lesson.press(key)
    assert lesson.step.stage is LessonStage.COUNT and not lesson.remark
    assert lesson.round.outcome.coins[ME] == lesson.round.words.coins[ME] - 1
    lesson.press("f5")
    assert lesson.remark and lesson.tried and "undo it" in lesson.step.request
    lesson.press("enter")
    assert "undo it" not in lesson.step.request
    assert (lesson.place, scene(lesson)) == (place[1], before)
    lesson.press(key)
    assert scene(lesson) == before
    assert lesson.remark == lesson.step.instead[key]


def named(text: str) -> set[str]:
    """The keys that a text names."""
    return {letter or digit or "space" for letter, digit, _space in KEY.findall(text)}


def offered(lesson: Lesson) -> set[str]:
    """The keys that do something."""
    return {act.key if act.key == "space" else act.caption for act in lesson_acts(lesson)}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("place", PLACES)
def test_no_text_names_a_key_that_does_nothing_here(place: tuple[int, int], language: str) -> None:
    i18n.install(language)
    try:
        lesson = at(place)
        for key in (None, *lesson.tries, "f5", *lesson.step.instead):
            if key is not None:
                lesson.press(key)
            for text in (lesson.step.says, lesson.task, lesson.reply, str(lesson.remark)):
                assert named(text) <= offered(lesson), text
            if lesson.tried:
                lesson.press("enter")
    finally:
        i18n.install("en")


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("place", PLACES)
def test_every_key_of_a_step_is_shown_on_a_small_screen(
    place: tuple[int, int], language: str
) -> None:
    i18n.install(language)
    try:
        lesson = at(place)
        shown = "\n".join(strip.text for strip in lines(lesson_parts(lesson, 45, 20), 45, 20))
        assert all(f"{act.caption} {act.words}" in shown for act in lesson_acts(lesson))
    finally:
        i18n.install("en")


def test_back_leads_back_to_the_beginning() -> None:
    lesson = Lesson(script(), 3)
    lesson.press("f5")
    for key, place in zip((*BACK, *BACK), (2, 1, 0, 0), strict=True):
        lesson.press(key)
        assert (lesson.place, lesson.remark) == (place, "")


# What is shown


@pytest.mark.parametrize("place", PLACES)
def test_a_lesson_can_be_left_and_helps_at_every_step(place: tuple[int, int]) -> None:
    assert {"escape", "question_mark"} <= {act.key for act in lesson_acts(at(place))}


def test_a_key_is_said_to_skip_to_the_verdict_until_that_is_shown() -> None:
    lesson = begun(1)
    lesson.place = next(
        n for n, step in enumerate(lesson.script) if step.stage is LessonStage.COUNT
    )
    for told, step in enumerate(Reveal.of(lesson.round).steps[:-1]):
        lesson.told = told
        is_shown = "You were right" in panel(lesson)
        assert is_shown == (step.beat is Beat.STAMP)
        assert ("any key goes on" if is_shown else "any key skips to the verdict") in panel(lesson)


# On the screen


def keys(number: int) -> str:
    """The keys that lead through a lesson to its invitation."""
    steps = script(number)
    return " ".join(sorted(step.keys)[0] for step in steps if not isinstance(step.ask, Invite))


ALL = f"{keys(1)} enter {keys(2)} enter {keys(3)}"


@pytest.mark.parametrize(
    ("pressed", "plays"),
    [
        (f"{keys(1)} p", RULES), (f"{keys(1)} enter {keys(2)} p", RULES),
        (f"2 {keys(2)} p", RULES), (f"{ALL} p", SCHOOL), (f"3 {keys(3)} p", SCHOOL),
        (f"{ALL} enter", None), ("enter 0 escape", None), ("q", None),
    ],
)  # fmt: skip
async def test_keys_lead_through_the_lessons_to_a_game_by_their_rules_or_to_the_lobby(
    pressed: str, plays: Rules | None
) -> None:
    app = Lobby()
    app.settings = replace(app.settings, practice=Practice(preset="milan"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.animation_level = "none"
        await pilot.press("b", *pressed.split())
        assert app.is_running and len(app.screen_stack) == 1
    practises = "practise hollywood" if plays is SCHOOL else "practise"
    assert app.deeds == [practises] * bool(plays)
    assert app.settings.practice.preset == (plays.preset if plays else "milan")


async def test_a_count_is_told_beat_by_beat_and_a_key_ends_that_and_does_nothing_else() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.animation_level = "full"
        await pilot.press("b")
        screen = app.screen
        assert isinstance(screen, LessonScreen)

        def told() -> int | None:
            return screen.lesson.told if isinstance(screen, LessonScreen) else None

        while screen.lesson.step.stage is not LessonStage.COUNT:
            await pilot.press(sorted(screen.lesson.step.keys)[0])
        place = screen.lesson.place
        assert told() == 0 and "any key skips to the verdict" in app.text
        assert "YOU WERE" not in app.text
        assert await until(pilot, lambda: told() != 0), "the first fist opens by itself"
        assert told() == 1
        await pilot.press("enter")
        assert told() is None and screen.lesson.place == place
        assert "YOU WERE" in app.text
        await pilot.press("enter")
        assert screen.lesson.place == place + 1
