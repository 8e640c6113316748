"""What a notice from the background says to a player who reads lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Final

from protocol.rules.options import Rules
from protocol.views import TableView
from spoof_tui.door.opening import DoorFailed
from spoof_tui.network.addresses import Address, own_addresses
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.network.invitation import Invitation
from spoof_tui.runtime.notices import (
    Broken,
    CannotOpen,
    CodeAsked,
    ContinuedAt,
    DiskTrouble,
    DoorChanged,
    Ended,
    Explained,
    HandedTo,
    KeyInUse,
    NewCode,
    NotAllowed,
    NotKept,
    NotSaved,
    Opened,
    OpenElsewhere,
    Reopened,
    Saved,
    SeatHeld,
    Standing,
    TakenOver,
    TurnedAway,
    WentOn,
    WhileAway,
)
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.wording import sentences
from spoof_tui.ui.wording.absence import new_table_words
from spoof_tui.ui.wording.catch_up import missed
from spoof_tui.ui.wording.disk import disk_words, not_kept_words
from spoof_tui.ui.wording.names import name_of, seat_names

_NAME_CELLS: Final = 30
"""Cells of a foreign name in a sentence."""

OVER: Final = (Ended, Broken, CannotOpen, TakenOver)
"""Notices after which nothing can be done at the table."""


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of the table that a notice is about."""

    view: TableView | None = None
    found_at: str = "?"
    """Where somebody else's table was found."""

    @property
    def names(self) -> Sequence[str]:
        """What the seats are called."""
        return seat_names(self.view) if self.view else ()

    @property
    def rules(self) -> Rules | None:
        """What is played."""
        return self.view.rules if self.view else None


@singledispatch
def notice_lines(notice: object, place: Place) -> list[str]:
    """The lines of a notice; none, if the views tell what it is about."""
    return []


@notice_lines.register
def _not_allowed(notice: NotAllowed, place: Place) -> list[str]:
    return [sentences.why_not(notice.error, place.names)]


@notice_lines.register
def _saved(notice: Saved, place: Place) -> list[str]:
    return [_("Game saved: {path}").format(path=notice.record)]


@notice_lines.register
def _not_saved(notice: NotSaved, place: Place) -> list[str]:
    why = notice.error.strerror or str(notice.error)
    return [_("Not saved on this computer: {why}.").format(why=why)]


@notice_lines.register
def _disk_trouble(notice: DiskTrouble, place: Place) -> list[str]:
    return [disk_words(notice)]


@notice_lines.register
def _not_kept(notice: NotKept, place: Place) -> list[str]:
    return [not_kept_words(notice)]


@notice_lines.register
def _opened(notice: Opened, place: Place) -> list[str]:
    if not notice.address:
        return []
    return [*invitation_lines(notice.address, notice.code), notice.trouble or ""]


def invitation_lines(address: str, code: str | None) -> list[str]:
    """What the host tells the others, so that they find the table and come in."""
    line = Invitation(Address.parse(address), code).line
    lines = [_("Others find your table in their lobby, or type: {line}").format(line=line)]
    if code is not None:
        lines.append(_("Join code: {code}").format(code=" ".join(code)))
    return lines


@notice_lines.register
def _door_changed(notice: DoorChanged, place: Place) -> list[str]:
    said = notice.said
    if said is None:
        return [_("The door for ssh is closed.")]
    if isinstance(said, DoorFailed):
        return [said.why]
    host = next(iter(own_addresses()), "127.0.0.1")
    return [
        _("The door is open: {command}").format(command=said.invitation(host)),
        _("Its key: {fingerprint}").format(fingerprint=said.fingerprint),
    ]


@notice_lines.register
def _explained(notice: Explained, place: Place) -> list[str]:
    return finding_lines(notice.findings)


def finding_lines(findings: Sequence[Finding]) -> list[str]:
    """The worst that is in the way, and what to do about it; none if nothing is."""
    worst = next((each for each in findings if each.severity), None)
    if worst is None:
        return []
    from spoof_tui.ui.wording.findings import told
    from spoof_tui.ui.wording.told import sentence

    words = told(worst)
    return [words.headline, sentence(words.todo).rstrip(".") + "."]


@notice_lines.register
def _new_code(notice: NewCode, place: Place) -> list[str]:
    return [sentences.code_renewed(notice.why, " ".join(notice.code))]


@notice_lines.register
def _code_asked(notice: CodeAsked, place: Place) -> list[str]:
    asked = _("The table asks for its join code: type it, or q to leave.")
    return [sentences.code_asked(notice.why), asked]


@notice_lines.register
def _seat_held(notice: SeatHeld, place: Place) -> list[str]:
    other = _("Type yes to take it over, or q to leave.")
    if notice.is_other_free:
        other = _("Type yes to take it over, no to sit down as somebody else, or q to leave.")
    return [sentences.seat_held(notice.holder), other]


@notice_lines.register
def _standing(notice: Standing, place: Place) -> list[str]:
    return [_("This computer is taking over the table: asking the others to follow …")]


@notice_lines.register
def _open_elsewhere(notice: OpenElsewhere, place: Place) -> list[str]:
    text = _("{name} now hosts the table: you come back as a player.")
    return [text.format(name=show(notice.host, _NAME_CELLS))]


@notice_lines.register
def _while_away(notice: WhileAway, place: Place) -> list[str]:
    lines = missed(notice.entries, place.view) if place.view else ()
    return [f"{_('While you were away')}:", *lines] if lines else []


@notice_lines.register
def _went_on(notice: WentOn, place: Place) -> list[str]:
    return [_("The game goes on at a new table.")]


@notice_lines.register
def _continued_at(notice: ContinuedAt, place: Place) -> list[str]:
    return [new_table_words(place.view, notice.card)] if place.view else []


@notice_lines.register
def _handed_to(notice: HandedTo, place: Place) -> list[str]:
    view = place.view
    if view is None or notice.seat == view.host:
        return []
    if view.my_seat is not None and view.my_seat.key == notice.seat:
        return [_("The host gives the table to you.")]
    return [_("The host gives the table to {name}.").format(name=name_of(view, notice.seat))]


@notice_lines.register
def _turned_away(notice: TurnedAway, place: Place) -> list[str]:
    return [sentences.turned_away(notice.why, place.found_at)]


@notice_lines.register
def _ended(notice: Ended, place: Place) -> list[str]:
    return [sentences.farewell(notice.why)]


@notice_lines.register
def _reopened(notice: Reopened, place: Place) -> list[str]:
    return [_("The table is open again. Press Enter to come back to your seat.")]


@notice_lines.register
def _broken(notice: Broken, place: Place) -> list[str]:
    why = str(notice.error)
    if notice.fault is not None:
        why = sentences.fault(notice.fault, place.names, place.rules)
    return [sentences.broken(why, str(notice.evidence) if notice.evidence else None)]


@notice_lines.register
def _cannot_open(notice: CannotOpen, place: Place) -> list[str]:
    if isinstance(notice.error, KeyInUse):
        return [sentences.key_in_use(notice.error.holder)]
    return [sentences.cannot_open(notice.error)]


@notice_lines.register
def _taken_over(notice: TakenOver, place: Place) -> list[str]:
    return [sentences.taken_over(notice.holder)]
