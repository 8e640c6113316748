"""Describes the saved tables of this computer that can be resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.table.fold import Phase
from spoof_tui.telling.durations import ago
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show

if TYPE_CHECKING:
    from spoof_tui.runtime.saved_tables import SavedTable

NAME_CELLS: Final = 24
"""The most cells of a table's name."""

RECENT: Final = 24 * 3600
"""Seconds for which the lobby reminds the player of an interrupted game."""


def where(saved: SavedTable) -> str:
    """How far the game of a saved table has come: "game 2, round 3"."""
    if not saved.game:
        return _("no game yet")
    if saved.phase is Phase.GATHERING:
        return _("after game {game}").format(game=saved.game)
    return _("game {game}, round {round}").format(game=saved.game, round=max(saved.round, 1))


def when(saved: SavedTable, now: int) -> str:
    """How long ago the last entry of a saved table was made; `now` is in milliseconds since
    1970."""
    return ago((now - saved.time) / 1000)


def table_name(saved: SavedTable) -> str:
    """The name of a saved table, safe to be drawn."""
    return show(saved.name, NAME_CELLS)


def reminder(saved: SavedTable, now: int) -> str:
    """How far an interrupted game has come, and when that was, if recent; otherwise empty.

    `now` is in milliseconds since 1970.
    """
    if saved.phase is Phase.GATHERING or now - saved.time >= RECENT * 1000:
        return ""
    return f"{where(saved)}, {when(saved, now)}"
