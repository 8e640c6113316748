"""One table in plain lines: prints it, asks questions, and carries out typed lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from protocol.crypto.join_code import read_code
from protocol.errors import Illegal, Reason
from protocol.guest.effects import CodeWanted
from protocol.rules.words import Bid, Direction, Ending
from protocol.table.fold import Phase
from protocol.views import FistState, LinkState, TableView
from spoof_tui.acts.act import Asked
from spoof_tui.acts.table import WHO
from spoof_tui.plain.answers import is_yes
from spoof_tui.plain.narrator import Narrator, Waiting
from spoof_tui.plain.program import PlainProgram
from spoof_tui.plain.questions import Question, asked_for, moment, question_line, question_of
from spoof_tui.plain.typed import meaning
from spoof_tui.runtime.notices import (
    NotAllowed,
    Saved,
    SeatHeld,
    ViewChanged,
    WhileAway,
)
from spoof_tui.storage.settings import Animation, Bell
from spoof_tui.telling import practice
from spoof_tui.telling.absence import wait_warnings
from spoof_tui.telling.measures import sitting
from spoof_tui.telling.notices import note
from spoof_tui.telling.pacing import Pacing
from spoof_tui.telling.sentences import link_state, sentence, why_not, word_name
from spoof_tui.telling.table_state import TableState
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient

_OF_FISTS: Final = frozenset({Phase.LOT, Phase.WITNESSING, Phase.OPENING})
"""Phases that may turn into one in which a hand is asked for."""


class PlainTable:
    """One table as seen from the player's seat. Times are seconds of a monotonic clock."""

    def __init__(
        self, program: PlainProgram, client: TableClient, *, expects_seat: bool = True
    ) -> None:
        """`expects_seat`: a seat was asked for; nothing is printed before it is granted or cannot
        be."""
        self._program = program
        self.client = client
        self.state: Final = TableState()
        """What the program knows about the table."""
        self.state.pacing.still = program.settings.motion is Animation.NONE
        self.is_counter_clockwise = False
        """Whether the player's opening bid is to reverse the direction of play."""
        self.answer: Callable[[str], None] | None = None
        """Takes the next typed line as the answer to a question outside the game; None without
        one."""
        self._armed: tuple[Ending, object] | None = None
        """An ending word that must be typed again to count, and the moment it belongs to."""
        self._has_told_twice = False
        """Whether it was said that ending words are typed twice."""
        self._narrator = Narrator()
        self._waiting = Waiting()
        self._asked: tuple[object, ...] | None = None
        """The moment (`questions.moment`) whose question was printed last."""
        self._told_fist = (0, 0)
        self._link: LinkState | None = None
        self._later: list[NotAllowed | Saved] = []
        """Notices to be handled when the count has been shown."""
        self._kept: list[object] = []
        """Notices to be handled after the practice game."""
        self._has_arrived = False
        self._expects_seat = expects_seat

    # Input from the background

    def heard(self, notice: object, at: float) -> None:
        """Handle a notice from the background; `at` is the time of its arrival."""
        self.state.read(self.client)
        if isinstance(notice, ViewChanged):
            # What it says is told in its turn, when it may be shown.
            self.state.receive(notice.view, at)
        elif isinstance(notice, NotAllowed | Saved) and self.pacing.is_behind:
            # They are about something that is not printed yet.
            self._later.append(notice)
        else:
            if isinstance(notice, WhileAway):
                self.pacing.jump()
                self.show()
            self._expect_answer(notice)
            told = note(notice, self.state)
            if told.is_over:
                self.answer = None
            self.tell(*told.plain)

    def keep(self, notice: object, at: float) -> str:
        """Keep a notice while the player practises at another table.

        Returns a message if this table is heard again or no longer, otherwise an empty text.
        """
        before = practice.is_heard(self.state)
        if isinstance(notice, ViewChanged):
            self.state.read(self.client)
            self.state.receive(notice.view, at)
        else:
            self._kept.append(notice)
        if practice.is_heard(self.state) == before:
            return ""
        if self.state.silence is not None:
            return sentence(practice.heard_words(self.state)[0])
        told = practice.heard_again(self.state)
        return f"{told.title}. {' '.join(told.lines)}"

    def come_back(self, at: float) -> None:
        """After a practice game, handle the notices that came meanwhile."""
        kept, self._kept = self._kept, []
        for notice in kept:
            self.heard(notice, at)

    def _expect_answer(self, notice: object) -> None:
        if isinstance(notice, CodeWanted):
            self.answer = self._use_code
        elif isinstance(notice, SeatHeld):
            self.answer = self._take_over
        elif isinstance(notice, NotAllowed):
            self._asked, self._expects_seat = None, False

    # Output

    @property
    def pacing(self) -> Pacing:
        """Decides which view is shown when."""
        return self.state.pacing

    @property
    def view(self) -> TableView | None:
        """The view that may be shown; None before the first."""
        return self.pacing.view

    @property
    def facts(self) -> TableState:
        """The state of the table, brought up to date first."""
        self.state.read(self.client)
        self.state.show()
        return self.state

    @property
    def is_over(self) -> bool:
        """Whether the table is over for the player, who can only leave."""
        return bool(self.state.over)

    @property
    def names(self) -> Sequence[str]:
        """The names of the seats."""
        return self.state.names

    @property
    def is_secret(self) -> bool:
        """Whether what is typed now may be a hand, so that the terminal must not show it."""
        truth = self.pacing.truth
        if truth is None or self.is_over or self.answer:
            return False
        seat = truth.my_seat
        plays = seat is not None and seat.plays
        return truth.own_fist_due or (plays and truth.phase in _OF_FISTS)

    def tick(self) -> None:
        """Print changes that come with time alone, such as how long a player has been away."""
        if self.view is not None and not self.is_over and not self.pacing.is_running:
            self.tell(*self._waiting.follow(self.facts))

    def show(self) -> None:
        """Print what has changed and may be shown."""
        view = self.facts.view
        if view is None or not self._is_seated(view):
            return
        i18n.play_with(view.rules.token.value)
        self._tell_link(view)
        self.tell(*self._narrator.follow(view, self.pacing.reveal))
        self._tell_fist()
        if not self.pacing.is_behind:
            later, self._later = self._later, []
            for notice in later:
                self.heard(notice, 0.0)

    def _is_seated(self, view: TableView) -> bool:
        """Whether the player has a seat, or no longer expects one."""
        is_in_vain = view.vacated or len(sitting(view)) >= view.seat_count
        if view.my_seat is not None or is_in_vain or view.phase is not Phase.GATHERING:
            self._expects_seat = False
        return not self._expects_seat

    def tell(self, *lines: str) -> None:
        """Print lines."""
        self._program.lines.tell(*lines)

    def _tell_link(self, view: TableView) -> None:
        if view.link is self._link:
            return
        was, self._link = self._link, view.link
        if view.link is LinkState.UP:
            if self._has_arrived and was is not LinkState.UNSTEADY:
                self.tell(_("Back at the table."))
            self._has_arrived = True
        elif was in (LinkState.UP, LinkState.UNSTEADY):
            # What follows is told by and by.
            self.tell(link_state(view.link))

    def _tell_fist(self) -> None:
        truth = self.pacing.truth
        seat = truth.my_seat if truth else None
        if truth is None or seat is None or truth.phase is not Phase.CHOOSING:
            return
        now = (truth.game_number, truth.round_number)
        if seat.fist is FistState.IN and self._told_fist != now:
            self._told_fist = now
            self.tell(_("Your fist is in, and it is locked."))

    def ask(self) -> None:
        """Print the open question, unless it has been printed already."""
        view = self.view
        if view is None or self.pacing.is_behind or self.answer or self.is_over:
            return
        if self.state.is_stale:
            # It is asked again once the table is heard.
            self._asked = None
            return
        if self._expects_seat or (self.state.is_practice and not view.game_number):
            return
        now = moment(view)
        if now == self._asked:
            return
        self._asked, question = now, question_of(view)
        if question is None:
            return
        if question is Question.WORD:
            self.is_counter_clockwise = False
        if question in (Question.WORD, Question.HAND) and self._rings(view, question):
            self._program.lines.ring()
        ends = question is Question.WORD and not view.is_guessing
        if ends and self._types_twice and not self._has_told_twice:
            self._has_told_twice = True
            self.tell(_("A word that ends the round has to be typed twice."))
        self.tell(question_line(view, self.names))

    def _rings(self, view: TableView, question: Question) -> bool:
        """Whether to ring the bell: the table waits for this player alone, and the settings allow
        it."""
        missing = sum(seat.fist is FistState.NOT_IN for seat in view.seats)
        is_alone = question is Question.WORD or missing == 1
        return is_alone and self._program.settings.bell is not Bell.OFF

    @property
    def asked_for(self) -> str | None:
        """What the player is asked for now, in a word or two; None if nothing is."""
        if self.answer or self.is_over:
            return _("Your answer") if self.answer else ""
        if self.view is None or self._asked != moment(self.view):
            return None
        return asked_for(self.view)

    def ask_again(self) -> None:
        """Let the next `ask` print the open question again."""
        self._asked = None

    # Input

    def typed(self, text: str, at: float) -> Asked | None:
        """Carry out a typed line; if it names an act, return that instead, for the caller to do."""
        if self.answer is not None:
            answer, self.answer = self.answer, None
            answer(text)
        elif not text.strip():
            return self._go_on(at)
        else:
            meant = meaning(text, self.view)
            armed, self._armed = self._armed, None
            if isinstance(meant, Asked):
                return meant
            if self.view is None or self.is_over:
                self.tell(_("You are not at the table. Type q to go back to the lobby."))
            elif isinstance(meant, int):
                self._number(meant, at)
            elif isinstance(meant, Ending):
                word = (meant, moment(self.view))
                if armed == word or not self._asks_twice(meant):
                    self._word(meant, at)
                else:
                    self._armed = word
                    said = sentence(word_name(meant))
                    asked = _("{word}? Type it once more to say it.").format(word=said)
                    self.tell(" ".join([*wait_warnings(self.view)[:1], asked]))
            else:
                self.tell(_("That means nothing here: “{text}”. Type ? to hear what you can type.")
                          .format(text=text.strip()[:40]))  # fmt: skip
        return None

    def _go_on(self, at: float) -> Asked | None:
        """Handle Enter alone: skip what is being shown, get ready, or repeat the question.

        Returns the act "who" if there is no question.
        """
        view = self.view
        if self.state.reopened:
            self.state.reopened, self.state.over = False, ""
            self.client.come_back()
        elif self.is_over:
            self._program.leave_table()
        elif self.pacing.is_behind:
            self._catch_up(at)
        elif view is not None and question_of(view) is Question.READY:
            self.client.ready()
        elif view is not None and question_of(view) is None:
            return Asked(WHO)
        else:
            self.ask_again()
        return None

    def _catch_up(self, at: float) -> None:
        while self.pacing.skip(at):
            self.show()
        self.pacing.catch_up(at)

    def _number(self, number: int, at: float) -> None:
        truth = self.pacing.truth
        if truth is not None and truth.own_fist_due:
            self.client.choose(number)
        else:
            self._word(Bid(number), at)

    @property
    def _types_twice(self) -> bool:
        return self._program.settings.confirm_endings and self._program.lines.is_terminal

    def _asks_twice(self, word: Ending) -> bool:
        """Whether an ending word that is allowed now must be typed twice: at a terminal, by the
        settings."""
        view = self.view
        if view is None or not self._types_twice:
            return False
        return word in view.allowed_endings and not self.pacing.is_behind

    def _word(self, word: Bid | Ending, at: float) -> None:
        if self.pacing.is_behind:
            # A word must be based on what its speaker has seen.
            self._catch_up(at)
            self.tell(why_not(Illegal(Reason.STALE), self.names))
            self.ask_again()
            return
        turned = self.is_counter_clockwise and self.view is not None and self.view.may_turn
        is_turned = turned and isinstance(word, Bid)
        self.client.speak(word, Direction.COUNTER_CLOCKWISE if is_turned else None)

    # Questions that are not part of the game

    def _use_code(self, text: str) -> None:
        code = read_code(text)
        if code is not None:
            self.tell(_("Asking the host whether that is the code …"))
            self.client.use_code(code)
        elif _is_no(text):
            self._program.leave_table()
        else:
            self.tell(_("A join code is five letters and digits, such as K7M4Q."))
            self.answer = self._use_code

    def _take_over(self, text: str) -> None:
        typed = text.strip().casefold()
        if typed == "y" or is_yes(typed):
            self.tell(_("Taking your seat over from the other window …"))
            self.client.take_over()
        elif typed in ("n", "no", _("no").casefold()):
            self.client.sit_apart()
        elif typed and _is_no(typed):
            self._program.leave_table()
        else:
            self.answer = self._take_over
            self.tell(_("Type yes or no, or q to leave."))


def _is_no(text: str) -> bool:
    """Whether a typed answer means that the player leaves: an empty line or the act "quit"."""
    asked = meaning(text, None)
    return not text.strip() or (isinstance(asked, Asked) and asked.act.id == "quit")
