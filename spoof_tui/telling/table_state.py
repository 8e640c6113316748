"""What the program knows about one table besides its log, for a screen or for plain lines.

Views (`receive`) and notices (`spoof_tui.telling.notices.note`) change this state; both return what
the player is to be told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocol.rules.words import Ending
from protocol.table.fold import Phase
from protocol.table.statements import NO_ONE, Measure
from protocol.timeouts import UNSTEADY_DELAY
from protocol.views import LinkState, SeatStatus, TableView
from protocol.wire.messages import Card
from spoof_tui import clock
from spoof_tui.door.program import DoorOpened, host_of
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding
from spoof_tui.network.invitation import Invitation
from spoof_tui.runtime.notices import SeatState
from spoof_tui.telling import absence, connection, doors, measures
from spoof_tui.telling.connection import Claim, Silence, Steady
from spoof_tui.telling.measures import Proposal
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.pacing import Pacing, Reveal
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient

MAX_EVENTS: Final = 20
"""The most events that are remembered; the talk next to them soon needs the room."""


MAX_READING: Final = 10
"""Seconds for which a round may wait for this player's fist below the last verdict before the
player is told so."""

LATE_ANSWER: Final = 15_000
"""Milliseconds after an event for which an answer that comes too late is taken to be about it."""


@dataclass(frozen=True, slots=True)
class Event:
    """A measure that was taken, or somebody's coming or going, as a sentence to be shown among the
    talk."""

    position: int
    """Position of the last log entry at that time; places the event among the talk."""
    text: str
    wall: int = 0
    """When it was noticed, in milliseconds by this machine's clock."""


class Page(Enum):
    """The part of a table that is shown in the column beside it, or instead of it in a narrow
    terminal."""

    TABLE = "table"
    """The table itself; the column beside it shows the current round."""
    ROUND = "round"
    ROUNDS = "rounds"
    TALK = "talk"

    def next(self, *, has_side: bool) -> Page:
        """The next page; `has_side` says whether there is a column beside the table."""
        pages = [page for page in Page if page is not Page.ROUND or not has_side]
        at = pages.index(self) if self in pages else 0
        return pages[(at + 1) % len(pages)]


@dataclass(frozen=True, slots=True)
class Told:
    """A message for the player after a view or a notice."""

    lines: tuple[str, ...] = ()
    """Sentences; empty if the screen shows the same anyway."""
    title: str = ""
    """Title of a message to be read before the game goes on; empty for all others."""
    is_over: bool = False
    """Whether nothing more can be done at the table."""
    aloud: tuple[str, ...] | None = None
    """What plain lines print instead of `lines`; None for the same.

    It tells what a screen shows permanently.
    """

    @property
    def plain(self) -> tuple[str, ...]:
        """The sentences that plain lines print."""
        return self.lines if self.aloud is None else self.aloud


