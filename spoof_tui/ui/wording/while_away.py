"""What a player missed while away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocol.rules.words import Bid
from protocol.table.log import Entry
from protocol.table.statements import GameStarted, HostMoved, Leave, Say, Sit, Speak
from protocol.views import TableView
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show
from spoof_tui.ui.wording import sentences
from spoof_tui.ui.wording.absence import moved_words
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
        parts.append(moved_words(view))
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
