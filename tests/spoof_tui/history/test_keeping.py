"""A game is put into the history where nobody waits for it."""

from pathlib import Path

from spoof_tui.history import keeping
from spoof_tui.history.index import consult
from spoof_tui.history.keeping import note
from spoof_tui.history.queries import games
from spoof_tui.history.schema import FILE
from spoof_tui.runtime.session import Session
from tests.helpers.histories import fill


async def test_a_saved_game_is_noted_in_a_history_that_is_there(state: Path) -> None:
    consult(games)
    before = (state / FILE).stat().st_mtime_ns
    (path,) = fill(state, 1)
    await note(path)
    assert (state / FILE).stat().st_mtime_ns > before
    assert [game.stem for game in consult(games)[0]] == [path.stem]


async def test_nobody_gets_a_history_who_never_looked_at_it(state: Path) -> None:
    (path,) = fill(state, 1)
    await note(path)
    assert not (state / FILE).exists()


async def test_what_goes_wrong_is_made_good_later(state: Path) -> None:
    consult(games)
    (path,) = fill(state, 1)
    (state / FILE).write_bytes(b"no database at all " * 100)
    noting = note(path)
    await keeping.KEEPER.run(lambda: None)
    assert noting.done() and noting.exception() is not None
    assert len(consult(games)[0]) == 1


def test_a_session_notes_what_it_saves() -> None:
    assert Session._tell_saved.__globals__["note"] is note
