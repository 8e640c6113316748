"""The seats as a list."""

from __future__ import annotations

import pytest

from protocol.views import FistState
from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.table.centre import Centre, Track
from spoof_tui.ui.table.seat import SeatPicture
from spoof_tui.ui.table.seat_list import in_short, list_parts
from spoof_tui.ui.table.tone import Tone
from tests.spoof_tui.ui.table.scenes import counted, lines, pay, text

NINE = [SeatPicture(f"Player{n}", FistState.IN, 3, said=str(n)) for n in range(1, 10)]


def drawn(seats: list[SeatPicture], width: int = 40, height: int = 5) -> str:
    return text(lines(list_parts(seats, Place(0, 0, width, height)), width, height))


@pytest.mark.parametrize("count", [2, 5, 9])
def test_everybody_and_every_word_is_in_the_list(count: int) -> None:
    shown = drawn(NINE[:count])
    assert all(seat.name in shown and f"{seat.said}" in shown for seat in NINE[:count])


@pytest.mark.parametrize("count", [2, 9])
def test_who_came_by_ssh_is_marked_in_the_list(count: int) -> None:
    seat = SeatPicture("Wolfeschlegelstein", FistState.IN, 3, by_ssh=True)
    assert drawn([seat] * count).count(" @") == count


def test_an_open_hand_is_a_number() -> None:
    seat = SeatPicture("Ann", FistState.OPEN, 3, hand=2)
    assert "= 2" in drawn([seat]) and "= 2" in drawn([seat] * 9)


def test_the_middle_is_a_few_words() -> None:
    assert in_short(Centre(number=9, above="bid, of 11", track=Track(11, 9)))[0] == "bid 9"
    assert in_short(Centre(parts=(2, 4), above="everybody hides"))[0] == "everybody hides 2/4"
    assert in_short(Centre(number=3, above="TOO HIGH", label=Tone.NO)) == ("TOO HIGH 3", Tone.NO)


def test_the_verdict_is_told_on_a_small_screen() -> None:
    from spoof_tui.ui.table.drawing import table_parts

    scene = counted()
    assert "TOO HIGH" not in text(lines(table_parts(scene, 40, 12), 40, 12))
    pay(scene)
    shown = text(lines(table_parts(scene, 40, 12), 40, 12))
    assert "GOOD BID" in shown or "TOO HIGH" in shown
