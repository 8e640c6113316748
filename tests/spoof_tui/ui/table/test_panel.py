"""The panel: what is going on, and what I can do now, key by key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.errors import Illegal, Reason
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui.ui.table.controls import ENDING_KEYS
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


def test_my_turn_says_so_and_shows_what_enter_bids() -> None:
    scene = speaking(at("answering"))
    assert "YOUR TURN" in said(scene)
    assert "Enter bid ◂ 3 ▸ 3 or more" in said(scene)


@pytest.mark.parametrize(("key", "word"), ENDING_KEYS.items())
def test_every_ending_word_has_its_key(key: str, word: Ending) -> None:
    scene = speaking(at("speaking" if word is Ending.ZERO else "answering"))
    assert f"{key} {sentences.word_name(word)}" in said(scene)


def test_what_an_ending_word_claims_has_the_numbers_of_this_round() -> None:
    panel = said(speaking(at("answering")))
    assert "fewer than 2" in panel and "exactly 2" in panel and "all 9 are in" in panel


def test_a_word_that_is_not_allowed_is_left_out() -> None:
    assert "c call" not in said(speaking(at("speaking")))
    assert "zero" not in said(speaking(at("answering")))


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
    assert "c call" in panel and "Enter" not in panel


def test_an_armed_word_asks_for_the_same_key_again() -> None:
    table = at("answering")
    scene = speaking(table)
    scene.controls.press("c", table.speaker().view)
    assert "press c again" in said(scene)


def test_the_direction_of_the_opening_bid_is_shown_where_it_can_be_chosen() -> None:
    table = at("speaking")
    scene = speaking(table)
    assert "d direction: clockwise" in said(scene)
    scene.controls.press("d", table.speaker().view)
    assert "d direction: counter-clockwise" in said(scene)
    assert "clockwise" not in said(speaking(at("answering")))


def test_a_low_panel_still_shows_every_word_that_may_be_said() -> None:
    scene = speaking(at("answering"))
    panel = text(drawn(scene, 40, 12)["panel"])
    words = (Ending.CALL, Ending.CLIFF, Ending.SPOOF)
    assert all(sentences.word_name(word) in panel for word in words)
    assert "Enter" in panel


# My hand


def test_a_hand_is_asked_for_with_its_bounds() -> None:
    assert "YOUR HAND" in said(scene_at("choosing"))
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
    table.act(table.clients[0], table.clients[0].guest.choose(2, table.entropy()))
    panel = said(seen(table.clients[0]))
    assert "Your fist is in" in panel
    assert "Player2" in panel and "Player3" in panel


# Others


def test_it_is_said_whose_turn_it_is() -> None:
    table = at("answering")
    waiting = next(client for client in table.clients if not client.view.my_turn)
    scene = seen(waiting)
    assert "Your turn is next." in said(scene) or "your turn will come." in said(scene)


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


def test_where_there_is_little_room_a_count_that_is_long_is_one_of_numbers() -> None:
    scene = counted()
    pay(scene)
    assert "you 0 + Player2 1 + Player3 2 = 3" in text(draw_panel(scene, 78, 7))
    assert " 0 + 1 + 2 = 3" in text(draw_panel(scene, 30, 7))


# Between games


def test_who_comes_after_a_game_is_told_what_to_do() -> None:
    panel = said(scene_at("over"))
    assert "GAME OVER" in panel and "Play again? 0 of 3 are ready." in panel
    assert "Enter play again" in foot(scene_at("over"))


def test_who_only_watches_is_told_so() -> None:
    table = at("gathering")
    assert "You are watching" in said(seen(table.add(sit=False)))


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


def test_the_end_of_a_table_says_why() -> None:
    scene = scene_at("answering")
    scene.over = "The host has closed the table."
    assert "The host has closed the table." in said(scene)
    assert "q leave" in foot(scene)


def test_before_the_table_is_known_it_is_said_what_is_awaited() -> None:
    panel = said(Scene())
    assert "Joining" in panel and "q leave" in panel


@pytest.mark.parametrize("height", range(2, 12))
def test_a_panel_of_any_height_is_as_high_as_it_is(height: int) -> None:
    for moment in ("gathering", "choosing", "answering", "over"):
        assert len(draw_panel(scene_at(moment), 60, height)) == height


# The code, and the way to the host


def rule(scene: Scene, width: int = 80) -> str:
    """The line above the panel."""
    return text(drawn(scene, width, 24)["panel"]).splitlines()[0]


def test_a_link_that_stands_is_said_to_be_sealed() -> None:
    scene = scene_at("speaking")
    assert " ■ sealed " in rule(scene)
    assert scene.view
    scene.view = replace(scene.view, link=LinkState.DOWN)
    assert "sealed" not in rule(scene)


@pytest.mark.parametrize("moment", ["gathering", "choosing", "speaking", "over"])
def test_the_host_sees_the_code_at_any_moment(moment: str) -> None:
    scene = scene_at(moment)
    assert "code" not in rule(scene)
    scene.code = "K7M4Q"
    assert " code K7M4Q ─ ■ sealed " in rule(scene)


def test_where_there_is_little_room_the_code_stays_longest() -> None:
    scene = scene_at("gathering")
    scene.code = "K7M4Q"
    assert "code K7M4Q" in rule(scene, 38) and "sealed" not in rule(scene, 38)
    assert "K7M4Q" not in rule(scene, 24)


def test_a_table_that_turns_away_is_told_in_place_of_everything_else() -> None:
    scene = scene_at("speaking")
    scene.turned_away = sentences.turned_away(Farewell.IMPOSTOR, "10.0.0.1:7763")
    assert "not the host of this table" not in said(scene)
    assert scene.view
    scene.view = replace(scene.view, link=LinkState.DOWN)
    assert "The program at 10.0.0.1:7763 is not the host of this table" in said(scene)
    scene.view = None
    assert "Not at the table" in said(scene)


# Without a seat


def test_a_watcher_is_offered_a_seat_only_where_one_is_free() -> None:
    table = MemoryTable(2, seats=3)
    watcher = table.add(sit=False)
    assert "You are watching. Press r to sit down for the next game." in said(seen(watcher))
    table.add()
    assert "You are watching: the table is full." in said(seen(watcher))


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


def test_the_turn_clock_is_a_bar_that_empties_and_digits() -> None:
    assert "━━━━━━━━━━ 1:00" in said(with_clock("speaking", 60))
    assert "━━━━━╌╌╌╌╌ 0:27" in said(with_clock("speaking", 27))
    assert "╌╌╌╌╌╌╌╌╌╌ 0:00" in said(with_clock("speaking", -5))
    assert "━" not in said(speaking(at("speaking")))


def test_without_a_link_no_clock_runs_and_the_panel_says_what_is_done() -> None:
    scene = with_clock("speaking", 27)
    assert scene.view
    scene.wall = scene.now
    scene.look(replace(scene.view, link=LinkState.DOWN))
    panel = said(scene)
    assert "No connection" in panel and "0:27" not in panel
    assert "stay yours" in panel and "y play on" not in foot(scene)


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


def test_who_keeps_the_table_waiting_is_told_to_whoever_waits() -> None:
    table = at("answering")
    gone = table.speaker()
    other = next(client for client in table.clients if client is not gone)
    table.cut(gone)
    panel = said(seen(other))
    assert "is away for 0:00. In 1:00 the players here may vote to play on" in panel


def test_a_paused_table_offers_to_go_on_before_all_else() -> None:
    scene = speaking(at("speaking"))
    assert scene.view
    scene.look(replace(scene.view, paused=True))
    assert "Paused" in said(scene) and "Press p" in said(scene)
    assert foot(scene).strip().startswith("p go on")
    assert "p pause" in foot(speaking(at("speaking")))


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
