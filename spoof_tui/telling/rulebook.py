"""The whole rulebook as it reads under one rule set, clause by clause (protocol/RULES.md).

It addresses a player; its sentences stand in `spoof_tui/docs/texts/`. Each clause lists how the
other presets of the same game differ, for people who learned the game from different books.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from protocol.rules.options import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    PRESETS,
    GuessingRules,
    Rules,
    written,
)
from spoof_tui.telling.rule_options import option_words, preset_words, rules_title
from spoof_tui.telling.titles import NAMED, call_name, preset_name
from spoof_tui.text.i18n import _, respelt
from spoof_tui.text.texts import Facts, Point, texts


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule, or one custom of the table."""

    mark: str
    """The number of the clause, such as R8; the name of a custom."""
    text: str
    """What the clause says under these rules, in whole sentences."""
    options: tuple[str, ...] = ()
    """The options of the rules on which the clause depends."""
    differs: tuple[str, ...] = ()
    """What other presets of this game have for these options: "Milan: no cap; here cap 3"."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some clauses under a heading."""

    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules and customs of the game under one rule set."""

    title: str
    """The name of the preset, and what was changed."""
    about: str
    """One sentence on the game."""
    chapters: tuple[Chapter, ...]
    """The clauses, in the order of their numbers."""
    customs: Chapter
    """Customs of the game that are not rules."""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its number."""
        return {clause.mark: clause for chapter in self.chapters for clause in chapter.clauses}


def rulebook(rules: Rules) -> Rulebook:
    """The rulebook of these rules, in the player's language."""
    game, facts = _game(rules), _facts(rules)
    (customs,) = _chapters(rules, facts, f"{game}-customs")
    chapters = (*_chapters(rules, facts, game), *_chapters(rules, facts, "both"))
    return Rulebook(rules_title(rules), _about(rules), chapters, customs)


def sentence(name: str, rules: Rules) -> str:
    """The rulebook's sentence called `name`, such as "after-call" (R14), under these rules."""
    return texts("clauses").sentence(name, _facts(rules))


def _game(rules: Rules) -> str:
    return "guessing" if isinstance(rules, GuessingRules) else "bidding"


def _facts(rules: Rules) -> Facts:
    """The facts on which the text of clauses depends: the options as written, and the numbers in
    them."""
    return {
        **{option: written(getattr(rules, option)) for option in rules.options},
        "preset": rules.preset,
        "game": _game(rules),
        "fines-gloating": "yes" if rules.fines_gloating else "no",
        "least": MIN_PLAYERS,
        "most": MAX_PLAYERS,
        "names": ", ".join(f"{number} {call_name(number)}" for number in NAMED),
    }


def _chapters(rules: Rules, facts: Facts, name: str) -> tuple[Chapter, ...]:
    sections = (each for each in texts("clauses").sections if each.name == name)
    return tuple(
        Chapter(respelt(each.title), tuple(_clauses(rules, facts, each.points)))
        for each in sections
    )


def _clauses(rules: Rules, facts: Facts, points: tuple[Point, ...]) -> Iterator[Clause]:
    """The clauses made of `points`, without those that say nothing under these rules."""
    book = texts("clauses")
    for point in points:
        if text := book.said(point.text, facts):
            differs = filter(None, (difference(rules, option) for option in point.facts))
            yield Clause(point.name, text, point.facts, tuple(differs))


def difference(rules: Rules, option: str) -> str:
    """The values of `option` in the presets of this game that differ from these rules; empty if
    none does.

    "Milan: no cap; here cap 3".
    """
    own = written(getattr(rules, option))
    others: dict[str, list[str]] = {}
    for name, preset in PRESETS.items():
        if option in preset.options and type(preset) is type(rules):
            value = written(getattr(preset, option))
            if value != own:
                others.setdefault(value, []).append(preset_name(name))
    if not others:
        return ""
    told = [
        _("{presets}: {value}").format(presets=", ".join(names), value=option_words(option, value))
        for value, names in others.items()
    ]
    here = _("these rules: {value}").format(value=option_words(option, own))
    return "; ".join([*told, here])


def _about(rules: Rules) -> str:
    if not rules.changes:
        return preset_words(rules.preset)
    if isinstance(rules, GuessingRules):
        return _("The guessing game: everybody calls the total once, and whoever is right leaves.")
    return _("The bidding game: hide coins, raise bids, call bluffs.")


_IN_THE_GUESSING_GAME: Final = {
    "R1": "H4",
    "R2": "H4",
    "R3": "H4",
    "R4": "H5",
    "R5": "H9",
    **dict.fromkeys(("R6", "R7", "R8", "R9", "R10"), "H6"),
    "R11": "H9",
    "R12": "H10",
    "R13": "H12",
    "R14": "H11",
    "R15": "H3",
}
"""The clause of the guessing game that corresponds to each clause of the bidding game."""


def cited(clause: str, rules: Rules) -> str:
    """The number of a cited clause in the rulebook of these rules, in which it may differ (H4 for
    R1)."""
    if isinstance(rules, GuessingRules):
        return _IN_THE_GUESSING_GAME.get(clause, clause)
    return clause
