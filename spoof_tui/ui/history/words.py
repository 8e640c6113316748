"""What stands above and below the pages of the history."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from spoof_tui.history.queries import Filter, Result
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.acts.screens import Page
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.history.game_list import preset_words


def shelf(open_page: Page) -> Content:
    """The names of the pages, one of them open."""
    names = {
        Page.GAMES: _("Games"),
        Page.STATISTICS: _("Statistics"),
        Page.EVENING: _("The evening"),
    }
    return Content("    ").join(
        Content.styled(name, "bold $accent" if page is open_page else "$quiet")
        .stylize(Style.from_meta({"@click": f"screen.open('{page.name}')"}))
        for page, name in names.items()
    )  # fmt: skip


def which_evening(place: int) -> str:
    """Which evening is shown; 0 is the last one."""
    if not place:
        return _("The last evening")
    text = ngettext("{count} evening before the last", "{count} evenings before the last", place)
    return text.format(count=place)


def which_rules(preset: str | None) -> str:
    """By which rules the games are."""
    return preset_words(preset) if preset else _("all rules")


def which_games(wanted: Filter, count: int | None) -> str:
    """Which games are meant, and how many there are; None while they are read."""
    parts = [
        which_rules(wanted.preset),
        wanted.people.strip() or _("everybody"),
        _result(wanted.result),
        _("reading …")
        if count is None
        else ngettext("{count} game", "{count} games", count).format(count=count),
    ]
    return f" {glyphs().dot} ".join(parts)


def _result(result: Result | None) -> str:
    if result is None:
        return _("won or lost")
    return {Result.WON: _("won"), Result.LOST: _("lost"), Result.WATCHED: _("watched")}[result]
