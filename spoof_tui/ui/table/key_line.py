"""The line of keys: what can be done now, as far as it has room."""

from __future__ import annotations

from rich.cells import cell_len

from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece, fit
from spoof_tui.ui.table.framed import MARGIN
from spoof_tui.ui.table.scene import Page, Scene
from spoof_tui.ui.wording import absence, new_table
from spoof_tui.ui.wording import moderation as measures


def key_line(scene: Scene, width: int) -> list[Piece]:
    """The last line: what is typed, or the keys, the ones that bring the table on first."""
    if scene.talking is not None:
        prompt = _("Talk: ")
        room = width - MARGIN - cell_len(prompt) - 2
        typed = scene.talking
        while len(typed) and len(fit(typed, room)) < len(typed):
            typed = typed[1:]
        return [(prompt, palette.KEY), (typed, palette.TEXT), ("█", palette.BRIGHT)]
    keys = _keys(scene) if scene.wheel is None or scene.over else _wheel_keys()
    room = width - 2 * MARGIN
    while len(keys) > 2 and sum(cell_len(k) + cell_len(words) + 3 for k, words in keys) - 2 > room:
        # The way out stays, and the help that tells the other keys.
        del keys[max(len(keys) - 3, 0)]
    return [piece for hint in keys for piece in _hint(*hint)]


def _hint(key: str, meaning: str) -> list[Piece]:
    return [(key, palette.KEY), (f" {meaning}  ", palette.QUIET)]


def _wheel_keys() -> list[tuple[str, str]]:
    signs = palette.glyphs()
    turn = (f"{signs.left} {signs.right}", _("another gesture"))
    return [turn, (_("Enter"), _("do it")), (_("Esc"), _("back"))]


def _keys(scene: Scene) -> list[tuple[str, str]]:
    view = scene.view
    keys: list[tuple[str, str]] = []
    if scene.reveal is not None and not scene.is_judged and not scene.over:
        return [(_("any key"), _("to the verdict"))]
    if view and not scene.over:
        keys += [*_due_keys(scene, view), *_table_keys(view, scene.page), ("?", _("keys"))]
    elif scene.over and scene.reopened:
        keys.append(("Enter", _("come back")))
    if scene.findings and (scene.over or view is None):
        keys.append(("x", _("why?")))
    return [*keys, ("q", _("leave"))]


def _due_keys(scene: Scene, view: TableView) -> list[tuple[str, str]]:
    """The keys that bring the table on."""
    keys: list[tuple[str, str]] = []
    gathering = view.phase is Phase.GATHERING
    if scene.is_practice and view.my_turn and not view.is_guessing:
        keys.append(("k", _("coach")))
    if not measures.sits(view):
        keys.append(("r", _("sit down")))
    elif gathering and not view.paused:
        again = view.winner is not None
        keys.append((_("Enter"), _("play again") if again else _("ready")))
    if view.may_gloat and not view.is_guessing and measures.sits(view):
        keys.append(("j", _("gloat")))
    if gathering and scene.may_add_bots and len(view.seats) < view.seat_count:
        keys.append(("b", _("add bot")))
        if view.winner is None:
            keys.append(("i", _("invite")))
    if scene.continued is not None:
        keys.append(("y", _("go there")))
    elif new_table.is_asked(view):
        keys.append(("y", _("stay") if new_table.has_agreed(view) else _("new table")))
    elif measures.sits(view) and not scene.is_stale:
        if votes := absence.next_votes(view, scene.now):
            keys.append(("y", _("play on") if votes[0].yes else _("keep waiting")))
        if measures.open_motion(view):
            keys.append(("v", _("vote")))
        if view.paused:
            keys.append(("p", _("go on")))
    return keys


def _table_keys(view: TableView, page: Page) -> list[tuple[str, str]]:
    """What one can do at any time, what is needed most first.

    A player who only watches has no fist and no voice.
    """
    plays = view.phase is not Phase.GATHERING
    sits = measures.sits(view)
    keys: list[tuple[str, str]] = []
    if sits:
        keys += [(_("space"), _("peek"))] if plays else []
        keys += [("t", _("talk"))]
    keys += [("w", _("why?"))]
    keys += [("f", _("slate"))] if view.has_slate or view.counts_rounds else []
    keys += [("h", _("rules"))]
    keys += [("g", _("rounds"))] if view.past else []
    # The way back to the table comes first, where a page may stand in its place.
    at = len(keys) if page is Page.TABLE else 0
    keys[at:at] = [(_("Tab"), _next_page(page))] if plays else []
    keys += [("j", _("gestures")), ("m", _("shout"))] if sits and plays else []
    if sits and not view.paused:
        keys.append(("p", _("pause")))
    return keys


def _next_page(page: Page) -> str:
    """What Tab turns up."""
    if page is Page.ROUNDS:
        return _("talk")
    return _("table") if page is Page.TALK else _("page")
