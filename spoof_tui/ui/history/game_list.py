"""The list of games as a widget: of ten thousand lines only the visible ones are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from spoof_tui.history.queries import ListedGame, Result
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import fit
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.history.pictures import Line, Tone, fitted, left
from spoof_tui.ui.wording.titles import preset_name

NUMBER: Final = 6
"""Columns of a game's number, if there is one."""

_TIME: Final = 18
_SHORT_TIME: Final = 12
"""Columns of a time without its year."""

_EVENT: Final = 16
_FEW: Final = 4
"""Columns in which no table's name is worth showing."""
_WITH_YEAR: Final = 48
"""Columns from which a line has room for the year."""


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
    """The date of a time, in the ISO format."""
    return f"{_local(milliseconds):%Y-%m-%d}"


def hour(milliseconds: int) -> str:
    """Its hour and minute."""
    return f"{_local(milliseconds):%H:%M}"


def result_words(game: ListedGame, *, is_short: bool = False) -> str:
    """How it went for me, in one to three words."""
    if game.place is None:
        return _("watched")
    if game.is_guessing and game.result is Result.LOST:
        return _("paid")
    if not game.is_guessing and game.place == 1:
        return _("won")
    place = _place(game.place, game.seats, is_short=is_short)
    return _("left {place}").format(place=place) if game.is_guessing else place


def ordinal(place: int) -> str:
    """A place as people write it: 2nd."""
    return {
        1: _("1st"), 2: _("2nd"), 3: _("3rd"), 4: _("4th"), 5: _("5th"), 6: _("6th"),
        7: _("7th"), 8: _("8th"), 9: _("9th"),
    }.get(place, str(place))  # fmt: skip


def _place(place: int, seats: int, *, is_short: bool) -> str:
    if is_short:
        return ordinal(place)
    return _("{place} of {seats}").format(place=ordinal(place), seats=seats)


def _result_cells(*, is_short: bool) -> int:
    nine = _place(9, 9, is_short=is_short)
    return max(map(cell_len, (_("watched"), _("left {place}").format(place=nine)))) + 2


_TONES: Final = {Result.WON: Tone.GOOD, Result.LOST: Tone.TEXT, Result.WATCHED: Tone.QUIET}


def game_line(game: ListedGame, width: int) -> Line:
    """When, how it went, by what rules, at which table, and who played, the winner first."""
    mine = (game.place or 0) - 1
    people = ", ".join(
        _("you") if place == mine else name for place, name in enumerate(game.people)
    )
    is_short = width < _WITH_YEAR
    result = _result_cells(is_short=is_short)
    rules = max(cell_len(preset_words(each)) for each in ("milan", "three-coins", "hollywood")) + 2
    date, time = day(game.finished), _TIME
    if is_short:
        date, time, result = date[5:], _SHORT_TIME, result - 1
        rules = min(rules, width - time - result + 2)
    rest = width - time - result - rules
    # The table's name gets what the people leave.
    event = min(_EVENT, rest - cell_len(people) - 2)
    event = event if event > _FEW else 0
    line: Line = (
        (left(f"{date} {hour(game.finished)}", time), Tone.QUIET),
        (left(result_words(game, is_short=is_short), result), _TONES[game.result]),
        (left(fit(preset_words(game.preset), rules - 2), rules), Tone.TEXT),
        (left(fit(people, rest - event), rest - event), Tone.TEXT),
        (fit(game.event, event), Tone.QUIET),
    )
    return fitted([line], width)[0]


def game_lines(game: ListedGame, width: int) -> list[Line]:
    """A single game: its line, and everybody's place."""
    return [
        game_line(game, width),
        *(
            ((f"  {place}. ", Tone.QUIET), (name, Tone.TEXT))
            for place, name in enumerate(game.people, 1)
        ),
    ]


_SIGN: Final = 2
"""Columns before a line."""


class GameList(ScrollView, can_focus=True):
    """Textual's scrolling view by lines, one of which is chosen."""

    ALLOW_SELECT = False
    BINDINGS = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "leaf(-1)", show=False),
        Binding("pagedown", "leaf(1)", show=False),
        Binding("home", "go(0)", show=False),
        Binding("end", "go(-1)", show=False),
        Binding("enter", "open", show=False),
    ]

    class Opened(Message):
        """The chosen game was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._games: Sequence[ListedGame] = ()
        self._place = 0

    @property
    def game(self) -> ListedGame | None:
        """The chosen game."""
        return self._games[self._place] if self._place < len(self._games) else None

    @property
    def games(self) -> Sequence[ListedGame]:
        """All games on the list."""
        return self._games

    def present(self, games: Sequence[ListedGame]) -> None:
        """List these games; the chosen one stays chosen if it is among them."""
        kept = self.game
        self._games = games
        places = (place for place, game in enumerate(games) if kept and game.id == kept.id)
        self._place = next(places, 0)
        self.virtual_size = Size(0, len(games))
        self._follow()
        self.refresh()

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self.refresh())

    def on_resize(self) -> None:
        """Keep the chosen line in sight."""
        self._show()

    def _follow(self) -> None:
        """Scroll to the chosen line, and again after the next layout: until then less may fit."""
        self._show()
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        top, rows = self.scroll_offset.y, max(self.size.height, 1)
        if not top <= self._place < top + rows:
            y = self._place if self._place < top else self._place - rows + 1
            self.scroll_to(y=y, animate=False, force=True, immediate=True)

    def _choose(self, place: int) -> None:
        before, self._place = self._place, max(0, min(place, len(self._games) - 1))
        if before != self._place:
            self.refresh_line(before)
            self.refresh_line(self._place)
            self._follow()

    def action_move(self, by: int) -> None:
        """Choose another line."""
        self._choose(self._place + by)

    def action_leaf(self, by: int) -> None:
        """Go one screenful further."""
        self._choose(self._place + by * max(self.size.height - 1, 1))

    def action_go(self, end: int) -> None:
        """Go to the first line or to the last."""
        self._choose(len(self._games) - 1 if end else 0)

    def action_open(self) -> None:
        """Ask for the chosen game."""
        if self.game is not None:
            self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        """Choose the line under the mouse; a second click opens it."""
        place = event.y + self.scroll_offset.y
        if place == self._place:
            self.action_open()
        elif place < len(self._games):
            self._choose(place)

    def render_line(self, y: int) -> Strip:
        """The line at a row of the view."""
        place, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        if not 0 <= place < len(self._games):
            return Strip.blank(width, self.rich_style)
        chosen = place == self._place
        sign = f"{glyphs().pointer} " if chosen else " " * _SIGN
        line = ((sign, Tone.ACCENT), *game_line(self._games[place], width - _SIGN))
        strip = Strip(_segments(line)).adjust_cell_length(width)
        ground = Style(bgcolor=palette.RAISED, bold=True) if chosen else Style.null()
        return strip.apply_style(self.rich_style + ground)


def _segments(line: Line) -> list[Segment]:
    styles = {
        Tone.TEXT: palette.TEXT,
        Tone.BOLD: palette.BOLD,
        Tone.QUIET: palette.QUIET,
        Tone.TITLE: palette.STRONG,
        Tone.ACCENT: palette.BRIGHT,
        Tone.COIN: palette.MONEY,
        Tone.GOOD: palette.RIGHT,
        Tone.BAD: palette.WRONG,
    }
    return [Segment(text, styles[tone]) for text, tone in line if text]
