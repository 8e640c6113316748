"""Which gestures make sense for a participant now. The rules allow all of them: gestures bind
nobody and reveal no hand."""

from __future__ import annotations

from protocol.rules.options import BiddingRules, GameStarter
from protocol.table.state import Phase
from protocol.table.statements import Gesture
from protocol.views import FistState, SeatStatus, SeatView, TableView


def makes_sense(gesture: Gesture, view: TableView) -> bool:
    """Whether a participant with this view has a reason to make this gesture."""
    if gesture is Gesture.WOBBLE:
        seat = view.my_seat
        return seat is not None and seat.fist is FistState.IN
    if gesture is Gesture.GLOAT:
        return view.may_gloat
    if gesture is Gesture.START:
        return (missed := crap(view)) is not None and _opens(view, missed)
    if gesture is Gesture.HURRY:
        return (missed := crap(view)) is not None and _is_awaited(view, missed)
    return True


def crap(view: TableView) -> SeatView | None:
    """The seat that is crap (R15): the first one out of the previous game or, between games, of the
    game that has just ended. None if there is none, if it is the viewer's own, or if its player is
    not connected."""
    rules = view.rules
    if not isinstance(rules, BiddingRules) or rules.game_starter is not GameStarter.CRAP:
        return None
    found = next((seat for seat in view.seats if seat.is_crap), None)
    if view.phase is Phase.GATHERING:
        out = (played.outcome.went_out for played in view.past if played.outcome.went_out)
        found = next((view.seats[seats[0]] for seats in out), None)
    if found is None or found.is_me or found.presence is not SeatStatus.HERE:
        return None
    return found


def _opens(view: TableView, seat: SeatView) -> bool:
    """Whether the game waits for its first word, which `seat` says as crap."""
    is_first = view.round_number == 1 and not view.words
    return is_first and view.phase in (Phase.CHOOSING, Phase.SPEAKING) and seat.is_crap


def _is_awaited(view: TableView, seat: SeatView) -> bool:
    if view.phase is Phase.GATHERING:
        return not seat.ready
    return seat.waits_since is not None
