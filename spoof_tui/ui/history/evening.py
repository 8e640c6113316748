"""The page of an evening: everybody who played, and what they have made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rich.cells import cell_len

from spoof_tui.history.queries import Evening, Tally
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas.wrapping import wrap
from spoof_tui.ui.history.game_list import day, hour, preset_words
from spoof_tui.ui.history.pictures import Line, Tone, bar, fitted, left, right

MAX_NAME: Final = 18
_BAR: Final = 12
_GAP: Final = 2


def evening_lines(evening: Evening | None, width: int) -> list[Line]:
    """The whole page in so many columns."""
    if evening is None:
        return [((line, Tone.TEXT),) for line in wrap(_("There is no such evening."), width)]
    heads, rows = _table(evening.table, len(evening.games), width)
    lines: list[Line] = [
        *(((line, Tone.TITLE),) for line in wrap(_heading(evening), width)),
        ((_about(evening), Tone.QUIET),),
        (),
        heads,
        *rows,
        (),
        *(((line, Tone.QUIET),) for line in wrap(_note(evening), width)),
    ]
    return fitted(lines, width)


def _heading(evening: Evening) -> str:
    return _("{table}, the evening of {day}").format(
        table=evening.event, day=day(evening.games[0].finished)
    )


def _about(evening: Evening) -> str:
    count = len(evening.games)
    rules = dict.fromkeys(preset_words(game.preset) for game in evening.games)
    played = ngettext("{count} game", "{count} games", count).format(count=count)
    first, last = evening.games[0].finished, evening.games[-1].finished
    hours = hour(last) if count == 1 else f"{hour(first)}–{hour(last)}"
    return f"{played} · {', '.join(rules)} · {hours}"


def _note(evening: Evening) -> str:
    """What the last columns are."""
    if any(each.coins for each in evening.table):
        return _(
            "Places in the order of the games; coins are those owned at the ends of the games."
        )
    return _("Finishing places, game by game.")


_FEW_PLACES: Final = 9
"""Columns that five places take."""

Column = tuple[str, Callable[[Tally], str], Tone]
"""A title, what stands below it, and how that looks."""


def _columns(table: Sequence[Tally]) -> list[Column]:
    """What is known of somebody: chips, drinks and fines only where there are any."""
    found: list[Column] = [
        (_("won"), lambda each: str(each.won), Tone.BOLD),
        (_("games"), lambda each: str(each.games), Tone.TEXT),
    ]
    if any(each.coins for each in table):
        found.append((_("coins"), lambda each: str(each.coins), Tone.COIN))
    if any(each.chips is not None for each in table):
        found.append((_("chips"), lambda each: _signed(each.chips), Tone.COIN))
    if any(each.rounds_paid for each in table):
        found.append((_("paid"), lambda each: str(each.rounds_paid or 0), Tone.TEXT))
    if any(each.fines for each in table):
        found.append((_("fines"), lambda each: str(each.fines), Tone.BAD))
    return found


def _signed(chips: int | None) -> str:
    return "" if chips is None else f"{chips:+d}".replace("-", "−") if chips else "0"


def _table(table: Sequence[Tally], games: int, width: int) -> tuple[Line, list[Line]]:
    """The titles, and a line for everybody."""
    found = _columns(table)
    name = min(max((cell_len(_name(each)) for each in table), default=0), MAX_NAME) + _GAP
    sizes = [max(cell_len(title), 4) + _GAP for title, _told, _tone in found]
    wanted = max(cell_len(_("places")), _FEW_PLACES)
    while len(found) > 1 and width - name - sum(sizes) - _GAP < wanted:
        # What an evening was like is seen in its places; how many games stands above.
        del found[1], sizes[1]
    room = width - name - sum(sizes) - _GAP
    drawn = _BAR if room >= _BAR + 14 else 0
    places = max(room - (drawn + _GAP if drawn else 0), 6)
    heads = left("", name) + "".join(
        right(title, size) for (title, _told, _tone), size in zip(found, sizes, strict=True)
    )
    blank = " " * (_GAP + (drawn + _GAP if drawn else 0))
    rows = [_row(each, found, sizes, name, drawn, places) for each in table]
    return ((heads + blank + left(_("places"), places).rstrip(), Tone.QUIET),), rows


def _row(
    each: Tally, found: Sequence[Column], sizes: Sequence[int], name: int, drawn: int, places: int
) -> Line:
    told = [
        (right(say(each), size), tone)
        for (_title, say, tone), size in zip(found, sizes, strict=True)
    ]
    picture = ((" " * _GAP, Tone.TEXT), *bar(each.won / each.games, drawn, Tone.COIN))
    shown = " ".join(map(str, each.places))
    if len(shown) > places:
        shown = "…" + shown[len(shown) - places + 1 :]
    return (
        (left(_name(each), name - _GAP) + " " * _GAP, Tone.ACCENT if each.is_me else Tone.TEXT),
        *told,
        *(picture if drawn else ()),
        (" " * _GAP + shown, Tone.QUIET),
    )


def _name(each: Tally) -> str:
    return _("{name} (you)").format(name=each.name) if each.is_me else each.name
