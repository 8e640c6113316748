"""What the player sees of a table, as one value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Measure, Sit
from protocol.views import LinkState
from spoof_tui.ui.table.scene import MAX_EVENTS, Scene
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    MOMENTS,
    at,
    catch_up,
    counted,
    open_next,
    pay,
    scene_at,
    seen,
    shown,
)


def test_before_the_table_is_known_nothing_is_shown_of_it() -> None:
    scene = Scene()
    assert scene.last is None and scene.showing is None and scene.order == ()


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_moment_can_be_seen_from_every_chair(moment: str, preset: str) -> None:
    table = at(moment, 3, preset)
    table.add(sit=False)
    for client in table.clients:
        assert shown(seen(client))


# The end of a round


def test_a_round_that_ends_is_put_on_show_with_shut_fists() -> None:
    scene = counted()
    assert (scene.opened, scene.is_counted) == (0, False)
    assert scene.showing and not scene.showing.hands and not scene.showing.changes


def test_the_fists_open_one_by_one_and_the_enders_first() -> None:
    scene = counted()
    assert scene.last
    opened = []
    for _ in range(3):
        before = set(scene.showing.hands) if scene.showing else set()
        open_next(scene)
        assert scene.showing
        [new] = set(scene.showing.hands) - before
        opened.append(new)
    assert opened[0] == scene.last.outcome.ender
    assert sorted(opened) == [0, 1, 2]
    assert tuple(opened) == scene.order


def test_where_the_rules_say_so_all_fists_open_together() -> None:
    scene = counted(rules="three-coins")
    open_next(scene)
    assert scene.opened == len(scene.order)


def test_won_and_lost_coins_are_shown_only_after_the_count() -> None:
    scene = counted()
    for _ in range(3):
        open_next(scene)
        assert scene.showing and not scene.showing.changes
    pay(scene)
    assert scene.showing and sum(scene.showing.changes.values()) == -1


def test_all_fists_can_be_opened_at_once() -> None:
    scene = counted()
    pay(scene)
    assert scene.is_counted
    open_next(scene)
    assert scene.showing and len(scene.showing.hands) == 3


def test_nothing_opens_while_no_round_is_on_show() -> None:
    scene = scene_at("answering")
    open_next(scene)
    pay(scene)
    assert (scene.opened, scene.showing) == (None, None)


def test_who_comes_late_sees_no_old_round() -> None:
    table = at("counted")
    assert seen(table.clients[0]).opened is None


def test_the_last_round_is_put_away_when_the_next_word_is_mine() -> None:
    table = at("answering")
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    scene.look(table.clients[0].view)
    pay(scene)
    table.choose(1, 1, 1)
    while not table.clients[0].view.my_turn:
        view = table.speaker().view
        table.say(Bid(view.lowest_bid or 1))
    scene.look(table.clients[0].view)
    assert scene.last is None


def test_the_last_round_stays_until_the_next_fist_is_chosen() -> None:
    table = at("answering")
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    scene.look(table.clients[0].view)
    scene.look(table.clients[0].view)
    assert scene.opened == 0


# What is composed


def test_what_was_composed_is_forgotten_with_the_turn() -> None:
    table = at("answering")
    speaker = table.speaker()
    scene = seen(speaker)
    scene.controls.press("8", speaker.view)
    table.say(Bid(3))
    scene.look(speaker.view)
    assert scene.controls.bid is None


def test_names_follow_the_seats() -> None:
    table = at("gathering", players=2)
    scene = seen(table.clients[0])
    table.add(name="Late")
    scene.look(table.clients[0].view)
    assert scene.names == ("Player1", "Player2", "Late")


# Keeping order


def test_who_loses_the_seat_is_removed_until_there_is_one_again() -> None:
    table = MemoryTable(3)
    client = table.clients[1]
    scene = seen(client)
    assert not scene.removed
    table.decide(Measure.REMOVE, client.guest.key)
    assert seen(client, scene).removed
    table.act(client, client.guest.state(Sit(ForeignText("Again"))))
    assert not seen(client, scene).removed


def test_who_sits_down_by_ssh_is_told_in_a_sentence_and_among_the_talk() -> None:
    table = MemoryTable(2)
    scene = seen(table.clients[0])
    assert not scene.remark
    late = table.add(sit=False)
    table.act(late, late.guest.state(Sit(ForeignText("Late"), through_door=True)))
    seen(table.clients[0], scene)
    assert scene.remark.startswith("Late plays by ssh")
    assert [event.text for event in scene.events] == [scene.remark]
    scene.remark = ""
    assert not seen(table.clients[0], scene).remark


def test_who_watches_from_the_beginning_was_not_removed() -> None:
    table = MemoryTable(2)
    watcher = table.add(sit=False)
    scene = seen(watcher)
    table.add()
    assert not seen(watcher, scene).removed


def test_only_the_last_events_are_remembered() -> None:
    table = MemoryTable(3)
    scene = seen(table.clients[0])
    for _ in range(MAX_EVENTS):
        for measure in (Measure.MUTE, Measure.UNMUTE):
            table.decide(measure, table.clients[1].guest.key)
            seen(table.clients[0], scene)
    assert len(scene.events) == MAX_EVENTS
    assert scene.events[-1].text == "Player2 may talk again."


def test_a_link_that_stands_again_ends_what_was_in_its_way() -> None:
    table = MemoryTable(2)
    scene = seen(table.clients[0])
    scene.turned_away = "Somebody else answers."
    table.cut(table.clients[0])
    assert seen(table.clients[0], scene).turned_away
    table.connect(table.clients[0])
    assert not seen(table.clients[0], scene).turned_away


# Away, and back


def down(scene: Scene, link: LinkState = LinkState.DOWN) -> None:
    """The link is no longer what it was."""
    assert scene.view
    scene.look(replace(scene.view, link=link))


def test_nothing_ticks_where_everybody_is_here_and_there_is_no_clock() -> None:
    for moment in MOMENTS:
        assert not scene_at(moment).is_ticking


def test_who_is_away_and_a_turn_clock_tick() -> None:
    table = at("speaking")
    gone = table.speaker()
    other = next(client for client in table.clients if client is not gone)
    table.cut(gone)
    assert seen(other).is_ticking
    scene = scene_at("speaking")
    assert scene.view
    seats = tuple(replace(seat, time_up_from=1) for seat in scene.view.seats)
    scene.look(replace(scene.view, seats=seats))
    assert scene.is_ticking
    scene.look(replace(scene.view, paused=True))
    assert not scene.is_ticking


def test_a_lost_link_counts_from_its_loss_and_stops_the_hosts_clock() -> None:
    scene = scene_at("speaking")
    scene.wall = 2_000_000_000_000
    down(scene)
    frozen = scene.now
    scene.wall += 12_000
    assert (scene.cut_off_for, scene.now, scene.is_stale) == (12.0, frozen, True)


def test_a_silent_host_was_silent_before_that_was_noticed() -> None:
    scene = scene_at("speaking")
    scene.wall = 2_000_000_000_000
    down(scene, LinkState.UNSTEADY)
    assert scene.cut_off_for == 3.0
    assert not scene.is_stale


def test_to_be_back_is_news_only_after_a_link_that_was_lost() -> None:
    scene = scene_at("speaking")
    down(scene, LinkState.UNSTEADY)
    down(scene, LinkState.UP)
    assert not scene.news
    for state in (LinkState.DOWN, LinkState.MEETING, LinkState.UP):
        down(scene, state)
    assert list(scene.news) == ["Back at the table."]
    assert scene.cut_off_at is None


def test_news_is_collected_until_it_is_read() -> None:
    scene = scene_at("speaking")
    scene.tell("One", "first")
    scene.tell("Two", "second", "first")
    assert (scene.news_title, scene.news) == ("Two", ("second", "first"))
    scene.put_away_news()
    assert scene.news == ()


def test_another_host_is_news_and_an_event() -> None:
    scene = scene_at("speaking")
    assert scene.view
    scene.look(replace(scene.view, host=scene.view.seats[1].key, epoch=1))
    assert scene.news == ("Player2 now hosts the table.",)
    assert [event.text for event in scene.events] == ["Player2 now hosts the table."]


def test_who_only_had_to_follow_the_table_was_not_away() -> None:
    scene = scene_at("speaking")
    assert scene.view
    host = scene.view.seats[1].key
    for state in (LinkState.DOWN, LinkState.MOVING):
        down(scene, state)
    scene.look(replace(scene.view, host=host, link=LinkState.UP))
    assert scene.news == ("Player2 now hosts the table.",)


def test_news_waits_until_a_count_is_told() -> None:
    scene = counted()
    scene.tell("The table moves", "It moves.")
    scene.put_away_news()
    assert scene.news and not scene.has_news
    catch_up(scene)
    assert scene.has_news
