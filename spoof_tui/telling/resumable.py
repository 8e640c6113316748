"""The tables that were hosted here and can be resumed, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.table.fold import Phase
from spoof_tui.telling.durations import ago
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show

if TYPE_CHECKING:
    from spoof_tui.runtime.saved_tables import SavedTable

NAME_CELLS: Final = 24
"""Cells of a table's name."""

RECENT: Final = 24 * 3600
"""Seconds for which the lobby reminds the player of a game that broke off."""


def where(saved: SavedTable) -> str:
    """How far a table has come."""
    if not saved.game:
        return _("no game yet")
    if saved.phase is Phase.GATHERING:
        return _("after game {game}").format(game=saved.game)
    return _("game {game}, round {round}").format(game=saved.game, round=max(saved.round, 1))


def when(saved: SavedTable, now: int) -> str:
    """The time of the last entry there; `now` is in milliseconds since 1970."""
    return ago((now - saved.time) / 1000)


def table_name(saved: SavedTable) -> str:
    """The table's name, safe to be drawn."""
    return show(saved.name, NAME_CELLS)


def reminder(saved: SavedTable, now: int) -> str:
    """How far a table has come whose game broke off recently; empty for any other."""
    if saved.phase is Phase.GATHERING or now - saved.time >= RECENT * 1000:
        return ""
    return f"{where(saved)}, {when(saved, now)}"
