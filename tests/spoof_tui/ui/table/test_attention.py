"""The title of the window, and the bell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui.storage.settings import Bell
from spoof_tui.ui.table.attention import PRESENT, Alarm, Attention, title
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.terminal import TerminalApp
from tests.spoof_tui.ui.table.scenes import MOMENTS, at, catch_up, counted, scene_at, seen, step
from tests.spoof_tui.ui.table.schools import a_school, scene_of


def behind(scene: Scene) -> str:
    """The title of a window that is not in front."""
    return title(scene, is_in_front=False)


class Ringing(TerminalApp):
    """An app that counts its bells."""

    bells = 0

    def bell(self) -> None:
        self.bells += 1


# The title


def test_the_title_names_what_its_player_is_asked_for() -> None:
    table = at("speaking")
    speaker = seen(table.speaker())
    assert title(speaker, is_in_front=True) == behind(speaker) == "Spoof: your turn"
    assert behind(scene_at("choosing")) == "Spoof: hide your coins"


def test_behind_other_windows_it_names_what_the_others_do() -> None:
    table = at("answering")
    waiting = next(each for each in table.clients if not each.view.my_turn)
    assert behind(seen(waiting)).endswith(" bids 2")
    assert title(seen(waiting), is_in_front=True) == "Spoof"


def test_calls_of_the_guessing_game_are_named_too() -> None:
    table = a_school((1, 1, 1), 5)
    waiting = next(each for each in table.clients if not each.view.my_turn)
    assert behind(scene_of(waiting)).endswith(" calls 5")


def test_an_ending_word_is_named() -> None:
    scene = scene_at("answering")
    assert scene.view
    words = (*scene.view.words, (1, Ending.CALL))
    scene.view = replace(scene.view, words=words, speaker=None)
    assert behind(scene) == "Spoof: Player2 says call"


def test_the_title_of_a_count_tells_nothing_of_it() -> None:
    scene = counted()
    while not scene.is_counted:
        assert behind(scene) == "Spoof: the fists open"
        step(scene)
    assert behind(scene) == "Spoof: hide your coins"


def test_the_winner_is_in_the_title() -> None:
    scene = scene_at("over")
    assert scene.view and scene.view.winner is not None
    assert behind(scene) == f"Spoof: {scene.names[scene.view.winner]} wins"


def test_without_a_table_there_is_the_name_of_the_game() -> None:
    over = scene_at("speaking")
    over.over = "It is over."
    assert {behind(Scene()), behind(over), behind(scene_at("gathering"))} == {"Spoof"}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_peek_changes_no_title(moment: str) -> None:
    scene = scene_at(moment)
    before = behind(scene)
    scene.glance = 2
    assert behind(scene) == before


# The bell


def test_the_bell_rings_once_when_it_is_my_turn() -> None:
    table, alarm = at("speaking"), Alarm()
    speaker = table.speaker()
    assert alarm.rings(seen(speaker), Bell.MY_TURN)
    assert not alarm.rings(seen(speaker), Bell.MY_TURN)
    table.say(Bid(2))
    assert not alarm.rings(seen(speaker), Bell.MY_TURN)
    table.say(Bid(3), Bid(4))
    assert alarm.rings(seen(speaker), Bell.MY_TURN)


def test_to_hide_rings_only_when_all_others_wait() -> None:
    table, alarm = at("choosing"), Alarm()
    me, *others = table.clients
    rung = []
    for each in others:
        rung.append(alarm.rings(seen(me), Bell.MY_TURN))
        table.act(each, each.guest.choose(1, table.entropy()))
    assert rung == [False, False] and alarm.rings(seen(me), Bell.MY_TURN)


def test_a_verdict_rings_once_for_those_whom_it_concerns() -> None:
    for bell, expected in ((Bell.ALL, 1), (Bell.MY_TURN, 0), (Bell.OFF, 0)):
        scene, alarm = counted(), Alarm()
        assert scene.last and scene.view
        scene.view = replace(scene.view, me=scene.last.outcome.ender)
        rung = [alarm.rings(scene, bell)]
        scene.reveal = scene.reveal and scene.reveal.to(scene.reveal.steps[-2].beat)
        rung += [alarm.rings(scene, bell), alarm.rings(scene, bell)]
        assert sum(rung) == expected


def test_no_bell_rings_where_it_is_off_or_nothing_goes_on() -> None:
    speaker = seen(at("speaking").speaker())
    assert not Alarm().rings(speaker, Bell.OFF)
    assert not Alarm().rings(Scene(), Bell.ALL)
    assert speaker.view
    speaker.view = replace(speaker.view, paused=True)
    assert not Alarm().rings(speaker, Bell.ALL)


@pytest.mark.parametrize(
    ("focus", "idle", "bells"),
    [(True, 1.0, 0), (True, PRESENT + 1, 1), (False, 1.0, 1)],
)
async def test_no_bell_rings_for_somebody_who_sits_before_it(
    focus: bool, idle: float, bells: int
) -> None:
    app, attention = Ringing(), Attention()
    async with app.run_test():
        app.app_focus = focus
        attention.last_key = 100.0
        attention.call(app, seen(at("speaking").speaker()), Bell.MY_TURN, 100.0 + idle)
        assert app.bells == bells
        assert app.window_title == "Spoof: your turn"
        attention.end(app)
        assert app.window_title == "Spoof"


def test_all_that_waits_is_told_in_the_end() -> None:
    scene = counted()
    catch_up(scene)
    assert behind(scene) == "Spoof: hide your coins"
