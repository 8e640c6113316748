"""What each screen can do, with its keys, for a player who looks for it by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from spoof_tui.text.i18n import LANGUAGES, _, other

KeyAct: TypeAlias = tuple[str, str]
"""A key as Textual calls it, and what it does."""


def lobby_acts() -> Sequence[KeyAct]:
    """What the lobby does."""
    return (
        ("enter", _("what is selected")),
        ("p", _("play now")),
        ("l", _("learn by playing")),
        ("n", _("open a table")),
        ("a", _("join by address")),
        ("c", _("continue a table")),
        ("w", _("watch the selected table")),
        ("e", _("rename")),
        ("o", _("options")),
        ("u", LANGUAGES[other()]),
        ("h", _("rules")),
        ("question_mark", _("help")),
        ("q", _("quit")),
    )


def table_acts() -> Sequence[KeyAct]:
    """What can be done at a table besides the words of the game."""
    return (
        ("r", _("ready, or sit down")),
        ("space", _("look into your fist")),
        ("t", _("talk")),
        ("m", _("shout “Mitt-full!”")),
        ("w", _("why: what you may say, and what decided the round")),
        ("g", _("the rounds of this game, and who held what")),
        ("f", _("the slate of the guessing game")),
        ("v", _("mute or remove a player, or vote on it")),
        ("p", _("pause, or go on")),
        ("y", _("play on without a missing player")),
        ("b", _("one more bot")),
        ("n", _("new join code")),
        ("h", _("rules")),
        ("o", _("options")),
        ("question_mark", _("help")),
        ("q", _("leave")),
    )
