"""What can be typed now, and what the game is, one line each."""

from __future__ import annotations

from collections.abc import Iterator

from spoof_tui.text.i18n import _
from spoof_tui.ui.acts import table
from spoof_tui.ui.acts.act import plain_help
from spoof_tui.ui.acts.lobby import LOBBY
from spoof_tui.ui.acts.table import TableFacts
from spoof_tui.ui.wording.manual import ending_meanings, how_a_round_goes, how_it_ends


def game_lines() -> Iterator[str]:
    """The game in ten lines."""
    yield from how_a_round_goes()
    for word, meaning in ending_meanings():
        yield f"{word}: {meaning}."
    yield how_it_ends()


def lobby_help() -> Iterator[str]:
    """What can be typed in the lobby."""
    yield _("You can type, each followed by Enter:")
    yield from plain_help(LOBBY, None)


def table_help(facts: TableFacts) -> Iterator[str]:
    """What can be typed at a table now; anything the player cannot do is left out."""
    view = facts.view
    yield _("You can type, each followed by Enter:")
    if view is not None and view.own_fist_due:
        yield _("a number: hide that many coins; what you type is not shown")
    if view is not None and view.my_turn:
        yield _("a number: bid or call it")
        if not view.is_guessing:
            for word, meaning in ending_meanings():
                yield f"{word}: {meaning}"
    acts = [each for each in table.TABLE if view is not None or not each.needs_table]
    yield from plain_help(acts, facts)
    yield _(
        "Enter alone: go on, finish a count at once, or repeat the question. If a line comes in"
        " while you type, what you typed is kept."
    )
