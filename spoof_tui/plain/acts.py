"""What the acts of a table do in plain lines: each prints an answer or makes a statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from protocol.encoding.codec import Message
from protocol.manners import makes_sense
from protocol.rules.words import Drink
from protocol.table.statements import AwardFine, Elect, Gesticulate, Gesture, LiftFine, Order
from protocol.views import TableView
from spoof_tui.acts import table as acts
from spoof_tui.acts.act import Asked
from spoof_tui.plain import answers
from spoof_tui.plain.answers import is_yes, table_help
from spoof_tui.plain.program import PlainProgram
from spoof_tui.plain.table import PlainTable
from spoof_tui.runtime.session import talk
from spoof_tui.telling import leaving, measures, practice
from spoof_tui.telling.gestures import gesture_help, gesture_name
from spoof_tui.telling.leaving import Parting
from spoof_tui.telling.measures import Proposal
from spoof_tui.telling.names import name_of
from spoof_tui.telling.notices import invitation_lines
from spoof_tui.telling.sentences import AWARDED, drink_name, offence_name, sentence, way
from spoof_tui.telling.table_state import TableState
from spoof_tui.text.i18n import _, pgettext

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient


@dataclass(frozen=True, slots=True)
class NumberedOffer:
    """A choice that the player makes by typing its number."""

    words: str
    """What the choice does, without a full stop."""
    do: Callable[[], None]


def offer_lines(head: str, offers: Sequence[NumberedOffer]) -> list[str]:
    """The heading and the choices, numbered from 1."""
    return [head, *(f"{number}: {each.words}." for number, each in enumerate(offers, 1))]


def chosen(typed: str, offers: Sequence[NumberedOffer]) -> bool:
    """Carry out the choice whose number was typed; False if there is no such number."""
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else 0
    if not 0 < number <= len(offers):
        return False
    offers[number - 1].do()
    return True


def _meaning(parting: Parting, view: TableView) -> str:
    """What a way to leave means for the table and the seat, without a full stop."""
    text = _("The table {what}.").format(what=leaving.words(parting, view))
    return f"{text} {leaving.meaning(parting, view)}".rstrip(" .")


def slate_offers(view: TableView, state: Callable[[Message], None]) -> list[NumberedOffer]:
    """What the player may put on the slate now, drinks first.

    `state` makes the statement of the chosen one.
    """
    return [NumberedOffer(words, partial(state, statement)) for words, statement in _possible(view)]


def _possible(view: TableView) -> Iterator[tuple[str, Message]]:
    seat = view.my_seat
    if seat is None:
        return
    if view.may_order:
        yield from ((drink_name(drink), Order(drink)) for drink in Drink)
    for each in view.seats:
        text = _("want {name} for chairman")
        yield text.format(name=name_of(view, each.key)), Elect(each.key)
    if seat.key == view.chairman:
        yield from _of_chairman(view)


def _of_chairman(view: TableView) -> Iterator[tuple[str, Message]]:
    for index, fine in enumerate(view.slate.fines):
        if not fine.lifted:
            text = _("lift {name}’s fine for {what}")
            values = {"name": name_of(view, fine.key), "what": offence_name(fine.offence)}
            yield text.format(**values), LiftFine(index)
    for each in view.seats:
        for offence in AWARDED:
            text = _("fine {name} for {what}")
            values = {"name": name_of(view, each.key), "what": offence_name(offence)}
            yield text.format(**values), AwardFine(each.key, offence)


class PlainActs:
    """Carries out acts in plain lines; implements `spoof_tui.acts.interface.AtTable`."""

    def __init__(self, program: PlainProgram, table: PlainTable) -> None:
        self._program = program
        self._table = table
        self._question = ""
        """The question whose act is done if it is typed once more; empty if there is none."""

    def do(self, asked: Asked) -> None:
        """Do the act that was asked for, or say why not."""
        question = self._question
        if asked.act.needs_table and (self._table.view is None or self._table.is_over):
            self.tell(_("You are not at the table. Type q to go back to the lobby."))
        else:
            acts.do(self, asked.act, asked.rest)
        if self._question == question:
            self._question = ""

    @property
    def facts(self) -> TableState:
        return self._table.facts

    @property
    def client(self) -> TableClient:
        return self._table.client

    @property
    def _view(self) -> TableView:
        assert self._table.view is not None
        return self._table.view

    def tell(self, *lines: str) -> None:
        self._table.tell(*lines)

    def practise(self) -> None:
        self._program.practise(self._view)

    def skip_game(self) -> None:
        if not acts.may_skip(self.facts):
            self.tell(_("The game is over."))
            return
        self._table.pacing.hurry()
        self.client.hurry_bots()

    def confirms(self, question: str) -> bool:
        if self._question == question:
            return True
        self._question = question
        self.tell(question)
        return False

    def is_meant(self, question: str) -> bool:
        # It was typed, and sent with Enter.
        return True

    def talk(self, rest: str) -> None:
        said = talk(rest)
        if said is None:
            self.tell(_("Type the words too, for example: say hello."))
        else:
            self.client.propose(said)

    def gesture(self, rest: str) -> None:
        view = self._view
        offers = [
            NumberedOffer(f"{gesture_name(each)}: {gesture_help(each, view)}".rstrip("."),
                  partial(self.client.propose, Gesticulate(each)))
            for each in Gesture if makes_sense(each, view)
        ]  # fmt: skip
        if not chosen(rest, offers):
            self._offer(pgettext("typed", "gesture"), offers)

    def _offer(self, name: str, offers: Sequence[NumberedOffer], head: str = "") -> None:
        ask = _("Type {name} and a number.").format(name=name)
        self.tell(*offer_lines(f"{head} {ask}".strip(), offers))

    def turn_direction(self) -> None:
        table = self._table
        table.is_counter_clockwise = not table.is_counter_clockwise
        usual = way(self._view.direction)
        direction = _("counter-clockwise") if table.is_counter_clockwise else usual
        self.tell(sentence(_("direction: {way}").format(way=direction)) + ".")

    def tell_who(self) -> None:
        self.tell(
            *answers.who_lines(self._view, self._table.names, self.facts.now, self.facts.unseen)
        )

    def tell_state(self) -> None:
        self.tell(*answers.state_lines(self._view, self._table.names))

    def explain(self) -> None:
        reveal = self._table.pacing.reveal
        self.tell(*answers.why_lines(self._view, self._table.names, reveal))

    def show_rounds(self) -> None:
        self.tell(*answers.round_lines(self._view, self._table.names))

    def send_postcard(self, lines: Sequence[str]) -> None:
        self.tell(*lines)

    def ask_the_coach(self, hand: int) -> None:
        self.tell(*answers.odds_lines(self._view, hand))

    def show_rules(self) -> None:
        if self._table.view is not None:
            self.tell(*answers.rule_lines(self._view.rules))

    def show_slate(self, rest: str) -> None:
        view = self._view
        offers = slate_offers(view, self.client.propose) if view.has_slate else []
        if chosen(rest, offers):
            return
        self.tell(*answers.slate_lines(view, self._table.names))
        if offers:
            head = _("You left first and order the drinks.") if view.may_order else ""
            self._offer(pgettext("typed", "slate"), offers, head)

    def invite(self) -> None:
        self.tell(*invitation_lines(self.facts.address, self.facts.code))

    def clear_strangers(self, strangers: Sequence[bytes], rest: str) -> None:
        if is_yes(rest):
            self.client.clear(tuple(strangers))
            return
        names = ", ".join(measures.subject(self._view, key) for key in strangers)
        text = _("These have never opened a fist here: {names}. To ban them and lock the table, "
                 "type “{name} yes”.")  # fmt: skip
        self.tell(text.format(names=names, name=pgettext("typed", "strangers")))

    def moderate(self, rest: str) -> None:
        offers = list(self._measures(self._view))
        if not chosen(rest, offers):
            head = (
                _("You are the host: your decision takes effect at once.")
                if self.client.known.is_host
                else ""
            )
            self._offer(pgettext("typed", "vote"), offers, head)

    def _measures(self, view: TableView) -> Iterator[NumberedOffer]:
        for key in measures.concerned(view):
            for measure in measures.possible(view, key):
                words = f"{measures.measure_name(measure)}: {measures.subject(view, key)}"
                proposal = Proposal(measure, key)
                has_voted = measures.has_voted(proposal, view)
                if has_voted:
                    words = _("withdraw your vote: {what}").format(what=words)
                decide = partial(acts.decide, self.client, proposal, yes=not has_voted)
                yield NumberedOffer(words, decide)

    def examine(self) -> None:
        self._program.diagnose()

    def choose_options(self) -> None:
        self._program.turn_lines()

    def speak(self, language: str) -> None:
        self._program.speak(language)
        self._table.ask_again()

    def help(self) -> None:
        self.tell(*table_help(self.facts))
        self._table.ask_again()

    def leave(self) -> None:
        table, view = self._table, self._table.view
        hosts = self.facts.known.is_host and not self.facts.is_practice
        if view is None or table.is_over or not leaving.is_missed(view, hosts=hosts):
            self._program.leave_table()
            return
        heirs = self.client.known.heirs if hosts else frozenset[bytes]()
        ways = leaving.ways(view, heirs, hosts=hosts)
        offers = [
            NumberedOffer(_meaning(each, view), partial(self._program.leave_table, each.heir))
            for each in ways
        ]
        table.answer = partial(self._leave, offers)
        if self.facts.is_practice:
            self.tell(
                f"{practice.leave_question(self.facts.waiting)} "
                f"{practice.leave_meaning(self.facts.waiting)} "
                f"{_('Type q for yes, Enter to stay.')}"
            )
            return
        head = _(
            "Leave the table? Type a number to choose how, q for the first way, Enter to stay."
        )
        self.tell(*offer_lines(head, offers))

    def _leave(self, offers: Sequence[NumberedOffer], text: str) -> None:
        typed = text.strip().casefold()
        if typed in ("q", "quit") or is_yes(typed):
            typed = "1"
        if not chosen(typed, offers):
            self.tell(_("You stay."))
            self._table.ask_again()
