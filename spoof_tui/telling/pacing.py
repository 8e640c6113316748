"""Decides which of the views that have arrived is shown when.

Views come at any time; their changes are shown one after the other. A count is shown beat by beat:
until its last beat, PAID, the table is shown as it was before the count, and later views wait, so
that nobody misses a word. A screen that is far behind skips to the present. This module knows no
shut hand, and the length of no beat depends on one.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import RevealOrder
from protocol.rules.words import Bid, Verdict, speaking_order
from protocol.table.fold import Phase, Talk
from protocol.table.statements import Gesture
from protocol.views import FistState, SeatView, TableView, heard
from spoof_tui import beats
from spoof_tui.beats import Beat, Step
from spoof_tui.telling.counts import is_undecided

FAR_BEHIND: Final = 15.0
"""The most seconds between the oldest waiting view and the newest; beyond, waiting ones are
skipped."""

STOOD_STILL: Final = 5.0
"""Seconds by which a step may be late; beyond, all waiting views are skipped.

The screen, or the link to its terminal, has hung.
"""

SETTLING: Final = 1.0
"""Seconds after a verdict made way without a key; a key pressed in them was meant for it."""

MAX_WAITING: Final = 200
"""The most views that may wait."""

_OPENING: Final = (Phase.WITNESSING, Phase.OPENING)


def opening_order(played: PlayedRound) -> tuple[int, ...]:
    """The seats in the order in which their fists are counted.

    It begins with the seat that ended the round (R11); in the guessing game it is the order of
    calls (H9). If the rules set no order, a fist that decides if the claim is true comes last.
    """
    words, hands = played.words, played.hands
    if isinstance(words, GuessingRound):
        return tuple(seat for seat in words.order if seat in hands)
    # A fist that stayed shut has no place in it (G3).
    order = speaking_order(words.coins, played.outcome.ender, words.direction)
    order = tuple(seat for seat in order if seat in hands)
    is_free = words.rules.reveal is RevealOrder.TOGETHER
    if not is_free or played.outcome.verdict is Verdict.VOID:
        return order
    for last in reversed(order):
        others = {seat: hand for seat, hand in hands.items() if seat != last}
        if is_undecided(words, others):
            return (*(seat for seat in order if seat != last), last)
    return order


@dataclass(frozen=True, slots=True)
class Reveal:
    """The count of a round, and the step that is on show."""

    played: PlayedRound
    steps: tuple[Step, ...]
    at: int = 0
    """Index of the step on show."""

    @classmethod
    def of(cls, played: PlayedRound, *, still: bool = False) -> Reveal:
        """The count of a round at its first step, before a fist opens.

        A void round, and any if `still`, has only the steps without movement.
        """
        still = still or played.outcome.verdict is Verdict.VOID
        return cls(played, beats.steps(len(opening_order(played)), still=still))

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order in which their fists open."""
        return opening_order(self.played)

    @property
    def beat(self) -> Beat:
        """The beat of the current step."""
        return self.steps[self.at].beat

    @property
    def opened(self) -> int:
        """How many fists are open at the current step."""
        return self.steps[self.at].opened

    @property
    def is_paid(self) -> bool:
        """Whether the last step has been reached, at which the coins change hands."""
        return self.beat is Beat.PAID

    def next(self) -> Reveal:
        """This count moved on by one step; unchanged at the last one."""
        return replace(self, at=min(self.at + 1, len(self.steps) - 1))

    def to(self, beat: Beat) -> Reveal:
        """This count moved on to its first step at or after `beat`; it never goes back."""
        at = next(index for index, step in enumerate(self.steps) if step.beat >= beat)
        return replace(self, at=max(at, self.at))


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A view that is not shown yet."""

    view: TableView
    came: float


@dataclass(frozen=True, slots=True)
class _Repeated:
    """An earlier round that is shown again."""

    count: Reveal
    before: Reveal | None
    """The count that was on show before, and will be again."""


class _Change(Enum):
    """The kind of change between two views."""

    QUIET = "quiet"
    """No word, and nothing that has to wait its turn."""
    WORD = "word"
    """A word was said, or a game began."""
    COUNT = "count"
    """A round ended."""


class Pacing:
    """Which view, and which step of a count, is shown of one table.

    Times are seconds of any one monotonic clock.
    """

    def __init__(self) -> None:
        self.view: TableView | None = None
        """The view on show; None until the first one has come."""
        self.truth: TableView | None = None
        """The newest view that has come; None until there is one."""
        self.reveal: Reveal | None = None
        """The count on show, from the ending word until it is put away; None if there is none."""
        self._hurried = 0
        """Number of the game whose views are shown without delay up to its end."""
        self.still = False
        """Whether animation is off: of a count, only the word, the verdict and the paying are
        shown."""
        self._told: TableView | None = None
        """The last view that was shown, as it was received."""
        self._counted: _Waiting | None = None
        """The view that ended the round whose count is on show."""
        self._waiting: deque[_Waiting] = deque()
        self._due = 0.0
        """When the next step of the count, or the next waiting word, is to be shown."""
        self._rest_until = 0.0
        self._turned = -math.inf
        """When a verdict last made way without a key."""
        self._is_unread = False
        """Whether no key has been pressed since the verdict on show appeared."""
        self._word_since: float | None = None
        """When the ending word was shown, if the count has not begun yet; otherwise None."""
        self._hid_early = False
        """Whether the player hid the next hand before the count was over."""
        self._again: _Repeated | None = None
        self._retold: int | None = None
        """How many words of a repeated round have been shown; None once its fists open, or without
        one."""
        self._openly: frozenset[bytes] = frozenset()
        """Keys of the seats whose fist counts as empty and is open from the start (G3)."""

    @property
    def is_running(self) -> bool:
        """Whether a count is being shown, or the words of a round that is repeated."""
        is_counting = self.reveal is not None and not self.reveal.is_paid
        return is_counting or self._retold is not None

    @property
    def is_again(self) -> bool:
        """Whether an earlier round is being repeated instead of the present."""
        return self._again is not None

    @property
    def takes_any_key(self) -> bool:
        """Whether any key, whatever it does otherwise, moves a count on or ends a repetition."""
        return self.is_running or self.is_again

    @property
    def is_resting(self) -> bool:
        """Whether a verdict is on show and must stay for a while, or until the player has read
        it."""
        return self.reveal is not None and self.reveal.is_paid and self._rests_until > 0

    @property
    def _rests_until(self) -> float:
        """Until when the verdict stays on show.

        Infinity if nothing goes on without this player's hand, or the game is over, and no key has
        been pressed since.
        """
        truth = self.truth
        may_stand = truth is not None and (truth.own_fist_due or truth.winner is not None)
        return math.inf if may_stand and self._is_unread else self._rest_until

    def has_just_turned(self, now: float) -> bool:
        """Whether a verdict made way without a key in the last `SETTLING` seconds."""
        return now - self._turned < SETTLING

    @property
    def is_behind(self) -> bool:
        """Whether something that has happened has not been shown yet."""
        return self.is_running or bool(self._waiting)

    @property
    def due(self) -> float | None:
        """When to call `advance` next; None if nothing changes with time alone."""
        if self.is_running:
            return self._due
        if self._waiting:
            return max(self._due, self._rest_until)
        if self.is_again or not self.reveal:
            return None
        return self._rests_until if 0 < self._rests_until < math.inf else None

    def receive(self, view: TableView, now: float) -> None:
        """Take a newer view; show it at once if nothing comes before it."""
        was_resting, self.truth = self.is_resting, view
        if self.view is None:
            self._show(view, now)
            return
        if self.is_running and _has_hidden(view):
            self._hid_early = True
        self._waiting.append(_Waiting(view, now))
        if self._is_far_behind() or view.game_number == self._hurried:
            self.jump()
        else:
            self._go_on(now)
        self._note_turn(was_resting, now)

    def advance(self, now: float) -> None:
        """Show whatever is due by now."""
        due = self.due
        if due is None or now < due:
            return
        was_resting = self.is_resting
        if self.is_behind and now - due > STOOD_STILL:
            self.jump()
            return
        if self._retold is not None:
            self._retell(self._retold + 1, now)
        elif self.is_running:
            assert self.reveal
            self._tell(self.reveal.next(), now)
        self._go_on(now)
        if self.reveal and not self.is_running and now >= self._rests_until:
            self._rest_until = 0.0
            self._put_away(now)
        self._note_turn(was_resting, now)

    def _note_turn(self, was_resting: bool, now: float) -> None:
        if was_resting and not self.is_resting:
            self._turned = now

    def skip(self, now: float) -> bool:
        """Move the count on to the verdict, or past that to its end; False if no count is being
        shown."""
        if self._again and self._retold is not None:
            self._retold, self.reveal = None, self._again.count
        if self.reveal is None or self.reveal.is_paid:
            return False
        beat = Beat.STAMP if self.reveal.beat < Beat.STAMP else Beat.PAID
        self._tell(self.reveal.to(beat), now)
        self._go_on(now)
        return True

    def repeat(self, number: int, now: float) -> bool:
        """Show round `number` of this game again; False if there is no such round, or the screen is
        behind."""
        view = self._told
        if view is None or self.is_behind or not 0 < number <= len(view.past):
            return False
        then = replace(
            view,
            past=view.past[:number],
            phase=Phase.CHOOSING,
            round_number=number + 1,
            thought=(),
        )
        count = Reveal.of(view.past[number - 1], still=self.still)
        before = self._again.before if self._again else self.reveal
        self._again, self._counted = _Repeated(count, before), _Waiting(then, now)
        self._retell(0, now)
        return True

    def _retell(self, words: int, now: float) -> None:
        """Show the first `words` words of the repeated round; after the last one, begin its
        count."""
        assert self._again
        count = self._again.count
        self.reveal, self._retold = None, words
        self._due = now + beats.RETOLD_WORD
        said = count.played.words
        if self.still or isinstance(said, GuessingRound) or words >= len(said.words):
            self.reveal, self._retold = count, None
            self._due = now + count.steps[0].seconds
        self._hold()

    def _go_back(self, now: float) -> None:
        """End the repetition of an earlier round, if there is one, and show the present."""
        if self._again is not None and self._told is not None:
            self.reveal = self._again.before
            self._again = self._counted = self._retold = None
            self._show(self._told, now)

    def catch_up(self, now: float) -> None:
        """Show all waiting views at once, up to the next count; the player has read the verdict."""
        self._rest_until, self._due, self._is_unread = 0.0, 0.0, False
        self._go_back(now)
        self._go_on(now, paced=False)
        self._put_away(now)

    def hurry(self) -> None:
        """From now on, show every view without delay until this game ends."""
        if self.truth is not None:
            self._hurried = self.truth.game_number
            self.jump()

    @property
    def is_hurried(self) -> bool:
        """Whether the rest of the current game is shown without delay, and has not ended yet."""
        truth = self.truth
        if truth is None or truth.winner is not None:
            return False
        return truth.game_number == self._hurried

    def jump(self) -> None:
        """Show the newest view; of the counts skipped, only the last step of the last one."""
        view = self.truth
        if view is None:
            return
        self._waiting.clear()
        self._counted = self._word_since = self._again = self._retold = None
        self._rest_until = self._due = 0.0
        self._told = self.view = view
        self.reveal = None
        if view.last and view.phase in (Phase.GATHERING, Phase.CHOOSING):
            self.reveal, self._is_unread = Reveal.of(view.last).to(Beat.PAID), True
            self._put_away(0.0)

    def _go_on(self, now: float, *, paced: bool = True) -> None:
        """Show the waiting views whose time has come, up to the next count; all of them if not
        `paced`."""
        while self._waiting and not self.is_running:
            view, before = self._waiting[0].view, self._told
            assert before is not None
            change = _change(before, view)
            is_early = now < max(self._rest_until, self._due) if paced else False
            if change is not _Change.QUIET and is_early:
                break
            waiting = self._waiting.popleft()
            if self.is_again and change is _Change.QUIET:
                self._told = view
                continue
            self._go_back(now)
            if change is _Change.COUNT:
                self._begin(before, waiting, now)
                continue
            self._show(view, now)
            more = change is _Change.WORD and self._waiting
            self._due = now + beats.NEXT_WORD if more else self._due
        if self.is_running or self.is_again:
            self._hold()

    def _begin(self, before: TableView, counted: _Waiting, now: float) -> None:
        """Start to show the count of the round that ended between the two views.

        If rounds were missed, show only the last step.
        """
        reveal = Reveal.of(counted.view.past[-1], still=self.still)
        is_next = before.game_number == counted.view.game_number
        if not is_next or len(counted.view.past) > len(before.past) + 1:
            self.reveal, self._rest_until = reveal.to(Beat.PAID), now + beats.REST
            self._is_unread = True
            self._show(counted.view, now)
            return
        since = now if self._word_since is None else self._word_since
        self._word_since, self._counted, self._hid_early = None, counted, False
        self.reveal = reveal
        self._due = since + reveal.steps[0].seconds
        if self._due <= now:
            self._tell(reveal.next(), now)

    def _tell(self, reveal: Reveal, now: float) -> None:
        """Go to this step of the count; after the last one, show the view that it led to."""
        self.reveal = reveal
        if not reveal.is_paid:
            self._due = now + reveal.steps[reveal.at].seconds
            return
        is_out = self._told is not None and self._told.me in reveal.played.outcome.went_out
        rest = beats.REST_OUT if is_out else beats.REST
        self._due, self._rest_until, self._is_unread = 0.0, now + rest, True
        if self.is_again:
            self._hold()
            return
        counted, self._counted = self._counted, None
        assert counted is not None
        self._show(counted.view, now)

    def _hold(self) -> None:
        """Show the table as it was before the count, but with the newest links, talk, votes and
        presence."""
        assert self._told and self._counted and self.truth
        self.view = _before_the_count(self._told, self._counted.view, self.truth)
        if self._retold is not None:
            self.view = _after_words(self.view, self._retold)

    def _show(self, view: TableView, now: float) -> None:
        """Show a view, with the fists shut that a count will open one after the other."""
        if view.phase in _OPENING:
            self.view = _shut(view, self._openly)
            self._word_since = now if self._word_since is None else self._word_since
        else:
            self.view, self._word_since = view, None
            opened = (seat.key for seat in view.seats if seat.fist is FistState.OPEN)
            self._openly = frozenset(opened)
        self._told = view
        self._put_away(now)

    def _put_away(self, now: float) -> None:
        """Stop showing the last count once it has been on show for long enough."""
        if self.reveal and self.reveal.is_paid and not self._may_stay(now):
            self.reveal = None

    def _may_stay(self, now: float) -> bool:
        """Whether the last count may stay on show: until this player moves on, or the next bids
        begin."""
        view = self._told
        assert view is not None
        if view.phase is Phase.GATHERING:
            return view.last is not None and (view.winner is None or now < self._rests_until)
        if not view.past:
            return False  # another game has begun
        if now < self._rests_until:
            return self._hid_early or not _has_hidden(view)
        return view.phase is Phase.CHOOSING and not (_has_hidden(view) or view.own_fist_due)

    def _is_far_behind(self) -> bool:
        oldest, newest = self._counted or self._waiting[0], self._waiting[-1]
        made = (newest.view.time - oldest.view.time) / 1000
        came = newest.came - oldest.came
        # Views made seconds apart that come together were delayed on their way.
        is_late = max(made, came) > FAR_BEHIND or made - came > STOOD_STILL
        return is_late or len(self._waiting) > MAX_WAITING


def _change(before: TableView, view: TableView) -> _Change:
    if view.game_number != before.game_number:
        return _Change.COUNT if view.past else _Change.WORD
    if len(view.past) > len(before.past):
        return _Change.COUNT
    said = len(view.words) + len(view.calls)
    is_new = said > len(before.words) + len(before.calls)
    return _Change.WORD if said and is_new else _Change.QUIET


def _has_hidden(view: TableView) -> bool:
    """Whether this player has hidden a hand for the current round."""
    seat = view.my_seat
    return seat is not None and seat.coins > 0 and seat.fist is not FistState.NOT_IN


def _shut(view: TableView, openly: frozenset[bytes]) -> TableView:
    """The view with all fists shut except those of the keys in `openly`."""
    seats = tuple(
        replace(seat, fist=FistState.IN, hand=None)
        if seat.fist is FistState.OPEN and seat.key not in openly
        else seat
        for seat in view.seats
    )
    return replace(view, seats=seats)


def _before_the_count(before: TableView, after: TableView, newest: TableView) -> TableView:
    """The table between the ending word and the count that `after` shows.

    Links, talk, votes and presence are those of `newest`.
    """
    played = after.past[-1]
    past = after.past[:-1]
    seats = {seat.key: seat for seat in newest.seats}
    is_next = len(newest.past) > len(after.past) or newest.game_number > after.game_number
    return replace(
        before,
        phase=Phase.OPENING,
        link=newest.link,
        seats=tuple(
            _seat_before(seat, seats.get(seat.key, seat), played, index)
            for index, seat in enumerate(before.seats)
        ),
        round_number=after.round_number - (after.phase is not Phase.GATHERING),
        **heard(played.words),
        speaker=None,
        last=past[-1] if past else None,
        past=past,
        winner=None,
        own_fist_due=False,
        may_turn=False,
        lowest_bid=None,
        # The drawing code leaves out the fines of this round.
        slate=after.slate if is_next else newest.slate,
        host=newest.host,
        epoch=newest.epoch,
        paused=newest.paused,
        time=newest.time,
        thought=after.thought,
        votes=newest.votes,
        barred=newest.barred,
        talk=_before_a_gloat(newest.talk, before.position),
        names=newest.names,
        position=newest.position,
    )


def _after_words(view: TableView, count: int) -> TableView:
    """The view as it was when only the first `count` words of its round had been said."""
    words, speaker = view.words[:count], view.words[count][0]
    bids = [(seat, word.number) for seat, word in words if isinstance(word, Bid)]
    seats = tuple(replace(seat, speaks=index == speaker) for index, seat in enumerate(view.seats))
    standing = bids[-1] if bids else None
    return replace(view, phase=Phase.SPEAKING, words=words, standing=standing, seats=seats)


def _before_a_gloat(talk: tuple[Talk, ...], position: int) -> tuple[Talk, ...]:
    """The talk before the first gloat at or after `position`: a gloat reveals who has won."""
    gloats = (
        place
        for place, each in enumerate(talk)
        if each.said is Gesture.GLOAT and each.position >= position
    )
    return talk[: next(gloats, len(talk))]


def _seat_before(seat: SeatView, now: SeatView, played: PlayedRound, index: int) -> SeatView:
    coins = played.words.coins
    had = coins[index] if index < len(coins) else 0
    return replace(
        seat,
        coins=had,
        fist=FistState.IN if had else FistState.NONE,
        hand=None,
        presence=now.presence,
        speaks=False,
        ready=False,
        is_muted=now.is_muted,
        is_set_aside=now.is_set_aside,
        counts=now.counts,
        away_since=now.away_since,
        waits_since=None,
        play_on_from=None,
        time_up_from=None,
    )
