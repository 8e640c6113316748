"""The slate: what a key means on it, and how it is drawn.

It lists the players with what they owe, and below them the fines; one line of both is bright.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from rich.cells import cell_len
from textual.content import Content

from protocol.errors import Illegal, Reason
from protocol.rules.game import PlayedRound
from protocol.rules.slate import Fine, Slate
from protocol.rules.words import Drink, Offence
from protocol.table.statements import AwardFine, Elect, LiftFine, Order
from protocol.views import SeatView, TableView
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas.cells import fit
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.dialogs.reading import column
from spoof_tui.ui.wording.names import name_of
from spoof_tui.ui.wording.sentences import AWARDED, drink_name, offence_name, payers

_STROKE: Final = "▌"
"""One drink on the slate."""

_HEADING: Final = "bold $accent"

_NAME: Final = 15
_ROLE: Final = 24
_MAX_STROKES: Final = 7
_OWED: Final = _MAX_STROKES + 12
"""Columns of the strokes and the number of drinks."""


# Words


def tally(drinks: int, width: int) -> str:
    """Strokes on the slate, or where there are too many a number."""
    return _STROKE * drinks if drinks <= width else f"{_STROKE}×{drinks}"


def slate_before(slate: Slate, played: PlayedRound) -> Slate:
    """The slate without what the house fined in a round whose fists are still opening."""
    hidden = len(played.outcome.fined)
    fines: list[Fine] = []
    for fine in reversed(slate.fines):
        if hidden and fine.by is None and fine.offence is not Offence.GLOATING:
            hidden -= 1
        else:
            fines.append(fine)
    return replace(slate, fines=tuple(reversed(fines)))


# Keys


SlateStatement: TypeAlias = Elect | AwardFine | LiftFine | Order
"""What a key of the slate states."""


class Question(Enum):
    """What is asked before something is stated."""

    OFFENCE = "offence"
    DRINK = "drink"


@dataclass(slots=True)
class SlateControls:
    """Which line is bright, and what is being asked."""

    bright: int = 0
    """A seat, or after the seats a fine, the newest first."""
    question: Question | None = None
    error: Illegal | None = None
    """Why the last key did nothing."""

    def press(self, key: str, view: TableView) -> SlateStatement | None:
        """The statement of a key; None when it only moved, asked or was refused."""
        self.error = None
        if not (view.seats and view.has_slate):
            return None
        question, self.question = self.question, None
        if question is not None and key.isdigit():
            return self._answer(question, int(key), view)
        if key == "v":
            return Elect(self.player(view).key)
        if key != "enter":
            return None
        if view.may_order:
            self.question = Question.DRINK
        elif self.fine(view) is not None:
            return self._lift(view)
        elif is_chairman(view):
            self.question = Question.OFFENCE
        else:
            self.error = Illegal(Reason.NOT_CHAIRMAN)
        return None

    def fine(self, view: TableView) -> int | None:
        """The fine that is bright, by its number on the slate."""
        place = self.bright - len(view.seats)
        return len(view.slate.fines) - 1 - place if 0 <= place < len(view.slate.fines) else None

    def player(self, view: TableView) -> SeatView:
        """The player that is bright, or whose fine is."""
        fine = self.fine(view)
        if fine is not None:
            key = view.slate.fines[fine].key
            return next((seat for seat in view.seats if seat.key == key), view.seats[0])
        return view.seats[min(self.bright, len(view.seats) - 1)]

    def _lift(self, view: TableView) -> LiftFine | None:
        index = self.fine(view)
        if index is not None and is_chairman(view):
            return LiftFine(index)
        self.error = Illegal(Reason.NOT_CHAIRMAN)
        return None

    def _answer(self, question: Question, number: int, view: TableView) -> SlateStatement | None:
        if question is Question.OFFENCE and 1 <= number <= len(AWARDED):
            return AwardFine(self.player(view).key, AWARDED[number - 1])
        if question is Question.DRINK and 1 <= number <= len(Drink):
            return Order(list(Drink)[number - 1])
        return None


def is_chairman(view: TableView) -> bool:
    """Whether the player is the chairman."""
    return view.my_seat is not None and view.my_seat.key == view.chairman


# Its lines


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the slate."""

    text: Content
    is_bright: bool = False
    """Whether it is a player or a fine, and can be made bright."""


