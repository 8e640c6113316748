"""Whether files can be kept on this computer, in words for the player."""

from __future__ import annotations

from spoof_tui.storage import files, paths
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of

_FOLDERS = ("", "identities", "tables", "games")
"""The state directory and the folders in it where seats, tables and games are saved."""


def trouble() -> str:
    """A sentence that says why nothing is kept here, or that others can read it; empty if all is
    well."""
    home = paths.state_folder()
    is_private = True
    for name in _FOLDERS:
        folder = home / name if name else home
        try:
            files.make_private_directory(folder)
            is_private &= files.is_private(folder)
        except OSError as error:
            text = _("Nothing can be saved in {path}: {why}.")
            return text.format(path=paths.short(folder), why=reason_of(error))
    if is_private:
        return ""
    text = _("Others who use this computer can read what is kept here: {path}")
    return text.format(path=paths.short(home))