@dataclass(slots=True)
class TableState:
    """What the program knows about a table. The view in it holds no hand."""

    pacing: Pacing = field(default_factory=Pacing, compare=False)
    """Decides which view is shown when."""
    view: TableView | None = None
    """The view on show; None until the table's log has arrived."""
    names: tuple[str, ...] = ()
    """The names of the seats, in their order."""
    reveal: Reveal | None = None
    """The count on show and its current step; None once the last round is put away."""
    page: Page = Page.TABLE
    """The part of the table in the column beside it, or instead of it."""
    is_practice: bool = False
    """Whether this is a practice table, which nobody else can join."""
    waiting: TableState | None = None
    """The silent table at which the player's seat waits during a practice game; None if there is
    none."""
    address: str = ""
    """The address at which others reach the player's own table; empty at somebody else's."""
    code: str | None = None
    """The join code of the player's own table; None if it has none, or it is somebody else's."""
    code_news: str = ""
    """Why the join code has just changed, in a sentence; empty if it has not."""
    door: DoorOpened | None = None
    """The door of the player's own table; None while it is closed."""
    trouble: str | None = None
    """Why others may not find the player's own table; None if all is well."""
    findings: tuple[Finding, ...] = ()
    """Network problems between this player and others, the worst first."""
    known: SeatState = SeatState()
    """What the seat's program knows about the table besides the views."""
    turned_away: str = ""
    """Why the table cannot be joined now, in a sentence; empty otherwise."""
    continued: Card | None = None
    """The new table where the game went on without this player (G8); None if none is known."""
    removed: bool = False
    """Whether this player's seat was removed."""
    refused: frozenset[Proposal] = frozenset()
    """Running votes that this player has refused."""
    events: list[Event] = field(default_factory=list)
    """Measures that were taken, oldest first."""
    record: Path | None = None
    """Path of the record of the last finished game; None if there is none."""
    over: str = ""
    """Why the table is over for this player; empty while it is not."""
    over_title: str = ""
    """The title of the message `over`; empty for the usual one."""
    over_advice: str = ""
    """What to do about `over`, shown while no finding says more."""
    reopened: bool = False
    """Whether the table that closed can be joined again."""
    disk: str = ""
    """The message that the disk cannot be written; empty while it can."""
    not_kept: str = ""
    """Why nothing is saved on this computer, or who else can read it; empty if all is well."""
    wall: int = 0
    """This machine's clock, in milliseconds since 1970."""
    ahead: int = 0
    """Estimated lead of the host's clock over this machine's, in milliseconds."""
    cut_off_at: int | None = None
    """When the link was lost, in milliseconds by this machine's clock; None while it is up."""
    is_arriving: bool = False
    """Whether the table has yet to be reached for the first time."""
    is_told_who_hosts: bool = False
    """Whether the player was told that the table has moved before its log says so."""
    was_down: bool = False
    """Whether the link was down completely since `cut_off_at`, without a reason that the player was
    told."""
    is_standing: bool = False
    """Whether this program asks the others to elect it host."""
    off_network_at: int | None = None
    """When this machine was last seen to be on no network, by its clock; None: never."""
    missed_since: dict[bytes, int] = field(default_factory=dict)
    """Since when each seat that is not here has been missed, by this machine's clock."""
    unseen: frozenset[bytes] = frozenset()
    """Keys of the seats that have not come back since the table was opened again."""
    is_opening: bool = False
    """Whether the player's own table is being opened."""
    steady: Steady = field(default_factory=Steady, compare=False)
    """Decides which claim about the connection is shown."""

    @property
    def covers(self) -> bool:
        """Whether the interface lets the player choose a hand from a hidden list; true unless
        overridden."""
        return True

    @property
    def now(self) -> int:
        """The host's clock, as far as it is known, in milliseconds since 1970.

        It stops while nothing is heard, since nobody knows how long the table will wait then.
        """
        lost_at = self.silent_since if self.is_stale else None
        wall = self.wall if lost_at is None else lost_at
        return max(self.view.time if self.view else 0, wall + self.ahead)

    @property
    def start_delay(self) -> int:
        """Seconds until a game begins without those who are not ready (G9), rounded up.

        0 if no game is about to begin, also while the player's own table waits for more to be
        ready.
        """
        view = self.view
        if view is None or view.starts_from is None:
            return 0
        if sum(seat.ready for seat in view.seats) < self.known.start_when:
            return 0
        return max(-(-(view.starts_from - self.now) // 1000), 0)

    @property
    def cut_off_for(self) -> float:
        """Seconds since the link was lost, or since most of the table was last heard from; 0 while
        all is well."""
        since = self.silent_since
        return 0.0 if since is None else max(self.wall - since, 0) / 1000

    @property
    def silent_since(self) -> int | None:
        """When the link was lost or, while it is up, when the host last heard most of the table.

        In milliseconds by this machine's clock; None while all is well.
        """
        return self.known.unheard_since if self.link is LinkState.UP else self.cut_off_at

    @property
    def link(self) -> LinkState:
        """The state of the link to the host; `DOWN` until a view has come."""
        return self.view.link if self.view else LinkState.DOWN

    def offers(self, word: Ending) -> bool:
        """Whether a word that may be said is listed: any is, except on the screen of a newcomer."""
        del word
        return True

    @property
    def is_unheard(self) -> bool:
        """Whether the host is connected but has not heard most of the table for a while (G7)."""
        if self.view is None or self.over or self.link is not LinkState.UP:
            return False
        is_silent = self.known.unheard_since is not None
        return is_silent and self.cut_off_for >= connection.UNHEARD_DELAY

    @property
    def is_stale(self) -> bool:
        """Whether the table may have changed unnoticed, so that nothing said here takes effect yet.

        Between games, a host that hears nobody else still accepts statements.
        """
        if self.view is None or self.over:
            return False
        is_gathering = self.view.phase is Phase.GATHERING
        return self.link in absence.STALE or (self.is_unheard and not is_gathering)

    @property
    def silence(self) -> Silence | None:
        """What is known while nothing new is heard; None while all is well."""
        if self.view is None or not (self.is_stale or self.is_unheard):
            return None
        seconds, asks, off = self.cut_off_for, self.is_standing, self.off_network_at
        since = inf if off is None else max(self.wall - off, 0) / 1000
        return Silence(
            self.view, self.known, seconds, asks, self.is_unheard, self.is_arriving, since
        )

    @property
    def claim(self) -> Claim | None:
        """The claim about the connection that is on show; None while all is well."""
        first = connection.first_true(self.silence)
        return first if None in (first, self.steady.claim) else self.steady.claim

    @property
    def of_connection(self) -> tuple[str, ...]:
        """The message about the connection: what is known, what is being done, and what can be
        done."""
        told = connection.words(self.silence, self.claim)
        return (*told, connection.practice_words()) if self.may_practise else told

    @property
    def may_practise(self) -> bool:
        """Whether the player has waited alone for so long that a practice game is offered."""
        view, known = self.view, self.known
        if view is None or not self.is_stale or self.cut_off_for < view.grace:
            return False
        is_asked = view.new_table or view.went_along or self.continued
        return not (known.heard or known.can_move or is_asked)

    @property
    def keeps_waiting(self) -> bool | None:
        """Whether the next round has waited for this player's fist for so long that they are told
        so below the verdict that is still on show; None if it does not wait."""
        view = self.view
        seat = view.my_seat if view else None
        if view is None or seat is None or seat.waits_since is None or self.is_stale:
            return None
        is_due = view.own_fist_due and self.pacing.is_resting
        return self.now - seat.waits_since >= MAX_READING * 1000 if is_due else None

    @property
    def is_ticking(self) -> bool:
        """Whether something on the screen changes with time alone."""
        view = self.view
        if view is None or self.over:
            return False
        if view.link is not LinkState.UP or self.known.unheard_since is not None:
            return True
        if self.keeps_waiting is False:
            return True
        seats = view.seats
        if any(seat.away_since is not None for seat in seats) or self.start_delay:
            return True
        return not view.paused and any(
            seat.time_up_from is not None or seat.play_on_from is not None for seat in seats
        )

    @property
    def elsewhere(self) -> tuple[Address, ...]:
        """Addresses, at most nine, where tables answer, if none answers at the address that was
        asked for."""
        found = (each.names for each in self.findings if each.code is Code.OTHER_ADDRESS)
        return tuple(map(Address.parse, next(found, ())[:9])) if self.over else ()

    @property
    def is_asked(self) -> bool:
        """Whether this player can answer now whether to go on at a new table, or can follow to
        one."""
        return self.continued is not None or (
            self.view is not None and absence.is_asked_along(self.view)
        )

    def _may_vote(self, view: TableView) -> bool:
        # Whoever is no elector is asked for nothing: the vote would not count.
        counts = view.my_seat is not None and view.my_seat.counts
        return measures.sits(view) and counts and not (self.is_asked or self.is_stale)

    @property
    def to_agree_to(self) -> tuple[Proposal, ...]:
        """The measures that the key y votes for now: all of one question, the most urgent one."""
        view = self.view
        if view is None or not self._may_vote(view):
            return ()
        if view.paused:
            asked: tuple[Proposal, ...] = (Proposal(Measure.GO_ON, NO_ONE),)
        elif not (asked := absence.votes_due(view, self.now)):
            motion = measures.motion_on_show(view, self.refused)
            is_mine = motion is not None and view.my_seat and motion.seat == view.my_seat.key
            asked = (measures.proposal_of(motion),) if motion and not is_mine else ()
        return tuple(each for each in asked if not measures.has_voted(each, view))

    @property
    def to_refuse(self) -> tuple[Proposal, ...]:
        """The measure that the key n refuses now, or whose vote it takes back; empty if there is
        none."""
        view = self.view
        if view is None or not self._may_vote(view):
            return ()
        motion = measures.motion_to_answer(view, self.refused)
        if motion and not view.paused and not absence.votes_due(view, self.now):
            return (measures.proposal_of(motion),)
        proposals = map(measures.proposal_of, reversed(view.votes))
        return tuple(each for each in proposals if measures.has_voted(each, view))[:1]

    @property
    def nothing_asked(self) -> str:
        """What to tell a player who answers although nothing is asked: first the latest event, if
        it was a moment ago and so may have ended the question."""
        ended = self.events[-1:]
        if ended and self.wall - ended[0].wall > LATE_ANSWER:
            ended = []
        return " ".join([_("There is nothing to answer now."), *(each.text for each in ended)])

    @property
    def may_start(self) -> bool:
        """Whether this player, as host, can start the game without those who are not ready (G9)."""
        view = self.view
        if view is None or not self.known.is_host or view.my_seat is None:
            return False
        return view.my_seat.ready and bool(absence.unready(view))

    @property
    def invitation(self) -> str:
        """The command by which others join the player's own table; empty at somebody else's."""
        return Invitation(Address.parse(self.address), self.code).line if self.address else ""

    @property
    def door_line(self) -> str:
        """The ssh command that leads to the player's own table; empty while it has no door."""
        return self.door.invitation(host_of(self.address)) if self.door and self.address else ""

    @property
    def page_address(self) -> str:
        """The address of the table's web page, shown as a QR code; empty while there is none."""
        if self.door is None or not self.address:
            return ""
        return self.door.page(host_of(self.address), self.code)

    def read(self, client: TableClient | None) -> None:
        """Update what changes without views: the time, and what the seat's program knows."""
        at = clock.now()
        self.learn(client.known if client else self.known, at.wall)
        self.steady.follow(self.silence, at.monotonic)

    def learn(self, known: SeatState, wall: int) -> None:
        """Take in what the seat's program knows, at this time of this machine's clock."""
        if (back := self.wall - wall) > 0:
            self._set_back(back)
        self.wall, self.known = wall, known
        if not known.has_network:
            self.off_network_at = wall

    def _set_back(self, milliseconds: int) -> None:
        """This machine's clock was set back: what has lasted for a while still has."""
        self.ahead += milliseconds
        if self.cut_off_at is not None:
            self.cut_off_at -= milliseconds
        if self.off_network_at is not None:
            self.off_network_at -= milliseconds
        self.missed_since = {key: at - milliseconds for key, at in self.missed_since.items()}

    def receive(self, view: TableView, at: float = 0.0) -> list[Told]:
        """Take a newer view, which came at `at` (monotonic seconds); pacing decides when it is
        shown.

        Returns messages about the player's own place at the table, which are told at once.
        """
        told: list[Told] = []
        view, before = self._with_absences(view), self.pacing.truth
        if before is not None and before.table_id != view.table_id:
            # At a new table nothing is shown of the old one (G8).
            before, self.continued, still = None, None, self.pacing.still
            self.cut_off_at, self.was_down = None, False
            self.pacing = Pacing()
            self.pacing.still = still
        if view.link is LinkState.UP:
            self.turned_away = ""
        if news := tuple(doors.brought(before, view)):
            told.append(Told(news, _("By ssh or browser")))
        for sentence in doors.came(before, view):
            self._remember(sentence, view)
            told.append(Told((sentence,)))
        if before is not None:
            taken = self._note_measures(before, view)
            if about_me := measures.about_me(before, view):
                told.append(Told((about_me,), _("About you"), aloud=()))
            elif taken and len(view.votes) < len(before.votes):
                # The vote was on show.
                told.append(Told(taken, aloud=()))
            for text in absence.came_and_went(before, view):
                self._remember(text, view)
                # A turn needs its lines; a hand leaves some.
                if not view.my_turn:
                    told.append(Told((text,), aloud=()))
            if view.host != before.host:
                # That is explanation enough: an earlier link to the host was bound to break.
                self.was_down = False
                moved = absence.moved_words(view)
                self._remember(moved, view)
                if not self.is_told_who_hosts:
                    told.append(Told((moved,), _("The table has moved")))
                self.is_told_who_hosts = False
        if view.lacks_secret and not (before and before.lacks_secret):
            told.append(Told(absence.elsewhere_words(view), _("On another computer")))
        if self._follow_link(before, view):
            told.append(Told((_("Back at the table."),), _("Back at the table")))
        self.pacing.receive(view, at)
        self.show()
        return told

    def _with_absences(self, view: TableView) -> TableView:
        """The view with every absence told from when the seat was first missed, if that was
        noticed here: an entry of the log only tells when its host had made sure."""
        before, is_up = self.pacing.truth, view.link is LinkState.UP
        is_same = before is not None and (before.host, before.table_id) == (
            view.host,
            view.table_id,
        )
        if is_up and is_same:
            # A new host first says who is gone.
            here = {seat.key for seat in view.seats if seat.presence is SeatStatus.HERE}
            self.missed_since = {k: at for k, at in self.missed_since.items() if k not in here}
        if self.known.is_host and (before is None or self.is_arriving):
            self.unseen = absence.unseen_by_host(view)
        if is_up:
            self.unseen -= {seat.key for seat in view.seats if seat.presence is SeatStatus.HERE}
        for seat in view.seats:
            if seat.presence is SeatStatus.UNSTEADY:
                since = self.wall - round(UNSTEADY_DELAY * 1000)
                self.missed_since.setdefault(seat.key, since)
            elif seat.presence is SeatStatus.AWAY and self.known.unheard_since is not None:
                # A host that slept says only now who has gone.
                self.missed_since.setdefault(seat.key, self.known.unheard_since)
        if not is_up and before is not None and before.link is LinkState.UP:
            silent = UNSTEADY_DELAY if view.link is LinkState.UNSTEADY else 0
            self.missed_since.setdefault(view.host, self.wall - round(silent * 1000))
        missed = {key: at + self.ahead for key, at in self.missed_since.items()}
        return absence.since(view, missed)

    def show(self) -> None:
        """Update the view, the names and the count on show from what pacing lets through."""
        view = self.pacing.view
        if view is not None and self.refused:
            self.refused &= {measures.proposal_of(each) for each in view.votes}
        self.reveal = self.pacing.reveal
        if view is not None:
            self.view, self.names = view, seat_names(view)

    def _follow_link(self, before: TableView | None, view: TableView) -> bool:
        """Note when the link is lost and how far the host's clock is ahead; return whether the link
        is back."""
        was_up = before is not None and before.link is LinkState.UP
        is_back = False
        if view.link is LinkState.UP:
            if was_up and before and view.position > before.position and self.wall:
                # It came just now, so this is the host's current time.
                self.ahead = view.time - self.wall
            is_back = self._is_back(before)
            self.cut_off_at, self.was_down, self.is_standing = None, False, False
            self.is_arriving = False
        elif self.cut_off_at is None:
            silent = UNSTEADY_DELAY * 1000 if view.link is LinkState.UNSTEADY else 0
            self.cut_off_at, self.is_arriving = self.wall - round(silent), before is None
        is_down = self.cut_off_at is not None and view.link is LinkState.DOWN
        if is_down and before is not None and before.link is not LinkState.DOWN:
            self.was_down = True
        return is_back

    def _is_back(self, before: TableView | None) -> bool:
        """Whether a link that is up now had been down, or had been waited for, for so long that the
        player at a seat was told so."""
        if self.cut_off_at is None:
            return False
        if self.is_arriving:
            has_waited = self.wall - self.cut_off_at >= connection.UNHEARD_DELAY * 1000
            return has_waited and before is not None and measures.sits(before)
        return self.was_down

    def _note_measures(self, before: TableView, view: TableView) -> tuple[str, ...]:
        """Remember the measures that were taken between two views; returns a sentence for each."""
        taken = tuple(measures.happened(before, view))
        for text in taken:
            self._remember(text, view)
        if measures.sits(view):
            self.removed = False
        elif measures.sits(before):
            # A player who leaves by choice leaves the screen, too.
            self.removed = not view.vacated
        return taken

    def _remember(self, text: str, view: TableView) -> None:
        event = Event(view.position - 1, text, self.wall)
        # Said twice running, it tells nothing new: somebody came and went and came.
        is_again = bool(self.events) and self.events[-1].text == text
        self.events = [*self.events[: -1 if is_again else None], event][-MAX_EVENTS:]
