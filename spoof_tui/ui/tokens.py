"""What a table plays with, in words, signs and colours: set while its screen is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spoof_tui.text import i18n, tokens
from spoof_tui.ui.canvas import palette

if TYPE_CHECKING:
    # The lobby begins before any rules are known.
    from protocol.rules.options import Token


def play_with(token: Token) -> None:
    """Speak of these and draw them from now on."""
    _play_with(token.value)


def coins_again() -> None:
    """Speak of coins and draw them, as wherever there is no table."""
    _play_with(tokens.COINS)


def _play_with(token: str) -> None:
    i18n.play_with(token)
    palette.play_with(token)
