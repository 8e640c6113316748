"""What can be done in the lobby: an act for each, for both the screen and plain lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from spoof_tui.acts.act import Act, KeyAct, key_acts, label
from spoof_tui.storage import chosen_file
from spoof_tui.text.i18n import LANGUAGES, _, other, pgettext
from spoof_tui.visiting import is_visitor


class LobbyFacts(NamedTuple):
    """What the lobby's line of keys depends on."""

    is_table: bool
    """Whether a table is selected."""
    is_cut: bool
    """Whether there are more tables than fit."""
    is_first: bool
    """Whether the player is new and no problem is on show."""


LobbyAct: TypeAlias = Act[Any, Any]
"""An act carried out with `LobbyScreen` or, in plain lines, with `PlainLobby`."""


LOBBY: Final[tuple[LobbyAct, ...]] = (
    Act(
        id="play", key="p", name=lambda: pgettext("typed", "play"),
        about=lambda: _("play now"),
        typed=lambda _facts: _(
            "play now against bots; add how many, how strong and by which rules if you like: "
            "play 5 hard hollywood"
        ),
        do=lambda c, rest: c.practise(rest),
    ),
    Act(
        id="learn", key="b", name=lambda: pgettext("typed", "learn"),
        about=lambda: _("learn by playing"),
        typed=lambda _facts: _("what the game is, in ten lines"),
        do=lambda c, _rest: c.learn(),
    ),
    Act(
        id="host", key="n", name=lambda: pgettext("typed", "host"),
        about=lambda: _("open a table"),
        typed=lambda _facts: _("open a table; asks you for its settings"),
        do=lambda c, _rest: c.open_table(),
    ),
    Act(
        id="join", key="a", name=lambda: pgettext("typed", "join"),
        about=lambda: _("join by address"),
        typed=lambda _facts: _(
            "sit down at a table: by its number, its name, or its address and join code; the "
            "number alone is enough, too"
        ),
        do=lambda c, rest: c.join_table(rest),
    ),
    Act(
        id="continue", key="y", name=lambda: pgettext("typed", "continue"),
        about=lambda: _("continue a table"),
        typed=lambda _facts: _("continue a table that broke off"),
        do=lambda c, rest: c.resume_table(rest),
    ),
    Act(
        id="watch", key="i", name=lambda: pgettext("typed", "watch"),
        about=lambda: _("watch the selected table"),
        label=label(80, lambda: _("watch"), lambda f: f.is_table),
        typed=lambda _facts: _("watch a table, by its number or name"),
        do=lambda c, rest: c.watch_table(rest),
    ),
    Act(
        id="find", key="slash", about=lambda: _("find a table by its name"),
        label=label(70, lambda: _("find"), lambda f: f.is_cut),
        do=lambda c, _rest: c.action_search(),
    ),
    Act(
        id="tables", name=lambda: pgettext("typed", "tables"),
        about=lambda: _("the tables on this network"), do=lambda c, _rest: c.list_tables(),
    ),
    Act(
        id="history", key="g", about=lambda: _("games that you played, and statistics"),
        label=label(35, lambda: _("games"), lambda f: not f.is_first),
        do=lambda c, _rest: c.show_history(),
    ),
    Act(
        id="export", letter="e", name=lambda: pgettext("typed", "export"),
        about=lambda: _("write your games to a file, such as: export games.csv"),
        why_not=lambda _facts: chosen_file.why_not(), listed=lambda _facts: not is_visitor(),
        do=lambda c, rest: c.export_games(rest),
    ),
    Act(
        id="name", name=lambda: pgettext("typed", "name"),
        about=lambda: _("rename"), typed=lambda _facts: _("take another name, such as: name Olha"),
        do=lambda c, rest: c.rename_player(rest),
    ),
    Act(
        id="network", key="x", name=lambda: pgettext("typed", "network"),
        about=lambda: _("check the network"),
        label=label(50, lambda: _("network"), lambda f: not f.is_first),
        do=lambda c, _rest: c.examine(),
    ),
    Act(
        id="lines", key="o", name=lambda: pgettext("typed", "lines"),
        about=lambda: _("options"),
        label=label(40, lambda: _("options")),
        typed=lambda f: _("always start in plain text, or full screen again"),
        do=lambda c, _rest: c.choose_options(),
    ),
    Act(
        id="language", key="u", name=lambda: pgettext("typed", "language"),
        about=lambda: LANGUAGES[other()],
        # In the other language, for a player who does not read this one.
        label=label(60, lambda: LANGUAGES[other()]),
        do=lambda c, rest: c.speak(rest),
    ),
    Act(
        id="rules", key="h", name=lambda: pgettext("typed", "rules"),
        about=lambda: _("rules"), typed=lambda _facts: _("the rules, such as: rules hollywood"),
        label=label(30, lambda: _("rules")),
        do=lambda c, rest: c.show_rules(rest),
    ),
    Act(
        id="help", key="question_mark", name=lambda: pgettext("typed", "help"),
        about=lambda: _("help"), typed=lambda _facts: _("this help"),
        label=label(200, lambda: _("help")),
        do=lambda c, _rest: c.show_help(),
    ),
    Act(
        id="quit", key="q", name=lambda: pgettext("typed", "quit"),
        about=lambda: _("quit"), typed=lambda _facts: _("end the program"),
        label=label(210, lambda: _("quit")),
        do=lambda c, _rest: c.leave_program(),
    ),
)  # fmt: skip


def lobby_keys() -> Iterator[KeyAct]:
    """The keys of the lobby, for help and palette."""
    yield KeyAct("enter", _("do what the selected line says"))
    yield KeyAct("", _("select a line"), "↑ ↓")
    yield KeyAct("", _("choose the game for “Play now”"), "← → " + _("Tab"))
    yield from key_acts(LOBBY, None)
    yield KeyAct("", _("hide everything on the screen"), "Ctrl+L")
