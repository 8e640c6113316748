"""What the background thread tells the screens."""

from pathlib import Path

from protocol.wire.messages import Farewell
from spoof_tui.runtime.notices import Ended
from spoof_tui.ui.messages import Failed, Noticed, TablesFound, TablesKept
from tests.spoof_tui.ui.lobbies import Lobby, found


def test_a_failure_says_where_it_is_written_down() -> None:
    assert "see /tmp/report.txt;" in Failed(Path("/tmp/report.txt")).sentence


def test_a_failure_that_could_not_be_written_down_names_no_place() -> None:
    sentence = Failed(None).sentence
    assert "None" not in sentence and sentence.endswith("the game goes on.")


def test_screens_get_what_was_found_and_kept_and_noticed() -> None:
    tables, notice = (found(1), found(2)), Ended(Farewell.CLOSED)
    message = TablesFound(tables, "no network")
    assert (message.tables, message.trouble) == (tables, "no network")
    assert (TablesKept(()).tables, Noticed(notice).notice) == ((), notice)


async def test_tables_that_are_found_come_to_the_lobby() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen_stack[0].post_message(TablesFound((found(name="The Pier"),), "No network."))
        assert await app.sees(pilot, "The Pier")
