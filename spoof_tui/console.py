"""What the systems say of their consoles in different ways: encoding, language and font.

It stands apart from `spoof_tui/system.py` because every command needs it, and most need neither
an event loop nor a socket.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Final

if sys.platform == "win32":
    import ctypes
    import locale

_OWN_FONTS: Final = ("WT_SESSION", "TERM_PROGRAM", "ConEmuPID", "TERM")
"""Variables of the terminals on Windows whose fonts have more than its old console has."""


def use_utf8() -> None:
    """Write UTF-8 whatever the locale says: a legacy locale would fail on the first box line."""
    for stream in _streams():
        stream.reconfigure(encoding="utf-8", errors="replace")


def spare_output() -> None:
    """Let no letter end the program that standard output has no way to write.

    It becomes a question mark where the locale has few letters. On Windows what is redirected has
    those of an old code page, whatever the console shows: there it becomes UTF-8.
    """
    if sys.platform == "win32":
        use_utf8()
    for stream in _streams():
        stream.reconfigure(errors="replace")


def _streams() -> set[io.TextIOWrapper]:
    found = {sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__}
    return {stream for stream in found if isinstance(stream, io.TextIOWrapper)}


def has_old_font() -> bool:
    """Whether this is the old console of Windows: of its signs only those of WGL4 are sure."""
    return sys.platform == "win32" and not any(map(os.environ.get, _OWN_FONTS))


if sys.platform == "win32":

    def ui_languages() -> list[str]:
        """The language of the system's own menus, as a locale; empty where others say it."""
        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return [locale.windows_locale[number]] if number in locale.windows_locale else []

else:

    def ui_languages() -> list[str]:
        """The language of the system's own menus, as a locale; empty where others say it."""
        return []
