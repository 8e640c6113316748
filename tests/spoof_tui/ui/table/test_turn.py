"""The words that a player may say now: what each claims, wins and costs, in a panel of any size."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from protocol.rules.options import PRESETS, BiddingRules
from protocol.rules.words import Bid, Ending
from spoof_tui.telling.names import name_of
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import length
from spoof_tui.ui.table.panel.turn import prices, turn_lines
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen.controls import Controls
from tests.helpers.states import scenes, states
from tests.spoof_tui.ui.table.scenes import (
    at,
    drawn,
    seen,
    text,
)

BIDDING = [name for name, rules in PRESETS.items() if isinstance(rules, BiddingRules)]


@pytest.mark.parametrize("bids", [(), (2,), (8,)])
@pytest.mark.parametrize("rules", BIDDING)
def test_a_turn_is_told_within_the_panel_with_the_prices_of_the_rules(
    rules: str, bids: tuple[int, ...]
) -> None:
    table = at("speaking", 9, rules)
    table.say(*map(Bid, bids))
    scene = seen(table.speaker())
    view = scene.view
    assert view
    for width, height in product([38, 58, 78, 118], [6, 8, 11]):
        told = turn_lines(scene, view, width, height)
        assert told and len(told) <= height - 2 and max(map(length, told)) <= width
    for option in view.options:
        if option.forbidden is None:
            right, wrong = prices(option.word, view)
            assert right.verdict.ender_is_right and not wrong.verdict.ender_is_right
    low = text(drawn(scene, 40, 12)["panel"])
    assert "Enter" in low and "spoof" in low


@pytest.mark.parametrize("bids", [(), (2,)])
def test_who_may_end_a_round_reads_there_that_it_waits_for_who_is_away(
    bids: tuple[int, ...],
) -> None:
    table = at("speaking", 4)
    table.say(*map(Bid, bids))
    me = table.speaker()
    gone = next(client for client in table.clients if client is not me)
    table.cut(gone)
    scene, name = seen(me), name_of(me.view, gone.guest.key)
    assert scene.view
    for width, height in product([38, 58, 78, 118], [6, 8, 11]):
        for armed in (None, Ending.CALL if bids else Ending.ZERO):
            scene.controls.armed = armed
            told = turn_lines(scene, scene.view, width, height)
            assert len(told) <= height - 2 and max(map(length, told)) <= width
            rows = " ".join("".join(piece[0] for piece in row).strip() for row in told)
            is_short = width < 57 or (width < 78 and height < 8)
            end = "a count has to wait." if is_short else "or a vote voids it."
            assert f"{name} is away: " in rows and end in rows
            assert "call" in rows if bids else "zero" in rows
            if bids and width == 78 and height >= 8:
                assert "if right" in rows, "the prices have room below it"
    scene.is_new, scene.seen = True, frozenset()
    if not bids:
        told = turn_lines(replace(scene, controls=Controls()), scene.view, 78, 11)
        assert "end the round" not in "".join(piece[0] for row in told for piece in row)


@pytest.mark.parametrize("remark", ["Bo is back.", "The table is not waiting for anybody. " * 2])
@pytest.mark.parametrize("bids", [(), (2,)])
def test_prices_have_titles_or_say_if_called_themselves_whatever_is_said_above_them(
    bids: tuple[int, ...], remark: str
) -> None:
    table = at("speaking", 3)
    table.say(*map(Bid, bids))
    scene = seen(table.speaker())
    scene.remark, scene.is_new = remark.strip(), True
    assert scene.view and scene.is_first_round
    for width, height in product([58, 78, 118], [10, 11, 14]):
        told = turn_lines(scene, scene.view, width, height)
        rows = ["".join(piece[0] for piece in row) for row in told]
        in_columns = [
            row for row in rows if "−1" in row and "called:" not in row and "caller" not in row
        ]
        titles = rows.index(in_columns[0]) if in_columns else len(rows)
        assert any("if right" in row for row in rows[:titles]) == bool(in_columns), rows


@pytest.mark.parametrize("width", [38, 45, 57, 58, 70, 78, 98, 118])
@pytest.mark.parametrize("name", ["Bo", "Deft Ferret", "Wilhelmina"])
def test_a_price_of_a_bid_always_says_if_called(name: str, width: int, language: str) -> None:
    scene = scenes()["opening"]
    scene = replace(scene, names=(name,) * len(scene.names))
    assert scene.view
    rows = ["".join(piece[0] for piece in row) for row in turn_lines(scene, scene.view, width, 11)]
    [bid] = [row for row in rows if f"{_('Enter')} {_('bid')} " in row]
    assert ("−1" in bid) == (width >= 57)
    told = (
        _("{name} {price} if called"),
        _("the caller or you {price}"),
        _("if called: {name} or you {price}").partition("{name}")[0],
    )
    asked = [each.replace("{name}", "").replace("{price}", "").strip() for each in told]
    assert "−1" not in bid or any(each in bid for each in asked)


@pytest.mark.parametrize("width", range(38, 57))
@pytest.mark.parametrize("word", [Ending.CALL, Ending.CLIFF, Ending.SPOOF])
def test_a_word_in_brief_keeps_its_place_while_it_waits_for_its_second_press(
    word: Ending, width: int
) -> None:
    scene = scenes()["my-turn"]
    assert scene.view

    def starts() -> list[list[int]]:
        told = turn_lines(scene, scene.view, width, 11)[1:]  # type: ignore[arg-type]
        rows = ["".join(piece[0] for piece in row) for row in told]
        names = ("bid", "call", "cliff", "spoof")
        return [[row.index(name) for name in names if name in row] for row in rows]

    before = starts()
    scene.controls.armed = word
    now, scene.controls.armed = starts(), None
    for row, old in zip(now, before, strict=True):
        # A word's key is two cells, and the blank before an armed one is one.
        assert all(place - each in (0, 1) for each, place in zip(row, old, strict=True))


@pytest.mark.parametrize("rules", BIDDING)
def test_a_call_and_a_zero_on_a_bid_of_1_show_what_each_wins_where_there_are_no_prices(
    rules: str,
) -> None:
    table = at("speaking", 3, rules)
    for bid, claimed in ((1, []), (2, ["fewer than"])):
        table.say(Bid(bid))
        scene = replace(seen(table.speaker()), is_new=False)
        assert scene.view
        chosen = {each.word for each in scene.view.options if each.forbidden is None}
        told = said_by_panel(scene, 45)
        if Ending.ZERO in chosen:
            assert ["fewer than"] * ("fewer than" in told) == claimed, told


@pytest.mark.parametrize("moment", ["my-turn", "opening", "at-the-cap", "school-my-call"])
def test_the_stakes_of_each_word_stand_beside_it_from_59_columns_on(
    moment: str, language: str
) -> None:
    for width in range(59, 73):
        rows = [row.strip().text for row in states()[moment]((width, 24)).rows]
        [top] = [at for at, row in enumerate(rows) if _("if right") in row]
        right, wrong = (rows[top].index(_(each)) for each in ("if right", "if wrong"))
        told = [row for row in rows[top + 1 : -1] if row[:7].strip() and ":" not in row]
        assert told and all(row[right:wrong].strip() and row[wrong:].strip() for row in told)
        assert not any("…" in row[right:] or row[right - 1 : right].strip() for row in told)


@pytest.mark.parametrize("width", range(36, 81))
def test_who_may_turn_the_direction_sees_it_and_its_key_at_every_width(width: int) -> None:
    scene = seen(at("speaking").speaker())
    for way in ("clockwise", "counter-clockwise", "clockwise"):
        assert f"d {way}" in said_by_panel(scene, width) or f"d direction: {way}" in (
            said_by_panel(scene, width)
        )
        scene.controls.press("d", scene.view)  # type: ignore[arg-type]


def said_by_panel(scene: Scene, width: int) -> str:
    return " ".join(text(drawn(scene, width, 20)["panel"]).split())


@pytest.mark.parametrize("width", (40, 45, 60, 80))
def test_whoever_opens_is_asked_for_a_number_beside_the_direction(
    width: int, language: str
) -> None:
    scene = seen(at("speaking").speaker())
    for _way in range(2):
        asked = "At least how many coins?", "Coins, at least?"
        panel = said_by_panel(scene, width)
        assert any(_(each).rstrip("?") in panel for each in asked)
        scene.controls.press("d", scene.view)  # type: ignore[arg-type]
