"""The list of games, which may have ten thousand lines; only the visible ones are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from spoof_tui.history.queries import GameResult, ListedGame
from spoof_tui.telling.outcomes import ordinal, place_of
from spoof_tui.telling.titles import preset_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import first_fitting, fit
from spoof_tui.ui.dialogs.reading import stacked
from spoof_tui.ui.history.pictures import Ink, Line, fitted, left

NUMBER: Final = 6
"""Columns of a game's number, where it is shown."""

_TIME: Final = 18
_SHORT_TIME: Final = 7
"""Columns of a date without year and time."""

_FEW: Final = 4
"""Columns up to which a table's name is not worth showing."""
_WITH_YEAR: Final = 48
"""Columns of a line from which it shows year and time."""


_PRESETS: Final = ("milan", "bid-spoof", "three-coins", "hollywood")
_SHORT_PRESETS: Final = ("milan", "three-coins", "hollywood")
_WHOLE_NAMES: Final = 90
"""Columns of a line from which it has room for the longest name of a preset in any language."""


def preset_words(preset: str) -> str:
    """The name of a preset; an unknown one is shown as it is."""
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
    """The local date of a time in milliseconds since 1970: "2026-11-28"."""
    return f"{_local(milliseconds):%Y-%m-%d}"


def hour(milliseconds: int) -> str:
    """The local time of day of a time in milliseconds since 1970: "17:45"."""
    return f"{_local(milliseconds):%H:%M}"


def result_words(game: ListedGame, *, is_short: bool = False) -> str:
    """The result of a game for the player, in one to three words."""
    if game.place is None:
        return _("watched")
    if game.is_guessing and game.result is GameResult.LOST:
        return _("paid")
    if not game.is_guessing and game.place == 1:
        return _("won")
    place = _place(game.place, game.seats, is_short=is_short)
    return _("left {place}").format(place=place) if game.is_guessing else place


def _place(place: int, seats: int, *, is_short: bool) -> str:
    if is_short:
        return ordinal(place)
    return place_of(place, seats)


def _result_cells(*, is_short: bool) -> int:
    return max(map(cell_len, (_("watched"), _place(9, 9, is_short=is_short)))) + 2


_TONES: Final = {GameResult.WON: Ink.GOOD, GameResult.LOST: Ink.TEXT, GameResult.WATCHED: Ink.QUIET}


def game_line(game: ListedGame, width: int) -> Line:
    """A game in one line: when, the result, the rules, the table, and the players, the winner
    first."""
    mine = (game.place or 0) - 1
    people = [_("you") if place == mine else name for place, name in enumerate(game.people)]
    is_short = width < _WITH_YEAR
    date, time = f"{day(game.finished)} {hour(game.finished)}", _TIME
    if is_short:
        date, time = day(game.finished)[5:], _SHORT_TIME
    said = result_words(game, is_short=is_short)
    result = max(_result_cells(is_short=is_short) - is_short, cell_len(said) + 1)
    presets = _PRESETS if width >= _WHOLE_NAMES else _SHORT_PRESETS
    rules = max(cell_len(preset_words(each)) for each in presets) + 2
    rest = max(width - time - result - rules, 0)
    # The table's name gets what the people leave.
    event = min(cell_len(game.event), rest - cell_len(", ".join(people)) - 2)
    event = event if event > _FEW else 0
    line: Line = (
        (left(date, time), Ink.QUIET),
        (left(said, result), _TONES[game.result]),
        (left(fit(preset_words(game.preset), rules - 2), rules), Ink.TEXT),
        (left(_whole_names(people, rest - event), rest - event), Ink.TEXT),
        (fit(game.event, event), Ink.QUIET),
    )
    return fitted([line], width)[0]


def _whole_names(names: Sequence[str], width: int) -> str:
    """The first names that fit into `width` cells, uncut; only a single first name may be cut."""
    fewer = (
        f"{', '.join(names[:count])} {glyphs().ellipsis}" for count in range(len(names) - 1, 0, -1)
    )
    return first_fitting(width, ", ".join(names), *fewer)


def game_lines(game: ListedGame, width: int) -> list[Line]:
    """A single game: its line, and a line for each player's place."""
    return [
        game_line(game, width),
        *(
            ((f"  {place}. ", Ink.QUIET), (name, Ink.TEXT))
            for place, name in enumerate(game.people, 1)
        ),
    ]


_SIGN: Final = 2
"""Columns before a line, for the marker."""


class _GameRow(Visual):
    """The line of a game, which is drawn only when it comes into sight."""

    def __init__(self, games: GameList, game: ListedGame) -> None:
        self._games = games
        self.game = game

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        sign = f"{glyphs().pointer} " if self._games.game is self.game else " " * _SIGN
        line = ((sign, Ink.ACCENT), *game_line(self.game, width - _SIGN))
        return content([line]).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return 1


class GameList(OptionList):
    """Textual's list of options, without wrapping around from one end to the other."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(markup=False, compact=True)
        self.games: Sequence[ListedGame] = ()
        """All games of the list."""

    @property
    def game(self) -> ListedGame | None:
        """The highlighted game; None if the list is empty."""
        return None if self.highlighted is None else self.games[self.highlighted]

    def present(self, games: Sequence[ListedGame]) -> None:
        """List these games; the highlighted one stays highlighted if it is among them."""
        kept = self.game
        self.games = games
        self.set_options(Option(_GameRow(self, game)) for game in games)
        places = (place for place, game in enumerate(games) if kept and game.id == kept.id)
        self.highlighted = next(places, 0) if games else None
        # The positions of the lines are known only after the layout.
        self.call_after_refresh(self.scroll_to_highlight)

    def action_cursor_up(self) -> None:
        """Go one line up; the first one stays."""
        if self.highlighted:
            super().action_cursor_up()

    def action_cursor_down(self) -> None:
        """Go one line down; the last one stays."""
        if self.highlighted != self.option_count - 1:
            super().action_cursor_down()

    def on_click(self, event: events.Click) -> None:
        """Highlight the line under the mouse; a click on the highlighted line opens it."""
        event.prevent_default()
        place = event.style.meta.get("option")
        if place is not None and place == self.highlighted:
            self.action_select()
        elif place is not None:
            self.highlighted = place


def content(lines: Sequence[Line]) -> Content:
    """The lines as Textual's content."""
    return stacked(
        [Content.assemble(*((text, tone.value) for text, tone in line)) for line in lines]
    )
