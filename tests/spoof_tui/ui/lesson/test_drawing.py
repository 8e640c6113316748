"""What the lesson shows: everything fits, and every result is the engine's."""

from itertools import product

import pytest

from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.lesson.drawing import (
    lesson_panel,
    lesson_parts,
    lesson_side,
    scene,
)
from spoof_tui.ui.lesson.script import Lesson, Topic
from spoof_tui.ui.lesson.steps import lesson as begun
from spoof_tui.ui.lesson.steps import script
from tests.helpers.offenders import offenders
from tests.spoof_tui.ui.table.scenes import draw_table, lines

PLACES = [(number, place) for number in (1, 2) for place in range(len(script(number)))]
"""Every step of both lessons."""


def at(place: tuple[int, int]) -> Lesson:
    """A lesson at one of its steps."""
    number, step = place
    return Lesson(script(number), step, begun(number).known)


def teaching(topic: Topic) -> Lesson:
    """The lesson at the step that teaches something."""
    return next(lesson for lesson in map(at, PLACES) if lesson.step.topic is topic)


def panel(lesson: Lesson, width: int = 80, height: int = 8) -> str:
    """The panel in one line, without its frame."""
    parts = lesson_panel(lesson, Place(0, 0, width, height))
    rows = [strip.text.strip() for strip in lines(parts, width, height)]
    return " ".join(" ".join(rows).split())


def test_what_is_asked_is_there_in_every_size() -> None:
    def asked(place: tuple[int, int], size: tuple[int, int]) -> None:
        lesson = at(place)
        assert lesson.step.request in panel(lesson, *size)

    assert offenders(asked, product(PLACES, [(40, 6), (60, 6), (80, 8), (120, 11)])) == []


@pytest.mark.parametrize("place", PLACES)
def test_a_wrong_key_is_answered_on_the_panel(place: tuple[int, int]) -> None:
    lesson = at(place)
    lesson.press("f5")
    assert lesson.step.otherwise in panel(lesson)


def test_what_the_rules_forbid_stands_with_its_clause() -> None:
    lesson = teaching(Topic.RAISE)
    lesson.press("z")
    assert "Zero may only be your first word of a round." in panel(lesson)


def test_results_are_those_of_the_rules() -> None:
    lesson = teaching(Topic.CALL)
    lesson.press("c")
    assert "Svitlana 0 + Dmytro 2 + Maria 2 = 4" in panel(lesson)
    assert "too high. Maria loses a coin." in panel(lesson)


def test_what_was_tried_is_counted_by_the_rules() -> None:
    lesson = teaching(Topic.CALL)
    lesson.press("enter")
    assert "Dmytro 2 + Maria 2 + Svitlana 0 = 4" in panel(lesson)
    assert "you bid 7: too high. You lose a coin." in panel(lesson)
    assert "Press Enter to take it back." in panel(lesson)


@pytest.mark.parametrize("place", PLACES)
def test_every_step_can_be_drawn_in_every_size(place: tuple[int, int]) -> None:
    lesson = at(place)
    for width, height in ((1, 1), (20, 4), (56, 15), (150, 50)):
        for parts in (lesson_side, lesson_panel):
            drawn = lines(parts(lesson, Place(0, 0, width, height)), width, height)
            assert {strip.cell_length for strip in drawn} == {width}
        assert lines(lesson_parts(lesson, width, height), width, height)
        assert len(draw_table(scene(lesson), width, height)) == height
