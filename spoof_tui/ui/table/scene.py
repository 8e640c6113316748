"""Everything that the table screen shows, as one value that its parts are drawn from."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from protocol.rules.game import PlayedRound
from protocol.table.fold import Phase, Talk
from protocol.table.statements import Gesture
from protocol.timeouts import UNSTEADY_DELAY
from protocol.views import LinkState, TableView
from protocol.wire.messages import Card
from spoof_tui.acts.table import Page as Page
from spoof_tui.beats import Beat
from spoof_tui.door.program import DoorOpened
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.runtime.notices import SeatState
from spoof_tui.telling import absence, doors, measures
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.pacing import Presentation, Reveal
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.felt.centre import Centre
from spoof_tui.ui.table.felt.seats import Showing
from spoof_tui.ui.table.felt.wheel import Gestures, Wheel
from spoof_tui.ui.table.screen.controls import Controls
from spoof_tui.ui.table.screen.hints import Hint

MAX_EVENTS: Final = 20
"""Events that a scene remembers; the talk beside them soon needs the room."""


@dataclass(frozen=True, slots=True)
class Event:
    """A measure that was taken."""

    position: int
    """Position of the last entry at that time, to place the event among the talk."""
    text: str


@dataclass(slots=True)
class Scene:
    """What the player sees of a table now. The view in it holds no hand; a peek is brief."""

    controls: Controls = field(default_factory=Controls)
    view: TableView | None = None
    """None until the table's log is here."""
    names: tuple[str, ...] = ()
    last_talk: Talk | None = None
    """What was said last, until the player presses a key."""
    reveal: Reveal | None = None
    """The count on show, as far as it has been shown; None once the last round is put away."""
    presentation: Presentation = field(default_factory=Presentation, compare=False)
    """Decides which view is shown when."""
    peek: int | None = None
    """The player's hand during a peek, a digit on its fist."""
    remark: str = ""
    """The program's last message, such as why a word is not allowed."""
    disk: str = ""
    """A message that the disk cannot be written; empty while it can be."""
    page: Page = Page.TABLE
    """What is shown beside the table."""
    wheel: Wheel | None = None
    """The wheel of gestures while it is open."""
    last_gesture: Gesture = Gesture.SWEAT
    """The last one that this player chose."""
    flight: int | None = None
    """How far coins that were just paid have moved, in frames; None if none are moving."""
    gestures: Gestures = field(default_factory=Gestures)
    """The gestures that are visible on the felt."""
    talking: str | None = None
    """The line of talk that is being typed; None if there is none."""
    address: str = ""
    """Where others reach the player's table; empty at somebody else's."""
    known: SeatState = SeatState()
    """What else this program knows about the table."""
    is_practice: bool = False
    """Whether nobody else can join it."""
    trouble: str | None = None
    """Why others may not find the player's table."""
    findings: tuple[Finding, ...] = ()
    """What is in the way between this player and others, the worst first."""
    record: Path | None = None
    """Where the last finished game was saved."""
    over: str = ""
    """Why the table is over for this player; empty while it is not."""
    over_title: str = ""
    """The title above `over`, if the table is not simply over."""
    reopened: bool = False
    """Whether that table is open again."""
    code: str | None = None
    """The join code of the player's table; None if there is none to tell."""
    door: DoorOpened | None = None
    """The ssh door of the player's table, while it is open."""
    code_news: str = ""
    """Why that code was changed."""
    found_at: str = "?"
    """Where somebody else's table was found."""
    turned_away: str = ""
    """Why the table cannot be reached now; empty while nothing is in the way."""
    removed: bool = False
    """Whether this player's seat was removed."""
    events: list[Event] = field(default_factory=list)
    """Measures that were taken, oldest first."""
    news: tuple[str, ...] = ()
    """What happened to this player's place at the table, until it is read."""
    news_title: str = ""
    wall: int = 0
    """This machine's clock, in milliseconds since 1970."""
    ahead: int = 0
    """How far the host's clock seems to be ahead of it, in milliseconds."""
    cut_off_at: int | None = None
    """When the link was lost, by this machine's clock; None while it is up."""
    was_down: bool = False
    """Whether there was no link at all in that time, for no reason that was told."""
    is_standing: bool = False
    """Whether this program asks the others to elect it host."""
    continued: Card | None = None
    """The new table where the game went on without this player, if that was found out (G8)."""
    seen: frozenset[str] = frozenset()
    """Hints that the player no longer needs."""
    hint: Hint | None = None
    """The hint on show."""
    is_new: bool = False
    """Whether this player has yet to see two games to their end: until then the house is silent."""
    last_game: int = 0
    """The last game whose end was counted for `is_new`."""
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
    def said(self) -> str:
        """The program's last message, or its permanent one."""
        return self.remark or self.disk

    @property
    def now(self) -> int:
        """The host's clock, as far as it is known, in milliseconds since 1970.

        It stops while nothing is heard: nobody knows what is being waited for then.
        """
        lost_at = self.cut_off_at if self.is_stale else None
        wall = self.wall if lost_at is None else lost_at
        return max(self.view.time if self.view else 0, wall + self.ahead)

    @property
    def start_delay(self) -> float:
        """Seconds that a game that could begin still waits for those who are not ready (G9).

        0 if it does not wait, also while the player's own table waits for more to be ready.
        """
        view = self.view
        if view is None or view.starts_from is None:
            return 0.0
        if sum(seat.ready for seat in view.seats) < self.known.start_when:
            return 0.0
        return max(view.starts_from - self.now, 0) / 1000

    @property
    def covers(self) -> bool:
        """Whether a hand is chosen from a hidden list."""
        return self.controls.cover_keys

    @property
    def cut_off_for(self) -> float:
        """Seconds since the link was lost."""
        return 0.0 if self.cut_off_at is None else max(self.wall - self.cut_off_at, 0) / 1000

    @property
    def is_stale(self) -> bool:
        """Whether the table may have moved on unnoticed."""
        return self.view is not None and not self.over and self.view.link in absence.STALE

    @property
    def is_ticking(self) -> bool:
        """Whether something on the screen changes with time alone."""
        view = self.view
        if view is None or self.over:
            return False
        if view.link is not LinkState.UP:
            return True
        seats = view.seats
        if any(seat.away_since is not None for seat in seats) or self.start_delay:
            return True
        return not view.paused and any(
            seat.time_up_from is not None or seat.play_on_from is not None for seat in seats
        )

    def tell(self, title: str, *news: str) -> None:
        """Show `news` until it is read, after earlier unread news."""
        unread = tuple(line for line in self.news if line not in news)
        self.news, self.news_title = (*unread, *news), title

    @property
    def has_news(self) -> bool:
        """Whether there is news to be read now; a count is shown first."""
        return bool(self.news) and not self.presentation.is_running

    def put_away_news(self) -> None:
        """Mark the news as read, if it is on show."""
        if self.has_news:
            self.news = ()

    def look(self, view: TableView, at: float = 0.0) -> None:
        """Take a newer view, which came at a time in seconds; it is shown in its turn."""
        before = self.presentation.truth
        if before is not None and before.table_id != view.table_id:
            # At a new table nothing is shown of the old one (G8).
            before, self.continued, still = None, None, self.presentation.still
            self.cut_off_at, self.was_down = None, False
            self.presentation = Presentation()
            self.presentation.still = still
        if view.link is LinkState.UP:
            self.turned_away = ""
        if news := tuple(doors.brought(before, view)):
            self.tell(_("Through a door"), *news)
        for sentence in doors.came(before, view):
            self.remark = sentence
            self.events = [*self.events, Event(view.position - 1, sentence)][-MAX_EVENTS:]
        if before is not None:
            self._hear(before, view)
            self._tell_measures(before, view)
            self._tell_host(before, view)
        self._follow_link(before, view)
        self.presentation.receive(view, at)
        self.follow()

    def _hear(self, before: TableView, view: TableView) -> None:
        """Note a new line of talk; a gesture is seen at its seat."""
        known = before.talk[-1].position if before.talk else -1
        lines = [each for each in view.talk if not isinstance(each.said, Gesture)]
        if lines and lines[-1].position > known:
            self.last_talk = lines[-1]

    def follow(self) -> None:
        """Show the presentation's current view."""
        last, view = self.last, self.presentation.view
        self.reveal = self.presentation.reveal
        if view is None:
            return
        if self.last is not None and self.last is not last:
            # A hand may be looked at again only while its round lasts.
            self.peek = None
        self.view = view
        self.gestures = self.gestures.following(view)
        self.names = seat_names(view)
        if not self.presentation.is_running and not self.presentation.is_again:
            self.controls.follow(view)

    def _follow_link(self, before: TableView | None, view: TableView) -> None:
        """Learn the host's clock, and note when the link goes and comes back."""
        was_up = before is not None and before.link is LinkState.UP
        if view.link is LinkState.UP:
            if was_up and before and view.position > before.position and self.wall:
                # It came just now, so this is the host's current time.
                self.ahead = view.time - self.wall
            if self.cut_off_at is not None and self.was_down:
                self.tell(_("Back at the table"), _("Back at the table."))
            self.cut_off_at, self.was_down, self.is_standing = None, False, False
        elif was_up:
            silent = UNSTEADY_DELAY * 1000 if view.link is LinkState.UNSTEADY else 0
            self.cut_off_at = self.wall - round(silent)
        is_down = self.cut_off_at is not None and view.link is LinkState.DOWN
        if is_down and before is not None and before.link is not LinkState.DOWN:
            self.was_down = True

    def _tell_host(self, before: TableView, view: TableView) -> None:
        if view.host == before.host:
            return
        # That is explanation enough: an earlier link to the host was bound to break.
        self.was_down = False
        text = absence.moved_words(view)
        self.events = [*self.events, Event(view.position - 1, text)][-MAX_EVENTS:]
        self.tell(_("The table has moved"), text)

    def _tell_measures(self, before: TableView, view: TableView) -> None:
        new = [Event(view.position - 1, text) for text in measures.happened(before, view)]
        self.events = [*self.events, *new][-MAX_EVENTS:]
        if measures.sits(view):
            self.removed = False
        elif measures.sits(before):
            # A player who leaves by choice leaves the screen, too.
            self.removed = not view.vacated

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
        return Showing(self.last, hands, self.is_counted)
