"""Screens with acts: their key bindings, their buttons and their help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from textual.screen import Screen

from spoof_tui.acts.act import Act, AnyAct, KeyAct, caption, key_acts, named
from spoof_tui.acts.buttons import Buttons, of_list
from spoof_tui.text.i18n import _
from spoof_tui.ui.app_protocol import SpoofActions, actions, tell


def bindings(acts: Iterable[AnyAct]) -> list[tuple[str, str]]:
    """Bindings of the acts' keys to `action_do`."""
    keyed = (each for each in acts if each.key)
    return [(",".join((each.key, *each.also)), f"do({each.id!r})") for each in keyed]


class ActScreen(Screen[None]):
    """A screen with acts."""

    ACTS: ClassVar[Sequence[AnyAct]] = ()

    @property
    def spoof(self) -> SpoofActions:
        """The app that the screen belongs to."""
        return actions(self.app)

    @property
    def facts(self) -> Any:
        """The facts that the acts depend on; None unless a subclass overrides this."""
        return None

    @property
    def is_guessing(self) -> bool:
        """Whether the screen shows the guessing game, so that the help explains that one."""
        return False

    def adapt(self) -> None:
        """A hook for subclasses: apply changed settings, and redraw. Does nothing here."""

    def acts(self) -> Sequence[KeyAct]:
        """The keys that do something now, for the command palette and the help."""
        return tuple(key_acts(self.ACTS, self.facts))

    def buttons(self) -> Buttons:
        """The buttons for a web page: arrows, what Enter does or else back, and all other acts in
        the menu.

        The help is about keys.
        """
        acts = [each for each in self.ACTS if each.is_listed(self.facts)]
        first = next((each for each in acts if "enter" in (each.key, *each.also)), acts[-1])
        label = first.label(self.facts)
        others = (each for each in acts if each.key not in (first.key, "up", "down", HELP.key))
        more = key_acts(others, self.facts)
        return of_list([(caption(first.key), label.words if label else first.about())], more)

    def action_do(self, name: str) -> None:
        """Do the act with this id, or say why not; nothing if the act is not listed now."""
        act = named(name, self.ACTS)
        if why := act.why_not(self.facts):
            tell(self.app, why)
        elif act.is_listed(self.facts):
            act.do(self, "")

    def show_help(self) -> None:
        """Open the help."""
        from spoof_tui.ui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.acts(), is_guessing=self.is_guessing))


HELP: Final[AnyAct] = Act(
    id="help", key="question_mark", about=lambda: _("help"), do=lambda c, _rest: c.show_help()
)
"""The act that opens the help, for screens with acts of their own."""
