"""What replay, rulebook and history do, with their keys: for the palette and the help."""

from __future__ import annotations

from collections.abc import Sequence

from spoof_tui.text.i18n import _
from spoof_tui.ui.acts.act import KeyAct
from spoof_tui.visiting import is_visitor


def replay_acts() -> Sequence[KeyAct]:
    """What a replay does."""
    return (
        KeyAct("right", _("the next word")),
        KeyAct("left", _("the word before")),
        KeyAct("down", _("the next round")),
        KeyAct("up", _("the round before")),
        KeyAct("", _("to a round"), "0–9 " + _("Enter")),
        KeyAct("home", _("the beginning")),
        KeyAct("end", _("the end")),
        KeyAct("space", _("play by itself, or stop")),
        KeyAct("plus", _("faster")),
        KeyAct("minus", _("slower")),
        KeyAct("o", _("open or close the hands")),
        KeyAct("right_square_bracket", _("the next game")),
        KeyAct("left_square_bracket", _("the game before")),
        KeyAct("question_mark", _("help")),
        KeyAct("q", _("quit")),
    )


def rulebook_acts() -> Sequence[KeyAct]:
    """What the rulebook does."""
    return (
        KeyAct("right", _("another rulebook")),
        KeyAct("left", _("the rulebook before")),
        KeyAct("down", _("read on")),
        KeyAct("up", _("read back")),
        KeyAct("space", _("the next page")),
        KeyAct("question_mark", _("help")),
        KeyAct("escape", _("back")),
    )


def history_acts(page: str) -> Sequence[KeyAct]:
    """What a page of the history does: `games`, `statistics` or `evening`."""
    own = {
        "games": (
            KeyAct("enter", _("step through this game on a table")),
            KeyAct("w", _("go through your words in this game")),
            KeyAct("v", _("check the log of this game")),
            *(
                ()
                if is_visitor()
                else (KeyAct("e", _("write games to a file: records, CSV or JSON")),)
            ),
            KeyAct("slash", _("find games by who played, or by their table")),
            KeyAct("r", _("only games by other rules")),
            KeyAct("t", _("only games that you won, lost or watched")),
        ),
        "statistics": (KeyAct("r", _("only games by other rules")),),
        "evening": (
            KeyAct("left_square_bracket", _("the evening before")),
            KeyAct("right_square_bracket", _("the evening after")),
        ),
    }[page]
    return (
        KeyAct("tab", _("games, statistics, the evening")),
        *own,
        KeyAct("question_mark", _("help")),
        KeyAct("escape", _("back")),
    )
