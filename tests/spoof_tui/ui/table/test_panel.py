"""The panel: what is going on, and what I can do now, key by key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.errors import Illegal, Reason
from protocol.rules.words import Ending
from protocol.table.fold import Phase
from spoof_tui.ui.table.rounds_dialog import page
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import sentences
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    at,
    catch_up,
    counted,
    draw_panel,
    drawn,
    foot,
    pay,
    said,
    scene_at,
    seen,
    text,
)


def speaking(table: MemoryTable) -> Scene:
    return seen(table.speaker())


def rich(coins: int) -> Scene:
    """My fist is due, and I own so many coins."""
    scene = scene_at("choosing")
    assert scene.view
    scene.view = replace(
        scene.view, seats=tuple(replace(seat, coins=coins) for seat in scene.view.seats)
    )
    return scene


# My word


def test_a_low_panel_still_shows_every_word_that_may_be_said() -> None:
    scene = speaking(at("answering"))
    panel = text(drawn(scene, 40, 12)["panel"])
    words = (Ending.CALL, Ending.CLIFF, Ending.SPOOF)
    assert all(sentences.word_name(word) in panel for word in words)
    assert "Enter" in panel


# My hand


def test_the_typed_digits_of_a_hand_are_never_shown() -> None:
    plain = said(rich(12))
    scene = rich(12)
    assert scene.view
    for digit in "11":
        scene.controls.press(digit, scene.view)
    assert scene.controls.hand_digits == "11"
    assert said(scene) == plain


# Others


def test_a_result_is_told_only_after_the_count() -> None:
    scene = counted()
    assert scene.last
    assert scene.view
    result = sentences.outcome(scene.last, scene.names, scene.view.me)
    assert result not in said(scene)
    pay(scene)
    assert result in said(scene)
    hands = sentences.the_count(scene.last, scene.names, scene.order, scene.view.me)
    assert hands in said(scene)


def test_while_a_count_is_looked_at_its_own_round_is_named() -> None:
    scene = counted()
    pay(scene)
    assert scene.view
    # All fists are in again, sooner than the count has rested.
    scene.view = replace(scene.view, phase=Phase.SPEAKING, speaker=1, own_fist_due=False)
    assert "Round 1 is over" in said(scene)
    scene.reveal = None
    assert "Round 2" in said(scene)


# Between games


def test_a_saved_game_says_so_and_its_rounds_say_where() -> None:
    scene = scene_at("over")
    scene.record = Path("~/games/one.spoof")
    assert "Saved. g looks through it." in said(scene)
    assert "~/games/one.spoof" in page(scene, 70).plain


def test_whoever_was_the_first_out_is_told_to_open_the_next_game() -> None:
    told = [said(scene_at("over", client)) for client in range(3)]
    assert sum("You were the first out" in panel for panel in told) == 1
    assert sum("was the first out (“crap”) and opens" in panel for panel in told) == 2


# At any time


def test_a_remark_is_shown_wherever_it_comes() -> None:
    remark = sentences.forbidden(Illegal(Reason.NO_GAME), ())
    for moment in ("gathering", "choosing", "speaking", "answering"):
        for client in range(3):
            scene = scene_at(moment, client)
            scene.remark = remark
            assert remark in said(scene)


@pytest.mark.parametrize("height", range(2, 12))
def test_a_panel_of_any_height_is_as_high_as_it_is(height: int) -> None:
    for moment in ("gathering", "choosing", "answering", "over"):
        assert len(draw_panel(scene_at(moment), 60, height)) == height


# The code, and the way to the host


def rule(scene: Scene, width: int = 80) -> str:
    """The line above the panel."""
    return text(drawn(scene, width, 24)["panel"]).splitlines()[0]


def test_where_there_is_little_room_the_code_stays_longest() -> None:
    scene = scene_at("gathering")
    scene.code = "K7M4Q"
    assert "code K7M4Q" in rule(scene, 38) and "sealed" not in rule(scene, 38)
    assert "K7M4Q" not in rule(scene, 24)


# Without a seat


# Waiting, a lost link, and a pause


def with_clock(moment: str, left: int) -> Scene:
    """My move is due, and the turn clock of a minute leaves so many seconds."""
    scene = speaking(at(moment))
    assert scene.view and scene.view.me is not None
    due = scene.now + left * 1000
    seats = tuple(
        replace(seat, time_up_from=due if seat.is_me else None) for seat in scene.view.seats
    )
    scene.look(replace(scene.view, seats=seats, clock=60))
    return scene


def test_news_leave_room_for_the_move_that_is_due() -> None:
    scene = speaking(at("answering"))
    scene.tell("While you were away", *(f"Line {number}." for number in range(9)))
    panel = text(drawn(scene, 80, 24)["panel"])
    assert "Line 0." in panel and "Line 2." in panel and "Line 8." not in panel
    assert "Enter" in panel and "spoof" in panel


def test_between_games_news_do_not_hide_how_to_get_ready() -> None:
    scene = scene_at("gathering")
    scene.tell("Back at the table", "Back at the table.")
    assert "Back at the table." in said(scene) and "Press Enter when you are ready" in said(scene)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
def test_news_never_cover_who_is_away_and_which_key_helps(size: tuple[int, int]) -> None:
    table = at("choosing")
    table.cut(table.clients[1])
    for me in table.clients[::2]:
        table.act(me, me.guest.choose(1, table.entropy()) if me is table.clients[0] else [])
        assert me.view.own_fist_due is (me is not table.clients[0])
        scene = seen(me)
        scene.wall = me.view.time + 61_000
        scene.tell("While you were away", *(f"Line {number}." for number in range(9)))
        scene.remark = "Something."
        assert "is away for" in text(drawn(scene, *size)["panel"]) and "y play on" in foot(scene)


# While the fists open


def test_the_ending_word_is_told_before_the_first_fist_is_open() -> None:
    scene = scene_at("answering")
    assert scene.view
    words = (*scene.view.words, (1, Ending.CALL))
    scene.look(replace(scene.view, phase=Phase.WITNESSING, words=words, speaker=None))
    assert "The fists open" in said(scene)
    assert "Player2 calls the 2: “fewer than 2.”" in said(scene)


def test_news_do_not_hide_how_the_round_ended() -> None:
    scene = counted()
    scene.tell("The table moves", "It moves.")
    assert "It moves." not in said(scene)
    pay(scene)
    assert scene.last and scene.view
    assert sentences.outcome(scene.last, scene.names, scene.view.me) in said(scene)
    catch_up(scene)
    assert "It moves." in said(scene)
