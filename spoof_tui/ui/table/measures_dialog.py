"""The dialog by which the host, or the players together, keep order at the table (G5)."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.table.statements import VOTED, Measure
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording.moderation import (
    Proposal,
    concerned,
    has_voted,
    measure_help,
    measure_name,
    open_motion,
    possible,
    subject,
    tally,
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What shall be done: decided by the host, or voted for by a player."""

    proposal: Proposal
    yes: bool
    """Whether a vote is given, and not taken back."""


class MeasuresDialog(Dialog[Decision]):
    """Whom, and what; it follows what happens at the table below."""

    WIDTH = 66

    def __init__(self, scene: Scene, view: TableView, is_host: bool) -> None:
        """A vote to join is chosen already."""
        self._scene = scene
        self._view = view
        self._is_host = is_host
        self._seats: tuple[bytes, ...] = ()
        self._measures: tuple[Measure, ...] = ()
        vote = open_motion(view)
        self._chosen = Proposal(vote.measure, vote.seat) if vote else _first(view)
        self._is_other = False
        """Whether something else stands here than what the player chose."""
        self._whom = Choice(_("Who"), [""], keys="123456789")
        self._what = Choice(_("What"), [""], keys="1234", spread=True)
        title = _("Mute or remove a player") if is_host else _("Vote at the table")
        super().__init__(title, "", choices=[self._whom, self._what])
        self._follow()

    def on_mount(self) -> None:
        self.focus_choice(self._what)

    def result(self) -> Decision:
        """What was chosen; raises `ValueError` if it cannot be done any more."""
        self._follow()
        if self._is_other:
            self._is_other = False
            raise ValueError(_("That is no longer possible: look again."))
        yes = self._decides or not has_voted(self._chosen, self._view)
        return Decision(self._chosen, yes)

    def changed(self) -> None:
        """Take what the lines say."""
        measures = self._measures
        measure = measures[min(self._what.index, len(measures) - 1)]
        self._chosen, self._is_other = Proposal(measure, self._seats[self._whom.index]), False
        self._follow()

    def present(self) -> None:
        """Show what there is to choose now."""
        self._follow()
        super().present()

    def _follow(self) -> None:
        """Bring the lines into line with the table, and keep what is chosen while it can be."""
        view = self._view = self._scene.view or self._view
        self._seats = concerned(view)
        key = self._chosen.seat if self._chosen.seat in self._seats else self._seats[0]
        self._measures = possible(view, key)
        same = self._chosen.measure in self._measures
        measure = self._chosen.measure if same else self._measures[0]
        self._is_other |= self._chosen != Proposal(measure, key)
        self._chosen = Proposal(measure, key)
        self._whom.values = [subject(view, each) for each in self._seats]
        self._whom.index = self._seats.index(key)
        self._what.values = [measure_name(each) for each in self._measures]
        self._what.index = self._measures.index(measure)
        self._tell(view)

    @property
    def _decides(self) -> bool:
        """Whether the host's word carries what is chosen."""
        return self._is_host and self._chosen.measure not in VOTED

    def _tell(self, view: TableView) -> None:
        self._whom.help = self._what.help = measure_help(self._chosen, view)
        if self._decides:
            note, self.accept = _("You host this table: it counts at once."), _("do it")
        else:
            voted = has_voted(self._chosen, view)
            self.accept = _("take the vote back") if voted else _("vote for it")
            note = tally(self._chosen, view)
        self._whom.note = self._what.note = note


def _first(view: TableView) -> Proposal:
    """What stands in the dialog at first; nothing is done before Enter."""
    key = concerned(view)[0]
    return Proposal(possible(view, key)[0], key)
