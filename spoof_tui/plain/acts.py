"""What the acts of a table do in plain lines: each answers, or says something at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from protocol.encoding.codec import Message
from protocol.manners import makes_sense
from protocol.table.statements import Gesticulate, Gesture
from protocol.views import TableView
from spoof_tui.plain import answers
from spoof_tui.plain.help import table_help
from spoof_tui.plain.notices import invitation_lines
from spoof_tui.plain.offers import Offer, chosen, offer_lines
from spoof_tui.plain.parting import Leaving
from spoof_tui.plain.saying import sentence, way
from spoof_tui.plain.slate import slate_offers
from spoof_tui.runtime.session import talk
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.acts import table as acts
from spoof_tui.ui.acts.act import Asked
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.gestures import gesture_help, gesture_name
from spoof_tui.ui.wording.moderation import Proposal

if TYPE_CHECKING:
    from spoof_tui.plain.table import PlainTable
    from spoof_tui.runtime.client import TableClient


class TableActs:
    """Does what was typed: `spoof_tui.ui.acts.table.AtTable` in plain lines."""

    def __init__(self, table: PlainTable) -> None:
        self._table = table
        self._leaving: Final = Leaving(table)
        self._question = ""
        """What is done when the same is typed once more."""

    def do(self, asked: Asked) -> None:
        """Do it, or say why not."""
        question = self._question
        if asked.act.needs_table and (self._table.view is None or self._table.is_over):
            self.tell(_("You are not at the table. Type q to go back to the lobby."))
        else:
            acts.do(self, asked.act, asked.rest)
        if self._question == question:
            self._question = ""

    @property
    def facts(self) -> PlainTable:
        return self._table

    @property
    def client(self) -> TableClient:
        return self._table.client

    @property
    def _view(self) -> TableView:
        assert self._table.view is not None
        return self._table.view

    def tell(self, *lines: str) -> None:
        self._table.tell(*lines)

    def confirms(self, question: str) -> bool:
        if self._question == question:
            return True
        self._question = question
        self.tell(question)
        return False

    def talk(self, rest: str) -> None:
        said = talk(rest)
        if said is None:
            self.tell(_("Type what you want to say behind it: say hello."))
        else:
            self.client.state(said)

    def gesture(self, rest: str) -> None:
        view = self._view
        offers = [
            Offer(f"{gesture_name(each)}: {gesture_help(each, view)}".rstrip("."),
                     self._says(Gesticulate(each)))
            for each in Gesture if makes_sense(each, view)
        ]  # fmt: skip
        if not chosen(rest, offers):
            self._offer(pgettext("typed", "gesture"), offers)

    def _offer(self, name: str, offers: Sequence[Offer], head: str = "") -> None:
        ask = _("Type {name} and a number.").format(name=name)
        self.tell(*offer_lines(f"{head} {ask}".strip(), offers))

    def _says(self, statement: Message) -> Callable[[], None]:
        return lambda: self.client.state(statement)

    def turn_direction(self) -> None:
        table = self._table
        table.is_counter_clockwise = not table.is_counter_clockwise
        usual = way(self._view.direction)
        direction = _("counter-clockwise") if table.is_counter_clockwise else usual
        self.tell(sentence(_("direction: {way}").format(way=direction)) + ".")

    def tell_who(self) -> None:
        self.tell(*answers.who_lines(self._view, self._table.names, self._table.now))

    def explain(self) -> None:
        reveal = self._table.presentation.reveal
        self.tell(*answers.why_lines(self._view, self._table.names, reveal))

    def show_rounds(self) -> None:
        self.tell(*answers.round_lines(self._view, self._table.names))

    def ask_the_coach(self, hand: int) -> None:
        self.tell(*answers.odds_lines(self._view, hand))

    def show_rules(self) -> None:
        if self._table.view is not None:
            self.tell(*answers.rule_lines(self._view.rules))

    def show_slate(self, rest: str) -> None:
        view = self._view
        offers = slate_offers(view, self.client.state) if view.has_slate else []
        if chosen(rest, offers):
            return
        self.tell(*answers.slate_lines(view, self._table.names))
        if offers:
            head = _("You left first and order the drinks.") if view.may_order else ""
            self._offer(pgettext("typed", "slate"), offers, head)

    def invite(self) -> None:
        self.tell(*invitation_lines(self._table.address, self._table.code))

    def clear_strangers(self, strangers: Sequence[bytes], rest: str) -> None:
        if rest.casefold() in ("yes", _("yes").casefold()):
            self.client.clear(tuple(strangers))
            return
        names = ", ".join(measures.subject(self._view, key) for key in strangers)
        text = _("Never opened a fist here: {names}. To ban them and lock the table, type "
                 "{name} yes.")  # fmt: skip
        self.tell(text.format(names=names, name=pgettext("typed", "strangers")))

    def moderate(self, rest: str) -> None:
        offers = list(self._measures(self._view))
        if not chosen(rest, offers):
            head = _("You host this table: it counts at once.") if self.client.is_host else ""
            self._offer(pgettext("typed", "vote"), offers, head)

    def _measures(self, view: TableView) -> Iterator[Offer]:
        for key in measures.concerned(view):
            for measure in measures.possible(view, key):
                words = f"{measures.measure_name(measure)}: {measures.subject(view, key)}"
                yield Offer(words, self._decides(Proposal(measure, key), view))

    def _decides(self, proposal: Proposal, view: TableView) -> Callable[[], None]:
        return lambda: acts.decide(self.client, proposal, view)

    def examine(self) -> None:
        self._table.house.examine()

    def choose_options(self) -> None:
        self._table.house.turn_lines()

    def speak(self, language: str) -> None:
        self._table.house.speak(language)
        self._table.ask_again()

    def help(self) -> None:
        self.tell(*table_help(self._table))
        self._table.ask_again()

    def leave(self) -> None:
        self._leaving.ask()
