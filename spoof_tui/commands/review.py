"""`spoof review FILE [--name NAME] [--json]`: judges one player's words and hands in a game."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from protocol.rules.options import GuessingRules
from spoof_tui.bots.coach import Advice, Review, review
from spoof_tui.commands.printing import (
    FILES,
    Parser,
    hanging,
    page_width,
    refuse,
    shown,
)
from spoof_tui.commands.reading import CannotReplay, source
from spoof_tui.telling.coaching import review_lines
from spoof_tui.telling.names import distinct
from spoof_tui.telling.sentences import word_name
from spoof_tui.text.i18n import _
from spoof_tui.text.parsing import folded
from spoof_tui.ui.replay.reader import RecordedGame, Recording

_WIDEST: Final = 96


def main(words: Sequence[str]) -> int:
    """Print the review of every game in a file; return 2 if there is nothing to judge."""
    options = parser().parse_args(words)
    try:
        games = [*Recording(source(options.file)).games()]
    except CannotReplay as error:
        return refuse(options.file, error)
    player = _own_name() if options.player is None else options.player
    played = [(game, game.counted) for game in games if game.title.is_clear]
    found = [
        (game, rounds, seat)
        for game, rounds in played
        if rounds and (seat := _seat(game, player)) is not None
    ]
    if not found:
        named = [name for game, rounds in played if rounds for name in distinct(game.title.names)]
        return refuse(options.file, _why_nothing(named, player))
    reviews = [(game, seat, review(rounds, seat)) for game, rounds, seat in found]
    if options.json:
        packed = [_packed(game, seat, judged) for game, seat, judged in reviews]
        print(json.dumps(packed, ensure_ascii=False, indent=1))
    else:
        width = page_width(_WIDEST)
        print("\n\n".join("\n".join(_wrapped(_told(*each), width)) for each in reviews))
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof review`."""
    parser = Parser(
        prog="spoof review",
        description=_(
            "Review one player’s moves in a bidding game: what they cost, what the "
            "strongest bot would have said, and what to learn from it. Nobody’s hidden "
            "hand is used."
        ),
    )
    record = _("a game record (.spoof), or the log of a table (.log)")
    parser.add("file", metavar="FILE", help=record, suggests=FILES)
    parser.add_argument(
        "-n",
        "--name",
        "--player",
        dest="player",
        metavar="NAME",
        help=_("whose moves to review (default: your own name)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))
    return parser


def _seat(game: RecordedGame, player: str) -> int | None:
    """The seat of the player called `player`; None if there is none, or in the guessing game."""
    if isinstance(game.title.rules, GuessingRules):
        return None
    seats = [*enumerate(distinct(game.title.names))]
    exact = [seat for seat, name in seats if name == player]
    meant = exact or [seat for seat, name in seats if folded(name) == folded(player)]
    return meant[0] if meant else None


def _own_name() -> str:
    from spoof_tui.storage.settings import Settings

    return Settings.load().name


def _why_nothing(named: Sequence[str], player: str) -> str:
    """Why nothing can be judged for `player`; `named` are the players who could be."""
    if not named:
        return _("it has no bidding game to review")
    who = ", ".join(dict.fromkeys(named))
    if not player:
        return _("use --name to choose whose moves to review: {names}").format(names=who)
    return _("no player there is called {name}; use --name with one of {names}").format(
        name=shown(player), names=who
    )


def _told(game: RecordedGame, seat: int, judged: Review) -> Iterator[str]:
    names = distinct(game.title.names)
    yield names[seat]
    yield ""
    yield from review_lines(judged, names)


def _wrapped(lines: Iterator[str], width: int) -> Iterator[str]:
    for line in lines:
        yield from hanging(line, width, others="  ") or [""]


def _chance(advice: Advice) -> float | None:
    return round(advice.winning, 4) if advice.is_told else None


def _packed(game: RecordedGame, seat: int, judged: Review) -> dict[str, Any]:
    return {
        "player": distinct(game.title.names)[seat],
        "cost": round(judged.cost, 4),
        "error": round(judged.error, 4),
        "decisions": [
            {
                "round": each.round_number,
                "hand": each.hand,
                "standing": each.standing,
                "said": word_name(each.said.word),
                "winning": _chance(each.said),
                "often": round(each.said.often, 4),
                "best": word_name(each.best.word),
                "best_winning": _chance(each.best),
                "cost": round(each.cost, 4) if each.said.is_told else None,
                "error": round(each.error, 4),
            }
            for each in judged.decisions
        ],
        "hands": [
            {
                "round": each.round_number,
                "hand": each.hand,
                "often": [round(chance, 4) for chance in each.odds],
                "winning": [round(chance, 4) for chance in each.winning],
                "cost": round(each.cost, 4),
            }
            for each in judged.hands
        ],
        "chances": [[round(share, 4) for share in each] for each in judged.chances],
    }
