"""Applies notices from the background to the state of a table, and words them for the player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from protocol.guest.effects import CodeWanted, HandedOver, WentOn
from spoof_tui.door.program import DoorFailed, DoorOpened
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.network.invitation import Invitation
from spoof_tui.runtime.notices import (
    AddressesChanged,
    Broken,
    CannotOpen,
    CodeChange,
    ContinuedAt,
    DiskTrouble,
    DoorChanged,
    Ended,
    Explained,
    KeyInUse,
    Moved,
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
    WhileAway,
)
from spoof_tui.storage import files
from spoof_tui.storage.paths import short
from spoof_tui.telling import sentences
from spoof_tui.telling.absence import missed, moved_words, new_table_words, unseen
from spoof_tui.telling.doors import door_lines
from spoof_tui.telling.names import name_of, seat_names
from spoof_tui.telling.pressing import press
from spoof_tui.telling.table_state import TableState, Told
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.text.system_errors import reason_of


def disk_words(notice: DiskTrouble) -> str:
    """The message that the disk cannot be written and the game has to wait, or that it can be
    again."""
    error = notice.error
    if error is None:
        if notice.is_host:
            return _("Spoof can write to the disk again: the table goes on.")
        return _("Spoof can write to the disk again.")
    if error.errno in files.FULL:
        if notice.is_host:
            return _("This computer’s disk is full: the table stands still until there is room.")
        return _("This computer’s disk is full: you cannot play on until there is room.")
    text = _(
        "Spoof cannot write to this computer’s disk ({why}): until it can, you cannot play on."
    )
    if notice.is_host:
        text = _("Spoof cannot write to this computer’s disk ({why}): the table stands still.")
    return text.format(why=reason_of(error))


def not_kept_words(notice: NotKept) -> str:
    """The message that nothing is saved: the table or seat is lost when the program ends."""
    if notice.is_host:
        return _("Nothing is kept here: the table ends with this program.")
    return _("Nothing is kept here: your seat ends with this program.")


_NAME_CELLS: Final = 30
"""Maximum cells of another player's name in a sentence."""


def note(notice: object, table: TableState) -> Told:
    """Update `table` with a notice; return what the player is told about it."""
    told = _noted(notice, table)
    if told.is_over:
        table.over = " ".join(told.lines)
        table.over_title = told.title or table.over_title
    return told


@singledispatch
def _noted(notice: object, table: TableState) -> Told:
    return Told()


@_noted.register
def _not_allowed(notice: NotAllowed, table: TableState) -> Told:
    names = seat_names(table.view) if table.view else ()
    return Told((sentences.why_not(notice.error, names),))


@_noted.register
def _not_saved(notice: NotSaved, table: TableState) -> Told:
    why = reason_of(notice.error)
    return Told((_("Not saved on this computer: {why}.").format(why=why),))


@_noted.register
def _disk_trouble(notice: DiskTrouble, table: TableState) -> Told:
    words = disk_words(notice)
    table.disk = words if notice.error else ""
    return Told((words,))


@_noted.register
def _not_kept(notice: NotKept, table: TableState) -> Told:
    return Told((not_kept_words(notice),))


@_noted.register
def _open_elsewhere(notice: OpenElsewhere, table: TableState) -> Told:
    table.address, table.is_told_who_hosts, table.is_opening = "", True, False
    text = _("{name} now hosts the table: you come back as a player.")
    return Told((text.format(name=show(notice.host, _NAME_CELLS)),), _("The table has moved"))


@_noted.register
def _while_away(notice: WhileAway, table: TableState) -> Told:
    lines = missed(notice.entries, table.view) if table.view else ()
    table.unseen = unseen(notice.entries, table.view) if table.view else frozenset()
    if table.view and (moved := moved_words(table.view)) in {each.text for each in table.events}:
        # That was told when the log came.
        lines = tuple(filter(None, (line.replace(moved, "").strip() for line in lines)))
    title = _("While you were away")
    return Told(lines, title, aloud=(f"{title}:", *lines)) if lines else Told()


@_noted.register
def _went_on(notice: WentOn, table: TableState) -> Told:
    return Told((_("The game goes on at a new table."),), _("A new table"))


@_noted.register
def _handed_to(notice: HandedOver, table: TableState) -> Told:
    view = table.view
    if view is None or notice.seat == view.host:
        # The host merely wants to be elected again.
        return Told()
    name = name_of(view, notice.seat)
    text = _("The host hands the table over to {name}.").format(name=name)
    if view.my_seat is not None and view.my_seat.key == notice.seat:
        text = _("The host hands the table over to you.")
    return Told((text,), _("The table moves"))


@_noted.register
def _turned_away(notice: TurnedAway, table: TableState) -> Told:
    table.turned_away = sentences.turned_away(notice.why)
    return Told(aloud=(table.turned_away,))


@_noted.register
def _ended(notice: Ended, table: TableState) -> Told:
    return Told((sentences.farewell(notice.why),), is_over=True)


@_noted.register
def _broken(notice: Broken, table: TableState) -> Told:
    why, view = str(notice.error), table.view
    if notice.fault is not None:
        names = seat_names(view) if view else ()
        why = sentences.fault(notice.fault, names, view.rules if view else None)
    path = str(short(notice.evidence)) if notice.evidence else None
    return Told((sentences.broken(why, path),), is_over=True)


@_noted.register
def _cannot_open(notice: CannotOpen, table: TableState) -> Told:
    if isinstance(notice.error, KeyInUse):
        words = sentences.key_in_use(notice.error.holder)
        return Told((words,), _("Your seat is in another window"), is_over=True)
    title, why = sentences.no_table_title(notice.error), sentences.cannot_open(notice.error)
    table.over_advice = sentences.advice_on(notice.error)
    return Told((why,), title, is_over=True)


