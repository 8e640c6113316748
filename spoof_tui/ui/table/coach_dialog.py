"""The coach over the table: what each word is worth now. For practice, where nobody is misled."""

from __future__ import annotations

from textual.content import Content

from spoof_tui.bots.coach import advise
from spoof_tui.text.i18n import _
from spoof_tui.ui.dialogs.reading import Reading, hanging, stacked
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording.coaching import advice_lines, coach_note


class CoachDialog(Reading):
    """What is known of the own words, with the hand that is in the own fist."""

    def __init__(self, scene: Scene, hand: int) -> None:
        super().__init__(_("The coach"), lambda width: page(scene, hand, width))


def page(scene: Scene, hand: int, width: int) -> Content:
    """Everything in lines of `width` columns."""
    view = scene.view
    if view is None or not view.my_turn or view.is_guessing:
        return Content(_("The coach speaks when it is your turn."))
    titles, *rows = advice_lines(advise(view, hand))
    players = sum(seat.coins > 0 for seat in view.seats)
    note = hanging(Content(), coach_note(players), 0, width, "$quiet")
    lines = [Content.styled(titles, "$quiet"), *map(Content, rows), Content(), note]
    return stacked(lines)
