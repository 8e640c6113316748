"""The acts that the screens tell, by their keys."""

from __future__ import annotations

import pytest
from textual.binding import Binding

from spoof_tui.text import i18n
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.table.controls import ENDING_KEYS, Act, Controls, Forbidden
from spoof_tui.ui.wording.acts import KeyAct, key_of, lobby_acts, rulebook_acts, table_acts
from tests.helpers.tables import SeatedGuest
from tests.spoof_tui.ui.table.scenes import MOMENTS, at


def seats() -> list[SeatedGuest]:
    """Every seat in every moment of both games."""
    return [each for rules in ("milan", "hollywood") for moment in MOMENTS
            for each in at(moment, rules=rules).clients]  # fmt: skip


def acts_of(client: SeatedGuest, *, has_coach: bool = True) -> list[KeyAct]:
    return list(table_acts(
        client.view, is_host=True, has_code=True, has_strangers=True, has_coach=has_coach
    ))  # fmt: skip


def test_every_key_that_is_told_means_one_thing_and_that_is_allowed() -> None:
    for client in seats():
        acts = acts_of(client)
        keys = [act.key for act in acts if act.key]
        assert len(keys) == len(set(keys))
        for key in keys:
            controls = Controls(confirm_endings=False)
            before = repr(controls)
            done = controls.press(key, client.view)
            assert not isinstance(done, Forbidden)
            assert done is not None or repr(controls) != before or key in ("up", "down")


def test_every_act_of_the_table_is_told_at_some_time() -> None:
    table = at("speaking")
    table.cut(table.clients[0])
    told = {act.key for client in (*seats(), table.clients[1]) for has_coach in (False, True)
            for act in acts_of(client, has_coach=has_coach)}  # fmt: skip
    assert {act.value for act in Act} | set(ENDING_KEYS) <= told


def test_every_key_of_the_lobby_is_listed() -> None:
    bindings = [each for each in LobbyScreen.BINDINGS if isinstance(each, Binding)]
    bound = {key for each in bindings for key in each.key.split(",")}
    moves = {"up", "k", "down", "j", "home", "pageup", "end", "pagedown"}
    moves |= {"left", "right", "tab", "shift+tab", "space"}
    assert bound - moves == {act.key for act in lobby_acts() if act.key}


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_a_label_leads_back_to_its_key(language: str) -> None:
    i18n.install(language)
    acts = [*lobby_acts(), *acts_of(at("answering").speaker()), *rulebook_acts()]
    labels = [(key_of(act.caption), act.key) for act in acts if act.key and not act.shown]
    i18n.install("en")
    assert labels and all(found == key for found, key in labels)
    assert [key_of(label) for label in ("", "Say:", "Your turn", "Я", "12")] == [None] * 5
