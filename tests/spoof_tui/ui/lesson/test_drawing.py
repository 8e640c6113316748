"""What the lesson shows: everything fits, and every result is the engine's."""

import pytest
from textual.strip import Strip

from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.lesson.drawing import (
    lesson_bar,
    lesson_panel,
    lesson_parts,
    lesson_side,
    scene,
    script,
)
from spoof_tui.ui.lesson.script import Lesson, Topic
from tests.spoof_tui.ui.table.scenes import draw_table, lines

PLACES = range(len(script()))


def side(lesson: Lesson) -> list[Strip]:
    """The column beside the table."""
    return lines(lesson_side(lesson, Place(0, 0, 24, 15)), 24, 15)


def panel(lesson: Lesson, width: int = 80, height: int = 8) -> str:
    """The panel in one line, without its frame."""
    parts = lesson_panel(lesson, Place(0, 0, width, height))
    rows = [strip.text.strip() for strip in lines(parts, width, height)]
    return " ".join(" ".join(rows).split())


@pytest.mark.parametrize("place", PLACES)
def test_all_that_a_step_says_fits_on_eighty_columns(place: int) -> None:
    lesson = Lesson(script(), place)
    shown = panel(lesson)
    values = {"me": "Svitlana", "dmytro": "Dmytro", "maria": "Maria", "most": lesson.said.most}
    bid = lesson.said.standing[1] if lesson.said.standing else 0
    assert lesson.step.says.format(bid=bid, **values) in shown
    assert lesson.step.request in shown


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("size", [(40, 6), (60, 6), (80, 8), (120, 11)])
def test_what_is_asked_is_there_in_every_size(place: int, size: tuple[int, int]) -> None:
    shown = panel(Lesson(script(), place), *size)
    assert script()[place].request in shown


@pytest.mark.parametrize("place", PLACES)
def test_a_wrong_key_is_answered_on_the_panel(place: int) -> None:
    lesson = Lesson(script(), place)
    lesson.press("f5")
    assert lesson.step.otherwise in panel(lesson)


def test_what_the_rules_forbid_stands_with_its_clause() -> None:
    lesson = next(Lesson(script(), at) for at in PLACES if script()[at].topic is Topic.RAISE)
    lesson.press("z")
    assert "Zero may only be your first word of a round." in panel(lesson)


def test_results_are_those_of_the_rules() -> None:
    lesson = Lesson(script(), next(at for at in PLACES if script()[at].topic is Topic.CALL) + 1)
    assert "Svitlana 0 + Dmytro 2 + Maria 2 = 4" in panel(lesson)
    assert "too high. Maria loses a coin." in panel(lesson)


def test_the_bar_counts_the_steps() -> None:
    (bar,) = lines([Part(Place(0, 0, 80, 1), lesson_bar(Lesson(script(), 3)))], 80, 1)
    assert f"step 4 of {len(script())}" in bar.text


def test_the_column_marks_what_is_learned() -> None:
    first, last = Lesson(script()), Lesson(script(), len(script()) - 1)
    assert "✓" not in "".join(strip.text for strip in side(first))
    rows = [strip.text for strip in side(last)]
    assert sum("✓" in row for row in rows) == len(Topic)


@pytest.mark.parametrize("place", PLACES)
def test_every_step_can_be_drawn_in_every_size(place: int) -> None:
    lesson = Lesson(script(), place)
    for width, height in ((1, 1), (20, 4), (56, 15), (150, 50)):
        for parts in (lesson_side, lesson_panel):
            drawn = lines(parts(lesson, Place(0, 0, width, height)), width, height)
            assert {strip.cell_length for strip in drawn} == {width}
        assert lines(lesson_parts(lesson, width, height), width, height)
        assert len(draw_table(scene(lesson), width, height)) == height
