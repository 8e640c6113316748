"""The slate of the guessing game: what a key means on it, and how it is drawn.

It lists the players with what they owe, and below them the fines; one line of both is bright.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from protocol.errors import Illegal, Reason
from protocol.rules.game import PlayedRound
from protocol.rules.slate import Fine, Slate
from protocol.rules.words import Drink, Offence
from protocol.table.statements import AwardFine, Elect, LiftFine, Order
from protocol.views import SeatView, TableView
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import fit
from spoof_tui.ui.canvas.page import BRIGHT, Pieces, Row, entry
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.wording.names import name_of
from spoof_tui.ui.wording.sentences import drink_name, offence_name

AWARDED: Final = (
    Offence.GLOATING,
    Offence.REFUSING,
    Offence.NOT_ORDERING,
    Offence.LEFT_AFTER_LOSS,
    Offence.OTHER,
)
"""What a chairman fines; the house finds out the rest by itself."""

_STROKE: Final = "▌"
"""One drink on the slate."""

_INDENT: Final = 2
"""Columns left free for the sign of what is bright."""

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
        if hidden and fine.by is None:
            hidden -= 1
        else:
            fines.append(fine)
    return replace(slate, fines=tuple(reversed(fines)))


# Keys


Deed = Elect | AwardFine | LiftFine | Order
"""What a key of the slate says."""


class Question(Enum):
    """What is asked before a deed is done."""

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

    def press(self, key: str, view: TableView) -> Deed | None:
        """The deed of a key; None when it only moved, asked or was refused."""
        self.error = None
        if not view.seats:
            return None
        question, self.question = self.question, None
        if question is not None and key.isdigit():
            return self._answer(question, int(key), view)
        if question is None and key in ("up", "k", "down", "j"):
            self._move(-1 if key in ("up", "k") else 1, view)
        elif key == "v":
            return Elect(self._player(view).key)
        elif key == "a":
            self._ask(Question.OFFENCE, Reason.NOT_CHAIRMAN, is_chairman(view))
        elif key == "o":
            self._ask(Question.DRINK, Reason.NOT_FIRST_OUT, view.may_order)
        elif key in ("l", "x"):
            return self._lift(view)
        return None

    def fine(self, view: TableView) -> int | None:
        """The fine that is bright, by its number on the slate."""
        place = self.bright - len(view.seats)
        return len(view.slate.fines) - 1 - place if 0 <= place < len(view.slate.fines) else None

    def _player(self, view: TableView) -> SeatView:
        """The player that is bright, or whose fine is."""
        fine = self.fine(view)
        if fine is not None:
            key = view.slate.fines[fine].key
            return next((seat for seat in view.seats if seat.key == key), view.seats[0])
        return view.seats[min(self.bright, len(view.seats) - 1)]

    def _move(self, by: int, view: TableView) -> None:
        self.bright = (self.bright + by) % (len(view.seats) + len(view.slate.fines))

    def _ask(self, question: Question, otherwise: Reason, may: bool) -> None:
        if may:
            self.question = question
        else:
            self.error = Illegal(otherwise)

    def _lift(self, view: TableView) -> LiftFine | None:
        index = self.fine(view)
        if not is_chairman(view):
            self.error = Illegal(Reason.NOT_CHAIRMAN)
        elif index is None:
            self.error = Illegal(Reason.NO_SUCH_FINE)
        else:
            return LiftFine(index)
        return None

    def _answer(self, question: Question, number: int, view: TableView) -> Deed | None:
        if question is Question.OFFENCE and 1 <= number <= len(AWARDED):
            return AwardFine(self._player(view).key, AWARDED[number - 1])
        if question is Question.DRINK and 1 <= number <= len(Drink):
            return Order(list(Drink)[number - 1])
        return None


def is_chairman(view: TableView) -> bool:
    """Whether the player is the chairman."""
    return view.my_seat is not None and view.my_seat.key == view.chairman


# Drawing


def rows(view: TableView, names: Sequence[str], controls: SlateControls, width: int) -> list[Row]:
    """The slate in rows of `width` columns."""
    slate = view.slate
    bright = min(controls.bright, len(view.seats) + len(slate.fines) - 1)
    page = [
        _player(view, names[index], index == bright, seat, slate, width)
        for index, seat in enumerate(view.seats)
    ]
    page += [Row(), Row([(_("Fines"), palette.STRONG)])]
    if not slate.fines:
        page += entry((), _("Nobody has been fined yet."), _INDENT, width, palette.QUIET)
    for place, fine in enumerate(reversed(slate.fines), len(view.seats)):
        page.append(_fine(view, fine, place == bright, width))
    page += _drinks(view, slate, width)
    return [*page, *_question(view, names, controls, width)]


def _player(
    view: TableView, name: str, is_bright: bool, seat: SeatView, slate: Slate, width: int
) -> Row:
    owed = slate.owed(seat.key)
    drinks = ngettext("{count} drink", "{count} drinks", owed).format(count=owed) if owed else ""
    pieces = [
        _pointer(is_bright),
        (_column(name, _NAME), palette.BOLD if is_bright else palette.TEXT),
        *_role(view, seat, slate, min(_ROLE, width - _INDENT - _NAME - _OWED)),
        (tally(owed, _MAX_STROKES) + "  ", palette.WRONG),
        (drinks, palette.TEXT),
    ]
    return Row(pieces, BRIGHT if is_bright else "")


def _role(view: TableView, seat: SeatView, slate: Slate, width: int) -> Pieces:
    sitting = {each.key for each in view.seats}
    votes = Counter(whom for voter, whom in slate.votes.items() if voter in sitting)[seat.key]
    told = ngettext("{count} vote", "{count} votes", votes).format(count=votes) if votes else ""
    if seat.key != view.chairman:
        return [(_column(told, width), palette.QUIET)]
    words = f"{glyphs().star} " + _("chairman")
    if told:
        told = f", {told}"
    words = fit(words, width - 1)
    return [(words, palette.BRIGHT), (_column(told, width - cell_len(words)), palette.QUIET)]


def _fine(view: TableView, fine: Fine, is_bright: bool, width: int) -> Row:
    by = _("the house") if fine.by is None else name_of(view, fine.by)
    look = palette.TEXT
    end = _("by {name}").format(name=by)
    if fine.lifted:
        look, end = palette.QUIET + Style(strike=True), _("lifted")
    name, words = name_of(view, fine.key), offence_name(fine.offence)
    room = width - 2 - _NAME - cell_len(end) - 1
    pieces = [
        _pointer(is_bright),
        (fit(name, _NAME - 2), look),
        (" " * (_NAME - cell_len(fit(name, _NAME - 2))), palette.TEXT),
        (fit(words, room), look),
        (" " * (room - cell_len(fit(words, room)) + 1), palette.TEXT),
        (end, palette.QUIET),
    ]
    return Row(pieces, BRIGHT if is_bright else "")


def _drinks(view: TableView, slate: Slate, width: int) -> list[Row]:
    page: list[Row] = []
    for number, key, drink in slate.orders:
        text = _("School {number}: {name} left first and ordered {drink}.")
        name = name_of(view, key)
        text = text.format(number=number, name=name, drink=drink_name(drink))
        page += entry((), text, _INDENT, width)
    for key, count in Counter(slate.paid).items():
        text = ngettext(
            "{name} was honoured to pay.", "{name} was honoured to pay {count} times.", count
        )
        page += entry((), text.format(name=name_of(view, key), count=count), _INDENT, width)
    if view.may_order:
        text = _("You left first, and everybody is thirsty: o orders the drinks (H10).")
        page += entry((), text, _INDENT, width, palette.STRONG)
    return [Row(), Row([(_("Drinks"), palette.STRONG)]), *page] if page else []


def _question(
    view: TableView, names: Sequence[str], controls: SlateControls, width: int
) -> list[Row]:
    if controls.question is None:
        return []
    if controls.question is Question.DRINK:
        head, choices = _("What does everybody get?"), [drink_name(drink) for drink in Drink]
    else:
        head = _("What is {name} fined for?").format(
            name=names[view.seats.index(controls._player(view))]
        )
        choices = [offence_name(offence) for offence in AWARDED]
    page = [Row(), Row([(head, palette.STRONG)], BRIGHT)]
    for digit, words in enumerate(choices, 1):
        page.append(Row([(f"  {digit} ", palette.KEY), (words, palette.TEXT)], BRIGHT))
    return page


def _pointer(is_bright: bool) -> tuple[str, Style]:
    return (glyphs().pointer + " " if is_bright else "  ", palette.BRIGHT)


def _column(text: str, width: int) -> str:
    text = fit(text, width - 1)
    return text + " " * (width - cell_len(text))
