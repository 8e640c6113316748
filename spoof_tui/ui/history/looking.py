"""What the history's screen reads in a thread: games, their reviews, and verdicts on their logs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.rules.options import GuessingRules
from spoof_tui.history.index import PassedOver, Question, consult
from spoof_tui.history.queries import ListedGame
from spoof_tui.storage import files, paths
from spoof_tui.storage.paths import RECORD
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show
from spoof_tui.text.system_errors import reason_of

T = TypeVar("T")

_FEW: Final = 3
"""The most unreadable records that are named."""

_NAME: Final = 60
"""The most cells of such a name."""

_CHUNK: Final = 64 * 1024


class Stopped(Exception):
    """Raised to abandon a query whose result is no longer needed."""


def look(question: Question[T], progress: Callable[[int, int], None]) -> tuple[list[T], str]:
    """The result of a query in a list, and a message on records that could not be read.

    The list is empty if the history could not be read. `progress` may raise `Stopped`, which ends
    the query.
    """
    try:
        found, unread = consult(question, progress)
    except Stopped:
        return [], ""
    except (OSError, sqlite3.Error, ValueError) as error:
        why = reason_of(error)
        return [], _("The history cannot be read: {why}").format(why=why)
    return [found], " ".join(passed_over(unread))


def passed_over(unread: PassedOver) -> list[str]:
    """Sentences on unreadable records: name and reason of the first few, and how many more there
    are."""
    text = _("The record {name} was skipped: {why}.")
    told = [
        text.format(name=show(ForeignText(name), _NAME), why=why) for name, why in unread[:_FEW]
    ]
    if (more := len(unread) - _FEW) > 0:
        rest = ngettext(
            "{count} more record was skipped.", "{count} more records were skipped.", more
        )
        told.append(rest.format(count=more))
    return told


def record_path(game: ListedGame) -> Path:
    """The path of a game's record."""
    return paths.games_folder() / f"{game.stem}{RECORD}"


def chunks(path: Path) -> Callable[[], Iterator[bytes]]:
    """A function that reads the file at `path` from the start, piece by piece, each time."""

    def read() -> Iterator[bytes]:
        with files.opened(path, files.MAX_LOG) as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    return read


def reviewed(game: ListedGame) -> list[str]:
    """The review of the player's own words in a game, as lines; raises `OSError`."""
    from spoof_tui.bots.coach import review
    from spoof_tui.telling.coaching import review_lines
    from spoof_tui.telling.names import distinct, listed
    from spoof_tui.ui.replay.reader import Recording

    told = next(Recording(chunks(record_path(game))).games())
    if isinstance(told.title.rules, GuessingRules) or not told.title.is_clear:
        return [_("There is no bidding game in this record to review.")]
    names = [show(name, MAX_NAME) for name in told.title.names]
    own = game.people[game.place - 1] if game.place else None
    if own not in names or not told.counted:
        return [_("You did not play in this game.")]
    seat = names.index(own)
    shown = distinct(told.title.names)
    return [*review_lines(review(told.counted, seat), listed(range(len(shown)), shown, seat))]


def verified(game: ListedGame) -> list[str]:
    """The verdict on the log of a game, and its details, as lines; raises `OSError`."""
    from protocol.table.verify import verify
    from spoof_tui.storage.archive import GameLog
    from spoof_tui.storage.stored_log import origin
    from spoof_tui.telling.verify_report import details, judgement

    log = GameLog.of(record_path(game))
    if not log.path.exists():
        return [_("This game was kept without its log: there is nothing to check.")]
    verdict = verify(log.part(chunks(log.path)()))
    return [*judgement(verdict), "", *details(verdict, origin(verdict.table, [log.path]))]
