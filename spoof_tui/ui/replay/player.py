"""The position in a recording of games, and what keys do to it; independent of any screen.

A game has pages: its title, its rounds, its end. A page has steps: for a round the fists, every
word, and the count. A recording is read only as far as needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from spoof_tui.acts.act import Act, label, pressed
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.replay.reader import RecordedGame, RecordedRound, Recording

SLICE: Final = 1000
"""How many pieces of a file are read at a time, which takes about 50 ms."""

PACES: Final = (0.25, 0.5, 1.0, 1.5, 2.5, 4.0)
"""Seconds between two steps of automatic play, the fastest first."""

USUAL_PACE: Final = 3
LONGER_AT_COUNT: Final = 2
"""How many times as long as a word a count is shown."""

MAX_DIGITS: Final = 7
"""The most digits of a typed round number."""

LAST: Final = -1
"""Stands for the last step of a page."""


class _Way(Enum):
    PAGE = "page"
    ROUND = "round"
    END = "end"
    NEXT_GAME = "next-game"
    PREVIOUS_GAME = "previous-game"


class Wish(Enum):
    """What a key asks of the screen."""

    HELP = "help"
    LEAVE = "leave"


def _open_hands(c: Playback, _rest: str) -> None:
    c.open_hands = not c.open_hands


def _wishes(wish: Wish) -> Callable[[Playback, str], None]:
    def do(c: Playback, _rest: str) -> None:
        c.wish = wish

    return do


REPLAY: Final[tuple[Act[None, Playback], ...]] = (
    Act(
        id="forward", key="right", also=("enter",), about=lambda: _("the next move"),
        label=label(10, lambda: _("move"), caption=lambda: "← →"),
        do=lambda c, _rest: c.forward(),
    ),
    Act(
        id="back", key="left", about=lambda: _("the previous move"),
        do=lambda c, _rest: c.back(),
    ),
    Act(
        id="next-round", key="down", also=("pagedown",), about=lambda: _("the next round"),
        label=label(20, lambda: _("round"), caption=lambda: "↑ ↓"),
        do=lambda c, _rest: c.turn(1),
    ),
    Act(
        id="previous-round", key="up", also=("pageup",), about=lambda: _("the previous round"),
        do=lambda c, _rest: c.turn(-1),
    ),
    Act(
        id="round", shown=lambda: "0–9 " + _("Enter"), about=lambda: _("to a round"),
        do=lambda _c, _rest: None,  # digits are typed
    ),
    Act(
        id="first", key="home", about=lambda: _("the beginning"),
        do=lambda c, _rest: c.first(),
    ),
    Act(
        id="last", key="end", about=lambda: _("the end"),
        label=label(40, lambda: _("jump"), caption=lambda: "Home End"),
        do=lambda c, _rest: c.last(),
    ),
    Act(
        id="play", key="space", about=lambda: _("play automatically, or stop"),
        label=label(50, lambda: _("play")), do=lambda c, _rest: c.play(),
    ),
    Act(
        id="faster", key="plus", also=("equals_sign",), about=lambda: _("faster"),
        label=label(60, lambda: _("speed"), caption=lambda: "+ -"),
        do=lambda c, _rest: c.change_pace(-1),
    ),
    Act(
        id="slower", key="minus", about=lambda: _("slower"),
        do=lambda c, _rest: c.change_pace(1),
    ),
    Act(
        id="hands", key="tab", about=lambda: _("open or close the hands"),
        label=label(70, lambda: _("hands")), do=_open_hands,
    ),
    Act(
        id="next-game", key="right_square_bracket", about=lambda: _("the next game"),
        label=label(80, lambda: _("game"), caption=lambda: "[ ]"),
        do=lambda c, _rest: c.change_game(1),
    ),
    Act(
        id="previous-game", key="left_square_bracket", about=lambda: _("the previous game"),
        do=lambda c, _rest: c.change_game(-1),
    ),
    Act(id="help", key="question_mark", about=lambda: _("help"), do=_wishes(Wish.HELP)),
    Act(
        id="quit", key="q", also=("escape",), about=lambda: _("quit"),
        label=label(90, lambda: _("quit")), do=_wishes(Wish.LEAVE),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Goal:
    """Where to go, for which the file may have to be read further."""

    way: _Way
    page: int = 0
    step: int = 0


_OPENING: Final = _Goal(_Way.PAGE)


@dataclass(slots=True)
class Playback:
    """The state of a replay: which step of which game is shown."""

    recording: Recording
    page: int = 0
    """Index of the page: 0 is the title, then come the rounds and the end."""
    step: int = 0
    open_hands: bool = False
    """Whether hands are shown even before the fists open."""
    playing: bool = False
    """Whether automatic play is on."""
    pace: int = USUAL_PACE
    """Index in `PACES` of the current pace."""
    typed: str | None = None
    """The digits typed of a round number; None if none is being typed."""
    remark: str = ""
    """A remark on the last key; may be empty."""
    wish: Wish | None = None
    """What the last key asked of the screen; None for nothing."""
    goal: _Goal | None = field(default=_OPENING)
    """Where to go once enough of the file is read; None once it is reached."""

    @property
    def record(self) -> RecordedGame:
        """The current game."""
        return self.recording.record

    @property
    def round(self) -> RecordedRound | None:
        """The round on show; None at the title and at the end."""
        place = self.page - 1
        return self.record.rounds[place] if 0 <= place < len(self.record.rounds) else None

    @property
    def steps(self) -> int:
        """The number of steps of the current page."""
        return _steps(self.round)

    @property
    def is_count(self) -> bool:
        """Whether the current step is the count of a round."""
        return self.round is not None and self.step == self.steps - 1

    @property
    def is_at_end(self) -> bool:
        """Whether the end of the game is on show."""
        return self.record.is_whole and self.page == len(self.record.rounds) + 1

    @property
    def is_reading(self) -> bool:
        """Whether more of the file has to be read to reach `goal`."""
        return self.goal is not None

    @property
    def seconds(self) -> float:
        """Seconds that automatic play stays on the current step."""
        return PACES[self.pace] * (LONGER_AT_COUNT if self.is_count else 1)

    def press(self, key: str) -> None:
        """Handle a key; sets `remark` and `wish`. Unknown keys do nothing."""
        self.remark, self.wish = "", None
        typed, self.typed = self.typed, None
        if len(key) == 1 and key in "0123456789":
            self.typed = ((typed or "") + key)[:MAX_DIGITS]
        elif typed is not None and key == "backspace":
            self.typed = typed[:-1]
        elif typed is not None and key in ("enter", "escape"):
            if typed and key == "enter":
                self._go(_Goal(_Way.ROUND, int(typed)))
        elif act := pressed(key, REPLAY):
            act.do(self, "")

    def forward(self) -> None:
        """Go to the next step and stop automatic play, as all moves do."""
        self._move(self._next())

    def back(self) -> None:
        """Go to the previous step."""
        if self.step:
            self._move(_Goal(_Way.PAGE, self.page, self.step - 1))
        else:
            self._move(_Goal(_Way.PAGE, self.page - 1, LAST) if self.page else _OPENING)

    def turn(self, by: int) -> None:
        """Go `by` pages on or back."""
        self._move(_Goal(_Way.PAGE, max(self.page + by, 0)))

    def first(self) -> None:
        """Go to the beginning of the game."""
        self._move(_OPENING)

    def last(self) -> None:
        """Go to the end of the game."""
        self._move(_Goal(_Way.END))

    def change_game(self, by: int) -> None:
        """Go to the next or previous game of the file."""
        self._move(_Goal(_Way.NEXT_GAME if by > 0 else _Way.PREVIOUS_GAME))

    def change_pace(self, by: int) -> None:
        """Play slower (`by` positive) or faster."""
        self.pace = min(max(self.pace + by, 0), len(PACES) - 1)

    def tick(self) -> None:
        """Go one step on in automatic play, which stops at the end of the game."""
        if self.playing and not self.is_reading:
            self._go(self._next())
            self.playing = not self.is_at_end

    def work(self) -> None:
        """Read another slice of the file, if the goal is not reached yet."""
        if self.goal is not None and not self._reach(self.goal):
            self.recording.grow(SLICE)
            self._reach(self.goal)

    def play(self) -> None:
        """Start or stop automatic play; from the end, start again at the beginning."""
        if self.is_at_end and not self.playing:
            self._go(_OPENING)
        self.playing = not self.playing

    def _go(self, goal: _Goal) -> None:
        self.goal = goal
        self.work()

    def _move(self, goal: _Goal) -> None:
        self.playing = False
        self._go(goal)

    def _next(self) -> _Goal:
        if self.step + 1 < self.steps:
            return _Goal(_Way.PAGE, self.page, self.step + 1)
        return _Goal(_Way.PAGE, self.page + 1)

    def _reach(self, goal: _Goal) -> bool:
        """Go to `goal` if enough of the file has been read; return whether that was so."""
        record = self.record
        if not record.has_begun:
            return False
        if goal.way in (_Way.NEXT_GAME, _Way.PREVIOUS_GAME):
            return self._change_game(goal)
        last = len(record.rounds) + (1 if record.is_whole else 0)
        page = last if goal.way is _Way.END else goal.page
        if not record.is_whole and (goal.way is _Way.END or page > last):
            return False
        if goal.way is _Way.ROUND and page > len(record.rounds):
            page = len(record.rounds)
            self.remark = ngettext(
                "This game has {count} round.", "This game has {count} rounds.", page
            ).format(count=page)
        if page <= last:
            self.page, self.step = page, 0
            self.step = self.steps - 1 if goal.step == LAST else goal.step
        self.goal = None
        return True

    def _change_game(self, goal: _Goal) -> bool:
        forward = goal.way is _Way.NEXT_GAME
        if forward and not self.record.is_whole:
            return False
        if forward and not self.recording.has_next:
            self.remark = _("The last game of the file.")
        elif not forward and not self.recording.game:
            self.remark = _("The first game of the file.")
        else:
            (self.recording.next if forward else self.recording.previous)()
            self.page = self.step = 0
            self.goal = _OPENING
            return False
        self.goal = None
        return True


def _steps(round: RecordedRound | None) -> int:
    return 1 if round is None or round.said is None else round.words + 2
