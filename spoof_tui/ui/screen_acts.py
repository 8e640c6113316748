"""What can be done in replay, history and rulebook: a row for each act."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from spoof_tui.acts.act import Act, AnyAct, KeyLabel, label
from spoof_tui.storage import chosen_file
from spoof_tui.text.i18n import _
from spoof_tui.visiting import is_visitor

if TYPE_CHECKING:
    from spoof_tui.ui.history.screen import HistoryScreen
    from spoof_tui.ui.replay.player import Player
    from spoof_tui.ui.rulebook import RulebookScreen

# A replay


class Wish(Enum):
    """What a key of a replay asks its screen for."""

    HELP = "help"
    LEAVE = "leave"


ReplayAct: TypeAlias = "Act[None, Player]"


def _open_hands(c: Player, _rest: str) -> None:
    c.open_hands = not c.open_hands


def _wishes(wish: Wish) -> Callable[[Player, str], None]:
    def do(c: Player, _rest: str) -> None:
        c.wish = wish

    return do


REPLAY: Final[tuple[ReplayAct, ...]] = (
    Act(
        id="forward", key="right", also=("enter",), about=lambda: _("the next move"),
        label=label(10, lambda: _("move"), caption=lambda: "← →"),
        do=lambda c, _rest: c.forward(),
    ),
    Act(
        id="back", key="left", about=lambda: _("the previous move"),
        do=lambda c, _rest: c.back(),
    ),
    Act(
        id="next-round", key="down", also=("pagedown",), about=lambda: _("the next round"),
        label=label(20, lambda: _("round"), caption=lambda: "↑ ↓"),
        do=lambda c, _rest: c.turn(1),
    ),
    Act(
        id="previous-round", key="up", also=("pageup",), about=lambda: _("the previous round"),
        do=lambda c, _rest: c.turn(-1),
    ),
    Act(
        id="round", shown=lambda: "0–9 " + _("Enter"), about=lambda: _("to a round"),
        do=lambda _c, _rest: None,  # digits are typed
    ),
    Act(
        id="first", key="home", about=lambda: _("the beginning"),
        do=lambda c, _rest: c.first(),
    ),
    Act(
        id="last", key="end", about=lambda: _("the end"),
        label=label(40, lambda: _("jump"), caption=lambda: "Home End"),
        do=lambda c, _rest: c.last(),
    ),
    Act(
        id="play", key="space", about=lambda: _("play automatically, or stop"),
        label=label(50, lambda: _("play")), do=lambda c, _rest: c.play(),
    ),
    Act(
        id="faster", key="plus", also=("equals_sign",), about=lambda: _("faster"),
        label=label(60, lambda: _("speed"), caption=lambda: "+ -"),
        do=lambda c, _rest: c.change_pace(-1),
    ),
    Act(
        id="slower", key="minus", about=lambda: _("slower"),
        do=lambda c, _rest: c.change_pace(1),
    ),
    Act(
        id="hands", key="tab", about=lambda: _("open or close the hands"),
        label=label(70, lambda: _("hands")), do=_open_hands,
    ),
    Act(
        id="next-game", key="right_square_bracket", about=lambda: _("the next game"),
        label=label(80, lambda: _("game"), caption=lambda: "[ ]"),
        do=lambda c, _rest: c.change_game(1),
    ),
    Act(
        id="previous-game", key="left_square_bracket", about=lambda: _("the previous game"),
        do=lambda c, _rest: c.change_game(-1),
    ),
    Act(id="help", key="question_mark", about=lambda: _("help"), do=_wishes(Wish.HELP)),
    Act(
        id="quit", key="q", also=("escape",), about=lambda: _("quit"),
        label=label(90, lambda: _("quit")), do=_wishes(Wish.LEAVE),
    ),
)  # fmt: skip

_HELP: Final[AnyAct] = Act(
    id="help", key="question_mark", about=lambda: _("help"), do=lambda c, _rest: c.show_help()
)

# The history


class Page(Enum):
    """A page of the history."""

    GAMES = "games"
    STATISTICS = "statistics"
    EVENING = "evening"


HistoryAct: TypeAlias = "Act[Page, HistoryScreen]"


def _on(*pages: Page) -> Callable[[Page], bool]:
    return lambda page: page in pages


HISTORY: Final[tuple[HistoryAct, ...]] = (
    Act(
        id="page", key="tab", also=("right",), about=lambda: _("games, statistics, evenings"),
        label=label(100, lambda: _("page")), do=lambda c, _rest: c.action_turn(1),
    ),
    Act(
        id="replay", key="enter", listed=_on(Page.GAMES),
        about=lambda: _("step through this game on a table"),
        label=label(10, lambda: _("replay"), _on(Page.GAMES)), do=lambda c, _rest: c.replay_game(),
    ),
    Act(
        id="review", key="k", listed=_on(Page.GAMES),
        about=lambda: _("let the coach review your words in this game"),
        label=label(20, lambda: _("coach"), _on(Page.GAMES)), do=lambda c, _rest: c.review_game(),
    ),
    Act(
        id="verify", key="x", listed=_on(Page.GAMES),
        about=lambda: _("check the log of this game"),
        label=label(70, lambda: _("check"), _on(Page.GAMES)), do=lambda c, _rest: c.verify_game(),
    ),
    Act(
        id="export", key="e", why_not=lambda page: chosen_file.why_not(),
        listed=lambda page: page is Page.GAMES and not is_visitor(),
        about=lambda: _("write games to a file: records, CSV or JSON"),
        label=lambda page: KeyLabel(30, _("export"))
        if page is Page.GAMES and not is_visitor() else None,
        do=lambda c, _rest: c.export_games(),
    ),
    Act(
        id="find", key="slash", listed=_on(Page.GAMES),
        about=lambda: _("find games by player or table"),
        label=label(40, lambda: _("find"), _on(Page.GAMES)), do=lambda c, _rest: c.find(),
    ),
    Act(
        id="rules", key="full_stop", listed=_on(Page.GAMES, Page.STATISTICS),
        about=lambda: _("only games by other rules"),
        label=label(50, lambda: _("rules"), _on(Page.GAMES, Page.STATISTICS)),
        do=lambda c, _rest: c.change_rules(),
    ),
    Act(
        id="result", key="space", listed=_on(Page.GAMES),
        about=lambda: _("only games that you won, lost or watched"),
        label=label(60, lambda: _("result"), _on(Page.GAMES)),
        do=lambda c, _rest: c.change_result(),
    ),
    Act(
        id="evening-before", key="left_square_bracket", listed=_on(Page.EVENING),
        about=lambda: _("the previous evening"),
        label=label(80, lambda: _("another evening"), _on(Page.EVENING), caption=lambda: "[ ]"),
        do=lambda c, _rest: c.change_evening(1),
    ),
    Act(
        id="evening-after", key="right_square_bracket", listed=_on(Page.EVENING),
        about=lambda: _("the next evening"), do=lambda c, _rest: c.change_evening(-1),
    ),
    _HELP,
    Act(
        id="back", key="escape", also=("q", "g"), about=lambda: _("back"),
        label=label(110, lambda: _("back")), do=lambda c, _rest: c.go_back(),
    ),
)  # fmt: skip

# The rulebook


RULEBOOK: Final[tuple[Act[None, RulebookScreen], ...]] = (
    Act(
        id="next-book", key="right", also=("tab",), about=lambda: _("another rulebook"),
        label=label(20, lambda: _("another rulebook"), caption=lambda: "← →"),
        do=lambda c, _rest: c.turn(1),
    ),
    Act(
        id="previous-book", key="left", about=lambda: _("the previous rulebook"),
        do=lambda c, _rest: c.turn(-1),
    ),
    Act(
        id="down", key="down", about=lambda: _("read on"),
        label=label(10, lambda: _("read on"), caption=lambda: "↑ ↓"),
        do=lambda c, _rest: c.scroll(1),
    ),
    Act(id="up", key="up", about=lambda: _("read back"), do=lambda c, _rest: c.scroll(-1)),
    Act(id="leaf", key="space", about=lambda: _("the next page"), do=lambda c, _rest: c.leaf()),
    _HELP,
    Act(
        id="back", key="escape", also=("q", "h", "enter"), about=lambda: _("back"),
        label=label(30, lambda: _("back")), do=lambda c, _rest: c.close(),
    ),
)  # fmt: skip
