"""The list of games: a line for each, as wide as there is room."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from rich.cells import cell_len

from spoof_tui.history.queries import ListedGame, Result
from spoof_tui.text.i18n import _
from spoof_tui.ui.history.pictures import Line, Tone, fitted, left
from spoof_tui.ui.wording.presets import preset_name

NUMBER: Final = 6
"""Columns of a game's number, where there is one."""

_TIME: Final = 18
_EVENT: Final = 16


def preset_words(preset: str) -> str:
    """What a preset is called; one of a later version by its own name."""
    try:
        return preset_name(preset)
    except KeyError:
        return preset


def _local(milliseconds: int) -> datetime:
    try:
        return datetime.fromtimestamp(milliseconds / 1000)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0)


def day(milliseconds: int) -> str:
    """The day of a time, as every country reads it."""
    return f"{_local(milliseconds):%Y-%m-%d}"


def hour(milliseconds: int) -> str:
    """Its hour and minute."""
    return f"{_local(milliseconds):%H:%M}"


def result_words(game: ListedGame) -> str:
    """How it went for me, in a word or three."""
    if game.place is None:
        return _("watched")
    if game.is_guessing and game.result is Result.LOST:
        return _("paid")
    if not game.is_guessing and game.place == 1:
        return _("won")
    place = _("{place} of {seats}").format(place=game.place, seats=game.seats)
    return _("left {place}").format(place=place) if game.is_guessing else place


def _result_cells() -> int:
    nine = _("{place} of {seats}").format(place=9, seats=9)
    return max(map(cell_len, (_("watched"), _("left {place}").format(place=nine)))) + 2


_TONES: Final = {Result.WON: Tone.GOOD, Result.LOST: Tone.BAD, Result.WATCHED: Tone.QUIET}


def game_line(game: ListedGame, width: int) -> Line:
    """When, how it went, by what rules, at which table, and who played, the winner first."""
    people = ", ".join(game.people)
    result = _result_cells()
    rules = max(cell_len(preset_words(each)) for each in ("milan", "three-coins", "hollywood")) + 2
    event = _EVENT if width >= 76 else 0
    rest = width - _TIME - result - rules - event
    line: Line = (
        (left(f"{day(game.finished)} {hour(game.finished)}", _TIME), Tone.QUIET),
        (left(result_words(game), result), _TONES[game.result]),
        (left(_cut(preset_words(game.preset), rules - 2), rules), Tone.TEXT),
        (left(_cut(game.event, event - 2), event), Tone.QUIET),
        (_cut(people, rest), Tone.TEXT),
    )
    return fitted([line], width)[0]


def _cut(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    return left(text, room - 1).rstrip() + "…" if room > 0 else ""


def game_lines(game: ListedGame, width: int) -> list[Line]:
    """A game by itself: its line, and everybody's place."""
    return [
        game_line(game, width),
        *(
            ((f"  {place}. ", Tone.QUIET), (name, Tone.TEXT))
            for place, name in enumerate(game.people, 1)
        ),
    ]
