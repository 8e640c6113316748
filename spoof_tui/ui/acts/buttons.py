"""The large buttons of a page, made from the table of acts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from spoof_tui.text.i18n import _
from spoof_tui.ui.acts.table import ENDING_KEYS, TABLE
from spoof_tui.ui.wording.sentences import word_name

_SENT: Final = {"space": " ", "enter": "\r", "tab": "\t"}
"""What a terminal sends for the keys that are called by a word."""


def buttons() -> Iterator[dict[str, str]]:
    """The buttons in their order: `id`, the `label`, what a tap `sends`, and `about` for a
    screen reader."""
    for coins in range(4):
        about = _("hide {number}").format(number=coins)
        yield {"id": "hide", "label": str(coins), "sends": str(coins), "about": about}
    yield {"id": "lower", "label": "◂", "sends": "\x1b[B", "about": _("a lower number")}
    say = _("say the number on the screen")
    yield {"id": "bid", "label": _("bid"), "sends": "\r", "about": say}
    yield {"id": "higher", "label": "▸", "sends": "\x1b[A", "about": _("a higher number")}
    for key, ending in ENDING_KEYS.items():
        name = word_name(ending)
        # Said at once: an ending has to be pressed twice, and is, by two taps.
        yield {"id": "ending", "label": name, "sends": key, "about": name}
    for name in ("ready", "peek", "why", "say"):
        each = next(one for one in TABLE if one.id == name)
        label = _("peek") if name == "peek" else each.name() if each.name else each.about()
        sends = _SENT.get(each.key, each.key)
        yield {"id": name, "label": label, "sends": sends, "about": each.about()}
