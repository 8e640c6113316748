"""`spoof arena PLAYER…`: games between bots and engines, without a network."""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS
from spoof_tui import system
from spoof_tui.bots.characters import CHARACTERS
from spoof_tui.bots.levels import Level
from spoof_tui.bots.tournament import PLANS
from spoof_tui.commands import options
from spoof_tui.commands.printing import FILES, Parser, complain, print_line, shown
from spoof_tui.commands.progress import Meter
from spoof_tui.runtime.engine import EngineFailed
from spoof_tui.storage import chosen_file
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.parsing import meant
from spoof_tui.text.system_errors import reason_of

if TYPE_CHECKING:
    from spoof_tui.bots.tournament import ScoreTally, TournamentResult
    from spoof_tui.runtime.arena import Tournament

MAX_GAMES: Final = 10_000_000

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C."""

GAMES_PER_FILE: Final = 1000
"""The number of games in one file of records."""

_MAX_SEED: Final = 99_999_999
_MAX_JOBS: Final = 61
"""The most processes that a pool can hold on every system."""


def main(words: Sequence[str]) -> int:
    """Play all games and print how many each player won; return 1 if an engine or a file fails.

    Ctrl-C ends the tournament early: the results so far are printed, and 130 is returned.
    """
    from spoof_tui.runtime.arena import Interrupted

    given = parser().parse_intermixed_args(words)
    if not MIN_PLAYERS <= len(given.players) <= MAX_PLAYERS:
        parser().error(_("2 to 9 players sit at a table"))
    try:
        return _play(given)
    except (EngineFailed, Interrupted) as error:
        complain(shown(str(error)))
    except OSError as error:
        complain(shown(f"{error.filename or given.records}: {reason_of(error)}"))
    return 1


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof arena`."""
    about = _("Pit bot levels, simple players and engines against each other, without a network.")
    known = [*(level.value for level in Level), *PLANS, *CHARACTERS]
    parser = Parser(prog="spoof arena", description=about)
    parser.add(
        "players",
        nargs="+",
        type=options.checked(lambda text: _player(text, known)),
        metavar="PLAYER",
        help=_(
            "2 to 9 players at one table: {known}, or engine:COMMAND; "
            "a character may have a level, as in cliffer:hard"
        ).format(known=", ".join(known)),
        suggests=known,
    )
    parser.add_argument(
        "--games",
        type=options.whole(1, MAX_GAMES),
        default=1000,
        help=_("how many games (default: 1000)"),
    )
    options.add_rule_set(parser)
    parser.add_argument(
        "--jobs",
        type=options.whole(1, _MAX_JOBS),
        default=min(system.usable_cores(), _MAX_JOBS),
        help=_("processes that play in parallel (default: one for each core)"),
    )
    parser.add_argument(
        "--seed",
        type=options.whole(0, _MAX_SEED),
        help=_("a seed for the random numbers: the same seed plays the same games again"),
    )
    parser.add(
        "--records",
        metavar="DIR",
        type=Path,
        help=_("write every game into files in this folder"),
        suggests=FILES,
    )
    options.add_time(parser)
    parser.add_argument("--json", action="store_true", help=_("print the table as JSON"))
    return parser


def _player(text: str, known: Sequence[str]) -> str:
    """The player that `text` names, in capitals or not; raises `ValueError` with a sentence."""
    from spoof_tui.runtime.arena import ENGINE, is_player

    name = text if text.startswith(ENGINE) else text.casefold()
    if not is_player(name):
        wrong = _("there is no player {player}.").format(player=repr(text))
        raise ValueError(f"{wrong} {meant(text, known)}".rstrip())
    return name


def _play(given: argparse.Namespace) -> int:
    from spoof_tui.bots.tournament import ScoreTally
    from spoof_tui.runtime.arena import Tournament, results

    seed = secrets.randbelow(_MAX_SEED) if given.seed is None else given.seed
    date = f"{datetime.now():%Y-%m-%d}" if given.records else ""
    match = Tournament(tuple(given.players), given.rules.text, seed, date, given.time)
    tally, meter, stopped = (
        ScoreTally(match.players, given.rules),
        Meter(_("games"), given.games),
        False,
    )
    with contextlib.ExitStack() as stack:
        stack.callback(meter.close)
        keep = stack.enter_context(records(given.records)) if given.records else None
        played = results(match, given.games, given.jobs)
        stack.enter_context(contextlib.closing(played))
        try:
            for result in played:
                for lapse in result.lapses:
                    complain(shown(lapse))
                tally.add(result)
                meter.show(tally.games)
                if keep is not None:
                    keep.add(result)
        except KeyboardInterrupt:
            stopped = True
    if given.json:
        print(json.dumps({**tally.as_json(), "seed": seed}))
    else:
        _print(tally, match)
    return INTERRUPTED if stopped else 0


def _print(tally: ScoreTally, match: Tournament) -> None:
    """Print the table of results."""
    games = ngettext("{count} game", "{count} games", tally.games).format(count=tally.games)
    head = _("{games} of {rules}, seed {seed}")
    print(head.format(games=games, rules=match.rules, seed=match.seed))
    counted = _("paid") if tally.counts_bills else _("won")
    width = max(len(_("player")), *(len(shown(row.name)) for row in tally.rows))
    print(f"\n{_('player'):{width}}  {_('seats'):>5}  {counted:>8}  {_('of all games')}")
    for row in tally.rows:
        rate = _("{rate:5.1f}% ± {error:.1f}").format(rate=100 * row.rate, error=100 * row.error)
        each = _("each") if row.seats > 1 else ""
        line = f"{shown(row.name):{width}}  {row.seats:5}  {row.count:8}  {rate} {each}"
        print_line(line.rstrip(), sys.stdout)
    print(
        "\n"
        + _("With equal skill, each player would have {fair:.1f}%.").format(fair=100 * tally.fair),
        end=" ",
    )
    print(_("The number after ± is one standard error."))
    if tally.undecided:
        text = ngettext(
            "{count} game went on and on, and was left undecided.",
            "{count} games went on and on, and were left undecided.",
            tally.undecided,
        )
        print(text.format(count=tally.undecided))


class Records:
    """Writes the records of a tournament into a folder, `GAMES_PER_FILE` games to a file, in
    order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._lines: list[str] = []

    def add(self, result: TournamentResult) -> None:
        """Add one more game; writes a file when it is full, which may raise `OSError`."""
        self._lines.append(result.record)
        self._count += 1
        if len(self._lines) == GAMES_PER_FILE:
            self.close()

    def close(self) -> None:
        """Write the games that are not in a file yet; raises `OSError`."""
        if not self._lines:
            return
        first = self._count - len(self._lines) + 1
        path = self._folder / f"games-{first:06}-{self._count:06}.spoof"
        chosen_file.write(path, "\n".join(self._lines))
        self._lines.clear()


@contextlib.contextmanager
def records(folder: Path) -> Iterator[Records]:
    """A context that writes the games of a tournament into files of this folder.

    On leaving, even by an error, the games played so far are written. Raises `OSError`, also if the
    folder holds records of another tournament.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if earlier := next(folder.glob("games-*.spoof"), None):
        why = _("There are records of another tournament in that folder.")
        raise FileExistsError(errno.EEXIST, why, str(earlier))
    kept = Records(folder)
    try:
        yield kept
    finally:
        kept.close()
