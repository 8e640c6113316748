"""The acts of the screens, by their keys."""

import pytest
from textual.binding import Binding

from spoof_tui.text import i18n
from spoof_tui.ui.commands import HasActs
from spoof_tui.ui.lesson.screen import LessonScreen
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.replay.screen import ReplayScreen
from spoof_tui.ui.rulebook.screen import RulebookScreen
from spoof_tui.ui.table.controls import ENDING_KEYS, Act, Controls, Forbidden
from spoof_tui.ui.table.screen import TableScreen
from spoof_tui.ui.wording.acts import (
    KeyAct,
    key_of,
    lobby_acts,
    rulebook_acts,
    table_acts,
)
from tests.helpers.tables import SeatedGuest
from tests.spoof_tui.ui.table.scenes import MOMENTS, at

RULES = ["milan", "hollywood"]


def seats() -> list[SeatedGuest]:
    """Every seat in every moment of both games."""
    return [each for rules in RULES for moment in MOMENTS
            for each in at(moment, rules=rules).clients]  # fmt: skip


def acts_of(client: SeatedGuest, *, has_coach: bool = True) -> list[KeyAct]:
    view = client.view
    acts = table_acts(view, is_host=True, has_code=True, has_strangers=True, has_coach=has_coach)
    return list(acts)


def test_only_the_host_of_an_open_table_locks_it() -> None:
    view = seats()[0].view
    words = {
        is_shut: [act.words for act in table_acts(view, is_shut=is_shut) if act.key == "n"]
        for is_shut in (None, False, True)
    }
    assert words == {None: [], False: ["let nobody new in"], True: ["let everybody in again"]}


def test_strangers_are_sent_away_by_a_key_where_there_are_any() -> None:
    view = seats()[0].view
    for there_are in (False, True):
        keys = [act.key for act in table_acts(view, is_shut=False, has_strangers=there_are)]
        assert ("e" in keys) is there_are


def test_no_key_means_two_things_in_one_moment() -> None:
    for client in seats():
        keys = [act.key for act in acts_of(client) if act.key]
        assert len(keys) == len(set(keys))


def test_every_key_that_is_told_does_something_that_is_allowed() -> None:
    for client in seats():
        for act in acts_of(client):
            controls = Controls(confirm_endings=False)
            before = repr(controls)
            done = controls.press(act.key, client.view) if act.key else True
            assert not isinstance(done, Forbidden)
            assert done is not None or repr(controls) != before or act.key in ("up", "down")


def test_every_act_of_the_table_is_told_at_some_time() -> None:
    table = at("speaking")
    table.cut(table.clients[0])
    clients = [*seats(), table.clients[1]]
    told = {
        act.key for client in clients for has_coach in (False, True)
        for act in acts_of(client, has_coach=has_coach)
    }  # fmt: skip
    assert {act.value for act in Act} | set(ENDING_KEYS) <= told


def test_nobody_is_invited_to_a_practice_table() -> None:
    assert not {"i", "a"} & {act.key for client in seats() for act in acts_of(client)}


def test_every_key_of_the_lobby_is_listed() -> None:
    bindings = [each for each in LobbyScreen.BINDINGS if isinstance(each, Binding)]
    bound = {key for each in bindings for key in each.key.split(",")}
    moves = {"up", "k", "down", "j", "home", "pageup", "end", "pagedown"}
    moves |= {"left", "right", "tab", "shift+tab", "space"}
    assert bound - moves == {act.key for act in lobby_acts() if act.key}


@pytest.mark.parametrize(
    "screen", [LobbyScreen, TableScreen, LessonScreen, ReplayScreen, RulebookScreen]
)
def test_every_screen_tells_what_it_can_do(screen: type) -> None:
    assert issubclass(screen, HasActs)


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_a_label_leads_back_to_its_key(language: str) -> None:
    i18n.install(language)
    acts = [*lobby_acts(), *acts_of(at("answering").speaker()), *rulebook_acts()]
    known = [act for act in acts if act.key and not act.shown]
    labels = [(key_of(act.caption), act.key) for act in known]
    i18n.install("en")
    assert all(found == key for found, key in labels)


@pytest.mark.parametrize("label", ["", "Say:", "Your turn", "Я", "12"])
def test_what_is_no_label_of_a_key_leads_to_none(label: str) -> None:
    assert key_of(label) is None
