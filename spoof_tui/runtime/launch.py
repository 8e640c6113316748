"""How a program starts: what to do first, who the player is, and what is played at once."""

from __future__ import annotations

import contextlib
import secrets
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
    """What to do first, instead of staying in the lobby."""

    plan: TablePlan | None = None
    """Open this table."""
    bots: int = 0
    """The number of bots to add."""
    level: Level | None = None
    """How strong the bots are."""
    company: tuple[Character, ...] = ()
    """Which characters the bots are."""
    address: Address | None = None
    """Sit down at the table at this address."""
    code: str | None = None
    """The join code of that table."""
    sits: bool = True
    """Whether to take a seat there, or only watch."""
    saved: SavedTable | None = None
    """Go back to this table, which was hosted here or where the player has a seat: at `address`,
    if there is one."""
    door: int | None = None
    """Let people in by ssh at the player's own table, on this port; 0: the usual one."""
    lesson: bool = False
    """Start the lesson."""
    practice: bool = False
    """Play against bots at once."""
    rules: Rules | None = None
    """The rules of that game; None for those that the player practises by."""

    @property
    def opens(self) -> bool:
        """Whether a table of the player's own is opened, or opened again."""
        is_own = self.saved is not None and self.saved.seat is None and self.address is None
        return self.practice or self.plan is not None or is_own


def first_settings() -> Settings:
    """The player's settings; on the first run a friendly name is made up and kept."""
    settings = Settings.load()
    if settings.name:
        return settings
    import random

    from spoof_tui.bots.characters import friendly_name

    settings = replace(settings, name=friendly_name(random.Random(secrets.randbits(64))))
    with contextlib.suppress(OSError):
        settings.save()
    return settings


def practice_plan(settings: Settings, rules: Rules | None = None) -> TablePlan:
    """The table for a game against bots on this machine, which is not announced."""
    from protocol.rules.options import Rules
    from spoof_tui.runtime.hosted_table import TablePlan

    chosen = settings.practice
    seats = chosen.bots + 1
    rules = rules or Rules.parse(chosen.preset)
    return TablePlan(
        _("Practice"), settings.name, rules, seats=seats, start_when=seats, public=False
    )
