"""How a key is asked for: by its name or, on the page of a browser, by its button."""

from __future__ import annotations

from spoof_tui.text.i18n import _
from spoof_tui.visiting import has_page


def press(key: str, button: str, *, is_more: bool = False) -> str:
    """How the player is asked for a key, such as “Press q”, without a full stop. On a page,
    `button` is named instead; `is_more`: it may be in the menu behind the dots."""
    if not has_page():
        return _("Press {key}").format(key=key)
    return (_("Tap … and “{button}”") if is_more else _("Tap “{button}”")).format(button=button)


def key_name(key: str, button: str) -> str:
    """The name of a key in the middle of a sentence; on a page, that of its button."""
    return _("“{button}”").format(button=button) if has_page() else key
