"""`spoof rules [PRESET [option=value ...]]`: prints a rulebook in plain text."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from protocol.errors import Malformed
from protocol.rules.options import PRESETS, BiddingRules, Rules, Token, written
from spoof_tui.commands.printing import Parser, hanging, page_width
from spoof_tui.telling.rule_options import option_label, preset_words, read_rules, value_label
from spoof_tui.telling.rulebook import Chapter, rulebook
from spoof_tui.telling.titles import preset_name
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _

_GAP: Final = 2
_LEAST: Final = 12
"""The fewest columns for a preset; if there is less room, the labels are narrowed instead."""

_MARKS: Final = 7
"""Columns of the clause numbers."""


def main(words: Sequence[str]) -> int:
    """Print a rulebook, or without a preset an overview; return 2 if the rules cannot be read."""
    reader = parser()
    given = reader.parse_args(words)
    width = page_width()
    if given.preset is None:
        _print(overview(width))
        return 0
    try:
        rules = read_rules(" ".join([given.preset, *given.options]))
    except Malformed as error:
        reader.error(str(error))
    i18n.play_with(rules.token.value)
    _print(book(rules, width))
    i18n.play_with(Token.COINS.value)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof rules`."""
    parser = Parser(
        prog="spoof rules",
        description=_(
            "Print the rulebook of a preset; without a preset, show how the presets differ."
        ),
    )
    known = ", ".join(PRESETS)
    parser.add("preset", nargs="?", metavar="PRESET", help=known, suggests=PRESETS)
    parser.add_argument(
        "options", nargs="*", metavar="option=value", help=_("changes to the preset, such as cap=5")
    )
    return parser


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line.rstrip())


def book(rules: Rules, width: int) -> Iterator[str]:
    """The rulebook of these rules in lines of at most `width` columns."""
    whole = rulebook(rules)
    yield whole.title
    yield "=" * len(whole.title)
    yield from textwrap.wrap(whole.about, width)
    if any(c.differs for chapter in (*whole.chapters, whole.customs) for c in chapter.clauses):
        yield from textwrap.wrap(_("* marks where the rulebooks of this game differ."), width)
    for chapter in whole.chapters:
        yield from _chapter(chapter, _MARKS, width)
    names = max(len(clause.mark) for clause in whole.customs.clauses)
    yield from _chapter(whole.customs, names + 2 * _GAP, width)


def _chapter(chapter: Chapter, column: int, width: int) -> Iterator[str]:
    yield ""
    yield chapter.title
    for clause in chapter.clauses:
        mark = ("* " if clause.differs else "  ") + clause.mark
        yield from hanging(clause.text, width, mark.ljust(column), " " * column)
        for text in clause.differs:
            yield from hanging(f"({text})", width, " " * column, " " * column)


def overview(width: int) -> Iterator[str]:
    """Lines that describe the presets, with tables of the options in which they differ."""
    column = max(map(len, PRESETS)) + _GAP
    for name in PRESETS:
        yield from hanging(preset_words(name), width, name.ljust(column), " " * column)
    games = {type(rules) for rules in PRESETS.values()}
    for game in sorted(games, key=lambda each: each is not BiddingRules):
        presets = {name: rules for name, rules in PRESETS.items() if isinstance(rules, game)}
        yield ""
        yield from _table(presets, width)
    yield ""
    yield from textwrap.wrap(
        _(
            "`spoof rules PRESET` prints a preset’s rulebook in full; add option=value to change "
            "a rule."
        ),
        width,
    )


def _table(presets: Mapping[str, Rules], width: int) -> Iterator[str]:
    """A table in lines: a row for each option, a column for each preset."""
    options = [*next(iter(presets.values())).options]
    rows = [["", *(preset_name(preset) for preset in presets)]]
    for option in options:
        values = [written(getattr(rules, option)) for rules in presets.values()]
        rows.append([option_label(option), *(value_label(option, value) for value in values)])
    widths = _widths(rows, width)
    for option, row in zip(["", *options], rows, strict=True):
        cells = [textwrap.wrap(text, room) for text, room in zip(row, widths, strict=True)]
        cells[0] += ["  " + option] if option else []
        for line in zip_longest(*cells, fillvalue=""):
            padded = (text.ljust(room) for text, room in zip(line, widths, strict=True))
            yield (" " * _GAP).join(padded).rstrip()
        if not option:
            yield (" " * _GAP).join("-" * room for room in widths)


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Widths of the columns in characters; if they do not fit, the widest are narrowed."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    room = width - _GAP * (len(widths) - 1)
    while sum(widths) > room:
        widest = max(widths[1:])
        place = widths.index(widest, 1) if widest > _LEAST else widths.index(max(widths))
        widths[place] -= 1
    return widths
