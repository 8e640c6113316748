"""What an evening leaves in the wood: before whom, for how long, and never over anything else."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from protocol.rules.words import Ending
from protocol.table.fold import Phase
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.table.felt.ring import Felt
from spoof_tui.ui.table.felt.scars import Carving, Scars, scars_of
from tests.helpers.laying import drawn
from tests.spoof_tui.ui.table.scenes import at, draw_table, play_zeros, seen, text

WIDTH, HEIGHT = 58, 15
SEATS = (Place(22, 10, 14, 4), Place(1, 5, 14, 4), Place(22, 1, 14, 4), Place(43, 5, 14, 4))
NOTCHES = "▁▔▌▐"


def rim(scars: Scars, seats: tuple[Place, ...] = SEATS) -> Sheet:
    whole = Place(0, 0, WIDTH, HEIGHT)
    parts = [Part(whole, Felt()), Part(whole, Carving(scars, seats))]
    return drawn(parts, WIDTH, HEIGHT)


def notches(sheet: Sheet) -> list[tuple[int, int]]:
    rows = [row.strip().text for row in sheet.rows]
    return [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in NOTCHES]


def test_a_lost_coin_leaves_a_notch_in_the_wood_before_its_loser_once_it_is_paid() -> None:
    table = at("answering", 4)
    scene = seen(table.clients[0])
    table.say(Ending.SPOOF)
    scene.look(table.clients[0].view)
    while not scene.is_counted:
        assert not set(text(draw_table(scene, WIDTH, HEIGHT))) & set(NOTCHES)
        scene.pacing.advance(scene.pacing.due or 0.0)
        scene.follow()
    assert scene.last
    lost = [int(seat == scene.last.outcome.ender) for seat in range(4)]
    assert scars_of(scene.view).lost == tuple(lost)
    assert len(set(text(draw_table(scene, WIDTH, HEIGHT))) & set(NOTCHES)) == 1


@pytest.mark.parametrize("seat", range(4))
def test_notches_are_beside_their_seat_and_too_many_are_a_number_between_two(seat: int) -> None:
    place = SEATS[seat]
    for count in range(1, 12):
        sheet = rim(Scars(tuple(count if each == seat else 0 for each in range(4))))
        found = notches(sheet)
        told = "".join(row.strip().text for row in sheet.rows)
        if place.x in (1, WIDTH - 1 - place.width):
            # The rim at the sides is one cell wide.
            told = "".join(row.strip().text[0 if place.x == 1 else -1] for row in sheet.rows)
        assert len(found) == count or re.search(f"[{NOTCHES}]{count}[{NOTCHES}]", told)
        inner = [row.strip().text[1:-1] for row in sheet.rows[1:-1]]
        assert not "".join(inner).strip(), "no hand is covered"
        for x, y in found:
            at_edge = x in (0, WIDTH - 1) or y in (0, HEIGHT - 1)
            beside = place.x <= x < place.x + place.width or place.y <= y < place.y + place.height
            assert at_edge and beside


def test_the_winners_of_an_evening_are_carved_with_a_star_for_each_game() -> None:
    table = at("over", 3)
    views = [client.view for client in table.clients]
    ((_key, games),) = views[0].stakes.won.items()
    assert games == 1 and all(scars_of(view) == scars_of(views[0]) for view in views)
    table.ready()
    play_zeros(table)
    stakes = table.clients[0].view.stakes
    assert sum(stakes.won.values()) == 2 and table.host.table.phase is Phase.GATHERING
    bottom = [row.strip().text for row in rim(replace(scars_of(views[0]), lost=())).rows][-1]
    assert "PLAYER" in bottom and bottom.count("★") == 1
    many = rim(Scars((), (("Guinea", 2), ("Ducat", 12))))
    assert "GUINEA ★★  DUCAT ★12" in [row.strip().text for row in many.rows][-1]


def test_without_an_evening_the_wood_is_whole() -> None:
    assert scars_of(None) == Scars() and scars_of(seen(at("speaking").clients[0]).view).won == ()
