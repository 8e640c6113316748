"""What presets and bots are called: light enough for the first frame of the lobby."""

from __future__ import annotations

from spoof_tui.text.i18n import _, ngettext


def preset_name(preset: str) -> str:
    """What a preset is called."""
    return {
        "milan": _("Milan"),
        "bid-spoof": _("Bid Spoof"),
        "three-coins": _("Three Coins"),
        "hollywood": _("Hollywood"),
    }[preset]


def level_name(level: str) -> str:
    """How strong bots of a level are."""
    return {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}[level]


def bots(count: int) -> str:
    """So many bots."""
    return ngettext("{count} bot", "{count} bots", count).format(count=count)
