"""What stands above and below the pages of the history."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from spoof_tui.history.queries import Filter, Result
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.acts.act import key_of, labels, pressed
from spoof_tui.ui.acts.screens import HISTORY, Page
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.history.listing import preset_words


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


def keys(page: Page, width: int) -> Content:
    """What the keys do on a page: as many as fit, those that matter most first to stay."""
    shown = labels(HISTORY, page)
    while len(shown) > 2 and _length(shown) > width:
        # The last two lead away from here.
        del shown[-3]
    return Content("  ").join(_label(*each) for each in shown)


def _label(caption: str, words: str) -> Content:
    """Each of its keys can be clicked, and the words with the last one."""
    *others, last = caption.split()
    pieces = [_clicked(Content.styled(each, "bold $accent"), each) for each in others]
    meaning = Content.assemble((last, "bold $accent"), " ", (words, "$quiet"))
    return Content(" ").join([*pieces, _clicked(meaning, last)])


def _clicked(label: Content, caption: str) -> Content:
    act = pressed(key_of(caption) or "", HISTORY)
    return label.stylize(Style.from_meta({"@click": f"screen.do({act.id!r})"})) if act else label


def _length(shown: Sequence[tuple[str, str]]) -> int:
    return sum(cell_len(key) + cell_len(words) + 3 for key, words in shown) - 2
