"""What can be typed now, and what the game is."""

from spoof_tui.plain.help import lobby_help, table_help
from spoof_tui.plain.typed import Command, LobbyCommand
from tests.spoof_tui.ui.table.scenes import at


def commands_of(lines: list[str]) -> set[str]:
    return {line.split(" ")[0].rstrip(":") for line in lines}


def test_the_lobby_tells_every_command() -> None:
    assert {each.word for each in LobbyCommand} <= commands_of(list(lobby_help()))


def test_every_command_can_be_told_at_some_table() -> None:
    told: set[str] = set()
    for moment in ("gathering", "choosing", "speaking", "answering", "over"):
        table = at(moment)
        third = table.clients[2]
        for away in (False, True):
            if away:
                table.cut(third)
            for client in table.clients:
                for is_practice in (False, True):
                    lines = table_help(client.view, is_host=True, is_practice=is_practice)
                    told |= commands_of(list(lines))
    told |= commands_of(list(table_help(at("gathering", rules="hollywood").clients[0].view)))
    assert {each.word for each in Command} - told == set()


def test_a_slate_of_rounds_is_told_as_one() -> None:
    view = at("gathering", rules="milan stake=drinks").clients[0].view
    assert "slate (f): the slate of rounds" in list(table_help(view))


def test_what_cannot_be_done_now_is_left_out() -> None:
    told = commands_of(list(table_help(at("choosing").clients[0].view)))
    assert not told & {"ready", "odds", "slate", "bot", "invite", "turn", "call"}


def test_before_there_is_a_table_one_can_leave() -> None:
    assert {"help", "quit"} <= commands_of(list(table_help(None)))
