"""One seat on the felt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.views import FistState
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.sprite import Size
from spoof_tui.ui.table.seat import NAME, SeatPicture, coins, seat_size
from spoof_tui.ui.table.tone import Tone
from spoof_tui.ui.wording.doors import MARK

ANN = SeatPicture("Deft Ferret", FistState.IN, 3)


def drawn(seat: SeatPicture, size: Size = Size.SMALL) -> Sheet:
    sheet = Sheet(*seat_size(size))
    seat.draw(sheet)
    return sheet


def rows(seat: SeatPicture, size: Size = Size.SMALL) -> list[str]:
    return [row.text for row in drawn(seat, size).lines()]


@pytest.mark.parametrize("size", Size)
def test_a_name_never_moves(size: Size) -> None:
    for seat in (ANN, replace(ANN, speaks=True), replace(ANN, speaks=True, is_me=True)):
        assert rows(seat, size)[0].index("Deft") == NAME


@pytest.mark.parametrize("size", Size)
def test_all_that_there_is_to_know_is_at_every_size(size: Size) -> None:
    shown = "\n".join(rows(replace(ANN, said="12"), size))
    assert "12" in shown and palette.glyphs().coin in shown


@pytest.mark.parametrize("size", Size)
@pytest.mark.parametrize("name", ["Deft", "Wolfeschlegelstein"])
def test_a_player_who_came_by_ssh_is_marked_however_long_the_name_is(size: Size, name: str) -> None:
    for seat in (replace(ANN, name=name), replace(ANN, name=name, speaks=True, is_me=True)):
        assert MARK not in rows(seat, size)[0]
        assert rows(replace(seat, by_ssh=True), size)[0].rstrip().endswith(f" {MARK}")


def test_my_turn_is_the_whole_name_on_the_accent() -> None:
    mine = drawn(replace(ANN, speaks=True, is_me=True)).rows[0].styles
    others = drawn(replace(ANN, speaks=True)).rows[0].styles
    assert mine[NAME] == palette.CHOSEN and others[NAME] == Tone.PLAIN.style


@pytest.mark.parametrize("size", [Size.SMALL, Size.MIDDLE, Size.LARGE])
@pytest.mark.parametrize("hand", [0, 3, 12])
def test_an_open_hand_says_its_number(size: Size, hand: int) -> None:
    shown = "\n".join(rows(replace(ANN, fist=FistState.OPEN, hand=hand), size))
    assert str(hand) in shown


def test_coins_that_have_gone_leave_their_places() -> None:
    assert "●●○" in rows(replace(ANN, coins=2, lost=1))[1]


def test_a_long_word_lies_over_the_edge_of_the_hand() -> None:
    assert rows(replace(ANN, said="максимум!", said_tone=Tone.NO))[2].endswith("максимум!")


def test_who_is_out_has_a_note_where_the_hand_was() -> None:
    out = rows(replace(ANN, fist=FistState.NONE, coins=0, note="out", faint=True))
    assert out[1].strip() == "out"


def test_many_coins_are_a_number() -> None:
    assert (coins(3, 4), coins(7, 4), coins(7, 2)) == ("●●●", "●×7", "7●")


def test_a_word_never_touches_the_hand() -> None:
    row = rows(replace(ANN, said="cliff!", said_tone=Tone.NO))[2]
    assert " cliff!" in row
