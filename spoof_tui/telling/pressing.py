"""How a text names a key: by its name or, on a web page, by its button."""

from __future__ import annotations

from spoof_tui.text.i18n import _
from spoof_tui.visiting import has_page


def press(key: str, button: str, *, is_more: bool = False) -> str:
    """How the player is asked for a key: "Press q"; on a web page "Tap" and `button`. No full stop.

    `is_more`: the button may be in the menu behind the dots.
    """
    if not has_page():
        return _("Press {key}").format(key=key)
    return (_("Tap … and “{button}”") if is_more else _("Tap “{button}”")).format(button=button)


def key_name(key: str, button: str) -> str:
    """The name of a key in the middle of a sentence; on a web page, that of its `button` in
    quotes."""
    return _("“{button}”").format(button=button) if has_page() else key
