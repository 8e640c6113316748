"""The bar above the table, and the words and the talk beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Leave, Measure, Say, Vote
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.scene import Page, Scene
from spoof_tui.ui.table.side import _earlier_lines, short_bar, short_name
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    at,
    counted,
    draw_bar,
    draw_side,
    drawn,
    lines,
    pay,
    said,
    scene_at,
    seen,
    text,
)


def bar(scene: Scene, width: int = 120) -> str:
    return text(draw_bar(scene, width))


def short(scene: Scene, width: int = 60) -> str:
    return text(lines([Part(Place(0, 0, width, 1), short_bar(scene))], width, 1))


def side(scene: Scene, width: int = 40, height: int = 30) -> list[str]:
    return text(draw_side(scene, width, height)).splitlines()


def round_rows(scene: Scene, width: int = 40, height: int = 30) -> list[str]:
    """What stands above the earlier rounds and the talk, one player a line."""
    rows = side(scene, width, height)
    above = next(y for y, row in enumerate(rows) if row.startswith(_("Earlier").upper()))
    return [row for row in rows[:above] if "Player" in row]


def talk(table: MemoryTable, line: str) -> None:
    table.act(table.clients[0], table.clients[0].guest.state(Say(ForeignText(line))))


# The bar


@pytest.mark.parametrize("width", range(0, 60, 3))
def test_a_bar_of_any_width_is_one_line_of_it(width: int) -> None:
    for moment in ("gathering", "answering", "over"):
        strips = draw_bar(scene_at(moment), width)
        assert [strip.cell_length for strip in strips] == [width]


# Words


def test_the_words_of_the_last_round_stay_while_it_is_on_show() -> None:
    scene = counted()
    assert any(line.rstrip().endswith("call!") for line in side(scene))


def test_the_latest_words_are_seen_however_little_room_there_is() -> None:
    table = at("speaking", 9)
    table.say(*map(Bid, range(1, 20)))
    for height in range(6, 30):
        rows = round_rows(seen(table.clients[0]), 24, height)
        numbers = [int(row.split()[-1]) for row in rows]
        assert numbers and sorted(numbers) == list(range(20 - len(numbers), 20))


# Talk


def test_a_long_line_is_wrapped_and_none_of_it_is_lost() -> None:
    table = at("gathering")
    line = "one two three four five six seven eight nine ten eleven twelve thirteen"
    talk(table, line)
    assert line in said(seen(table.clients[1]), "side")


def test_the_latest_talk_is_seen_however_little_room_there_is() -> None:
    table = at("gathering")
    for number in range(7):
        talk(table, f"line {number}")
    rows = side(seen(table.clients[1]), 24, 8)
    assert "line 6" in rows[-1]


def test_talk_stays_below_the_words_and_keeps_their_room() -> None:
    table = at("answering")
    for number in range(8):
        talk(table, f"line {number} " + "and on " * 10)
    rows = side(seen(table.clients[1]), 24, 14)
    assert any(row.rstrip().endswith(" 2") for row in rows)


@pytest.mark.parametrize("line", ["\x1b[2Jx", "a\u202eb", "[bold]x[/]", "e\u0301" * 99, "中" * 60])
def test_no_talk_reaches_the_terminal_raw(line: str) -> None:
    table = at("gathering")
    talk(table, line)
    for width, height in ((74, 23), (120, 40)):
        strips = drawn(seen(table.clients[1]), width, height)["side"]
        assert all(row.isprintable() for row in text(strips).splitlines())


def test_who_left_is_still_named_beside_what_was_said() -> None:
    table = at("gathering")
    talk(table, "Good night")
    table.act(table.clients[0], table.clients[0].guest.state(Leave()))
    assert "Player1: Good night" in said(seen(table.clients[1]), "side")


def test_the_ending_word_is_told_apart_from_a_bid() -> None:
    table = at("answering")
    scene = seen(table.clients[0])
    table.say(Ending.SPOOF)
    scene.look(table.clients[0].view)
    assert any(line.rstrip().endswith("spoof!") for line in side(scene))


# Keeping order


def vote(table: MemoryTable, voter: int, about: int) -> None:
    client, whom = table.clients[voter], table.clients[about].guest.key
    table.act(client, client.guest.state(Vote(Measure.REMOVE, whom, yes=True)))


def test_who_has_voted_or_is_concerned_is_offered_no_key() -> None:
    table = at("gathering")
    vote(table, 0, 1)
    for client in table.clients[:2]:
        assert "v vote too" not in "\n".join(side(seen(client)))
        assert "votes to remove" in "\n".join(side(seen(client)))


def test_many_votes_and_much_talk_stay_within_the_column() -> None:
    table = MemoryTable(6)
    for about in range(1, 6):
        vote(table, 0, about)
    for number in range(8):
        talk(table, f"line {number}")
    for height in range(4, 24):
        assert len(side(seen(table.clients[2]), 22, height)) == height
    assert "v vote too" in side(seen(table.clients[2]), 22, 14)[-1]


def test_what_was_done_stands_among_the_talk_where_it_happened() -> None:
    table = at("gathering")
    scene = seen(table.clients[2])
    talk(table, "before")
    table.decide(Measure.MUTE, table.clients[1].guest.key)
    seen(table.clients[2], scene)
    talk(table, "after")
    told = "\n".join(side(seen(table.clients[2], scene)))
    assert told.index("before") < told.index("Player2 is muted.") < told.index("after")


# The rounds before


def test_an_earlier_round_says_who_ended_it_whether_rightly_and_who_paid() -> None:
    scene = counted()
    assert scene.last
    assert not any("−1" in line for line in side(scene))
    pay(scene)
    (line,) = [line for line in side(scene) if "−1" in line]
    ender = scene.last.outcome.ender
    holds = scene.last.outcome.verdict.ender_is_right
    name = "you" if scene.view and scene.view.me == ender else scene.names[ender]
    assert line.startswith(f"1 {name} {'✓' if holds else '✗'}")


def test_a_word_changes_one_line_of_the_round() -> None:
    table = at("speaking", 9)
    table.say(*map(Bid, range(1, 15)))
    scene = seen(table.clients[0])
    before = side(scene)
    table.say(Bid(15))
    scene.look(table.clients[0].view)
    assert sum(old != new for old, new in zip(before, side(scene), strict=True)) == 1


# The pages


def test_tab_goes_round_the_pages_of_either_layout() -> None:
    wide = [Page.TABLE, Page.ROUNDS, Page.TALK, Page.TABLE]
    assert [page.next(has_side=True) for page in wide[:-1]] == wide[1:]
    narrow = [*Page, Page.TABLE]
    assert [page.next(has_side=False) for page in Page] == narrow[1:]
    assert Page.ROUND.next(has_side=True) is Page.ROUNDS


def test_the_page_of_rounds_has_every_round_that_fits_and_the_last_ones_otherwise() -> None:
    scene = scene_at("over", 0, 4)
    scene.page = Page.ROUNDS
    assert scene.view
    count = len(scene.view.past)
    for height in (4, 30):
        numbers = [int(row.split()[0]) for row in side(scene, height=height)[1:] if row.strip()]
        assert numbers == list(range(count - len(numbers) + 1, count + 1))
        assert len(numbers) == min(count, height - 1)


def test_the_page_of_talk_has_the_whole_height() -> None:
    table = at("gathering")
    for number in range(7):
        talk(table, f"line {number}" + " and on" * 10)
    scene = seen(table.clients[1])
    scene.page = Page.TALK
    rows = side(scene, 30, 16)
    assert rows[0].startswith("TALK") and all("on" in row for row in rows[1:])


def whole(scene: Scene, width: int, height: int) -> str:
    return text(lines(table_parts(scene, width, height), width, height))


def test_an_earlier_round_calls_long_names_by_one_of_their_words() -> None:
    table = at("answering")
    table.say(Ending.CALL)
    scene = seen(table.clients[2])
    names = ("Deft Ferret", "Proud Otter", "Bold Badger")
    [line] = _earlier_lines(_view(scene), names, 20)
    told = "".join(text for text, _style in line)
    assert len(told) == 20 and "…" not in told


def _view(scene: Scene) -> TableView:
    assert scene.view
    return scene.view


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1), st.integers(3, 20))
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
