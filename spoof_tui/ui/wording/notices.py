"""What a notice from the background says to a player, both on the screen and in plain lines."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path
from typing import Final

from protocol.guest.effects import HandedOver, WentOn
from protocol.rules.words import Bid
from protocol.table.log import Entry
from protocol.table.statements import GameStarted, HostMoved, Leave, Say, Sit, Speak
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
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show
from spoof_tui.ui.wording import sentences
from spoof_tui.ui.wording.names import name_of, seat_names

_TALK_CELLS: Final = 60
"""Cells of the last line of talk."""


def missed(entries: Sequence[Entry], view: TableView) -> tuple[str, ...]:
    """Up to three lines about `entries`, the last part of the log that `view` shows."""
    lines = (_game(entries, view), _people(entries, view), _talk(entries, view))
    return tuple(line for line in lines if line)


def _game(entries: Sequence[Entry], view: TableView) -> str:
    """The rounds that ended, and the game that began."""
    started = sum(isinstance(entry.statement, GameStarted) for entry in entries)
    words = sum(isinstance(entry.statement, Speak) for entry in entries)
    rounds = _rounds_since(entries, view)
    parts = []
    if started:
        parts.append(_("Game {number} began.").format(number=view.game_number))
    if rounds:
        ended = view.past[-rounds:]
        text = ngettext("{count} round ended:", "{count} rounds ended:", rounds)
        parts.append(text.format(count=rounds))
        parts.append(sentences.outcome(ended[-1], seat_names(view), view.me))
    elif words:
        said = next(e for e in reversed(entries) if isinstance(e.statement, Speak))
        assert isinstance(said.statement, Speak) and said.intent
        text = _("{name} said {word}.")
        word = sentences.word_name(said.statement.word)
        parts.append(text.format(name=name_of(view, said.intent.author), word=word))
    if view.winner is not None and rounds and not view.is_guessing:
        parts.append(_("{name} has won.").format(name=seat_names(view)[view.winner]))
    return " ".join(parts)


def _rounds_since(entries: Sequence[Entry], view: TableView) -> int:
    """Rounds of the last game that ended within these entries."""
    endings = 0
    for entry in entries:
        statement = entry.statement
        if isinstance(statement, GameStarted):
            endings = 0
        elif isinstance(statement, Speak) and not isinstance(statement.word, Bid):
            endings += 1
    return min(endings, len(view.past))


def _people(entries: Sequence[Entry], view: TableView) -> str:
    """Which others came and went, and where the table moved."""
    parts = []
    me = view.my_seat.key if view.my_seat else None
    for entry in entries:
        statement, author = entry.statement, entry.intent.author if entry.intent else b""
        if author == me:
            continue
        if isinstance(statement, Sit):
            parts.append(_("{name} sat down.").format(name=name_of(view, author)))
        elif isinstance(statement, Leave):
            parts.append(_("{name} left.").format(name=name_of(view, author)))
    if any(isinstance(entry.statement, HostMoved) for entry in entries):
        parts.append(_("{name} now hosts the table.").format(name=name_of(view, view.host)))
    return " ".join(parts)


def _talk(entries: Sequence[Entry], view: TableView) -> str:
    """The last line of talk, and how many there were."""
    said = [entry for entry in entries if isinstance(entry.statement, Say)]
    if not said:
        return ""
    last = said[-1]
    assert isinstance(last.statement, Say) and last.intent
    line = f"{name_of(view, last.intent.author)}: “{show(last.statement.text, _TALK_CELLS)}”"
    if len(said) == 1:
        return line
    more = ngettext("and {count} line of talk before", "and {count} lines of talk before",
                    len(said) - 1)  # fmt: skip
    return f"{line} ({more.format(count=len(said) - 1)})"


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
