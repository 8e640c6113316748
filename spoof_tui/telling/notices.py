"""What a notice from the background says to a player, both on the screen and in plain lines."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path
from typing import Final

from protocol.guest.effects import HandedOver, WentOn
from protocol.views import TableView
from spoof_tui.runtime.notices import (
    Broken,
    CannotOpen,
    CodeChange,
    DiskTrouble,
    Ended,
    KeyInUse,
    NotAllowed,
    NotKept,
    NotSaved,
    OpenElsewhere,
    TakenOver,
    TurnedAway,
    WhileAway,
)
from spoof_tui.telling import sentences
from spoof_tui.telling.absence import missed
from spoof_tui.telling.names import name_of, seat_names
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show

_FULL: Final = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def disk_words(notice: DiskTrouble) -> str:
    """The message that everything waits for the disk, or no longer does."""
    error = notice.error
    if error is None:
        if notice.is_host:
            return _("The disk can be written again: the table goes on.")
        return _("The disk can be written again.")
    if error.errno in _FULL:
        if notice.is_host:
            return _("This computer’s disk is full: the table stands still until there is room.")
        return _("This computer’s disk is full: you cannot play on until there is room.")
    text = _("This computer’s disk cannot be written ({why}): you cannot play on until it can.")
    if notice.is_host:
        text = _("This computer’s disk cannot be written ({why}): the table stands still.")
    return text.format(why=error.strerror or str(error))


def not_kept_words(notice: NotKept) -> str:
    """The message that nothing outlives the program."""
    if notice.is_host:
        return _("Nothing can be written on this computer: the table ends with this program.")
    return _("Nothing can be written on this computer: your seat ends with this program.")


_NAME_CELLS: Final = 30
"""Maximum cells of another player's name in a sentence."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known about the table that a notice concerns."""

    view: TableView | None = None
    found_at: str = "?"
    """Where somebody else's table was found."""
    code: str | None = None
    """The join code of the player's table; None if there is none to tell."""


@dataclass(frozen=True, slots=True)
class Told:
    """The words of a notice."""

    lines: tuple[str, ...] = ()
    """Sentences; none if the views show the same."""
    title: str = ""
    """Their title, if they are to be read before the game goes on."""
    is_over: bool = False
    """Whether nothing can be done at the table any more."""


@singledispatch
def told(notice: object, about: About) -> Told:
    """The words of a notice; none if each interface has its own, or nothing is to be said."""
    return Told()


@told.register
def _not_allowed(notice: NotAllowed, about: About) -> Told:
    names = seat_names(about.view) if about.view else ()
    return Told((sentences.why_not(notice.error, names),))


@told.register
def _not_saved(notice: NotSaved, about: About) -> Told:
    why = notice.error.strerror or str(notice.error)
    return Told((_("Not saved on this computer: {why}.").format(why=why),))


@told.register
def _disk_trouble(notice: DiskTrouble, about: About) -> Told:
    return Told((disk_words(notice),))


@told.register
def _not_kept(notice: NotKept, about: About) -> Told:
    return Told((not_kept_words(notice),))


@told.register
def _open_elsewhere(notice: OpenElsewhere, about: About) -> Told:
    text = _("{name} now hosts the table: you come back as a player.")
    return Told((text.format(name=show(notice.host, _NAME_CELLS)),), _("The table has moved"))


@told.register
def _while_away(notice: WhileAway, about: About) -> Told:
    lines = missed(notice.entries, about.view) if about.view else ()
    return Told(tuple(lines), _("While you were away")) if lines else Told()


@told.register
def _went_on(notice: WentOn, about: About) -> Told:
    return Told((_("The game goes on at a new table."),), _("A new table"))


@told.register
def _handed_to(notice: HandedOver, about: About) -> Told:
    view = about.view
    if view is None or notice.seat == view.host:
        # The host merely wants to be elected again.
        return Told()
    name = name_of(view, notice.seat)
    text = _("The host gives the table to {name}.").format(name=name)
    if view.my_seat is not None and view.my_seat.key == notice.seat:
        text = _("The host gives the table to you.")
    return Told((text,), _("The table moves"))


@told.register
def _turned_away(notice: TurnedAway, about: About) -> Told:
    return Told((sentences.turned_away(notice.why, about.found_at),))


@told.register
def _ended(notice: Ended, about: About) -> Told:
    return Told((sentences.farewell(notice.why),), is_over=True)


@told.register
def _broken(notice: Broken, about: About) -> Told:
    why, view = str(notice.error), about.view
    if notice.fault is not None:
        names = seat_names(view) if view else ()
        why = sentences.fault(notice.fault, names, view.rules if view else None)
    path = str(short(notice.evidence)) if notice.evidence else None
    return Told((sentences.broken(why, path),), is_over=True)


@told.register
def _cannot_open(notice: CannotOpen, about: About) -> Told:
    if isinstance(notice.error, KeyInUse):
        return Told((sentences.key_in_use(notice.error.holder),), is_over=True)
    title = sentences.no_table_title(notice.error)
    return Told((sentences.cannot_open(notice.error),), title, is_over=True)


@told.register
def _taken_over(notice: TakenOver, about: About) -> Told:
    words = sentences.taken_over(notice.holder)
    return Told((words,), _("Your seat is in another window"), is_over=True)


def short(path: Path) -> Path:
    """The path with the home directory as ~."""
    try:
        return Path("~") / path.relative_to(Path.home())
    except ValueError:
        return path


def code_renewed(why: CodeChange, code: str) -> str:
    """Why the player's table has another join code."""
    return {
        CodeChange.GUESSED: _("Too many wrong codes: the new one is {code}"),
        CodeChange.BARRED: _("The banned player knew the code: the new one is {code}"),
        CodeChange.ASKED: _("The code has changed: {code}"),
    }[why].format(code=code)
