"""The page that a telephone opens: one file, put together from those that are shipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from spoof_tui.text.i18n import _
from spoof_tui.ui.acts import table as acts
from spoof_tui.ui.wording.sentences import word_name

FOLDER: Final = Path(__file__).with_name("web")
"""What the page consists of; `LICENCES.txt` says what of it is others' and in which version."""

_SENT: Final = {"space": " ", "enter": "\r", "tab": "\t"}
"""What a terminal sends for the keys that are called by a word."""


def buttons() -> Iterator[dict[str, str]]:
    """The buttons in their order: `id`, the `label`, what a tap `sends`, and `about` for a
    screen reader."""
    for coins in range(4):
        about = _("hide {number}").format(number=coins)
        yield {"id": "hide", "label": str(coins), "sends": str(coins), "about": about}
    yield {"id": "lower", "label": "◂", "sends": "\x1b[B", "about": _("a lower number")}
    say = _("say the number that is shown")
    yield {"id": "bid", "label": _("bid"), "sends": "\r", "about": say}
    yield {"id": "higher", "label": "▸", "sends": "\x1b[A", "about": _("a higher number")}
    for key, ending in acts.ENDING_KEYS.items():
        name = word_name(ending)
        # Said at once: an ending has to be pressed twice, and is, by two taps.
        yield {"id": "ending", "label": name, "sends": key, "about": name}
    for id in ("ready", "peek", "why", "say"):
        each = next(one for one in acts.TABLE if one.id == id)
        label = each.name() if each.name else each.about()
        sends = _SENT.get(each.key, each.key)
        yield {"id": id, "label": label, "sends": sends, "about": each.about()}


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


@cache
def page() -> bytes:
    """The whole page in UTF-8, under 500 KB, which asks nobody else for anything."""
    given = json.dumps({"buttons": list(buttons()), "words": words()}).replace("<", "\\u003c")
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
