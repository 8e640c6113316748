"""Many finished games in a state folder, made from a seed: a person's games after some years."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.notation.writing import record_of
from protocol.rules.game import Game, GamePlayer
from protocol.rules.options import Rules
from spoof_tui.bots.tournament import PLANS, SimpleMind, play_game
from spoof_tui.storage.settings import Settings

ME: Final = "Ada"
"""The owner of the history."""

COMPANY: Final = (ME, "Boris", "Cleo", "Dmytro", "Eve")
_PRESETS: Final = ("milan", "milan", "bid-spoof", "three-coins", "hollywood")
_PLANS: Final = ("honest", "value", "random", "honest", "truthful")
_FIRST: Final = datetime(2016, 1, 1, 19, 0)
_GAMES: Final = 5
"""Games per evening."""
_PLAYED: Final = 50
"""Games that are really played; the others repeat them."""


@cache
def played_game(number: int) -> Game:
    """A finished game, made from its number."""
    rng = random.Random(number)
    rules = Rules.parse(_PRESETS[number % len(_PRESETS)])
    names = COMPANY[: 2 + number % 4]
    minds = [SimpleMind(PLANS[_PLANS[seat]], rng) for seat in range(len(names))]
    past = play_game(minds, rules, number % len(names), toss=rng)
    players = tuple(GamePlayer(bytes([seat]) * 32, ForeignText(name), b"")
                    for seat, name in enumerate(names))  # fmt: skip
    return Game(b"", 1, rules, players, 0, past=past)


@cache
def _lines(number: int) -> tuple[str, ...]:
    """The lines of a game's record without event and date."""
    return tuple(record_of(played_game(number), event="", date="").splitlines(keepends=True)[2:])


def record(number: int) -> tuple[str, str]:
    """File stem and text of one of the games, from 0: five make an evening."""
    evening, place = divmod(number, _GAMES)
    end = _FIRST + timedelta(days=evening, minutes=20 * place)
    head = f'[Event "Night train"]\n[Date "{end:%Y-%m-%d}"]\n'
    stem = f"{end:%Y-%m-%d-%H%M%S}-Night-train-game-{place + 1}"
    return stem, head + "".join(_lines(evening % _PLAYED))


def fill(home: Path, count: int, first: int = 0) -> Sequence[Path]:
    """Put this many records into a state folder owned by `ME`; returns the folder of the games."""
    Settings(name=ME).save()
    folder = home / "games"
    folder.mkdir(exist_ok=True)
    made = [record(number) for number in range(first, first + count)]
    paths = [folder / f"{stem}.spoof" for stem, _text in made]
    for path, (_stem, text) in zip(paths, made, strict=True):
        path.write_text(text, "utf-8")
    return paths
