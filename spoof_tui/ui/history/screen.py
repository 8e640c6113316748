"""The screen of the history: games played, statistics, and the results of an evening."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, OptionList, Static

from protocol.rules.options import PRESETS
from spoof_tui.acts.act import Act, KeyLabel, label, labels
from spoof_tui.history.export import Format, exported
from spoof_tui.history.index import Question
from spoof_tui.history.queries import Evening, Filter, GameResult, ListedGame, evening, games
from spoof_tui.history.statistics import Statistics, statistics
from spoof_tui.storage import chosen_file, paths
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.system_errors import reason_of
from spoof_tui.ui.app_protocol import tell
from spoof_tui.ui.canvas.cells import first_fitting, labels_within
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog, Field
from spoof_tui.ui.dialogs.labels import clickable_line, key_line
from spoof_tui.ui.dialogs.reading import Pages, Reading, wrapped
from spoof_tui.ui.dialogs.rows import HELP, ActScreen, bindings
from spoof_tui.ui.history.game_list import GameList, content, preset_words
from spoof_tui.ui.history.looking import (
    Stopped,
    T,
    look,
    record_path,
    reviewed,
    verified,
)
from spoof_tui.ui.history.statistics import evening_lines, statistics_lines
from spoof_tui.ui.messages import ReplayWanted
from spoof_tui.visiting import is_visitor

_FORMATS: Final = (Format.SPOOF, Format.CSV, Format.JSON)
_STEM: Final = "spoof-games"


@dataclass(frozen=True, slots=True)
class Export:
    """What to export, and where to."""

    path: Path
    kind: Format
    is_one: bool
    """Whether to export only the highlighted game rather than the whole list."""
    replaces: bool = False
    """Whether an existing file may be replaced."""


class ExportDialog(Dialog[Export]):
    """Asks which games to export, in which format, and to which file."""

    AUTO_FOCUS = "OptionList"

    def __init__(self, count: int) -> None:
        """`count` is the number of games on the list."""
        all_of_them = ngettext("{count} game on the list", "all {count} on the list", count)
        self._which = Choice(_("Games"), (_("this one"), all_of_them.format(count=count)))
        self._format = Choice(
            _("Format"),
            (_("records (.spoof)"), "CSV", "JSON"),
            help=_("Records can be replayed and checked; CSV and JSON are for other programs."),
        )
        self._file = Field(_("File"), f"{_STEM}.{Format.SPOOF.value}")
        self._asked_about = ""
        """The existing file that the player was asked about replacing; empty before."""
        help = _("A file named without a folder is saved in {folder}.").format(folder=Path.cwd())
        choices = [self._which, self._format]
        super().__init__(_("Export"), _("write"), [self._file], choices, help)

    @property
    def _kind(self) -> Format:
        return _FORMATS[self._format.index]

    def changed(self) -> None:
        """Give the default file name the suffix of the chosen format."""
        self._asked_about = ""
        usual = {f"{_STEM}.{kind.value}" for kind in _FORMATS}
        wanted = f"{_STEM}.{self._kind.value}"
        if self._file.value in usual and self._file.value != wanted:
            self._file.value = wanted

    def result(self) -> Export:
        """The chosen export; raises `ValueError` with a sentence, also once for a file that
        exists."""
        text = self._file.value.strip()
        replaces = self._asked_about == text
        try:
            path = chosen_file.named(text, replaces=replaces)
        except FileExistsError:
            self._asked_about = text
            raise ValueError(
                _("A file with that name exists. Press Enter again to replace it.")
            ) from None
        return Export(path, self._kind, self._which.index == 0, replaces)


class Tab(Enum):
    """A page of the history."""

    GAMES = "games"
    STATISTICS = "statistics"
    EVENING = "evening"


def _on(*pages: Tab) -> Callable[[Tab], bool]:
    return lambda page: page in pages


HISTORY: Final[tuple[Act[Tab, HistoryScreen], ...]] = (
    Act(
        id="page", key="tab", also=("right",), about=lambda: _("games, statistics, evenings"),
        label=label(100, lambda: _("page")), do=lambda c, _rest: c.action_turn(1),
    ),
    Act(
        id="replay", key="enter", listed=_on(Tab.GAMES),
        about=lambda: _("replay this game at a table"),
        label=label(10, lambda: _("replay"), _on(Tab.GAMES)), do=lambda c, _rest: c.replay_game(),
    ),
    Act(
        id="review", key="k", listed=_on(Tab.GAMES),
        about=lambda: _("let the coach review your moves in this game"),
        label=label(20, lambda: _("coach"), _on(Tab.GAMES)), do=lambda c, _rest: c.review_game(),
    ),
    Act(
        id="verify", key="x", listed=_on(Tab.GAMES),
        about=lambda: _("check the log of this game"),
        label=label(70, lambda: _("check"), _on(Tab.GAMES)), do=lambda c, _rest: c.verify_game(),
    ),
    Act(
        id="export", key="e", why_not=lambda page: chosen_file.why_not(),
        listed=lambda page: page is Tab.GAMES and not is_visitor(),
        about=lambda: _("write games to a file: records, CSV or JSON"),
        label=lambda page: KeyLabel(30, _("export"))
        if page is Tab.GAMES and not is_visitor() else None,
        do=lambda c, _rest: c.export_games(),
    ),
    Act(
        id="find", key="slash", listed=_on(Tab.GAMES),
        about=lambda: _("find games by player or table"),
        label=label(40, lambda: _("find"), _on(Tab.GAMES)), do=lambda c, _rest: c.find(),
    ),
    Act(
        id="rules", key="full_stop", listed=_on(Tab.GAMES, Tab.STATISTICS),
        about=lambda: _("show only the games under one rulebook, then the next"),
        label=label(50, lambda: _("rules"), _on(Tab.GAMES, Tab.STATISTICS)),
        do=lambda c, _rest: c.change_rules(),
    ),
    Act(
        id="result", key="space", listed=_on(Tab.GAMES),
        about=lambda: _("show only the games that you won, lost or watched"),
        label=label(60, lambda: _("result"), _on(Tab.GAMES)),
        do=lambda c, _rest: c.change_result(),
    ),
    Act(
        id="evening-before", key="left_square_bracket", listed=_on(Tab.EVENING),
        about=lambda: _("the previous evening"),
        label=label(80, lambda: _("another evening"), _on(Tab.EVENING), caption=lambda: "[ ]"),
        do=lambda c, _rest: c.change_evening(1),
    ),
    Act(
        id="evening-after", key="right_square_bracket", listed=_on(Tab.EVENING),
        about=lambda: _("the next evening"), do=lambda c, _rest: c.change_evening(-1),
    ),
    HELP,
    Act(
        id="back", key="escape", also=("q", "g"), about=lambda: _("back"),
        label=label(110, lambda: _("back")), do=lambda c, _rest: c.go_back(),
    ),
)  # fmt: skip


def shelf(open_page: Tab) -> Content:
    """The names of the pages, with the open one highlighted; a click opens another."""
    names = {
        Tab.GAMES: _("Games"),
        Tab.STATISTICS: _("Statistics"),
        Tab.EVENING: _("Evenings"),
    }
    return Content("    ").join(
        Content.styled(name, "bold $accent" if page is open_page else "$quiet")
        .stylize(Style.from_meta({"@click": f"screen.open('{page.name}')"}))
        for page, name in names.items()
    )  # fmt: skip


def which_evening(place: int) -> str:
    """The name of the evening on show; 0 is the latest."""
    if not place:
        return _("The last evening")
    text = ngettext(
        "{count} evening before the latest", "{count} evenings before the latest", place
    )
    return text.format(count=place)


def which_rules(preset: str | None) -> str:
    """The rules whose games are selected; None: all."""
    return preset_words(preset) if preset else _("all rules")


def which_games(wanted: Filter, count: int | None, width: int) -> str:
    """The conditions of the selection, and how many games meet them; `count` is None while they are
    read.

    If there is no room for everything, conditions that are off are left out.
    """
    parts = [
        (which_rules(wanted.preset), wanted.preset),
        (wanted.people.strip() or _("everybody"), wanted.people.strip()),
        (_result(wanted.result), wanted.result),
        (
            _("reading …")
            if count is None
            else ngettext("{count} game", "{count} games", count).format(count=count),
            "count",
        ),
    ]
    shown = (parts, [each for each in parts if each[1]])
    return first_fitting(
        width, *(f" {glyphs().dot} ".join(each[0] for each in some) for some in shown)
    )


def _result(result: GameResult | None) -> str:
    if result is None:
        return _("won or lost")
    return {GameResult.WON: _("won"), GameResult.LOST: _("lost"), GameResult.WATCHED: _("watched")}[
        result
    ]


_PRESETS: Final = (None, *PRESETS)
_RESULTS: Final = (None, *GameResult)


_PAGES: Final = tuple(Tab)


class HistoryScreen(ActScreen):
    """The history in three pages, which Tab switches; a thread reads what they show."""

    CSS_PATH = Path(__file__).with_name("history.tcss")
    AUTO_FOCUS = "GameList"
    ACTS = HISTORY
    BINDINGS = [("shift+tab,left", "turn(-1)"), *bindings(HISTORY)]

    def __init__(self) -> None:
        super().__init__()
        self.is_gone = False
        """Whether the screen was closed, so that results are no longer needed."""
        self.remark = ""
        """The progress of reading, if it takes a while; otherwise empty."""
        self._page = Tab.GAMES
        self._filter = Filter()
        self._games: Sequence[ListedGame] | None = None
        """All games; None until they are read."""
        self._statistics: dict[str | None, Statistics] = {}
        """Statistics that were read, by preset; under None, those of all games."""
        self._evenings: dict[int, Evening | None] = {}
        """Evenings that were read, by how many later ones there are; None if there is no such
        evening."""
        self._evening = 0
        self._search = Field(_("Who, or at which table"))
        self._search.display = False
        self._shown: dict[str, Content] = {}
        """What each widget shows, by its id, to update it only if that changes."""

    @property
    def facts(self) -> Tab:
        """The open page, on which the acts depend."""
        return self._page

    def compose(self) -> ComposeResult:
        """Create the names of the pages, the selection, the search, the page and the keys."""
        yield clickable_line("shelf")
        yield clickable_line("about")
        yield self._search
        yield GameList()
        with Pages() as pages:
            pages.display = False
            yield Static(id="text", markup=False)
        yield clickable_line("keys")

    def on_mount(self) -> None:
        self.present()
        self.read(games, partial(setattr, self, "_games"))

    # Reading

    def on_unmount(self) -> None:
        self.is_gone = True

    def read(self, question: Question[T], take: Callable[[T], None]) -> None:
        """Query the history in a thread, and call `take` with the result."""
        self.run_worker(self._reading(question, take), exit_on_error=False)

    async def _reading(self, question: Question[T], take: Callable[[T], None]) -> None:
        found, remark = await asyncio.to_thread(look, question, self._progress())
        self.remark = ""
        if self.is_gone:
            return
        for each in found:
            take(each)
        if remark:
            tell(self.app, remark)
        self.present()

    def _progress(self) -> Callable[[int, int], None]:
        """A function for the reading thread that reports its progress; it raises `Stopped` if not
        needed."""
        loop = asyncio.get_running_loop()

        def told(done: int, all: int) -> None:
            if self.is_gone or loop.is_closed():
                raise Stopped
            loop.call_soon_threadsafe(self._tell_progress, done, all)

        return told

    def _tell_progress(self, done: int, all: int) -> None:
        if not self.is_gone:
            text = _("Reading the records: {done} of {all}")
            self.remark = text.format(done=done, all=all)
            self.present()

    # Showing

    def present(self) -> None:
        """Bring the screen up to date."""
        if not self.is_mounted or self.is_gone:
            return
        shown = self._filter.fitting(self._games or ())
        is_list = self._page is Tab.GAMES and (bool(shown) or self._games is None)
        self.query_one(GameList).display = is_list
        self.query_one(Pages).display = not is_list
        if shown != self.query_one(GameList).games:
            self.query_one(GameList).present(shown)
        if not is_list:
            self._write("text", self._text())
        self._write("shelf", shelf(self._page))
        self._write("about", Content(self.remark or self._about()))
        keys = labels(HISTORY, self._page)
        if self._search.display:
            keys = [(_("Enter"), _("show them")), (_("Esc"), _("all games"))]
        self._write("keys", key_line(labels_within(keys, self.size.width - 4)))

    def _write(self, id: str, text: Content) -> None:
        line, before = self.query_one(f"#{id}", Static), self._shown.get(id)
        # Textual treats texts that differ only in style as equal.
        if before is None or (before, before.spans) != (text, text.spans):
            self._shown[id] = text
            line.update(text)

    def _about(self) -> str:
        """The line on what is selected on the open page."""
        if self._page is Tab.EVENING:
            return which_evening(self._evening)
        if self._page is Tab.STATISTICS:
            return which_rules(self._filter.preset)
        known = None if self._games is None else len(self.query_one(GameList).games)
        return which_games(self._filter, known, self.size.width - 4)

    def on_resize(self, event: events.Resize) -> None:
        """Draw the page at the new width."""
        self.present()

    adapt = present

    def _text(self) -> Content:
        width = max(self.query_one(Pages).size.width or self.size.width - 4, 20) - 1
        if self._page is Tab.GAMES:
            return wrapped([self._none()], width)
        if self._page is Tab.STATISTICS:
            told = self._statistics.get(self._filter.preset)
            return content(statistics_lines(told, width)) if told else Content(_("reading …"))
        if self._evening not in self._evenings:
            return Content(_("reading …"))
        return content(evening_lines(self._evenings[self._evening], width))

    def _none(self) -> str:
        """Why the list is empty, as a sentence."""
        if not self._games:
            return _("You have not finished a game yet. Play one, and it is listed here.")
        return _("No games match. The full stop, space and / keys change the selection.")

    # Turning pages, and choosing games

    def action_turn(self, by: int) -> None:
        """Open the next or the previous page."""
        self.action_open(_PAGES[(_PAGES.index(self._page) + by) % len(_PAGES)].name)

    def action_open(self, name: str) -> None:
        """Open the page of this name."""
        self._page = Tab[name]
        self._search.display = False
        self._fetch()
        self.present()
        self.query_one(Pages).scroll_home(animate=False)
        self.query_one(GameList if self._page is Tab.GAMES else Pages).focus()

    def _fetch(self) -> None:
        """Start to read what the open page needs, unless it has been read."""
        preset, place = self._filter.preset, self._evening
        if self._page is Tab.STATISTICS and preset not in self._statistics:
            self.read(statistics(preset), partial(self._statistics.__setitem__, preset))
        elif self._page is Tab.EVENING and place not in self._evenings:
            self.read(evening(place), partial(self._take_evening, place))

    def _take_evening(self, place: int, found: Evening | None) -> None:
        if found is None and place:
            self._evening = place - 1  # there was none before
        else:
            self._evenings[place] = found

    def change_rules(self) -> None:
        """Select the games of the next preset, or of all."""
        after = (_PRESETS.index(self._filter.preset) + 1) % len(_PRESETS)
        self._filter = replace(self._filter, preset=_PRESETS[after])
        self._fetch()
        self.present()

    def change_result(self) -> None:
        """Switch the filter to the games with the next result, or to those with any result."""
        after = (_RESULTS.index(self._filter.result) + 1) % len(_RESULTS)
        self._filter = replace(self._filter, result=_RESULTS[after])
        self.present()

    def change_evening(self, by: int) -> None:
        """Show the evening `by` further back."""
        self._evening = max(self._evening + by, 0)
        self._fetch()
        self.present()

    def find(self) -> None:
        """Open the field that searches for games by player or table."""
        self._search.display = True
        self._search.focus()
        self.present()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._filter = replace(self._filter, people=event.value)
        self.present()

    def on_descendant_focus(self) -> None:
        """End the search when something else gets the focus."""
        if self._search.display and self.focused is not self._search:
            self._end_search()

    @on(Input.Submitted)
    def _end_search(self) -> None:
        self._search.display = False
        self.query_one(GameList).focus()
        self.present()

    # Acts on a game

    @on(OptionList.OptionSelected)
    def _opened(self) -> None:
        self.replay_game()

    def replay_game(self) -> None:
        """Open the replay of the highlighted game."""
        game = self.query_one(GameList).game
        if game is not None:
            self.post_message(ReplayWanted(record_path(game)))

    def review_game(self) -> None:
        """Show the review of the player's own words in the highlighted game."""
        self._tell_of(_("Looking back"), reviewed)

    def verify_game(self) -> None:
        """Show the verdict on the log of the highlighted game."""
        self._tell_of(_("The log of this game"), verified)

    def _tell_of(self, title: str, say: Callable[[ListedGame], list[str]]) -> None:
        game = self.query_one(GameList).game
        if game is not None:
            self.run_worker(self._telling(title, partial(say, game)), exit_on_error=False)

    async def _telling(self, title: str, say: Callable[[], list[str]]) -> None:
        tell(self.app, _("reading …"))
        try:
            lines = await asyncio.to_thread(say)
        except OSError as error:
            tell(self.app, _("The file cannot be read: {why}").format(why=reason_of(error)))
            return
        tell(self.app, "")
        if not self.is_gone:
            self.app.push_screen(Reading(title, partial(wrapped, lines)))

    def export_games(self) -> None:
        """Ask what to export and where to, and write it."""
        shown = self.query_one(GameList).games
        if shown:
            self.app.push_screen(ExportDialog(len(shown)), self._export)

    def _export(self, chosen: Export | None) -> None:
        game = self.query_one(GameList).game
        if chosen is None or game is None:
            return
        meant = [game] if chosen.is_one else list(self.query_one(GameList).games)
        ask = exported(meant, chosen.kind, paths.games_folder())
        self.read(lambda connection: _written(chosen, ask(connection)), partial(tell, self.app))

    def go_back(self) -> None:
        """End a search and clear its text; without a search, close the screen."""
        if self._search.display:
            self._search.value = ""
            self._end_search()
        else:
            self.dismiss(None)


def _written(chosen: Export, text: str) -> str:
    """Write the text of an export to its file; return a message on success or failure."""
    try:
        chosen_file.write(chosen.path, text, replaces=chosen.replaces)
    except (OSError, ValueError) as error:
        why = reason_of(error)
        return _("The file cannot be written: {why}").format(why=why)
    return _("Written: {path}").format(path=chosen.path)
