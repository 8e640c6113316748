"""The table in the middle: who sits there, and what everybody may see of a fist."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Direction, Ending
from protocol.table.statements import Say
from protocol.views import FistState
from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.canvas.sprite import Size
from spoof_tui.ui.table.centre import Centre
from spoof_tui.ui.table.ring import lay_out, ring_parts
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seat import SeatPicture
from spoof_tui.ui.table.seats import pictures
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    MOMENTS,
    at,
    counted,
    drawn,
    lines,
    open_next,
    pay,
    scene_at,
    seen,
    shown,
    text,
)


def draw_ring(
    seats: Sequence[SeatPicture],
    centre: Centre,
    width: int = 60,
    height: int = 20,
    direction: Direction | None = None,
) -> str:
    me = 0 if seats else None
    parts = ring_parts(seats, me, centre, Place(0, 0, width, height), direction)
    return text(lines(parts, width, height))


def seats_of(scene: Scene) -> tuple[SeatPicture, ...]:
    assert scene.view
    return pictures(scene.view, scene.names, scene.showing, scene.peek)


def ring(scene: Scene, width: int = 100, height: int = 30) -> str:
    return text(drawn(scene, width, height)["ring"])


def of_hands(*hands: int, words: tuple[Bid, ...] = ()) -> MemoryTable:
    table = at("choosing", len(hands))
    table.choose(*hands)
    table.say(*words)
    return table


# Sizes


@pytest.mark.parametrize("players", range(1, 10))
@pytest.mark.parametrize("moment", MOMENTS)
def test_everything_fits_on_every_screen(players: int, moment: str) -> None:
    if players == 1 and moment not in ("gathering", "ready"):
        return
    scene = scene_at(moment, players=players)
    for width, height in ((40, 16), (73, 22), (74, 23), (180, 60)):
        drawn(scene, width, height)


@given(st.integers(40, 200), st.integers(16, 70), st.integers(2, 9), st.sampled_from(MOMENTS))
def test_everything_fits_on_any_screen(width: int, height: int, players: int, moment: str) -> None:
    drawn(scene_at(moment, players=players), width, height)


@pytest.mark.parametrize("players", range(1, 10))
def test_everybody_is_named_on_an_ordinary_screen(players: int) -> None:
    scene = scene_at("gathering", players=players)
    assert [name for name in scene.names if name not in ring(scene, 80, 24)] == []


@pytest.mark.parametrize("players", range(2, 10))
def test_every_fist_is_seen_on_an_ordinary_screen(players: int) -> None:
    scene = scene_at("speaking", players=players)
    seats = lay_out(players, 56, 13).seats
    assert [place.height for place in seats] == [5 if players < 4 else 4] * players
    parts = ring_parts(seats_of(scene), 0, Centre(), Place(0, 0, 58, 15))
    hands = [part.sheet().rows[2].letters for part in parts if part.place[2:] == seats[0][2:]]
    assert len(hands) == players and all("█" in hand or "▄" in hand for hand in hands)


# Fists


@pytest.mark.parametrize("words", [(), (Bid(2),), (Bid(2), Bid(5))])
def test_no_screen_differs_by_a_hand_that_is_shut(words: tuple[Bid, ...]) -> None:
    screens: list[set[str]] = [set(), set(), set(), set()]
    for hands in ((0, 1, 2, 3), (3, 2, 1, 0), (0, 0, 0, 0), (3, 3, 3, 3)):
        for client, drawings in zip(of_hands(*hands, words=words).clients, screens, strict=True):
            drawings.add(shown(seen(client)))
    assert [len(drawings) for drawings in screens] == [1, 1, 1, 1]


def test_no_picture_of_a_shut_fist_holds_a_hand() -> None:
    for moment in ("choosing", "speaking", "answering"):
        assert {seat.hand for seat in seats_of(scene_at(moment))} == {None}


def test_only_the_opened_fists_of_a_round_show_their_hands() -> None:
    scene = counted()
    open_next(scene)
    assert scene.showing
    for index, seat in enumerate(seats_of(scene)):
        assert seat.hand == scene.showing.hands.get(index)
        assert (seat.fist is FistState.OPEN) == (index in scene.showing.hands)


def test_a_peek_shows_the_own_hand_alone() -> None:
    scene = seen(of_hands(2, 1, 3).clients[0])
    scene.peek = 2
    assert [seat.hand for seat in seats_of(scene)] == [2, None, None]
    scene.peek = None
    assert [seat.hand for seat in seats_of(scene)] == [None, None, None]


def test_a_watcher_has_no_hand_to_peek_at() -> None:
    table = of_hands(2, 1)
    scene = seen(table.add(sit=False))
    scene.peek = 3
    assert {seat.hand for seat in seats_of(scene)} == {None}


# Seats


def test_lost_coins_go_when_the_count_is_done() -> None:
    scene = counted()
    assert [seat.coins for seat in seats_of(scene)] == [3, 3, 3]
    pay(scene)
    assert sorted(seat.coins for seat in seats_of(scene)) == [2, 3, 3]
    assert [seat.note for seat in seats_of(scene) if seat.lost] == ["−1"]


def test_my_own_seat_is_the_lowest() -> None:
    table = at("speaking", 5)
    for client in table.clients:
        scene = seen(client)
        assert scene.view and scene.view.me is not None
        rows = ring(scene).splitlines()
        row = {name: max(n for n, line in enumerate(rows) if name in line) for name in scene.names}
        assert max(row, key=lambda name: row[name]) == scene.names[scene.view.me]


# The middle


# Foreign names


NASTY = [
    "\x1b[2J\x1b]0;x\x07",
    "\u202eevil",
    "[bold]x[/]",
    "中文字中文字中文字",
    "e\u0301" * 20,
    "🪙🪙",
]


def test_no_name_reaches_the_terminal_raw() -> None:
    table = MemoryTable(0)
    for name in NASTY:
        table.add(name=name)
    table.ready()
    table.choose(*[1] * len(NASTY))
    table.say(Bid(1), Ending.SPOOF)
    for client in table.clients:
        scene = seen(client)
        pay(scene)
        assert all(line.isprintable() for line in shown(scene, 120, 40).splitlines())


def test_markup_in_a_name_is_only_text() -> None:
    table = MemoryTable(1)
    table.act(table.clients[0], table.clients[0].guest.state(Say(ForeignText("[red]hello[/]"))))
    table.add(name="[bold]x[/]")
    assert "[bold]x[/]" in ring(seen(table.clients[0]))


# A code


@pytest.mark.parametrize(("width", "height"), [(18, 15), (55, 4)])
def test_where_a_large_code_has_no_room_it_is_spelled(width: int, height: int) -> None:
    drawn = draw_ring((), Centre(code="K7M4Q", above="Tell them"), width, height)
    assert "K 7 M 4 Q" in drawn


# Where everything lies


def meet(one: Place, two: Place) -> bool:
    across = one.x < two.x + two.width and two.x < one.x + one.width
    return across and one.y < two.y + two.height and two.y < one.y + one.height


@given(st.integers(1, 9), st.integers(56, 110), st.integers(9, 36))
def test_nothing_on_the_felt_lies_on_anything_else(seats: int, width: int, height: int) -> None:
    layout = lay_out(seats, width, height)
    assert len(layout.seats) == seats
    places = [*layout.seats, layout.middle]
    assert not any(meet(one, two) for i, one in enumerate(places) for two in places[:i])
    for place in places:
        assert place.x >= 0 and place.x + place.width <= width
        assert place.y >= 0 and place.y + place.height <= height


@pytest.mark.parametrize(
    ("players", "felt", "size"),
    [
        (2, (56, 13), Size.MIDDLE),
        (4, (56, 13), Size.SMALL),
        (9, (56, 13), Size.SMALL),
        (4, (60, 11), Size.SMALL),
        (9, (60, 11), Size.TINY),
        (4, (84, 26), Size.LARGE),
        (9, (84, 26), Size.MIDDLE),
        (9, (108, 34), Size.LARGE),
    ],
)
def test_hands_are_as_large_as_there_is_room_for(
    players: int, felt: tuple[int, int], size: Size
) -> None:
    assert {place.height for place in lay_out(players, *felt).seats} == {size.height + 1}
