"""The dialog of the player's settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from spoof_tui.storage.settings import Animation, Bell, Settings
from spoof_tui.telling.names import clean_name
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.canvas.palette import THEMES
from spoof_tui.ui.dialogs.choices import Choice, digits
from spoof_tui.ui.dialogs.dialog import Dialog, Field
from spoof_tui.visiting import has_page


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A line of the options: one setting."""

    field: str
    """The field of `Settings` that the line sets."""
    label: Callable[[], str]
    help: Callable[[], str]
    values: Callable[[], Mapping[Any, str]]
    """The possible values, each with its name."""


def theme_names() -> dict[str, str]:
    """The themes' names in the player's language, by their names in the settings."""
    known = {
        "felt": _("green felt"),
        "night": _("night"),
        "paper": _("paper"),
        "contrast": _("contrast"),
        "terminal": _("the terminal’s 16 colours"),
    }
    return {name: known.get(name, name) for name in THEMES}


def _on_or_off() -> dict[bool, str]:
    return {True: _("on"), False: _("off")}


SETTINGS: Final = (
    Setting(
        "theme", lambda: _("Theme"), values=theme_names,
        help=lambda: _("The colours of every screen; the change shows at once."),
    ),
    Setting(
        "motion", lambda: _("Motion"),
        help=lambda: _("Whether fists open one by one, or all at once."),
        values=lambda: {Animation.FULL: pgettext("of motion", "full"), Animation.NONE: _("none")},
    ),
    Setting(
        "bell", lambda: _("Bell"),
        help=lambda: _("When the page asks for attention while you are looking at another one.")
        if has_page()
        else _("When the terminal’s bell rings."),
        values=lambda: {
            Bell.MY_TURN: _("my turn"), Bell.ALL: _("every word"), Bell.OFF: _("off"),
        },
    ),
    Setting(
        "confirm_endings", lambda: _("Ask twice"), values=_on_or_off,
        help=lambda: _("Call, cliff, spoof and zero end a round: tap them twice.")
        if has_page()
        else _("Call, cliff, spoof and zero end a round: press the key of the word twice."),
    ),
    Setting(
        "cover_keys", lambda: _("Hidden list"), values=_on_or_off,
        help=lambda: _(
            "You choose a hand with the arrow keys from a hidden list, so your fingers give "
            "nothing away."
        )
        if has_page()
        else _(
            "You choose a hand with left, right and Enter from a hidden list, so your fingers "
            "give nothing away. Space shows the list for a moment."
        ),
    ),
    Setting(
        "company", lambda: _("Company"), values=_on_or_off,
        help=lambda: _(
            "Whether the bots of “Play now” have characters and react to the game; counts from "
            "the next table on."
        ),
    ),
    Setting(
        "plain", lambda: _("Display"),
        help=lambda: _(
            "Plain text for screen readers, from the next start on; --no-plain switches back."
        ),
        values=lambda: {False: _("full screen"), True: _("plain text")},
    ),
    Setting(
        "language", lambda: _("Language"), values=lambda: i18n.LANGUAGES,
        help=lambda: _("The language of every screen."),
    ),
)  # fmt: skip


def offered() -> Sequence[Setting]:
    """The settings that a player can change here: a web page has no plain lines."""
    return [each for each in SETTINGS if each.field != "plain" or not has_page()]


class OptionsDialog(Dialog[Settings]):
    """Asks for changes of `settings`; a highlighted theme is tried out at once."""

    WIDTH = 70
    AUTO_FOCUS = "OptionList"

    def __init__(self, settings: Settings, worn: str, wear: Callable[[str], None]) -> None:
        """`worn` is the current theme; `wear` tries out another one."""
        spoken = i18n.spoken() if i18n.spoken() in i18n.LANGUAGES else i18n.SOURCE
        self._settings = settings
        self._now = replace(settings, theme=worn, language=spoken)
        self._wear = wear
        self._player = Field(pgettext("of a player", "Name"), settings.name)
        self._rows = {each.field: _row(each, self._now) for each in offered()}
        help = _("The name that others see at your next table.")
        rows = tuple(self._rows.values())
        super().__init__(_("Options"), _("keep"), [self._player], rows, help, _("undo"))

    def changed(self) -> None:
        """Try out the theme that is chosen now."""
        self._wear(tuple(THEMES)[self._rows["theme"].index])

    def action_give_up(self) -> None:
        """Close, and return to the theme used before."""
        self._wear(self._now.theme or "")
        self.dismiss(None)

    def result(self) -> Settings:
        """The settings as they are chosen now; anything left alone stays as it was."""
        chosen = {
            each.field: tuple(each.values())[self._rows[each.field].index] for each in offered()
        }
        changed = {k: value for k, value in chosen.items() if value != getattr(self._now, k)}
        return replace(self._settings, name=clean_name(self._player.value), **changed)


def _row(setting: Setting, now: Settings) -> Choice:
    values = setting.values()
    return Choice(
        setting.label(),
        list(values.values()),
        list(values).index(getattr(now, setting.field)),
        help=setting.help(),
        keys=digits(tuple(values)),
    )
