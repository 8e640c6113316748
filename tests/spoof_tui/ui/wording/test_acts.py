"""The acts of the screens, by their keys."""

from textual.binding import Binding

from spoof_tui.ui.commands import HasActs
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.table.controls import ENDING_KEYS, Act
from spoof_tui.ui.table.screen import TableScreen
from spoof_tui.ui.wording.acts import lobby_acts, table_acts


def test_every_act_of_the_table_is_listed_by_its_own_key() -> None:
    keys = [key for key, _words in table_acts()]
    assert len(keys) == len(set(keys))
    assert {act.value for act in Act} <= set(keys)
    assert not set(ENDING_KEYS) & set(keys)


def test_every_key_of_the_lobby_is_listed() -> None:
    bindings = [each for each in LobbyScreen.BINDINGS if isinstance(each, Binding)]
    bound = {key for each in bindings for key in each.key.split(",")}
    moves = {"up", "k", "down", "j", "home", "pageup", "end", "pagedown"}
    moves |= {"left", "right", "tab", "shift+tab", "space"}
    assert bound - moves == {key for key, _words in lobby_acts()}


def test_lobby_and_table_tell_what_they_can_do() -> None:
    assert isinstance(LobbyScreen(), HasActs) and issubclass(TableScreen, HasActs)
