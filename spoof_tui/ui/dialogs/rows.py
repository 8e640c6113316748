"""What follows from a screen's rows of acts: its bindings and its help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from textual.screen import Screen

from spoof_tui.acts.act import Act, AnyAct, KeyAct, caption, key_acts, named
from spoof_tui.acts.buttons import Buttons, of_list
from spoof_tui.text.i18n import _
from spoof_tui.ui.app_protocol import SpoofActions, actions, tell


def bindings(acts: Iterable[AnyAct]) -> list[tuple[str, str]]:
    """The keys of these acts; the screen carries them out in `action_do`."""
    keyed = (each for each in acts if each.key)
    return [(",".join((each.key, *each.also)), f"do({each.id!r})") for each in keyed]


class ActScreen(Screen[None]):
    """A screen that carries out rows of acts."""

    ACTS: ClassVar[Sequence[AnyAct]] = ()

    @property
    def spoof(self) -> SpoofActions:
        """The program that the screen belongs to."""
        return actions(self.app)

    @property
    def facts(self) -> Any:
        """What the acts depend on."""
        return None

    @property
    def is_guessing(self) -> bool:
        """Whether the guessing game is on show, so that the help explains that one."""
        return False

    def adapt(self) -> None:
        """Apply changed settings, and redraw."""

    def acts(self) -> Sequence[KeyAct]:
        """What can be done here now, for the command palette and the help."""
        return tuple(key_acts(self.ACTS, self.facts))

    def buttons(self) -> Buttons:
        """The buttons of a page now: through a list, and behind the dots all that can be done."""
        return of_list([(caption("enter"), _("choose"))], self.acts())

    def action_do(self, name: str) -> None:
        """Carry out the act of this name, or say why not; nothing while it is not listed."""
        act = named(name, self.ACTS)
        if why := act.why_not(self.facts):
            tell(self.app, why)
        elif act.is_listed(self.facts):
            act.do(self, "")

    def show_help(self) -> None:
        """Show the keys."""
        from spoof_tui.ui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.acts(), is_guessing=self.is_guessing))


HELP: Final[AnyAct] = Act(
    id="help", key="question_mark", about=lambda: _("help"), do=lambda c, _rest: c.show_help()
)
"""The row of every screen that lists its keys."""
