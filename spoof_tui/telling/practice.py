"""What is said during a practice game, above all about a table at which the player's seat waits."""

from __future__ import annotations

from spoof_tui.telling.pressing import press
from spoof_tui.telling.resumable import NAME_CELLS
from spoof_tui.telling.table_state import TableState, Told
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show


def is_heard(waiting: TableState) -> bool | None:
    """Whether the table is heard at which the seat waits; None once it is over for the player."""
    return None if waiting.over else waiting.silence is None


def heard_words(waiting: TableState) -> tuple[str, ...]:
    """Whether the table is heard at which the seat waits: a few words in several wordings, the
    longest first."""
    heard = is_heard(waiting)
    if heard is None:
        return (end_title(waiting),)
    named, short = _("“{name}” answers again"), _("your table answers")
    if not heard:
        named, short = _("looking for “{name}” …"), _("your table is silent")
    return named.format(name=_name(waiting)), short


def heard_again(waiting: TableState) -> Told:
    """The message that the table at which the seat waits is heard again, or has ended."""
    if waiting.over:
        return Told((waiting.over,), end_title(waiting))
    view, text = waiting.view, _("“{name}” answers again. {press} to go back to your seat there.")
    if view is not None and (view.my_turn or view.own_fist_due):
        text = _(
            "“{name}” answers again, and waits for you. {press} to go back to your seat there."
        )
    told = text.format(name=_name(waiting), press=press("q", _("go back")))
    return Told((told,), _("Your table is back"))


def end_title(table: TableState) -> str:
    """The title of the message that a table is over for the player."""
    return table.over_title or _("The table has ended")


def leave_question(waiting: TableState | None) -> str:
    """The question whether to leave a practice game; `waiting` is None if no seat waits."""
    return _("Leave the practice game?") if waiting is None else _("Go back to your seat?")


def leave_meaning(waiting: TableState | None) -> str:
    """What it means to leave a practice game, as sentences."""
    if waiting is None:
        return _("You give up this game.")
    text = _("Your seat at “{name}” is kept. The practice game ends.")
    return text.format(name=_name(waiting))


def _name(table: TableState) -> str:
    return show(table.view.table_name, NAME_CELLS) if table.view else ""