@_noted.register
def _taken_over(notice: TakenOver, table: TableState) -> Told:
    words = sentences.taken_over(notice.holder)
    return Told((words,), _("Your seat is in another window"), is_over=True)


@_noted.register
def _saved(notice: Saved, table: TableState) -> Told:
    table.record = short(notice.record)
    return Told(aloud=(_("Game saved: {path}").format(path=notice.record),))


@_noted.register
def _opened(notice: Opened, table: TableState) -> Told:
    table.is_practice = notice.port is None
    table.trouble, table.code, table.address = notice.trouble, notice.code, notice.address
    title = _("Hosting") if table.is_opening else _("The table has moved")
    table.is_opening = False
    if not notice.address:
        return Told()
    aloud = (*invitation_lines(notice.address, notice.code), notice.trouble or "")
    if not (notice.code and notice.is_anew):
        return Told(aloud=aloud)
    table.code_news = code_renewed(CodeChange.REOPENED, notice.code)
    return Told((table.code_news,), title, aloud=aloud)


@_noted.register
def _addresses_changed(notice: AddressesChanged, table: TableState) -> Told:
    before, table.address, table.trouble = table.address, notice.address, notice.trouble
    if notice.address in ("", before):
        return Told(aloud=(notice.trouble,) if notice.trouble else ())
    how = invitation_lines(notice.address, table.code)
    if not before or Address.parse(before).is_loopback:
        # Whoever takes a table over has told nobody an address yet.
        return Told(aloud=how)
    new = _("This computer has another address now: {address}").format(address=notice.address)
    return Told((new,), aloud=(new, *how))


def invitation_lines(address: str, code: str | None) -> tuple[str, ...]:
    """What the host tells others so that they find the table and get in: a command, and any join
    code."""
    line = Invitation(Address.parse(address), code).line
    found = _("Others find your table in their lobby, or type: {line}").format(line=line)
    told = code and _("Join code: {code}").format(code=" ".join(code))
    return (found, told) if told else (found,)


@_noted.register
def _door_changed(notice: DoorChanged, table: TableState) -> Told:
    said = notice.said
    table.door = said if isinstance(said, DoorOpened) else None
    if isinstance(said, DoorFailed):
        return Told((said.why,))
    if said is None:
        return Told((_("The door is closed."),))
    aloud = door_lines(said, table.code)
    text = _("The door is open: {command}").format(command=table.door_line)
    return Told((f"{text} · {_('press a to invite')}",), aloud=aloud)


@_noted.register
def _explained(notice: Explained, table: TableState) -> Told:
    table.findings = notice.findings
    lines = finding_lines(notice.findings)
    if not lines and table.over_advice:
        # Nothing better is known.
        lines = (table.over_advice,)
    if table.elsewhere:
        there = ", ".join(address.text for address in table.elsewhere)
        join = _(
            "Tables on that computer: {addresses}. Type q, and then join and one of these "
            "addresses."
        )
        lines = (*lines[:1], join.format(addresses=there))
    return Told(aloud=lines)


def finding_lines(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Sentences on the worst finding and what to do about it; empty if none is bad."""
    from spoof_tui.telling.findings import in_the_way

    return tuple(f"{told.rstrip('.')}." for told in in_the_way(findings))


@_noted.register
def _new_code(notice: NewCode, table: TableState) -> Told:
    table.code = notice.code
    table.code_news = code_renewed(notice.why, notice.code)
    aloud = code_renewed(notice.why, " ".join(notice.code))
    return Told((table.code_news,), aloud=(aloud,))


@_noted.register
def _code_asked(notice: CodeWanted, table: TableState) -> Told:
    asked = _("The table asks for its join code: type it, or q to leave.")
    return Told(aloud=(sentences.code_asked(notice.why), asked))


@_noted.register
def _seat_held(notice: SeatHeld, table: TableState) -> Told:
    other = _("Type yes to take the seat over, or q to leave.")
    if notice.is_other_free:
        other = _("Type yes to take the seat over, no to sit down as somebody else, or q to leave.")
    return Told(aloud=(sentences.seat_held(notice.holder), other))


@_noted.register
def _standing(notice: Standing, table: TableState) -> Told:
    table.is_standing = True
    return Told()


@_noted.register
def _moved(notice: Moved, table: TableState) -> Told:
    """Note that the table has another host; if that is not this program, forget what only hosts
    know."""
    table.is_standing = False
    if not notice.me:
        table.code, table.code_news, table.address, table.trouble = None, "", "", None
    return Told()


@_noted.register
def _continued_at(notice: ContinuedAt, table: TableState) -> Told:
    table.continued = notice.card
    return Told(aloud=(new_table_words(table.view, notice.card),) if table.view else ())


@_noted.register
def _reopened(notice: Reopened, table: TableState) -> Told:
    table.reopened = True
    return Told(aloud=(open_again(),))


def open_again() -> str:
    """The sentence that a closed table can be joined again, and with which key."""
    text = _("The table is open again. {press} to come back to your seat.")
    return text.format(press=press(_("Enter"), _("come back")))


def code_renewed(why: CodeChange, code: str) -> str:
    """The sentence that the player's table has another join code, and why."""
    return {
        CodeChange.REOPENED: _("New join code: {code} (not needed by players who have a seat)"),
        CodeChange.GUESSED: _("Too many wrong codes. The new code: {code}"),
        CodeChange.BARRED: _("The banned player knew the code. The new code: {code}"),
        CodeChange.ASKED: _("The code has changed: {code}"),
    }[why].format(code=code)
