"""The dialog that asks what shall be written of the games, as what, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spoof_tui.history.export import Format
from spoof_tui.storage import chosen_file
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.dialogs.field import Field

_FORMATS: Final = (Format.SPOOF, Format.CSV, Format.JSON)
_STEM: Final = "spoof-games"


@dataclass(frozen=True, slots=True)
class Export:
    """What was chosen."""

    path: Path
    kind: Format
    is_one: bool
    """Whether only the chosen game is meant, and not all on the list."""
    replaces: bool = False
    """Whether the file that is there shall be replaced."""


class ExportDialog(Dialog[Export]):
    """A path, a format, and which games."""

    AUTO_FOCUS = "OptionList"

    def __init__(self, count: int) -> None:
        """`count` games are on the list."""
        all_of_them = ngettext("{count} game on the list", "all {count} on the list", count)
        self._which = Choice(_("Games"), (_("this one"), all_of_them.format(count=count)))
        self._format = Choice(
            _("As"),
            (_("records (.spoof)"), "CSV", "JSON"),
            help=_("Records can be replayed and checked; CSV and JSON are for other programs."),
        )
        self._file = Field(_("File"), f"{_STEM}.{Format.SPOOF.value}")
        self._asked_about = ""
        """The file that is there already, once the player has been asked."""
        super().__init__(_("Export"), _("write"), [self._file], [self._which, self._format])

    @property
    def _kind(self) -> Format:
        return _FORMATS[self._format.index]

    def changed(self) -> None:
        """Have the usual name end as the format says."""
        self._asked_about = ""
        usual = {f"{_STEM}.{kind.value}" for kind in _FORMATS}
        wanted = f"{_STEM}.{self._kind.value}"
        if self._file.value in usual and self._file.value != wanted:
            self._file.value = wanted

    def result(self) -> Export:
        """What was chosen."""
        text = self._file.value.strip()
        replaces = self._asked_about == text
        try:
            path = chosen_file.named(text, replaces=replaces)
        except FileExistsError:
            self._asked_about = text
            raise ValueError(
                _("There is a file of that name. Press Enter again to replace it.")
            ) from None
        return Export(path, self._kind, self._which.index == 0, replaces)
