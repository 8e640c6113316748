"""Derives the picture of every seat from a view and from the round on show."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.slate import Fine, Slate
from protocol.rules.words import Bid, Offence, Word
from protocol.table.fold import Phase
from protocol.views import FistState, SeatStatus, SeatView, TableView
from spoof_tui.telling import absence
from spoof_tui.telling.durations import duration
from spoof_tui.telling.sentences import said_aloud
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.felt import guessing as school
from spoof_tui.ui.table.felt.seat import SeatPicture
from spoof_tui.ui.table.felt.tone import Tone, change_words
from spoof_tui.ui.table.felt.wheel import Gestures


@dataclass(frozen=True, slots=True)
class Showing:
    """How much of the last round is on show."""

    played: PlayedRound
    hands: Mapping[int, int]
    """The hands opened so far, by seat."""
    is_counted: bool
    """Whether the count is over, so that changes of coins are shown."""
    in_shadow: frozenset[int] = frozenset()
    """Seats that are dimmed until their fists are counted."""

    @property
    def coins(self) -> Sequence[int]:
        """The coins of every seat at the start of the round."""
        return self.played.words.coins

    @property
    def hidden(self) -> set[int]:
        """The seats whose fists are still shut."""
        return set(self.played.hands) - set(self.hands)

    def had(self, index: int) -> int:
        """The coins of a seat at the start of the round; 0 if it did not play."""
        return self.coins[index] if index < len(self.coins) else 0

    @property
    def changes(self) -> Mapping[int, int]:
        """Coins won and lost, by seat; empty until the count is over."""
        return self.played.outcome.changes if self.is_counted else {}


def pictures(
    view: TableView,
    names: Sequence[str],
    showing: Showing | None,
    peek: int | None,
    now: int | None = None,
    gestures: Gestures | None = None,
    unseen: Container[bytes] = frozenset(),
) -> tuple[SeatPicture, ...]:
    """The picture of every seat, by index.

    `showing` is the round on show, `peek` the player's hand while they look at it, `now` the host's
    clock in milliseconds; None if it is not known, so that no times are shown. Seats in `unseen`
    have not come back since the table was opened again.
    """
    shown = gestures.shown if gestures else {}
    last_words = dict(showing.played.words.words if showing else view.words)
    drawn = []
    for index, seat in enumerate(view.seats):
        note = _note(seat, now, is_unseen=seat.key in unseen)
        picture = _picture(seat, names[index], last_words.get(index), note)
        if showing:
            picture = _with_last_round(picture, index, seat, showing)
        elif view.phase is Phase.GATHERING:
            picture = _between_games(picture, seat)
        if view.is_guessing:
            picture = _in_school(picture, view, index, showing)
        if seat.is_me and peek is not None:
            picture = replace(picture, hand=peek, note=_("only you"))
        if seat.key in shown:
            picture = replace(picture, gesture=shown[seat.key])
        drawn.append(picture)
    return tuple(drawn)


def _picture(seat: SeatView, name: str, word: Word | None, noted: tuple[str, Tone]) -> SeatPicture:
    note, note_tone = noted
    return SeatPicture(
        name=name,
        fist=seat.fist,
        coins=seat.coins,
        hand=seat.hand,
        speaks=seat.speaks,
        faint=seat.coins == 0,
        said=said_aloud(word) if word else "",
        said_tone=Tone.BUBBLE if isinstance(word, Bid) else Tone.NO,
        note=note,
        note_tone=note_tone,
        mark=_("no gloat") if seat.did_not_gloat else "",
        is_me=seat.is_me,
        by_ssh=seat.through_door,
        is_away=seat.presence is SeatStatus.AWAY,
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


def _note(seat: SeatView, now: int | None, *, is_unseen: bool) -> tuple[str, Tone]:
    if seat.presence is SeatStatus.AWAY:
        return absence.away_note(seat, now, is_unseen=is_unseen), Tone.NO
    if seat.presence is SeatStatus.UNSTEADY:
        return _("unsteady"), Tone.MARK
    if seat.presence is SeatStatus.GONE:
        return _("left"), Tone.QUIET
    left = None if now is None else absence.time_left(seat, now)
    if left is not None:
        return duration(left), Tone.NO if left <= absence.HURRY else Tone.QUIET
    if seat.is_leaving:
        return _("removed"), Tone.NO
    if seat.is_muted:
        return _("muted"), Tone.NO
    if seat.ready:
        return _("ready"), Tone.STRONG
    if seat.plays and not seat.coins:
        return _("out"), Tone.QUIET
    if seat.did_not_gloat:
        return _("no gloat"), Tone.QUIET
    return (_("you"), Tone.QUIET) if seat.is_me else ("", Tone.QUIET)


def _with_last_round(
    picture: SeatPicture, index: int, seat: SeatView, showing: Showing
) -> SeatPicture:
    had, change = showing.had(index), showing.changes.get(index, 0)
    fist = FistState.OPEN if index in showing.hands else FistState.IN
    picture = replace(
        picture,
        fist=fist if had else FistState.NONE,
        coins=had + change,
        lost=max(-change, 0),
        hand=showing.hands.get(index),
        faint=not had,
        shakes=showing.hidden == {index},
        in_shadow=index in showing.in_shadow,
    )
    is_out = index in showing.played.outcome.went_out
    if not change or (seat.presence is SeatStatus.AWAY and not is_out):
        # The coins show the change, and nothing else who is away.
        return picture
    note = _("out") if is_out else change_words(change)
    return replace(picture, note=note, note_tone=Tone.YES if change > 0 else Tone.NO)


def slate_before(slate: Slate, played: PlayedRound) -> Slate:
    """The slate without the fines that the rules impose in a round whose count is still running."""
    hidden = len(played.outcome.fined)
    fines: list[Fine] = []
    for fine in reversed(slate.fines):
        if hidden and fine.by is None and fine.offence is not Offence.GLOATING:
            hidden -= 1
        else:
            fines.append(fine)
    return replace(slate, fines=tuple(reversed(fines)))
