"""What lies in the middle of the table: the round in one column, made from a scene."""

from __future__ import annotations

from rich.style import Style

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.table.fold import Phase
from protocol.views import FistState, TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.table import guessing as school
from spoof_tui.ui.table.ring import Centre
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.sentences import word_name


def middle(scene: Scene) -> Centre:
    """What lies in the middle: its caption, or what the table has there."""
    if scene.caption is not None:
        return scene.caption
    view = scene.view
    if view is None:
        return Centre(above=_("Looking at the table …"), style=palette.QUIET)
    if scene.last is not None:
        return _of_count(scene, scene.last)
    if view.paused:
        return Centre(above=_("Paused"), below=_("the table rests"))
    return _of_round(scene, view)


def _of_count(scene: Scene, last: PlayedRound) -> Centre:
    if isinstance(last.words, GuessingRound):
        opened = scene.order[: scene.opened]
        return school.centre_of_count(last, opened, scene.is_judged, scene.names)
    ending = last.words.words[-1][1]
    ender = scene.names[last.outcome.ender]
    above = _("{name}: {word}!").format(name=ender, word=word_name(ending))
    if scene.view and scene.view.winner is not None and scene.is_counted:
        star = palette.glyphs().star
        winner = _("{name} wins").format(name=scene.names[scene.view.winner])
        return Centre(above=f"{star} {winner} {star}", below=_("The game is over."))
    total = sum(last.hands[seat] for seat in scene.order[: scene.opened])
    right = last.outcome.verdict.ender_is_right
    style = palette.BOLD
    if scene.is_judged:
        style = Style(color=palette.GOOD if right else palette.BAD, bold=True)
    standing = last.words.standing
    if standing:
        below = _("in the fists, bid {bid}").format(bid=standing[1])
    else:
        below = _("in the fists, of {most}").format(most=last.words.most)
    return Centre(number=total, above=above, below=below, style=style)


def _of_round(scene: Scene, view: TableView) -> Centre:
    if view.phase is Phase.GATHERING:
        return _of_gathering(scene, view)
    if view.phase is Phase.LOT:
        return Centre(above=_("The lot is drawn"), below=_("who opens?"))
    if view.phase is Phase.CHOOSING:
        fists = sum(seat.fist is FistState.IN for seat in view.seats)
        playing = sum(seat.coins > 0 for seat in view.seats)
        count = _("{fists} of {players} fists are in").format(fists=fists, players=playing)
        return Centre(above=_("Everybody hides"), below=count)
    if view.is_guessing:
        return school.centre_of_calls(view, scene.names)
    if view.standing is None and view.words:
        seat, word = view.words[-1]
        below = _("said by {name}").format(name=scene.names[seat])
        return Centre(above=f"{word_name(word)}!", below=below)
    if view.standing is None:
        starter = scene.names[view.starter] if view.starter is not None else ""
        return Centre(above=_("No bid yet"), below=_("{name} opens").format(name=starter))
    seat, bid = view.standing
    ended = view.phase in (Phase.WITNESSING, Phase.OPENING)
    ending = view.words[-1][1] if ended else None
    above = _("the bid stands at") if ending is None else f"{word_name(ending)}!"
    below = _("by {name}").format(name=scene.names[seat])
    return Centre(number=bid, above=above, below=below, direction=view.direction)


def _of_gathering(scene: Scene, view: TableView) -> Centre:
    ready = sum(seat.ready for seat in view.seats)
    count = _("{taken} of {seats} seats, {ready} ready").format(
        taken=len(measures.sitting(view)), seats=view.seat_count, ready=ready
    )
    if scene.code:
        return Centre(code=scene.code, above=_("Tell them the code"), below=count)
    return Centre(above=_("Waiting for players"), below=count)
