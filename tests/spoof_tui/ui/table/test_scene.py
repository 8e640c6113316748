"""The player's picture of a table, as one value: links, news, seats and the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.rules.words import Bid, Direction, Ending
from protocol.table.fold import Phase
from protocol.table.statements import NO_ONE, Measure, Say
from protocol.views import LinkState, Motion, SeatStatus
from spoof_tui.runtime.notices import SeatState
from spoof_tui.storage.settings import Bell
from spoof_tui.telling import absence, sentences
from spoof_tui.telling.absence import moved_words
from spoof_tui.telling.table_state import MAX_READING, Told
from spoof_tui.ui.table.dialogs.rounds import page
from spoof_tui.ui.table.scene import Hint, Scene
from spoof_tui.ui.table.screen.attention import PRESENT, Attention, title
from spoof_tui.ui.terminal import TerminalApp
from tests.helpers.moments import sheet
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    MOMENTS,
    at,
    catch_up,
    counted,
    foot,
    pay,
    play_on_without,
    said,
    scene_at,
    seen,
    step,
    with_a_shut_fist,
)

# Rounds


def test_who_comes_late_sees_no_old_round_and_what_was_composed_goes_with_the_turn() -> None:
    assert seen(at("counted").clients[0]).opened is None
    table = at("answering")
    speaker = table.speaker()
    scene = seen(speaker)
    scene.controls.press("8", speaker.view)
    table.say(Bid(3))
    assert seen(speaker, scene).controls.bid is None


def peeking(scene: Scene) -> Scene:
    scene.peek = 1
    return scene


def test_the_last_round_stays_until_the_next_word_is_mine() -> None:
    table = at("answering")
    client = table.clients[0]
    scene = seen(client)
    table.say(Ending.CALL)
    seen(client, seen(client, peeking(scene)))
    assert (scene.opened, scene.peek) == (0, None), "no peek outlives its round"
    pay(scene)
    table.choose(1, 1, 1)
    while not client.view.my_turn:
        table.say(Bid(table.speaker().view.lowest_bid or 1))
    assert seen(client, scene).last is None


def test_the_last_line_of_talk_goes_with_its_game() -> None:
    table = at("answering")
    client = table.clients[0]
    scene = seen(client)
    table.act(table.clients[1], table.clients[1].guest.propose(Say(ForeignText("Hello"))))
    seen(client, scene)
    assert scene.last_talk is not None
    view = client.view
    scene.look(replace(view, game_number=view.game_number + 1, talk=view.talk))
    assert scene.last_talk is None


# Seats


# Away, and back


def down(scene: Scene, *links: LinkState) -> None:
    """The state of the link has changed."""
    for link in links:
        assert scene.view
        scene.look(replace(scene.view, link=link))


def test_only_what_changes_by_the_time_alone_ticks() -> None:
    assert not any(scene_at(moment).is_ticking for moment in MOMENTS)
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


def test_below_a_void_round_stands_what_counts_until_the_player_is_back() -> None:
    table, gone = with_a_shut_fist()
    me = next(client for client in table.clients if client is not gone)
    table.cut(gone)
    scene = seen(me)
    play_on_without(table, gone)
    seen(me, scene)
    while scene.pacing.is_running:
        step(scene)
    scene.remark = ""
    told = " ".join(row.strip().text.strip() for row in sheet(scene, (80, 24)).rows[-8:])
    assert scene.is_counted and absence.played_without(me.view)[0] in told


def test_a_verdict_ticks_until_it_says_that_the_next_round_waits() -> None:
    table = at("answering")
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    seen(table.clients[0], scene)
    while scene.pacing.is_running:
        step(scene)
    assert (scene.is_ticking, scene.keeps_waiting) == (True, False)
    assert scene.view is not None and scene.view.my_seat is not None
    scene.wall = (scene.view.my_seat.waits_since or 0) + MAX_READING * 1000 - scene.ahead
    assert (scene.is_ticking, scene.keeps_waiting) == (False, True)
    scene.pacing.catch_up(99.0)
    scene.follow()
    assert (scene.is_ticking, scene.keeps_waiting) == (False, None)


def test_a_lost_link_counts_from_its_loss_and_stops_the_hosts_clock() -> None:
    scene = scene_at("speaking")
    scene.wall = 2_000_000_000_000
    down(scene, LinkState.DOWN)
    frozen = scene.now
    scene.wall += 12_000
    assert (scene.cut_off_for, scene.now, scene.is_stale) == (12.0, frozen, True)
    silent = scene_at("speaking")
    silent.wall = 2_000_000_000_000
    down(silent, LinkState.UNSTEADY)
    assert (silent.cut_off_for, silent.is_stale) == (3.0, False), "before that was noticed"


def test_a_table_that_moved_while_the_link_was_down_says_so_and_nothing_else() -> None:
    scene = scene_at("speaking")
    down(scene, LinkState.DOWN)
    assert scene.view
    moved = replace(scene.view, host=scene.view.seats[1].key)
    scene.look(moved)
    down(scene, LinkState.UP)
    assert (scene.news_title, scene.news) == ("The table has moved", (moved_words(moved),))
    down(scene, LinkState.DOWN, LinkState.UP)
    assert scene.news_title == "Back at the table"


def test_the_clock_of_the_host_is_learnt_from_what_comes_just_now() -> None:
    table = at("speaking")
    client = table.speaker()
    scene = seen(client)
    scene.wall = 5_000
    table.say(Bid(1))
    scene.look(client.view)
    scene.wall = 7_000
    assert scene.now == client.view.time + 2_000


def test_news_is_collected_until_it_is_read_and_waits_until_a_count_is_told() -> None:
    scene = counted()
    scene.take(Told(("first",), "One"))
    scene.take(Told(("second", "first"), "Two"))
    scene.put_away_news()
    assert (scene.news_title, scene.news, scene.has_news) == ("Two", ("second", "first"), False)
    catch_up(scene)
    assert scene.has_news
    scene.put_away_news()
    assert scene.news == ()


# The panel


def test_news_does_not_hide_that_it_is_the_players_turn() -> None:
    for moment, heading in (("choosing", "YOUR HAND"), ("speaking", "YOUR TURN")):
        table = at(moment)
        client = table.speaker() if moment == "speaking" else table.clients[0]
        scene = seen(client)
        scene.take(Told(("Ben now hosts the table.",), "The table has moved"))
        assert f"{heading} The table has moved" in said(scene)
        assert scene.view
        scene.look(replace(scene.view, paused=True))
        assert heading not in said(scene)


def test_a_vote_has_keys_of_its_own_and_any_other_key_is_not_named_beside_them() -> None:
    table = at("speaking")
    scene = seen(next(client for client in table.clients if not client.view.my_turn))
    assert scene.view
    scene.take(Told(("Ben now hosts the table.",), "The table has moved"))
    assert "Any key closes this message." in said(scene)
    other = next(seat.key for seat in scene.view.seats if not seat.is_me)
    motion = Motion(Measure.PAUSE, NO_ONE, frozenset({other}), 2)
    scene.look(replace(scene.view, votes=(motion,)))
    assert "y yes" in said(scene) and "Press any key" not in said(scene)


def test_a_speaker_who_is_hardly_heard_is_named_before_anything_can_be_done_about_it() -> None:
    scene = scene_at("speaking")
    assert scene.view and scene.view.speaker is not None and not scene.view.my_turn
    told = f"{scene.names[scene.view.speaker]}’s connection is unsteady."
    for who in ("speaks", "is_me"):
        seats = (
            replace(each, presence=SeatStatus.UNSTEADY) if getattr(each, who) else each
            for each in scene.view.seats
        )
        unsteady = scene_at("speaking")
        unsteady.look(replace(scene.view, seats=tuple(seats)))
        assert (told in said(unsteady)) == (who == "speaks")
    assert "unsteady" not in said(scene)


def test_a_word_that_waits_for_the_table_is_named_below_what_was_said_last() -> None:
    scene = scene_at("speaking")
    assert scene.view
    scene.look(replace(scene.view, link=LinkState.DOWN, own_word=None))
    assert "There is no bid yet. Next: Player3." in said(scene)
    scene.look(replace(scene.view, own_word=Bid(2)))
    assert "There is no bid yet. Your word “2” is waiting to be sent." in said(scene)


def test_a_table_of_ones_own_is_never_joined() -> None:
    own, other = Scene(is_opening=True), Scene()
    assert "Hosting" in said(own) and "Joining" in said(other)


def test_the_typed_digits_of_a_hand_are_never_shown() -> None:
    scene = scene_at("choosing")
    assert scene.view
    rich = tuple(replace(seat, coins=12) for seat in scene.view.seats)
    scene.view = replace(scene.view, seats=rich)
    plain = said(scene)
    for digit in "11":
        scene.controls.press(digit, scene.view)
    assert scene.controls.hand_digits == "11" and said(scene) == plain


def test_a_remark_is_shown_wherever_it_comes_and_a_saved_game_with_its_place() -> None:
    remark = sentences.forbidden(Illegal(Reason.NO_GAME), ())
    for moment in ("gathering", "choosing", "speaking", "answering"):
        for client in range(3):
            scene = scene_at(moment, client)
            scene.remark, scene.hint = remark, Hint.OPEN
            assert remark in said(scene)
    scene = scene_at("over")
    scene.record = Path("~/games/one.spoof")
    assert "Saved. g shows its rounds." in said(scene)
    assert "~/games/one.spoof" in page(scene, 70).plain


def test_everybody_is_told_how_long_a_game_waits_for_those_who_are_not_ready() -> None:
    table = MemoryTable(3)
    table.ready(*table.clients[:2])
    ready, late = seen(table.clients[0]), seen(table.clients[2])
    for scene in (ready, late):
        scene.wall = table.clients[0].view.time + 18_000 - scene.ahead
    assert "Waiting for Player3. 0:4" in said(ready)
    assert "The game begins without you in 0:4" in said(late)
    assert ready.is_ticking and late.is_ticking
    late.known = SeatState(start_when=3)
    assert "without you" not in said(late), "the player's own table, with bots that are ready"
    assert not late.is_ticking


def test_a_host_whom_everybody_has_left_is_told_how_to_get_company() -> None:
    table = MemoryTable(2)
    table.ready(table.clients[0])
    table.cut(table.clients[1])
    host = seen(table.clients[0])
    assert "Waiting for others to sit down" in said(host)
    host.known = SeatState(is_host=True)
    assert "You are ready. Waiting for one more player. Press m to add a bot." in said(host)


def test_a_turn_of_the_direction_is_told_where_it_happens_and_until_the_next_word() -> None:
    table = at("speaking")
    speaker = table.speaker()
    table.act(speaker, speaker.guest.speak(Bid(2), Direction.COUNTER_CLOCKWISE))
    told = [said(seen(client)) for client in table.clients]
    assert sum("You reverse the direction." in each for each in told) == 1
    name = seen(speaker).names[speaker.view.me or 0]
    assert sum(f"{name} reverses the direction." in each for each in told) == 1, "whoever waits"
    table.say(Bid(3))
    assert not any("the direction." in said(seen(client)) for client in table.clients)


@pytest.mark.parametrize("players", [2, 3])
def test_while_a_verdict_rests_nobody_is_waited_for_and_no_key_does_anything_else(
    players: int,
) -> None:
    table = at("choosing", players)
    pairs = [(client, seen(client)) for client in table.clients]
    while table.host.table.phase is not Phase.GATHERING:
        table.choose(*[0 for client in table.clients if client.view.own_fist_due])
        for word in (Ending.ZERO, None):
            for client, scene in pairs:
                scene.look(client.view)
                pay(scene)
                if scene.pacing.is_resting:
                    told = f"{said(scene)} {foot(scene)}"
                    assert "any key goes on" in told
                    assert not {"Waiting", "Enter", "again?", "peek"} & {*told.split()}, told
                    catch_up(scene)
            if word:
                table.say(word)


# The window and the bell


def behind(scene: Scene) -> str:
    """The title of a window that is not in front."""
    return title(scene, is_in_front=False)


def test_the_title_of_a_count_tells_nothing_of_it_and_a_peek_changes_none() -> None:
    scene = counted()
    while not scene.is_counted:
        assert behind(scene) == "Spoof: the fists open"
        step(scene)
    assert behind(scene) == "Spoof: hide your coins"
    for moment in MOMENTS:
        scene = scene_at(moment)
        before = behind(scene)
        scene.peek = 2
        assert behind(scene) == before
    ended = scene_at("answering")
    assert ended.view
    words = (*ended.view.words, (1, Ending.CALL))
    ended.view = replace(ended.view, words=words, speaker=None)
    assert behind(ended) == "Spoof: Player2 says call"


def test_the_bell_rings_once_when_the_table_waits_for_nobody_else() -> None:
    table, alarm = at("speaking"), Attention()
    speaker, rung = table.speaker(), []
    for words in ((), (), (Bid(2),), (Bid(3), Bid(4))):
        table.say(*words)
        rung.append(alarm.rings(seen(speaker), Bell.MY_TURN))
    assert rung == [True, False, False, True]
    table, alarm, rung = at("choosing"), Attention(), []
    me, *others = table.clients
    for each in others:
        rung.append(alarm.rings(seen(me), Bell.MY_TURN))
        table.act(each, each.guest.choose(1, table.entropy()))
    assert [*rung, alarm.rings(seen(me), Bell.MY_TURN)] == [False, False, True]


def test_a_verdict_rings_once_for_those_whom_it_concerns() -> None:
    for bell, concerned, expected in (
        (Bell.ALL, True, 1), (Bell.ALL, False, 0), (Bell.MY_TURN, True, 0), (Bell.OFF, True, 0),
    ):  # fmt: skip
        scene, alarm = counted(), Attention()
        assert scene.last and scene.view
        outcome = scene.last.outcome
        apart = next(x for x in range(3) if x != outcome.ender and x not in outcome.changes)
        scene.view = replace(scene.view, me=outcome.ender if concerned else apart)
        rung = [alarm.rings(scene, bell)]
        scene.reveal = scene.reveal and scene.reveal.to(scene.reveal.steps[-2].beat)
        rung += [alarm.rings(scene, bell), alarm.rings(scene, bell)]
        assert sum(rung) == expected


def test_no_bell_rings_where_it_is_off_or_nothing_goes_on() -> None:
    speaker = seen(at("speaking").speaker())
    assert not Attention().rings(speaker, Bell.OFF) and not Attention().rings(Scene(), Bell.ALL)
    assert speaker.view
    speaker.view = replace(speaker.view, paused=True)
    assert not Attention().rings(speaker, Bell.ALL)


class Ringing(TerminalApp):
    """An app that counts its bells."""

    bells = 0

    def bell(self) -> None:
        self.bells += 1


async def test_no_bell_rings_for_somebody_who_sits_before_it() -> None:
    for focus, idle, bells in ((True, 1.0, 0), (True, PRESENT + 1, 1), (False, 1.0, 1)):
        app, attention = Ringing(), Attention()
        async with app.run_test():
            app.app_focus = focus
            attention.last_key = 100.0
            attention.call(app, seen(at("speaking").speaker()), Bell.MY_TURN, 100.0 + idle)
            assert (app.bells, app.window_title) == (bells, "Spoof: your turn")
            attention.end(app)
            assert app.window_title == "Spoof"


@pytest.mark.parametrize(
    ("key", "away", "bells"), [(99.0, 100.2, 1), (99.0, 103.0, 0), (100.1, 100.2, 0)]
)
async def test_the_bell_rings_for_somebody_who_looks_away_before_it_can_be_seen(
    key: float, away: float, bells: int
) -> None:
    app, attention = Ringing(), Attention()
    async with app.run_test():
        scene = seen(at("speaking").speaker())
        attention.last_key = 99.0
        attention.call(app, scene, Bell.MY_TURN, 100.0)
        attention.last_key, app.app_focus = key, False
        attention.call(app, scene, Bell.MY_TURN, away)
        attention.call(app, scene, Bell.MY_TURN, away + 0.1)
        assert app.bells == bells
