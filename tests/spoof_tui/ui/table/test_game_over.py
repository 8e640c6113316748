"""The end of a game as a scene."""

import pytest

from protocol.rules.words import Ending
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.table.framed import frame
from spoof_tui.ui.table.game_over import game_over
from tests.spoof_tui.ui.table.scenes import (
    at,
    draw_table,
    pay,
    play_zeros,
    scene_at,
    seen,
    step,
    text,
)

SIZES = [(200, 60), (120, 40), (80, 24), (60, 20), (40, 12)]


def drawn(size: tuple[int, int], players: int = 4, rules: str = "milan", me: int = 0) -> str:
    """What lies on the felt of a screen of this size."""
    place = frame(*size).ring
    return text(draw_table(scene_at("over", me, players, rules), place.width, place.height))


@pytest.mark.parametrize("me", range(9))
def test_where_not_all_have_room_i_have(me: int) -> None:
    rows = drawn((40, 12), 9, me=me).splitlines()
    assert any("you" in row for row in rows) and "1 ★" in rows[0]


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut(size: tuple[int, int], rules: str) -> None:
    assert "…" not in drawn(size, 5, rules)


def test_of_many_rounds_the_last_ones_are_shown() -> None:
    over = game_over(scene_at("over", 0, 4))
    assert over is not None
    sheet = Sheet(34, 9)
    over.draw(sheet)
    heading = next(line.text for line in sheet.lines() if "round" in line.text).split()
    last = max(len(each.numbers) for each in over.standings)
    assert 1 < len(heading) < last + 1 and heading[-1] == str(last)


def test_the_scene_comes_when_the_last_count_has_been_looked_at() -> None:
    table = at("answering", 2)
    scene = seen(table.clients[0])
    play = table.clients[0].view
    assert play.winner is None and game_over(scene) is None
    table.say(Ending.CALL)
    play_zeros(table)
    scene.look(table.clients[0].view)
    pay(scene)
    assert scene.is_counted and game_over(scene) is None
    step(scene)
    assert game_over(scene) is not None and not scene.is_counted
