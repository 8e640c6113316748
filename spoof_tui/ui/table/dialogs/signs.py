"""Explains the signs that are on the screen now."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.views import TableView
from spoof_tui.telling.doors import MARK
from spoof_tui.telling.explanations import WhyLine
from spoof_tui.telling.titles import call_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.felt.heap import heap_of
from spoof_tui.ui.table.felt.middle import direction, middle
from spoof_tui.ui.table.felt.scars import scars_of
from spoof_tui.ui.table.scene import Scene


def signs_on_show(scene: Scene) -> tuple[WhyLine, ...]:
    """A line for each sign, with the sign as its label."""
    view = scene.view
    if view is None:
        return ()
    return (*_of_round(scene, view), *_of_seats(view), *_of_table(scene, view))


def _of_round(scene: Scene, view: TableView) -> Iterator[WhyLine]:
    signs, centre = glyphs(), middle(scene)
    track = centre.track
    if track is not None:
        yield WhyLine(signs.no_coin, _("A coin in play, whether it is in a fist or not."))
        if scene.last is not None:
            yield WhyLine(signs.coin, _("A coin that was found in a fist."))
        if scene.showing and min(scene.showing.changes.values(), default=0) < 0:
            yield WhyLine(signs.lost, _("A coin that was lost in this round."))
        if track.mark is not None:
            yield WhyLine(signs.mark, _("The bid: the coins must reach as far as this."))
    if scene.is_game_over and not view.is_guessing:
        yield WhyLine(signs.lost, _("The round in which a player went out."))
    if direction(scene) is not None:
        arrows = f"{signs.up} {signs.down}"
        yield WhyLine(arrows, _("The way in which the turn goes around the table."))
    if scene.is_sealed:
        text = _("Your fist is sealed: nobody can change it now, and only you can peek into it.")
        if view.lacks_secret:
            text = _("Your fist was sealed on another computer: only that one can open it.")
        yield WhyLine(signs.sealed, text)
    named = {call.number: name for call in view.calls if (name := call_name(call.number))}
    for number, name in named.items():
        yield WhyLine(name, _("The name by which players call {number}.").format(number=number))


def _of_seats(view: TableView) -> Iterator[WhyLine]:
    if any(seat.speaks for seat in view.seats):
        yield WhyLine(glyphs().pointer, _("Whose turn it is."))
    if any(seat.through_door for seat in view.seats):
        text = _("Plays by ssh or browser, on the computer of a host who could look at the hand.")
        yield WhyLine(MARK, text)
    if any(seat.did_not_gloat for seat in view.seats):
        yield WhyLine(_("no gloat"), _("Won the last game, and did not gloat."))


def _of_table(scene: Scene, view: TableView) -> Iterator[WhyLine]:
    signs, heap, scars = glyphs(), heap_of(scene.of_pub), scars_of(view)
    if heap.lost:
        yield WhyLine(_("lost"), _("Coins that are out of this game."))
    if heap.pot:
        yield WhyLine(
            _("pot"), _("One chip from each player; the winner of the game takes them all.")
        )
    if any(scars.lost):
        text = _("A notch in the wood: a coin lost at that seat this evening.")
        text = f"{text} {_('A number between two notches says how many there are.')}"
        yield WhyLine(signs.notch_above, text)
    if scars.won:
        yield WhyLine(signs.star, _("A game won this evening."))
