"""What the commands at a table do: each answers in lines, or says something at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from protocol.encoding.codec import Message
from protocol.errors import Illegal, Reason
from protocol.manners import makes_sense
from protocol.table.statements import NO_ONE, VOTED, Gesticulate, Gesture, Measure, Vote
from protocol.views import TableView
from spoof_tui.bots.levels import Level
from spoof_tui.clock import now
from spoof_tui.plain import answers
from spoof_tui.plain.help import table_help
from spoof_tui.plain.notices import invitation_lines
from spoof_tui.plain.offers import Offer, chosen, offer_lines
from spoof_tui.plain.parting import Leaving
from spoof_tui.plain.saying import sentence, way
from spoof_tui.plain.slate import slate_offers
from spoof_tui.plain.typed import Asked, Command, name
from spoof_tui.runtime.session import talk
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording import absence, new_table
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.gestures import gesture_help, gesture_name
from spoof_tui.ui.wording.moderation import Proposal
from spoof_tui.ui.wording.sentences import why_not

if TYPE_CHECKING:
    from spoof_tui.plain.table import PlainTable
    from spoof_tui.runtime.client import TableClient

_NEED_A_SEAT: Final = frozenset(
    {
        Command.TALK,
        Command.SHOUT,
        Command.GESTURE,
        Command.PAUSE,
        Command.PLAY_ON,
        Command.MEASURE,
    }
)
_ANYWHERE: Final = frozenset(
    {Command.LEAVE, Command.HELP, Command.LANGUAGE, Command.NETWORK, Command.RULES}
)
"""Commands that need no table."""


class TableActs:
    """Does what a command is for."""

    def __init__(self, table: PlainTable) -> None:
        self._table = table
        self.leaving: Final = Leaving(table)

    @property
    def _client(self) -> TableClient:
        return self._table.client

    def do(self, asked: Asked) -> None:
        """Do it, or say why not."""
        command, view = asked.command, self._table.view
        assert isinstance(command, Command)
        if view is None or (self._table.is_over and command not in _ANYWHERE):
            if command in _ANYWHERE:
                _DO_ANYWHERE[command](self, asked.rest)
            else:
                self._tell(_("You are not at the table. Type q to go back to the lobby."))
        elif command in _NEED_A_SEAT and not self._may_act(view):
            self._tell(self._forbidden(Reason.NO_SEAT))
        elif command in _DO_ANYWHERE:
            _DO_ANYWHERE[command](self, asked.rest)
        else:
            _DO[command](self, view, asked.rest)

    def _may_act(self, view: TableView) -> bool:
        return measures.sits(view) or self._table.continued is not None

    def _tell(self, *lines: str) -> None:
        self._table.tell(*lines)

    def _forbidden(self, reason: Reason) -> str:
        return why_not(Illegal(reason), self._table.names)

    # Playing

    def _ready(self, view: TableView, _rest: str) -> None:
        if view.went_along:
            self._client.stay_behind()
        elif measures.sits(view):
            self._client.ready()
        else:
            self._client.sit()

    def _talk(self, _view: TableView, rest: str) -> None:
        said = talk(rest)
        if said is None:
            self._tell(_("Type what you want to say behind it: say hello."))
        else:
            self._client.state(said)

    def _shout(self, _view: TableView, _rest: str) -> None:
        self._client.state(Gesticulate(Gesture.MITT_FULL))

    def _gesture(self, view: TableView, rest: str) -> None:
        """Make a gesture, or tell those that make sense now."""
        offers = [
            Offer(f"{gesture_name(each)}: {gesture_help(each, view)}".rstrip("."),
                     self._says(Gesticulate(each)))
            for each in Gesture if makes_sense(each, view)
        ]  # fmt: skip
        if not chosen(rest, offers):
            self._tell(
                *offer_lines(
                    _("Type {name} and a number.").format(name=name(Command.GESTURE)), offers
                )
            )

    def _turn(self, view: TableView, _rest: str) -> None:
        if not view.may_turn:
            self._tell(self._forbidden(Reason.DIRECTION_FIXED))
            return
        table = self._table
        table.is_counter_clockwise = not table.is_counter_clockwise
        direction = _("counter-clockwise") if table.is_counter_clockwise else way(view.direction)
        self._tell(sentence(_("direction: {way}").format(way=direction)) + ".")

    def _play_on(self, view: TableView, _rest: str) -> None:
        """Vote to play on without who is away, or go on at a new table."""
        if self._table.continued is not None:
            self._client.follow()
        elif view.new_table is not None:
            if new_table.is_asked(view):
                self._client.agree(yes=not new_table.has_agreed(view))
            else:
                self._tell(new_table.too_soon(view))
        else:
            votes = absence.next_votes(view, self._now(view))
            if not votes:
                self._tell(absence.too_soon(view, self._now(view)))
            for vote in votes:
                self._client.state(vote)

    def _now(self, view: TableView) -> int:
        return max(view.time, now().wall)

    # Asking

    def _who(self, view: TableView, _rest: str) -> None:
        self._tell(*answers.who_lines(view, self._table.names, self._now(view)))

    def _why(self, view: TableView, _rest: str) -> None:
        reveal = self._table.presentation.reveal
        self._tell(*answers.why_lines(view, self._table.names, reveal))

    def _rounds(self, view: TableView, _rest: str) -> None:
        self._tell(*answers.round_lines(view, self._table.names))

    def _odds(self, view: TableView, _rest: str) -> None:
        hand = self._client.peek()
        if not self._table.is_practice:
            self._tell(_("The coach sits at practice tables only."))
        elif not view.my_turn or view.is_guessing or hand is None:
            self._tell(_("The coach speaks when it is your turn to bid."))
        else:
            self._tell(*answers.odds_lines(view, hand))

    def _slate(self, view: TableView, rest: str) -> None:
        if not (view.has_slate or view.counts_rounds):
            self._tell(self._forbidden(Reason.GUESSING_ONLY))
            return
        offers = slate_offers(view, self._client.state) if view.has_slate else []
        if chosen(rest, offers):
            return
        self._tell(*answers.slate_lines(view, self._table.names))
        if offers:
            head = _("Type {name} and a number.")
            if view.may_order:
                head = _("You left first and order the drinks. Type {name} and a number.")
            self._tell(*offer_lines(head.format(name=name(Command.SLATE)), offers))

    def _says(self, statement: Message) -> Callable[[], None]:
        return lambda: self._client.state(statement)

    def _help(self, _rest: str) -> None:
        table = self._table
        lines = table_help(table.view, is_host=self._client.is_host, is_practice=table.is_practice)
        self._tell(*lines)
        table.ask_again()

    def _rules(self, _rest: str) -> None:
        if self._table.view is not None:
            self._tell(*answers.rule_lines(self._table.view.rules))

    def _network(self, _rest: str) -> None:
        self._table.house.examine()

    def _language(self, rest: str) -> None:
        self._table.house.speak(rest)
        self._table.ask_again()

    # Hosting, and keeping order

    def _bot(self, _view: TableView, rest: str) -> None:
        if not self._client.is_host:
            self._tell(_("Only the host can add a bot."))
            return
        levels = {level.value: level for level in Level}
        if rest and rest.casefold() not in levels:
            self._tell(_("a level is one of {known}").format(known=", ".join(levels)))
            return
        self._client.add_bot(levels.get(rest.casefold(), Level.MEDIUM))

    def _invite(self, _view: TableView, _rest: str) -> None:
        if not self._table.address:
            self._tell(_("Only the host can invite: the address and the code are theirs."))
        else:
            self._tell(*invitation_lines(self._table.address, self._table.code))

    def _code(self, _view: TableView, _rest: str) -> None:
        if self._table.code is not None:
            self._client.renew_code()
        elif (was_shut := self._client.is_shut) is not None:
            self._client.shut()
            if not was_shut:
                self._tell(_("The table is locked: only who sat here before can come in. "
                             "n opens it."))  # fmt: skip
        else:
            self._tell(_("This table has no code to change."))

    def _strangers(self, view: TableView, rest: str) -> None:
        strangers = self._client.known.strangers
        if not strangers:
            self._tell(_("No stranger sits at an open table of yours."))
        elif rest.casefold() in ("yes", _("yes").casefold()):
            self._client.clear(strangers)
        else:
            names = ", ".join(measures.subject(view, key) for key in strangers)
            text = _("Never opened a fist here: {names}. To ban them and lock the table, type "
                     "{name} yes.")  # fmt: skip
            self._tell(text.format(names=names, name=name(Command.STRANGERS)))

    def _pause(self, view: TableView, _rest: str) -> None:
        measure = Measure.GO_ON if view.paused else Measure.PAUSE
        self._decide(Proposal(measure, NO_ONE), view)

    def _decide(self, proposal: Proposal, view: TableView) -> None:
        """As host, carry it at once; else vote for it, or take the vote back."""
        if self._client.is_host and proposal.measure not in VOTED:
            self._client.decide(proposal.measure, proposal.seat)
        else:
            yes = not measures.has_voted(proposal, view)
            self._client.state(Vote(proposal.measure, proposal.seat, yes=yes))

    def _measure(self, view: TableView, rest: str) -> None:
        offers = list(self._measures(view))
        if not chosen(rest, offers):
            head = _("You host this table: it counts at once.") if self._client.is_host else ""
            ask = _("Type {name} and a number.").format(name=name(Command.MEASURE))
            self._tell(*offer_lines(f"{head} {ask}".strip(), offers))

    def _measures(self, view: TableView) -> Iterator[Offer]:
        for key in measures.concerned(view):
            for measure in measures.possible(view, key):
                words = f"{measures.measure_name(measure)}: {measures.subject(view, key)}"
                yield Offer(words, self._decides(Proposal(measure, key), view))

    def _decides(self, proposal: Proposal, view: TableView) -> Callable[[], None]:
        return lambda: self._decide(proposal, view)


_DO: Final[Mapping[Command, Callable[[TableActs, TableView, str], None]]] = {
    Command.READY: TableActs._ready,
    Command.TALK: TableActs._talk,
    Command.SHOUT: TableActs._shout,
    Command.GESTURE: TableActs._gesture,
    Command.TURN: TableActs._turn,
    Command.WHO: TableActs._who,
    Command.WHY: TableActs._why,
    Command.ROUNDS: TableActs._rounds,
    Command.COACH: TableActs._odds,
    Command.SLATE: TableActs._slate,
    Command.BOT: TableActs._bot,
    Command.INVITE: TableActs._invite,
    Command.CODE: TableActs._code,
    Command.STRANGERS: TableActs._strangers,
    Command.PAUSE: TableActs._pause,
    Command.PLAY_ON: TableActs._play_on,
    Command.MEASURE: TableActs._measure,
}

_DO_ANYWHERE: Final[Mapping[Command, Callable[[TableActs, str], None]]] = {
    Command.RULES: TableActs._rules,
    Command.NETWORK: TableActs._network,
    Command.LANGUAGE: TableActs._language,
    Command.HELP: TableActs._help,
    Command.LEAVE: lambda acts, _rest: acts.leaving.ask(),
}
