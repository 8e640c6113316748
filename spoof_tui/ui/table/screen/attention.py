"""Calls a player who looks elsewhere, by the window's title and the bell.

Both follow from what the screen shows, so that they reveal nothing more, and nothing earlier.
"""

from __future__ import annotations

import math
from typing import Any, Final

from textual.app import App

from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Word
from protocol.views import FistState, TableView
from spoof_tui.storage.settings import Bell
from spoof_tui.telling.sentences import word_name
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.terminal import TerminalApp

PRESENT: Final = 10.0
"""Seconds after a key for which the player is taken to be at the terminal."""

GLANCE: Final = 1.0
"""Seconds that a change must be in sight; if the player looks away sooner, the bell rings."""

_PLAIN: Final = "Spoof"


def title(scene: Scene, *, is_in_front: bool) -> str:
    """The title of the window; while it `is_in_front`, only what the player is asked for."""
    view = scene.view
    if view is None or scene.over:
        return _PLAIN
    if view.my_turn and not view.paused:
        return _("Spoof: your turn")
    if view.own_fist_due and not view.paused:
        return _("Spoof: hide your coins")
    return _PLAIN if is_in_front else _of_others(scene, view)


def _of_others(scene: Scene, view: TableView) -> str:
    """The title that tells what others did last."""
    if scene.last is not None and not scene.is_counted:
        return _("Spoof: the fists open")
    if view.winner is not None:
        return _("Spoof: {name} wins").format(name=scene.names[view.winner])
    if view.calls:
        call = view.calls[-1]
        text = _("Spoof: {name} calls {number}")
        return text.format(name=scene.names[call.seat], number=call.number)
    if view.words:
        return _said(scene.names[view.words[-1][0]], view.words[-1][1])
    return _PLAIN


def _said(name: str, word: Word) -> str:
    if isinstance(word, Bid):
        return _("Spoof: {name} bids {number}").format(name=name, number=word.number)
    return _("Spoof: {name} says {word}").format(name=name, word=word_name(word))


def needed_for(scene: Scene) -> object:
    """Why the player must look at the table: a count, a turn or a hand; None if there is no reason.
    The value stays equal for as long as the reason is the same.
    """
    view = scene.view
    if scene.pacing.is_running:
        return "count", len(view.past) if view else 0
    if view is None or not (view.my_turn or view.own_fist_due):
        return None
    return view.game_number, view.round_number, len(view.words), len(view.calls)


def _is_awaited(scene: Scene) -> bool:
    """Whether the table waits for this player alone."""
    view = scene.view
    if view is None or scene.over or view.paused:
        return False
    if view.my_turn:
        return True
    missing = [seat for seat in view.seats if seat.fist is FistState.NOT_IN]
    return view.own_fist_due and len(missing) == 1


def _concerns_me(scene: Scene, played: PlayedRound) -> bool:
    """Whether this player ended the round, bid last, or gains or loses by it."""
    me, outcome = scene.view.me if scene.view else None, played.outcome
    bidders = [seat for seat, word in played.words.words[-2:] if isinstance(word, Bid)]
    return me is not None and me in (outcome.ender, *bidders, *outcome.changes, *outcome.went_out)


class Attention:
    """Calls a player who looks elsewhere. Times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self.last_key = -math.inf
        """When a key was last pressed."""
        self._asked = False
        self._judged: PlayedRound | None = None
        self._changed = -math.inf
        """When something happened that the bell has not rung for yet; minus infinity if nothing
        has."""

    def rings(self, scene: Scene, bell: Bell) -> bool:
        """Whether what has changed since the last call is worth the bell, by the setting `bell`."""
        asked = _is_awaited(scene)
        judged = scene.last if scene.is_judged else None
        is_new = asked and not self._asked
        is_told = judged is not None and judged is not self._judged and _concerns_me(scene, judged)
        self._asked = asked
        self._judged = judged or self._judged
        return (bell is not Bell.OFF and is_new) or (bell is Bell.ALL and is_told)

    def call(self, app: App[Any], scene: Scene, bell: Bell, at: float) -> None:
        """Set the window's title, and ring the bell if the player needs it."""
        if isinstance(app, TerminalApp):
            app.entitle(title(scene, is_in_front=app.app_focus))
        is_here = app.app_focus and at - self.last_key < PRESENT
        if self.rings(scene, bell):
            self._changed = at
        is_seen = self.last_key > self._changed or at - self._changed > GLANCE
        if not is_here and not is_seen:
            self._changed = -math.inf
            app.bell()

    def end(self, app: App[Any]) -> None:
        """Reset the window's title when the player leaves the table."""
        if isinstance(app, TerminalApp) and app.window_title:
            app.entitle(_PLAIN)
