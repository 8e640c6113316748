"""The page that a phone opens: one file, assembled from those that are shipped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from spoof_tui.text.i18n import _

FOLDER: Final = Path(__file__).with_name("web")
"""The parts of the page; `LICENCES.txt` says which are third-party, and in which version."""


def words() -> dict[str, str]:
    """The sentences of the page itself."""
    return {
        "code": _("The code of the door, as the host says it"),
        "name": _("Your name"),
        "sit": _("sit down"),
        "lost": _("No connection. Trying again …"),
        "wrong": _("That code does not open this door. Scan again, or type it again."),
        "safe": _(
            "Sealed with the code: a listener reads nothing. Not safe from somebody who changes "
            "this page on its way, or who runs the host’s machine."
        ),
        "turn": _("your turn"),
    }


def page(buttons: Sequence[Mapping[str, str]]) -> bytes:
    """The whole page in UTF-8, under 500 KB; it loads nothing else.

    Each of the `buttons` has an `id`, a `label`, what a tap `sends`, and what it is `about`.
    """
    given = json.dumps({"buttons": [*buttons], "words": words()}).replace("<", "\\u003c")
    parts = {
        "{xterm.css}": (FOLDER / "xterm.css").read_text("utf-8"),
        "{page.css}": (FOLDER / "page.css").read_text("utf-8"),
        "{vendor.js}": (FOLDER / "vendor.js").read_text("utf-8"),
        "{given}": given,
        "{page.js}": (FOLDER / "page.js").read_text("utf-8"),
    }
    text = (FOLDER / "page.html").read_text("utf-8")
    for place, part in parts.items():
        text = text.replace(place, part, 1)
    return text.encode()
