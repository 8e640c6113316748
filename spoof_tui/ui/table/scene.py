"""Everything that the table screen shows, as one value that its parts are drawn from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from protocol.rules.game import PlayedRound
from protocol.table.fold import Phase, Talk
from protocol.table.statements import Gesture
from protocol.views import FistState, LinkState, TableView
from spoof_tui.beats import FEW, Beat
from spoof_tui.telling import absence
from spoof_tui.telling.counts import at_odds
from spoof_tui.telling.table_state import Page as Page
from spoof_tui.telling.table_state import TableState, Told
from spoof_tui.ui.table.felt.centre import Centre
from spoof_tui.ui.table.felt.seats import Showing
from spoof_tui.ui.table.felt.wheel import Gestures, Wheel
from spoof_tui.ui.table.screen.controls import Controls


class Hint(Enum):
    """What a player may not know yet; the values are stored in the settings."""

    HIDE = "hide"
    OPEN = "open"
    TRACK = "track"
    VERDICT = "verdict"
    LOSS = "loss"
    MITT = "mitt"
    PILE = "pile"
    POT = "pot"
    STICK = "stick"
    HOOVER = "hoover"
    CRAP = "crap"


@dataclass(slots=True)
class Scene(TableState):
    """What the player sees of a table now; a peek at the own hand is brief."""

    controls: Controls = field(default_factory=Controls)
    last_talk: Talk | None = None
    """What was said last, until the player presses a key."""
    peek: int | None = None
    """The player's hand during a peek, a digit on its fist."""
    remark: str = ""
    """The program's last message, such as why a word is not allowed."""
    wheel: Wheel | None = None
    """The wheel of gestures while it is open."""
    last_gesture: Gesture = Gesture.SWEAT
    """The last one that this player chose."""
    ran: int | None = None
    """How many coins of the count have run into the track; None for all that are counted."""
    flight: int | None = None
    """How far coins that were just paid have moved, in frames; None if none are moving."""
    gestures: Gestures = field(default_factory=Gestures)
    """The gestures that are visible on the felt."""
    talking: str | None = None
    """The line of talk that is being typed; None if there is none."""
    news: tuple[str, ...] = ()
    """What happened to this player's place at the table, until it is read."""
    news_title: str = ""
    seen: frozenset[str] = frozenset()
    """Hints that the player no longer needs."""
    hint: Hint | None = None
    """The hint on show."""
    is_new: bool = False
    """Whether this player has yet to see two games to their end: until then the house is silent."""
    last_game: int = 0
    """The last game whose end was counted for `is_new`."""
    introduces: bool = False
    """Whether the bots of a game against bots have characters."""
    is_slow: bool = False
    """Whether no key has been pressed for a while on this player's turn."""
    caption: Centre | None = None
    """What is in the middle of the table instead of the usual."""

    @property
    def of_pub(self) -> TableView | None:
        """The view, for things that only the pub has a name for; None for newcomers.

        Pile, pot, stick and crap wait for the third game, and so do the house's remarks.
        """
        return None if self.is_new else self.view

    @property
    def is_first_round(self) -> bool:
        """Whether the player has yet to read a verdict, and is spared all that can wait for it."""
        view = self.view
        if view is None or view.is_guessing or view.phase is Phase.GATHERING:
            return False
        return self.is_new and Hint.VERDICT.value not in self.seen

    @property
    def is_sealed(self) -> bool:
        """Whether the screen says that the player's fist is sealed."""
        view = self.view
        if view is None or view.my_seat is None or view.link is not LinkState.UP:
            return False
        is_due = view.lacks_secret or not self.is_first_round
        return (
            is_due and view.my_seat.fist is FistState.IN and self.reveal is None and not self.over
        )

    @property
    def said(self) -> str:
        """The program's last message, or a permanent one."""
        return self.remark or self.disk or self.not_kept

    @property
    def covers(self) -> bool:
        """Whether a hand is chosen from a hidden list."""
        return self.controls.cover_keys

    def take(self, told: Told) -> None:
        """Show what the player is told: under a title until it is read, after earlier news."""
        if told.is_over:
            return
        if told.title:
            unread = tuple(line for line in self.news if line not in told.lines)
            self.news, self.news_title = (*unread, *told.lines), told.title
        elif told.lines:
            self.remark = " ".join(told.lines)

    @property
    def has_news(self) -> bool:
        """Whether there is news to be read now, and nothing that matters more is on show."""
        if not self.news or self.view is None or self.over or self.is_stale:
            return False
        is_urgent = absence.is_new_table_urgent(self.view, self.continued)
        return self.wheel is None and not (is_urgent or self.pacing.is_running)

    def put_away_news(self) -> None:
        """Mark the news as read, if it is on show."""
        if self.has_news:
            self.news = ()

    def look(self, view: TableView, at: float = 0.0) -> None:
        """Take a newer view, which came at a time in seconds; it is shown in its turn."""
        before, last = self.pacing.truth, self.last
        for told in self.receive(view, at):
            self.take(told)
        if before is not None and before.table_id == view.table_id:
            known = before.talk[-1].position if before.talk else -1
            lines = [each for each in view.talk if not isinstance(each.said, Gesture)]
            if lines and lines[-1].position > known:
                self.last_talk = lines[-1]
        self._follow(last)

    def follow(self) -> None:
        """Show what may be shown by now."""
        last = self.last
        self.show()
        self._follow(last)

    def _follow(self, before: PlayedRound | None) -> None:
        view = self.view
        if view is None or self.pacing.view is None:
            return
        if self.last is not None and self.last is not before:
            # A hand may be looked at again only while its round lasts.
            self.peek = None
        self.gestures = self.gestures.following(view)
        if not self.pacing.is_running and not self.pacing.is_again:
            self.controls.follow(view)

    @property
    def last(self) -> PlayedRound | None:
        """The round whose hands are on show."""
        return self.reveal.played if self.reveal else None

    @property
    def round_on_show(self) -> tuple[int, int]:
        """The number of the round whose hands are on show, else of this one, and its coins."""
        view = self.view
        if view is None or view.phase is Phase.GATHERING:
            return (view.round_number, view.most) if view else (0, 0)
        for number, each in enumerate(view.past, 1):
            if each is self.last:
                return number, each.words.most
        return view.round_number, view.most

    @property
    def opened(self) -> int | None:
        """How many hands of the round on show are open; None if none is on show."""
        return self.reveal.opened if self.reveal else None

    @property
    def total(self) -> int:
        """The coins in the fists that are counted so far."""
        return sum(self.last.hands[seat] for seat in self.order[: self.opened]) if self.last else 0

    @property
    def is_racing(self) -> bool:
        """Whether coins of the fist that opened last are still on their way into the track."""
        return self.ran is not None and self.ran < self.total

    @property
    def in_shadow(self) -> frozenset[int]:
        """The seats that wait in the shadow until their fist is counted, while two are at odds."""
        is_scene = len(self.order) <= FEW and not self.pacing.still
        if self.last is None or self.is_judged or not is_scene:
            return frozenset()
        return frozenset(self.order[self.opened :]) - at_odds(self.last)

    @property
    def order(self) -> tuple[int, ...]:
        """The order in which the fists of the round on show open."""
        return self.reveal.order if self.reveal else ()

    @property
    def is_judged(self) -> bool:
        """Whether the verdict of the round on show has been shown."""
        return self.reveal is not None and self.reveal.beat >= Beat.STAMP

    @property
    def is_counted(self) -> bool:
        """Whether the round on show is complete: its verdict, and what that costs."""
        return self.reveal is not None and self.reveal.is_paid

    @property
    def is_game_over(self) -> bool:
        """Whether the scene is the end of a game: it is won, and its last count is put away."""
        view = self.view
        if view is None or self.reveal is not None or self.caption is not None:
            return False
        return view.phase is Phase.GATHERING and view.winner is not None and bool(view.past)

    @property
    def counted(self) -> PlayedRound | None:
        """The last round, once nothing of it is hidden: its count is done, or put away."""
        if self.last is not None:
            return self.last if self.is_counted else None
        between = self.view is not None and self.view.phase in (Phase.GATHERING, Phase.CHOOSING)
        return self.view.last if self.view and between else None

    @property
    def showing(self) -> Showing | None:
        """What the seats show of the last round."""
        if self.last is None:
            return None
        hands = {seat: self.last.hands[seat] for seat in self.order[: self.opened]}
        return Showing(self.last, hands, self.is_counted, self.in_shadow)
