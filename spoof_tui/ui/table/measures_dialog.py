"""The dialog by which the host, or the players together, keep order at the table (G5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocol.table.statements import Measure
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.dialog import Dialog
from spoof_tui.ui.canvas.form import ChoiceRow, Form
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording.moderation import (
    Matter,
    concerned,
    has_voted,
    measure_help,
    measure_name,
    open_motion,
    possible,
    subject,
    tally,
)

_WIDTH: Final = 66


@dataclass(frozen=True, slots=True)
class Deed:
    """What shall be done: decided by the host, or voted for by a player."""

    matter: Matter
    yes: bool
    """Whether a vote is given, and not taken back."""


class MeasuresDialog(Dialog[Deed]):
    """Whom, and what; it follows what happens at the table below."""

    def __init__(self, scene: Scene, view: TableView, is_host: bool) -> None:
        """A vote to join is chosen already."""
        self._scene = scene
        self._view = view
        self._is_host = is_host
        self._keys: tuple[bytes, ...] = ()
        self._measures: tuple[Measure, ...] = ()
        motion = open_motion(view)
        self._chosen = Matter(motion.measure, motion.seat) if motion else _first(view)
        self._is_other = False
        """Whether something else stands here than what the player chose."""
        self._whom = ChoiceRow(_("Whom"), [""], keys="123456789")
        self._what = ChoiceRow(_("What"), [""], keys="1234", spread=True)
        title = _("Keep order at the table") if is_host else _("Vote at the table")
        super().__init__(Form(title, [self._whom, self._what], [], bright=1, width=_WIDTH))
        self._follow()

    def result(self) -> Deed:
        """What was chosen; raises `ValueError` if it cannot be done any more."""
        self._follow()
        if self._is_other:
            self._is_other = False
            raise ValueError(_("That cannot be done any more: look again."))
        yes = self._decides or not has_voted(self._chosen, self._view)
        return Deed(self._chosen, yes)

    def changed(self) -> None:
        """Take what the rows say."""
        measure = self._measures[self._what.index]
        self._chosen, self._is_other = Matter(measure, self._keys[self._whom.index]), False
        self._follow()

    def present(self) -> None:
        """Draw what there is to choose now."""
        self._follow()
        super().present()

    def _follow(self) -> None:
        """Bring the rows into line with the table, and keep what is chosen while it can be."""
        view = self._view = self._scene.view or self._view
        self._keys = concerned(view)
        key = self._chosen.key if self._chosen.key in self._keys else self._keys[0]
        self._measures = possible(view, key)
        same = self._chosen.measure in self._measures
        measure = self._chosen.measure if same else self._measures[0]
        self._is_other |= self._chosen != Matter(measure, key)
        self._chosen = Matter(measure, key)
        self._whom.choices = [subject(view, each) for each in self._keys]
        self._whom.index = self._keys.index(key)
        self._what.choices = [measure_name(each) for each in self._measures]
        self._what.index = self._measures.index(measure)
        self._tell(view)

    @property
    def _decides(self) -> bool:
        """Whether the host's word carries what is chosen; playing on is for the players (G3)."""
        return self._is_host and self._chosen.measure is not Measure.PLAY_ON

    def _tell(self, view: TableView) -> None:
        help = measure_help(self._chosen, view)
        self._whom.help = self._what.help = help
        enter = _("do it")
        if not self._decides:
            self._what.note = tally(self._chosen, view)
            voted = has_voted(self._chosen, view)
            enter = _("take the vote back") if voted else _("vote for it")
        else:
            self._what.note = _("You host this table: it counts at once.")
        self.form.keys = [("Enter", enter), ("←→", _("change")), ("Esc", _("back"))]


def _first(view: TableView) -> Matter:
    """What stands in the dialog at first; nothing is done before Enter."""
    key = concerned(view)[0]
    return Matter(possible(view, key)[0], key)