def lines(view: TableView, names: Sequence[str], width: int) -> list[Line]:
    """The slate in lines of at most `width` columns; those that are no choice may be broken."""
    slate = view.slate
    page = [
        Line(_player(view, names[place], seat, width), is_bright=True)
        for place, seat in enumerate(view.seats)
    ]
    if view.has_slate:
        page += [Line(Content()), Line(Content.styled(_("Fines"), _HEADING))]
        if not slate.fines:
            page.append(Line(Content.styled(_("Nobody has been fined yet."), "$quiet")))
        page += [Line(_fine(view, fine, width), is_bright=True) for fine in reversed(slate.fines)]
    return [*page, *(Line(text) for text in _drinks(view, slate))]


def _player(view: TableView, name: str, seat: SeatView, width: int) -> Content:
    owed = view.slate.owed(seat.key)
    drinks = ngettext("{count} drink", "{count} drinks", owed).format(count=owed) if owed else ""
    return Content.assemble(
        (column(fit(name, _NAME - 1), _NAME), "bold"),
        _role(view, seat, min(_ROLE, width - _NAME - _OWED)),
        (tally(owed, _MAX_STROKES) + "  ", "$error"),
        drinks,
    )


def _role(view: TableView, seat: SeatView, width: int) -> Content:
    sitting = {each.key for each in view.seats}
    votes = Counter(whom for voter, whom in view.slate.votes.items() if voter in sitting)[seat.key]
    told = ngettext("{count} vote", "{count} votes", votes).format(count=votes) if votes else ""
    if seat.key != view.chairman:
        return Content.styled(column(fit(told, width - 1), width), "$quiet")
    words = fit(f"{glyphs().star} " + _("chairman"), width - 1)
    rest = width - cell_len(words)
    told = column(fit(f", {told}", rest - 1) if told else "", rest)
    return Content.assemble((words, "$accent"), (told, "$quiet"))


def _fine(view: TableView, fine: Fine, width: int) -> Content:
    by = _("the house") if fine.by is None else name_of(view, fine.by)
    look, end = "", _("by {name}").format(name=by)
    if fine.lifted:
        look, end = "strike $quiet", _("lifted")
    name = fit(name_of(view, fine.key), _NAME - 2)
    room = width - _NAME - cell_len(end) - 1
    words = fit(offence_name(fine.offence), room)
    return Content.assemble(
        (name, look),
        " " * (_NAME - cell_len(name)),
        (words, look),
        " " * (room - cell_len(words) + 1),
        (end, "$quiet"),
    )


def _drinks(view: TableView, slate: Slate) -> list[Content]:
    page: list[Content] = []
    for number, key, drink in slate.orders:
        text = _("School {number}: {name} left first and ordered {drink}.")
        name = name_of(view, key)
        page.append(Content(text.format(number=number, name=name, drink=drink_name(drink))))
    look = "$quiet" if view.counts_rounds and not view.stakes.paid else ""
    page += [Content.styled(text, look) for text in payers(view)]
    if view.may_order:
        text = _("You left first, and everybody is thirsty: Enter orders the drinks.")
        page.append(Content.styled(text, _HEADING))
    return [Content(), Content.styled(_("Drinks"), _HEADING), *page] if page else []


def asked(view: TableView, names: Sequence[str], controls: SlateControls) -> list[Content]:
    """The question that is open, and its answers by their digits; nothing if none is."""
    if controls.question is None:
        return []
    if controls.question is Question.DRINK:
        head, answers = _("What does everybody get?"), [drink_name(drink) for drink in Drink]
    else:
        name = names[view.seats.index(controls.player(view))]
        head = _("What is {name} fined for?").format(name=name)
        answers = [offence_name(offence) for offence in AWARDED]
    numbered = [
        Content.assemble((f"  {digit} ", "bold $accent"), words)
        for digit, words in enumerate(answers, 1)
    ]
    return [Content.styled(head, _HEADING), *numbered]
