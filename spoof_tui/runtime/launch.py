"""How a program starts: what to do first, the player's settings, and the table of a practice
game."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spoof_tui.storage.settings import Settings
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from protocol.rules.options import Rules
    from spoof_tui.bots.characters import Character
    from spoof_tui.bots.levels import Level
    from spoof_tui.network.addresses import Address
    from spoof_tui.runtime.hosted_table import TablePlan
    from spoof_tui.runtime.saved_tables import SavedTable


@dataclass(frozen=True, slots=True)
class Launch:
    """What a program does first, instead of staying in the lobby."""

    plan: TablePlan | None = None
    """The table to open; None to open no table."""
    bots: int = 0
    """Number of bots to add to that table."""
    level: Level | None = None
    """How strong the bots are; None for the usual level."""
    company: tuple[Character, ...] = ()
    """The characters of the bots; empty for plain bots."""
    address: Address | None = None
    """The address of a table to join; None to join no table."""
    code: str | None = None
    """The join code of that table; None if it is not known."""
    sits: bool = True
    """Whether to take a seat there; otherwise only watch."""
    saved: SavedTable | None = None
    """A table to go back to, which was hosted here or where the player has a seat, at `address` if
    that is known; None to go back to no table."""
    door: int | None = None
    """The port of the ssh door that is opened with the player's own table: 0 for the usual port,
    None for no door."""
    lesson: bool = False
    """Whether to start the lesson."""
    practice: bool = False
    """Whether to start a game against bots at once."""
    rules: Rules | None = None
    """The rules of that game; None for those in the player's settings."""

    @property
    def opens(self) -> bool:
        """Whether a table of the player's own is opened, or opened again."""
        is_own = self.saved is not None and self.saved.seat is None and self.address is None
        return self.practice or self.plan is not None or is_own


def first_settings() -> Settings:
    """The player's settings; on the first run, with a friendly name that is made up and saved."""
    settings = Settings.load()
    if settings.name:
        return settings
    import random

    from spoof_tui.text.names import friendly_name

    settings = replace(settings, name=friendly_name(random.Random()))
    with contextlib.suppress(OSError):
        settings.save()
    return settings


def practice_plan(settings: Settings, rules: Rules | None = None) -> TablePlan:
    """The plan of a table for a game against bots on this machine, which is not announced; `rules`
    None for those in the settings."""
    from protocol.rules.options import Rules
    from spoof_tui.runtime.hosted_table import TablePlan

    chosen = settings.practice
    seats = chosen.bots + 1
    rules = rules or Rules.parse(chosen.preset)
    return TablePlan(
        _("Practice"), settings.name, rules, seats=seats, start_when=seats, public=False
    )
