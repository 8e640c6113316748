"""The table at any size: nothing overlaps, nothing is clipped, and no foreign text breaks it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import PRESETS, BiddingRules
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Say
from protocol.views import FistState, LinkState
from spoof_tui.telling.names import called
from spoof_tui.ui.canvas.cells import Part, Place, length
from spoof_tui.ui.canvas.sprite import Size
from spoof_tui.ui.table.drawing import ring, table_parts
from spoof_tui.ui.table.felt.centre import MIN_WIDTH, Centre, Track
from spoof_tui.ui.table.felt.ring import LOW_MIDDLE, SPARE, Felt, Layout, lay_out
from spoof_tui.ui.table.felt.seat import NAME, SeatPicture, seat_size
from spoof_tui.ui.table.felt.seat_list import SeatLine
from spoof_tui.ui.table.felt.tone import Tone
from spoof_tui.ui.table.felt.upright import lay_upright
from spoof_tui.ui.table.frame import frame
from spoof_tui.ui.table.panel.hints import follow, hint_words
from spoof_tui.ui.table.panel.side import short_name
from spoof_tui.ui.table.scene import Hint, Page, Scene
from tests.helpers.moments import finished
from tests.helpers.states import scenes, states
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    MOMENTS,
    at,
    draw_side,
    draw_table,
    drawn,
    foot,
    lines,
    pay,
    said,
    scene_at,
    seen,
    shown,
    text,
)

BIDDING = [name for name, rules in PRESETS.items() if isinstance(rules, BiddingRules)]


def meet(one: Place, two: Place) -> bool:
    across = one.x < two.x + two.width and two.x < one.x + one.width
    return across and one.y < two.y + two.height and two.y < one.y + one.height


# Places


@given(st.integers(1, 300), st.integers(1, 100))
def test_the_parts_of_a_frame_never_overlap(width: int, height: int) -> None:
    places = frame(width, height)
    assert places.bar.width == places.panel.width <= width
    assert places.ring.y == places.bar.y + 1
    assert places.panel.y == places.ring.y + places.ring.height
    assert places.panel.y + places.panel.height <= height or height < 6
    assert places.ring.x + places.ring.width <= places.side.x or not places.ring.width


@pytest.mark.parametrize("width", [74, 76, 80, 100, 160, 200])
def test_a_number_in_the_rim_touches_nothing_in_the_column_beside_the_table(width: int) -> None:
    places = frame(width, 24)
    assert places.side.x - (places.ring.x + places.ring.width) == 2
    assert width < 80 or (places.ring.width >= 56 and places.side.width >= 21)


@given(st.integers(1, 9), st.integers(56, 110), st.integers(9, 36))
def test_nothing_on_the_felt_lies_on_anything_else(seats: int, width: int, height: int) -> None:
    layout = lay_out(seats, width, height)
    assert len(layout.seats) == seats and (layout.heap.height or seats == 1)
    assert_apart(layout, width, height)


@given(st.integers(1, 9), st.integers(36, 56), st.integers(0, 50))
def test_nothing_lies_on_anything_else_where_the_felt_is_higher_than_wide(
    seats: int, width: int, height: int
) -> None:
    layout = lay_upright(seats, width, height)
    assert len(layout.seats) in (0, seats)
    assert layout.seats or seats > 4 or width < 42 or height < 12
    assert layout.middle.height >= LOW_MIDDLE or not layout.seats
    assert_apart(layout, width, height)


def test_the_others_sit_clockwise_where_the_felt_is_higher_than_wide() -> None:
    for seats in range(3, 10):
        mine, *others = lay_upright(seats, 43, 27).seats
        middle = mine.x + mine.width / 2, mine.y / 2
        around = [(each.x + 7 - middle[0], each.y + 2 - middle[1]) for each in others]
        # From my own seat at the bottom, to the left first.
        angles = [math.atan2(-x, y) % math.tau for x, y in around]
        assert angles == sorted(angles)


def assert_apart(layout: Layout, width: int, height: int) -> None:
    """Nothing overlaps, and all of it is on the felt."""
    places = [*layout.seats, layout.middle, *([layout.heap] if layout.heap.height else [])]
    assert not any(meet(one, two) for i, one in enumerate(places) for two in places[:i])
    for place in places:
        assert place.x >= 0 and place.x + place.width <= width
        assert place.y >= 0 and place.y + place.height <= height


@given(st.integers(1, 99), st.data())
def test_a_track_never_takes_more_than_its_room(coins: int, data: st.DataObject) -> None:
    mark = data.draw(st.none() | st.integers(1, coins))
    track = Track(coins, mark, data.draw(st.integers(0, coins)))
    width = data.draw(st.integers(MIN_WIDTH, 60))
    for is_wide in (False, True):
        assert 0 < length(track.pieces(width, is_wide=is_wide)) <= width


# Every size


@given(st.integers(1, 200), st.integers(1, 70), st.integers(2, 9), st.sampled_from(MOMENTS))
def test_every_size_can_be_drawn_and_everybody_is_seen_where_there_is_room(
    width: int, height: int, players: int, moment: str
) -> None:
    scene = scene_at(moment, players=players)
    strips = lines(table_parts(scene, width, height), width, height)
    assert [strip.cell_length for strip in strips] == [width] * height
    assert table_parts(scene, width, height) == table_parts(scene, width, height)
    if width >= 80 and height >= 24 and moment != "over":
        assert [name for name in scene.names if name not in text(strips)] == []


@pytest.mark.parametrize(("moment", "preset"), list(product(MOMENTS, PRESETS)))
def test_every_moment_can_be_seen_from_every_chair(moment: str, preset: str) -> None:
    table = at(moment, 3, preset)
    for client in (*table.clients, table.add(sit=False)):
        scene = seen(client)
        named = [name for name in scene.names if name in shown(scene)]
        assert len(named) >= len(scene.names) - (moment == "over"), "at the end I am you"


def test_nobody_is_said_to_be_away_for_a_time_that_stands_still() -> None:
    table = at("speaking", 4)
    table.cut(table.clients[3])
    scene = seen(table.clients[0])
    assert scene.view
    scene.wall = scene.view.time + 15_000
    assert "away 15s" in shown(scene)
    scene.pacing.truth = None
    scene.look(replace(scene.view, link=LinkState.DOWN))
    assert scene.is_stale and "away 15s" not in shown(scene) and "away" in shown(scene)


def test_a_text_in_the_middle_is_folded_only_where_there_is_no_room_for_it_on_a_line() -> None:
    for width in range(56, 81):
        rows = [row.strip().text for row in states()["replay-won"]((width, 20)).rows]
        assert any("★ Dmytro wins ★" in row for row in rows), width


@pytest.mark.parametrize("width", range(40, 81))
def test_the_command_that_others_type_stands_on_one_line(width: int, language: str) -> None:
    rows = text(lines(table_parts(scenes()["gathering"], width, 24), width, 24)).splitlines()
    assert any("spoof join 192.168.1.20 K7M4Q" in row for row in rows)


def test_an_arrow_in_the_list_leads_from_the_speaker_to_the_next_one() -> None:
    scene = seen(at("speaking").speaker())
    assert scene.view and scene.view.speaker is not None

    def arrows() -> dict[int, str]:
        rows = text(drawn(scene, 40, 12)["ring"]).splitlines()[:3]
        return {place: row[0] for place, row in enumerate(rows) if row[0] != " "}

    speaker = scene.view.speaker
    assert arrows() == {speaker: "▶", (speaker + 1) % 3: "↓"}
    scene.controls.press("d", scene.view)
    assert arrows() == {speaker: "▶", (speaker - 1) % 3: "↑"}


def test_what_i_said_is_read_at_once_where_no_column_tells_it() -> None:
    table = at("choosing")
    scene = seen(table.clients[0])
    table.act(table.clients[0], table.clients[0].guest.propose(Say(ForeignText("not a coin"))))
    scene.look(table.clients[0].view)
    for width, height in ((36, 10), (45, 20), (60, 20)):
        assert "You: not a coin" in text(drawn(scene, width, height)["panel"])
    assert "not a coin" in text(drawn(scene, 80, 24)["side"])
    assert "not a coin" not in text(drawn(scene, 80, 24)["panel"])


def test_the_keys_are_whole_or_not_there_and_the_way_out_always_is() -> None:
    for moment in ("gathering", "choosing", "answering", "over"):
        scene = scene_at(moment)
        full = {key.strip() for key in foot(scene, 200).split("  ")}
        for width in range(40, 130, 9):
            line = [key.strip() for key in foot(scene, width).rstrip().split("  ")]
            assert set(line) <= full and line[-2:] == ["? keys", "q leave"]
    scene = scene_at("answering")
    whole = foot(scene, 80)
    for scene.page in (Page.ROUND, Page.ROUNDS, Page.TALK):
        assert "Tab lists  Esc back" in foot(scene, 40), "the way back"
        before, tab, _after = whole.partition("Tab lists")
        assert foot(scene, 80).startswith(f"{before}{tab}  Esc back"), "no label before it moves"
    scene.talking = "word " * 30 + "the end"
    assert "the end" in foot(scene, 40)


# The column


def talk(table: MemoryTable, line: str) -> None:
    table.act(table.clients[0], table.clients[0].guest.propose(Say(ForeignText(line))))


def test_the_latest_words_and_the_latest_talk_are_seen_however_little_room_there_is() -> None:
    table = at("speaking", 9)
    table.say(*map(Bid, range(1, 20)))
    for number in range(7):
        talk(table, f"line {number} " + "and on " * 5)
    scene = seen(table.clients[0])
    for height in range(8, 30):
        rows = text(draw_side(scene, 24, height)).splitlines()
        assert len(rows) == height
        numbers = [int(row.split()[-1]) for row in rows if "Player" in row and row[-1].isdigit()]
        assert sorted(numbers) == list(range(20 - len(numbers), 20))
        assert any(row.rstrip().endswith(" 19") for row in rows)
    scene.page = Page.TALK
    rows = text(draw_side(scene, 24, 8)).splitlines()
    *_, last = filter(str.strip, rows)
    assert rows[0].startswith("TALK") and last.startswith(" on ")
    scene.page = Page.TABLE
    assert "line 6 and on and on" in said(scene, "side", 120, 40)


@pytest.mark.parametrize("name", [name for name, scene in scenes().items() if scene.view])
def test_the_column_beside_the_table_is_never_empty(name: str) -> None:
    scene = replace(scenes()[name], is_new=True)  # the house says nothing to newcomers
    for height in (15, 30):
        assert text(draw_side(scene, 32, height)).strip()


def test_who_has_not_spoken_stands_below_who_has_in_the_order_of_turns() -> None:
    table = at("speaking", 4)
    scene, order = seen(table.clients[0]), []
    for word in (None, 2, 3, 4):
        if word is not None:
            table.say(Bid(word))
        rows = text(draw_side(seen(table.clients[0], scene), 24, 15)).splitlines()[1:5]
        order.append([row.split()[0] for row in rows])
        assert [row.split()[-1] for row in rows][: len(order) - 1] == ["2", "3", "4"][
            : len(order) - 1
        ]
    assert len(order[0]) == 4 and all(each == order[0] for each in order), "no line moves"


def test_in_a_first_round_a_narrow_column_lists_only_who_has_spoken() -> None:
    table = at("speaking", 4)
    table.say(Bid(2))
    scene = seen(table.clients[0])
    scene.is_new = True
    for width, players in ((20, 1), (32, 4)):
        rows = text(draw_side(scene, width, 15)).splitlines()[1:]
        assert sum("Player" in row for row in rows) == players


def test_a_high_screen_has_no_more_rows_below_its_table_than_a_turn_needs() -> None:
    panel = drawn(scenes()["two-my-turn"], 120, 40)["panel"]
    assert all(row.text.strip() for row in panel)


@pytest.mark.parametrize("above", ["NOBODY CALLED IT", "YOU LEAVE ✓", "TOO HIGH"])
@pytest.mark.parametrize(("width", "height"), [(20, 6), (28, 6), (40, 11)])
def test_the_text_of_a_stamp_is_in_the_middle_of_its_ground(
    above: str, width: int, height: int
) -> None:
    centre = Centre(number=3, above=above, small=("Flowers", "3 in all"), label=Tone.NO)
    rows = [row.strip().text for row in Part(Place(0, 0, width, height), centre).sheet().rows]
    first = min(at for row in rows for at, sign in enumerate(row) if sign in "█▀▄")
    start = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
    words = [row[start : first - 2] for row in rows if row[:first].strip()]
    for word in words:
        before, after = (len(word) - len(each) for each in (word.lstrip(), word.rstrip()))
        assert abs(before - after) <= 1, words
    assert len(words) >= 2


@pytest.mark.parametrize("width", range(18, 41))
def test_the_numbers_of_earlier_rounds_are_all_written_the_same_way(width: int) -> None:
    scene = scenes()["earlier-rounds"]
    scene = replace(scene, page=Page.ROUNDS)
    first, *rows = text(draw_side(scene, width, 12)).splitlines()
    dots = {row[2:3] == "." for row in rows if row.strip()}
    assert first.startswith("ROUNDS") and dots == {width > 20}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_table_with_hands_keeps_its_rim_and_its_seats_if_the_panel_takes_a_row(
    players: int,
) -> None:
    scene = scene_at("answering", players=players)
    high, low = (ring(scene, Place(0, 0, 58, rows)) for rows in (15, 14))
    assert [type(part.picture) for part in low] == [type(part.picture) for part in high]
    edges = [text(draw_table(scene, 58, rows)).splitlines() for rows in (15, 14)]
    assert all(rows[0] == "▄" * 58 and rows[-1] == "▀" * 58 for rows in edges)
    for before, after in zip(high, low, strict=True):
        assert abs(before.place.x - after.place.x) <= 4


def test_a_new_word_among_four_is_told_and_leaves_the_table_its_rim() -> None:
    scene = scenes()["my-turn"]
    scene = replace(scene, is_new=True, seen=frozenset({"open", "verdict", "spoof", "zero"}))
    follow(scene)
    rows = text(lines(table_parts(scene, 80, 24), 80, 24)).splitlines()
    assert scene.hint is Hint.CLIFF and any(hint_words(Hint.CLIFF) in row for row in rows)
    panel = next(y for y, row in enumerate(rows) if row.startswith("── YOUR TURN"))
    assert (
        panel < frame(80, 24).panel.y and rows[1][:9] == "▄" * 9 and rows[panel - 1][:9] == "▀" * 9
    )


@given(st.permutations(["Kopiyka", "Farthing", "Shilling", "you"]), st.integers(20, 44))
def test_whoever_paid_for_an_earlier_round_is_named_whole(names: list[str], width: int) -> None:
    scene = replace(scenes()["earlier-rounds"], page=Page.ROUNDS)
    assert scene.view
    scene.names = tuple(names)
    rows = text(draw_side(scene, width, 12)).splitlines()[1:]
    for played, row in zip(reversed(scene.view.past), reversed(rows), strict=False):
        changed = [called(seat, names, scene.view.me) for seat in played.outcome.changes]
        assert len(changed) > 1 or all(name in row for name in changed), row


@given(st.lists(st.text("ab 中é", min_size=1, max_size=20), min_size=1), st.integers(3, 20))
def test_a_short_name_fits_and_a_name_that_fits_is_whole(names: list[str], width: int) -> None:
    for name in names:
        short = short_name(name, names, width)
        assert cell_len(short) <= width
        assert short == name or cell_len(name) > width


def test_a_name_is_shortened_to_a_word_that_no_other_name_has() -> None:
    names = ("Deft Ferret", "Proud Ferret", "Deft Ox")
    assert short_name("Proud Ferret", names, 7) == "Proud"
    assert short_name("Deft Ferret", ("Deft Ferret", "Krona"), 7) == "Ferret"
    assert short_name("Deft Ferret", names, 7) == "Deft F…"


# A seat


@pytest.mark.parametrize("size", Size)
def test_a_name_never_moves_and_the_mark_of_ssh_is_always_seen(size: Size) -> None:
    for name, speaks, is_me in product(
        ("Deft", "Wolfeschlegelstein"), (False, True), (False, True)
    ):
        for by_ssh in (False, True):
            seat = SeatPicture(name, FistState.IN, 3, speaks=speaks, is_me=is_me, by_ssh=by_ssh)
            row = Part(Place(0, 0, *seat_size(size)), seat).sheet().rows[0].strip().text
            assert row.index(name[:4]) == NAME and row.rstrip().endswith(" @") is by_ssh


@pytest.mark.parametrize("note", ["away 59m", "unsteady", "removed", "left"])
@pytest.mark.parametrize("name", ["Ox", "Guinea", "Wolfeschlegelstein"])
def test_what_is_told_of_a_player_never_covers_a_small_hand(name: str, note: str) -> None:
    columns, rows = seat_size(Size.SMALL)
    place = Place(0, 0, columns + SPARE, rows)
    bare = SeatPicture(name, FistState.IN, 3)
    hand, told = (
        [row.strip().crop(0, Size.SMALL.width) for row in Part(place, each).sheet().rows[1:]]
        for each in (bare, replace(bare, note=note, note_tone=Tone.NO))
    )
    assert hand == told
    shown = Part(place, replace(bare, note=note)).sheet().rows
    assert any(note in row.strip().text for row in shown)


@pytest.mark.parametrize(
    ("picture", "beside"),
    [
        (SeatPicture("Zloty", FistState.IN, 3, said="call!"), "call!"),
        (SeatPicture("Zloty", FistState.IN, 3, said="spoof!"), "spoof!"),
        (SeatPicture("Drachma", FistState.IN, 3, said="call!"), ""),
        (SeatPicture("Zloty", FistState.IN, 3, note="away", is_away=True), "away"),
        (SeatPicture("Zloty", FistState.IN, 3, note="you"), ""),
    ],
)
def test_a_word_stands_once_whole_beside_the_name_if_both_fit_or_else_beside_the_hand(
    picture: SeatPicture, beside: str
) -> None:
    place = Place(0, 0, *seat_size(Size.SMALL))
    name, *hand = [row.strip().text for row in Part(place, picture).sheet().rows]
    told = picture.said.rstrip("!") or picture.note
    assert beside in name and picture.name in name
    assert (told in "".join(hand)) is not bool(beside)


def test_what_a_round_costs_comes_before_a_word_where_there_is_no_room_for_both() -> None:
    picture = SeatPicture("Ducat", FistState.OPEN, 0, hand=0, said="не вірю!", note="вибуває")
    place = Place(0, 0, *seat_size(Size.SMALL))
    for lost, told in ((0, "не вірю"), (1, "вибуває")):
        name = Part(place, replace(picture, lost=lost)).sheet().rows[0]
        assert name.strip().text.endswith(told)


@pytest.mark.parametrize(("width", "height"), [(56, 13), (56, 14), (86, 29), (120, 34)])
def test_the_middle_of_three_is_below_the_others_whatever_they_are_told(
    width: int, height: int
) -> None:
    layout = lay_out(3, width, height)
    mine, *others = layout.seats
    assert all(place.y + place.height <= layout.middle.y for place in others)
    assert layout.middle.y + layout.middle.height <= mine.y
    assert layout.heap.y + layout.heap.height <= mine.y, "lost coins are not mine"


def test_a_code_is_large_wherever_it_fits_without_what_stands_below_it(language: str) -> None:
    for name, size in product(("gathering", "two-gathering"), ((80, 24), (60, 20))):
        rows = text(lines(table_parts(scenes()[name], *size), *size)).splitlines()
        felt = "".join(rows[: size[1] - 8]).replace(" ", "")
        assert "K7M4Q" not in felt, "in letters"


def test_a_large_code_touches_no_hand() -> None:
    parts = table_parts(scenes()["gathering"], 80, 24)
    code = next(part for part in parts if isinstance(part.picture, Centre))
    rows = [row.letters for row in code.sheet().rows]
    assert all({*row[:2], *row[-2:]} == {" "} for row in rows)
    seats_beside = [part.place for part in parts if isinstance(part.picture, SeatPicture)]
    assert not any(meet(place, code.place) for place in seats_beside)


@pytest.mark.parametrize(("size", "stars"), [((120, 40), 2), ((80, 24), 0)])
def test_who_wins_stands_between_large_stars_on_a_wide_table_all_of_whose_rim_glows(
    size: tuple[int, int], stars: int
) -> None:
    scene = Scene()
    scene.look(replace(finished(), me=None))
    parts = table_parts(scene, *size)
    rows = text(lines(parts, *size))
    assert rows.count("▄▄█▄▄") == stars
    rim = next(part for part in parts if isinstance(part.picture, Felt)).sheet().rows
    assert {str(row.styles[0]) for row in rim} == {str(Tone.PRIZE.wood)}


# What changes


def changed(before: list[Part], after: list[Part]) -> list[Part]:
    return [new for old, new in zip(before, after, strict=True) if old != new]


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40), (170, 50)])
def test_a_peek_is_a_digit_on_the_shut_fist_whatever_the_hand_is(size: tuple[int, int]) -> None:
    scene = scene_at("speaking")
    before, painted = table_parts(scene, *size), []
    for hand in (0, 3):
        scene.peek = hand
        after = table_parts(scene, *size)
        (part,) = changed(before, after)
        assert isinstance(part.picture, SeatPicture) and part.picture.is_me
        painted.append(text(lines(after, *size)))
    differing = [(one, other) for one, other in zip(*painted, strict=True) if one != other]
    assert differing == [("0", "3")]


# Foreign text


NASTY = [
    "\x1b[2J\x1b]0;x\x07",
    "\x9b2J\x9d0;x\x9c",
    "\u202eevil",
    "\u200b\u200d\ufeff\u2060\u00ad\ufe0f",
    "[bold]x[/]",
    "中文字中文字中文字",
    "e\u0301" * 20,
    "🪙🪙",
    "[@click=q]y[/]",
]


def test_no_name_and_no_talk_reaches_the_terminal_raw_or_as_markup() -> None:
    table = MemoryTable(0)
    for name in NASTY:
        client = table.add(name=name)
        table.act(client, client.guest.propose(Say(ForeignText(name * 3))))
    assert "[bold]x[/]" in said(seen(table.clients[0]), "ring")
    assert "[@click=q]y[/]" in said(seen(table.clients[0]), "side")
    table.ready()
    table.choose(*[1] * len(NASTY))
    table.say(Bid(1), Ending.SPOOF)
    for client in table.clients:
        scene = seen(client)
        pay(scene)
        for size, page in product([(74, 23), (120, 40), (40, 12)], Page):
            scene.page = page
            strips = lines(table_parts(scene, *size), *size)
            assert {strip.cell_length for strip in strips} == {size[0]}
            assert all(strip.text.isprintable() for strip in strips) and text(strips).strip()


@pytest.mark.parametrize("seats", range(2, 10))
def test_a_wider_table_has_everybody_around_it_as_a_narrower_one_has(seats: int) -> None:
    def sides(width: int) -> list[int]:
        """In which third of the felt each seat is, from its top."""
        layout = lay_out(seats, width, 13)
        return [3 * (place.y + place.height // 2) // 13 for place in layout.seats]

    assert all(sides(width) == sides(56) for width in (74, 100, 150))


def test_two_face_each_other_with_a_large_code_between_them() -> None:
    mine, other = lay_out(2, 56, 13).seats
    assert mine.x == other.x and mine.y > other.y
    assert lay_out(2, 56, 13).middle.width == 56


@pytest.mark.parametrize("seats", range(3, 8))
def test_a_heap_lies_beside_no_seat(seats: int) -> None:
    layout = lay_out(seats, 74, 13)
    for place in layout.seats:
        beside = place._replace(x=place.x - 3, width=place.width + 6)
        assert not meet(beside, layout.heap)


def test_many_at_a_low_table_are_a_list_with_the_coins_of_each() -> None:
    for players, is_list in ((6, False), (9, True)):
        scene = seen(at("speaking", players).clients[0])
        parts = ring(scene, frame(60, 20).ring)
        assert any(isinstance(part.picture, SeatLine) for part in parts) is is_list


@pytest.mark.parametrize("size", [(45, 20), (45, 18), (50, 30), (60, 20), (80, 16), (40, 12)])
@pytest.mark.parametrize("players", [2, 4, 7, 9])
def test_nothing_that_is_told_in_a_game_makes_a_list_of_a_table(
    players: int, size: tuple[int, int]
) -> None:
    def is_list(scene: Scene, **told: Any) -> bool:
        parts = table_parts(replace(scene, **told), *size)
        return any(isinstance(part.picture, SeatLine) for part in parts)

    news = tuple(f"Line {number}." for number in range(9))
    told: list[dict[str, Any]] = [{"hint": hint} for hint in Hint]
    told += [{"remark": "No. " * 20}, {"news": news, "news_title": "While you were away"}]
    for moment in ("choosing", "speaking", "answering"):
        for client in at(moment, players).clients[:3]:
            scene = seen(client)
            assert {is_list(scene, **each) for each in told} == {is_list(scene)}
