"""The dialog of what a player chooses once and for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from spoof_tui.storage.settings import Bell, Motion, Settings
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.canvas.palette import THEMES
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog, clean_name
from spoof_tui.ui.dialogs.field import Field

_BELLS: Final = tuple(Bell)
_MOTIONS: Final = tuple(Motion)
_LANGUAGES: Final = tuple(i18n.LANGUAGES)


class OptionsDialog(Dialog[Settings]):
    """Other settings than these; a theme is worn while it is looked at."""

    WIDTH = 70
    AUTO_FOCUS = "OptionList"

    def __init__(self, settings: Settings, worn: str, wear: Callable[[str], None]) -> None:
        """`worn` is the theme worn now, and `wear` puts on another one for the time being."""
        self._settings = settings
        self._worn = worn
        self._wear = wear
        self._player = Field(pgettext("of a player", "Name"), settings.name)
        self._theme = _theme(worn)
        self._motion = _motion(settings.motion)
        self._bell = _bell(settings.bell)
        self._second_press = _yes_or_no(
            _("Second press"),
            settings.confirm_endings,
            _("Call, cliff, spoof and zero end a round: they ask for a second press."),
        )
        self._covering = _yes_or_no(
            _("Cover keys"),
            settings.cover_keys,
            _("You hide a hand with ← → and Enter on a list that is not shown and begins anywhere, "
              "so that whoever sees your fingers learns nothing. Space shows it for a moment."),
        )  # fmt: skip
        self._lines = _lines(settings.plain)
        self._language = _language()
        choices = [self._theme, self._motion, self._bell, self._second_press, self._covering]
        help = _("This is how the others at your next table see you.")
        choices += [self._lines, self._language]
        super().__init__(_("Options"), _("keep"), [self._player], choices, help)

    def changed(self) -> None:
        """Wear the theme that is chosen now."""
        self._wear(tuple(THEMES)[self._theme.index])

    def action_give_up(self) -> None:
        """Close, in the colours of before."""
        self._wear(self._worn)
        self.dismiss(None)

    def result(self) -> Settings:
        """The settings as they are chosen now."""
        theme = tuple(THEMES)[self._theme.index]
        language = _LANGUAGES[self._language.index]
        return replace(
            self._settings,
            name=clean_name(self._player.value, _("A name needs a visible letter or two.")),
            theme=self._settings.theme if theme == self._worn else theme,
            motion=_MOTIONS[self._motion.index],
            bell=_BELLS[self._bell.index],
            confirm_endings=self._second_press.index == 0,
            cover_keys=self._covering.index == 0,
            plain=self._lines.index == 1,
            language=self._settings.language if language == i18n.spoken() else language,
        )


def theme_names() -> dict[str, str]:
    """What the themes are called, by their names in the settings."""
    known = {
        "felt": _("green felt"),
        "night": _("night"),
        "paper": _("paper"),
        "contrast": _("contrast"),
        "terminal": _("the terminal’s 16 colours"),
    }
    return {name: known.get(name, name) for name in THEMES}


def _theme(worn: str) -> Choice:
    return _choice(_("Theme"), list(theme_names().values()), list(THEMES).index(worn),
                   _("The colours of every screen; you see them at once."))  # fmt: skip


def _motion(motion: Motion) -> Choice:
    values = {Motion.FULL: pgettext("of motion", "full"), Motion.NONE: _("none")}
    return _choice(_("Motion"), [values[each] for each in _MOTIONS], _MOTIONS.index(motion),
                   _("Whether fists open one by one, or all at once."))  # fmt: skip


def _bell(bell: Bell) -> Choice:
    values = {
        Bell.MY_TURN: _("my turn"),
        Bell.ALL: _("every word"),
        Bell.OFF: _("off"),
    }
    return _choice(_("Bell"), [values[each] for each in _BELLS], _BELLS.index(bell),
                   _("When the terminal’s bell rings."))  # fmt: skip


def _lines(is_plain: bool) -> Choice:
    return _choice(_("Screen"), [_("drawn"), _("plain lines")], 1 if is_plain else 0,
                   _("Plain lines are for screen readers, from the next start on; --no-plain draws "
                     "once more."))  # fmt: skip


def _language() -> Choice:
    names = [i18n.LANGUAGES[code] for code in _LANGUAGES]
    spoken = i18n.spoken() if i18n.spoken() in _LANGUAGES else i18n.SOURCE
    return _choice(_("Language"), names, _LANGUAGES.index(spoken),
                   _("The language of every screen."))  # fmt: skip


def _yes_or_no(label: str, is_on: bool, help: str) -> Choice:
    return _choice(label, [_("on"), _("off")], 0 if is_on else 1, help)


def _choice(label: str, values: Sequence[str], index: int, help: str) -> Choice:
    keys = "".join(str(number) for number in range(1, len(values) + 1))
    return Choice(label, values, index, help=help, keys=keys)
