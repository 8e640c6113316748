"""What every seat of a table shows, made from a view and from the round that is on show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.style import Style

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.table.fold import Phase
from protocol.views import FistState, SeatStatus, SeatView, TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.table import guessing as school
from spoof_tui.ui.table.ring import SeatPicture
from spoof_tui.ui.table.slate import slate_before
from spoof_tui.ui.wording import absence
from spoof_tui.ui.wording.sentences import word_name


@dataclass(frozen=True, slots=True)
class Showing:
    """What of the last round is still on the screen."""

    played: PlayedRound
    hands: Mapping[int, int]
    """Hands that are opened so far."""
    is_counted: bool
    """Whether the count is done, and what it changed is to be seen."""

    @property
    def coins(self) -> Sequence[int]:
        """Coins of every player at the start of the round."""
        return self.played.words.coins

    def had(self, index: int) -> int:
        """Coins of a seat at the start of the round; 0 where it did not play."""
        return self.coins[index] if index < len(self.coins) else 0

    @property
    def changes(self) -> Mapping[int, int]:
        """Coins won and lost; empty until the count is done."""
        return self.played.outcome.changes if self.is_counted else {}


def pictures(
    view: TableView,
    names: Sequence[str],
    showing: Showing | None,
    peek: int | None,
    now: int | None = None,
) -> tuple[SeatPicture, ...]:
    """What every seat shows, by index; `now` is the host's clock, for those who are away."""
    now = view.time if now is None else now
    last_words = dict(view.words)
    drawn = []
    for index, seat in enumerate(view.seats):
        said = word_name(last_words[index]) if index in last_words else ""
        if showing and not showing.is_counted:
            # Nobody is seen to be out before the count says so.
            seat = replace(seat, coins=showing.had(index))
        picture = _picture(seat, names[index], said, now)
        if view.standing and view.standing[0] == index:
            picture = replace(picture, said_style=palette.STRONG)
        if showing:
            picture = _with_last_round(picture, index, seat, showing)
        elif view.phase is Phase.GATHERING:
            picture = _between_games(picture, seat)
        if view.is_guessing:
            picture = _in_school(picture, view, index, showing)
        if seat.is_me and peek is not None:
            picture = _with_peek(picture, peek)
        drawn.append(picture)
    return tuple(drawn)


def _picture(seat: SeatView, name: str, said: str, now: int) -> SeatPicture:
    note, note_style = _note(seat, now)
    return SeatPicture(
        name=name,
        fist=seat.fist,
        coins=seat.coins,
        hand=seat.hand,
        speaks=seat.speaks,
        faint=seat.coins == 0,
        said=said,
        said_style=palette.BOLD,
        note=note,
        note_style=note_style,
        is_me=seat.is_me,
    )


def _in_school(
    picture: SeatPicture, view: TableView, index: int, showing: Showing | None
) -> SeatPicture:
    if showing is None:
        drinks = view.slate.owed(view.seats[index].key)
        return school.with_call(school.with_tally(picture, drinks), view.calls, index)
    played = showing.played
    slate = view.slate if showing.is_counted else slate_before(view.slate, played)
    drinks = slate.owed(view.seats[index].key)
    picture = school.with_tally(picture, drinks)
    if not isinstance(played.words, GuessingRound):
        return picture
    return school.with_count(picture, played, played.words, index, showing.is_counted)


def _between_games(picture: SeatPicture, seat: SeatView) -> SeatPicture:
    fist = FistState.IN if seat.ready else FistState.NOT_IN
    return replace(picture, fist=fist, coins=0, faint=seat.presence is SeatStatus.GONE)


def _note(seat: SeatView, now: int) -> tuple[str, Style]:
    if seat.presence is SeatStatus.AWAY:
        return absence.away_note(seat, now), palette.WRONG
    if seat.presence is SeatStatus.UNSTEADY:
        return _("unsteady"), palette.BRIGHT
    if seat.presence is SeatStatus.GONE:
        return _("left"), palette.QUIET
    left = absence.time_left(seat, now)
    if left is not None:
        return absence.duration(left), palette.WRONG if left <= absence.HURRY else palette.QUIET
    if seat.is_leaving:
        return _("removed"), palette.WRONG
    if seat.is_muted:
        return _("muted"), palette.WRONG
    if seat.ready:
        return _("ready"), palette.RIGHT
    if seat.plays and not seat.coins:
        return _("out"), palette.QUIET
    if seat.is_crap:
        return _("crap"), palette.QUIET
    return (_("you"), palette.QUIET) if seat.is_me else ("", palette.QUIET)


def _with_last_round(
    picture: SeatPicture, index: int, seat: SeatView, showing: Showing
) -> SeatPicture:
    had = showing.had(index)
    fist = FistState.OPEN if index in showing.hands else FistState.IN
    change = showing.changes.get(index, 0)
    return replace(
        picture,
        fist=fist if had else FistState.NONE,
        coins=seat.coins if showing.changes else had,
        hand=showing.hands.get(index),
        faint=not had,
        said=f"{change:+d}" if change else "",
        said_style=palette.RIGHT if change > 0 else palette.WRONG,
    )


def _with_peek(picture: SeatPicture, peek: int) -> SeatPicture:
    return replace(picture, fist=FistState.OPEN, hand=peek, note=_("only you"))
