"""What the lobby says of a table that was found, and of the game against bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.style import Style

from protocol.encoding.untrusted import ForeignText
from protocol.version import PROGRAM, PROTOCOL
from spoof_tui.storage.settings import Practice
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.lobby.menu import Field
from spoof_tui.ui.wording.presets import bots, level_name, preset_name

if TYPE_CHECKING:
    from protocol.wire.messages import Card
    from spoof_tui.network.endpoints import FoundTable


NAME_CELLS: Final = 30
"""Cells of a table's name at most."""


HOST_CELLS: Final = 14
"""Cells of a host's name on the line of a table; below it there is room for more."""


def practised(practice: Practice) -> str:
    if practice == Practice():
        return _("three bots, one minute")
    dot = f" {glyphs().dot} "
    return dot.join(practice_values(practice).values())


def practice_values(practice: Practice) -> dict[Field, str]:
    return {
        Field.BOTS: bots(practice.bots),
        Field.LEVEL: level_name(practice.level),
        Field.RULES: preset_name(practice.preset),
    }


def found_name(table: FoundTable) -> str:
    return show(table.card.name, NAME_CELLS) if table.card else table.address.text


def table_states() -> tuple[str, ...]:
    return _("open"), _("code"), _("playing"), _("full")


def table_state(card: Card, free: int, *, is_awaited: bool = False) -> tuple[str, Style]:
    """What a table is doing, as one word."""
    if is_awaited:
        return _("slow"), palette.QUIET
    open_to_all, asks, playing, full = table_states()
    if card.state.value == "playing":
        return playing, palette.QUIET
    if free == 0:
        return full, palette.QUIET
    return (asks if card.locked else open_to_all), palette.RIGHT


def about_table(table: FoundTable, *, is_wide: bool, has_namesake: bool = False) -> str:
    """What its line does not say of a table, which has room for more if it is wide.

    With a namesake on the list it is told by its address, too.
    """
    if table.card is None:
        return _(
            "Another version: Spoof {their_program} with protocol {theirs};"
            " yours is Spoof {own_program} with protocol {own}."
        ).format(
            theirs=table.protocol,
            their_program=show(ForeignText(table.program), 16),
            own=PROTOCOL,
            own_program=PROGRAM,
        )
    from spoof_tui.ui.wording.options import rules_title

    card = table.card
    lock = _("asks for the code on its host’s screen") if card.locked else _("open to all")
    seats = _("{taken} of {seats} seats taken").format(taken=card.taken, seats=card.seats)
    by = _("by {host}").format(host=show(card.host, NAME_CELLS))
    rules = [] if is_wide and not card.rules.changes else [rules_title(card.rules)]
    is_told = is_wide and show(card.host, HOST_CELLS) == show(card.host, NAME_CELLS)
    where = [table.address.short] if has_namesake else []
    watch = [_("w watches it")] if card.taken >= card.seats else []
    if table.is_awaited:
        seats = _("slow network: its answer is under way")
    told = [] if is_told and not has_namesake else [by]
    return f" {glyphs().dot} ".join((*rules, *told, *where, seats, *watch, lock))
