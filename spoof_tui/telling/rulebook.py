"""The whole rulebook in the words of one rule set, clause by clause (protocol/RULES.md).

It addresses a player; its sentences stand in `spoof_tui/docs/texts/`. Differences from other rule
sets of the same game are shown beside each clause, so that people who learned from different books
see at once where they differ.
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
    """Its number such as R8; for a custom, its name."""
    text: str
    """What it says under these rules, in whole sentences."""
    options: tuple[str, ...] = ()
    """The options of the rules that it depends on."""
    differs: tuple[str, ...] = ()
    """What the other rule sets of this game have for these: "Milan: no cap; here cap 3"."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some clauses under a heading."""

    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Everything about the game under one rule set."""

    title: str
    """The preset and its changes."""
    about: str
    """One sentence on the game."""
    chapters: tuple[Chapter, ...]
    """The clauses by number."""
    customs: Chapter
    """What is not a rule, but belongs to the game all the same."""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its number."""
        return {clause.mark: clause for chapter in self.chapters for clause in chapter.clauses}


def rulebook(rules: Rules) -> Rulebook:
    """The book of these rules."""
    game, facts = _game(rules), _facts(rules)
    (customs,) = _chapters(rules, facts, f"{game}-customs")
    chapters = (*_chapters(rules, facts, game), *_chapters(rules, facts, "both"))
    return Rulebook(rules_title(rules), _about(rules), chapters, customs)


def sentence(name: str, rules: Rules) -> str:
    """One sentence of the book that has a name of its own, such as "after-call" (R14)."""
    return texts("clauses").sentence(name, _facts(rules))


def _game(rules: Rules) -> str:
    return "guessing" if isinstance(rules, GuessingRules) else "bidding"


def _facts(rules: Rules) -> Facts:
    """What the clauses depend on: the options as they are written, and the numbers in them."""
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
    """The clauses that say anything under these rules."""
    book = texts("clauses")
    for point in points:
        if text := book.said(point.text, facts):
            differs = filter(None, (difference(rules, option) for option in point.facts))
            yield Clause(point.name, text, point.facts, tuple(differs))


def difference(rules: Rules, option: str) -> str:
    """What the presets of this game have instead: "Milan: no cap; here cap 3"; or nothing."""
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
    here = _("here {value}").format(value=option_words(option, own))
    return "; ".join([*told, here])


def _about(rules: Rules) -> str:
    if not rules.changes:
        return preset_words(rules.preset)
    if isinstance(rules, GuessingRules):
        return _("The guessing game: call the total, once each, and leave if you are right.")
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
    """A cited clause, as the book of these rules numbers it."""
    if isinstance(rules, GuessingRules):
        return _IN_THE_GUESSING_GAME.get(clause, clause)
    return clause
