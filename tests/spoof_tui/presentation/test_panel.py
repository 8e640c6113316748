"""The panel: what is going on, and what I can do now, key by key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.errors import Illegal, Reason
from protocol.words import Bid, Ending
from spoof_tui.controls import ENDING_KEYS
from spoof_tui.presentation import sentences
from spoof_tui.presentation.panel import draw_panel
from spoof_tui.presentation.scene import Scene
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.presentation.scenes import at, counted, drawn, said, scene_at, seen, text


def foot(scene: Scene, width: int = 100) -> str:
    """The line of keys."""
    return text(drawn(scene, width, 30)["panel"]).splitlines()[-1]


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


def test_my_turn_says_so_and_shows_what_enter_bids() -> None:
    scene = speaking(at("answering"))
    assert "Your word" in said(scene)
    assert "Enter" in said(scene) and "3 to 9" in said(scene)


@pytest.mark.parametrize(("key", "word"), ENDING_KEYS.items())
def test_every_ending_word_has_its_key(key: str, word: Ending) -> None:
    assert f"{key} {sentences.word_name(word)}" in said(speaking(at("answering")))


def test_what_an_ending_word_claims_has_the_numbers_of_this_round() -> None:
    panel = said(speaking(at("answering")))
    assert "fewer than 2" in panel and "exactly 2" in panel and "all 9" in panel


def test_a_word_that_is_not_allowed_says_why_with_its_clause() -> None:
    assert "no bid to call yet. (R7)" in said(speaking(at("speaking")))
    assert "(R10)" in said(speaking(at("answering")))


def test_a_forbidden_word_makes_no_claim() -> None:
    panel = said(speaking(at("speaking")))
    assert "fewer than" not in panel and "exactly" not in panel


def test_a_composed_bid_is_shown() -> None:
    table = at("answering")
    scene = speaking(table)
    scene.controls.press("7", table.speaker().view)
    assert " 7 " in said(scene)


def test_no_bid_is_offered_where_none_is_left() -> None:
    table = at("answering")
    table.say(Bid(9))
    panel = said(speaking(table))
    assert "no raise is left (R6)" in panel and "Enter" not in panel


def test_an_armed_word_asks_for_the_same_key_again() -> None:
    table = at("answering")
    scene = speaking(table)
    scene.controls.press("c", table.speaker().view)
    assert "Really call?" in said(scene) and "Press c once more" in said(scene)


def test_the_direction_of_the_opening_bid_is_shown_where_it_can_be_chosen() -> None:
    table = at("speaking")
    scene = speaking(table)
    assert "d clockwise" in said(scene)
    scene.controls.press("d", table.speaker().view)
    assert "d counter-clockwise" in said(scene)
    assert "clockwise" not in said(speaking(at("answering")))


def test_a_low_panel_still_shows_every_word_that_may_be_said() -> None:
    scene = speaking(at("answering"))
    panel = text(drawn(scene, 60, 16)["panel"])
    assert all(sentences.word_name(word) in panel for word in Ending)
    assert "Enter" in panel


# My hand


def test_a_hand_is_asked_for_with_its_bounds() -> None:
    assert "Your hand" in said(scene_at("choosing"))
    assert "0 to 3" in said(scene_at("choosing"))
    assert "0 to 2" in said(rich(2))


def test_ten_coins_are_typed_and_entered() -> None:
    panel = said(rich(10))
    assert "0 to 10" in panel and "Enter" in panel


def test_the_typed_digits_of_a_hand_are_never_shown() -> None:
    plain = said(rich(12))
    scene = rich(12)
    assert scene.view
    for digit in "11":
        scene.controls.press(digit, scene.view)
    assert scene.controls.hand_digits == "11"
    assert said(scene) == plain


def test_a_fist_that_is_in_is_confirmed_and_who_is_awaited_is_named() -> None:
    table = at("choosing")
    table.act(table.chairs[0], table.chairs[0].guest.choose(2, table.entropy()))
    panel = said(seen(table.chairs[0]))
    assert "Your fist is in" in panel
    assert "Player2" in panel and "Player3" in panel


# Others


def test_it_is_said_whose_turn_it_is() -> None:
    table = at("answering")
    waiting = next(chair for chair in table.chairs if not chair.view.my_turn)
    scene = seen(waiting)
    assert scene.view and scene.view.speaker is not None
    assert scene.names[scene.view.speaker] + " is to speak" in said(scene)


def test_a_result_is_told_only_after_the_count() -> None:
    scene = counted()
    assert scene.last
    result = sentences.outcome(scene.last, scene.names)
    assert result not in said(scene)
    scene.open_all()
    assert result in said(scene)
    assert sentences.the_count(scene.last, scene.names, scene.order) in said(scene)


# Between games


def test_between_games_the_key_for_ready_is_named() -> None:
    assert "Press r when you are ready" in said(scene_at("gathering"))
    assert "r ready" in foot(scene_at("gathering"))


def test_who_comes_after_a_game_is_told_what_to_do() -> None:
    assert "Press r when you are ready" in said(scene_at("over"))


def test_who_is_ready_is_told_who_is_awaited() -> None:
    panel = said(scene_at("ready"))
    assert "You are ready" in panel and "Player2" in panel and "Player3" in panel


def test_who_only_watches_is_told_so() -> None:
    table = at("gathering")
    assert "You watch" in said(seen(table.add(sit=False)))


def test_the_own_table_says_how_others_come() -> None:
    scene = scene_at("gathering")
    scene.address, scene.trouble = "10.0.0.1:7763", "Nobody hears of it."
    panel = said(scene)
    assert "10.0.0.1:7763" in panel and "Nobody hears of it." in panel


def test_a_saved_game_says_where() -> None:
    scene = scene_at("over")
    scene.opened = 0
    scene.open_all()
    scene.record = Path("~/games/one.spoof")
    assert "~/games/one.spoof" in said(scene)


# At any time


def test_a_remark_is_shown_wherever_it_comes() -> None:
    remark = sentences.forbidden(Illegal(Reason.NO_GAME), ())
    for moment in ("gathering", "choosing", "speaking", "answering"):
        for chair in range(3):
            scene = scene_at(moment, chair)
            scene.remark = remark
            assert remark in said(scene)


def test_talk_is_typed_on_the_last_line() -> None:
    scene = scene_at("answering")
    scene.talking = "Start us off"
    assert "Start us off" in foot(scene)


def test_of_a_long_line_of_talk_the_end_is_seen() -> None:
    scene = scene_at("answering")
    scene.talking = "word " * 30 + "the end"
    assert "the end" in foot(scene, 40)


def test_the_end_of_a_table_says_why() -> None:
    scene = scene_at("answering")
    scene.over = "The host has closed the table."
    assert "The host has closed the table." in said(scene)
    assert "q leave" in foot(scene)


def test_leaving_asks_and_says_what_it_costs() -> None:
    scene = scene_at("answering")
    assert scene.view
    scene.controls.press("q", scene.view)
    assert "your seat and your coins stay yours" in said(scene)
    scene.controls.hosts = True
    assert "closes for everybody" in said(scene)


def test_before_the_table_is_known_it_is_said_what_is_awaited() -> None:
    panel = said(Scene())
    assert "Joining" in panel and "q leave" in panel


@pytest.mark.parametrize("moment", ["gathering", "choosing", "answering", "over"])
def test_the_keys_are_whole_or_not_there_and_the_way_out_always_is(moment: str) -> None:
    full = foot(scene_at(moment), 200).split("  ")
    for width in range(40, 130, 9):
        line = foot(scene_at(moment), width).rstrip().split("  ")
        assert {key.strip() for key in line} <= {key.strip() for key in full}
        assert [key.strip() for key in line[-2:]] == ["? keys", "q leave"]


@pytest.mark.parametrize("height", range(2, 12))
def test_a_panel_of_any_height_is_as_high_as_it_is(height: int) -> None:
    for moment in ("gathering", "choosing", "answering", "over"):
        assert len(draw_panel(scene_at(moment), 60, height)) == height
