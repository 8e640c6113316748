"""A clause of the rulebook as a player reads it, and where the rule sets differ in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from protocol.rules.options import (
    PRESETS,
    Rules,
    Token,
    written,
)
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.wording.options import option_words
from spoof_tui.ui.wording.presets import preset_name


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule, or one custom of the table."""

    mark: str
    """Its number such as R8; of a custom, its name."""
    text: str
    """What it says under these rules, in whole sentences."""
    differs: tuple[str, ...] = ()
    """What it says in the other rule sets of this game: "Milan: no cap; here cap 3"."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some clauses under a heading."""

    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All that is played by under one rule set."""

    title: str
    """The preset and its changes."""
    about: str
    """One sentence on the game."""
    chapters: tuple[Chapter, ...]
    """The clauses by number."""
    customs: Chapter
    """What is no rule, and belongs to the game all the same."""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its number."""
        return {clause.mark: clause for chapter in self.chapters for clause in chapter.clauses}


def clause(rules: Rules, mark: str, *sentences: str, options: Sequence[str] = ()) -> Clause:
    """A clause of these sentences, and what the other rule sets have for these options."""
    differs = tuple(text for option in options if (text := difference(rules, option)))
    return Clause(mark, " ".join(sentence for sentence in sentences if sentence), differs)


def thinking(rules: Rules) -> Clause:
    """Whether this table shows how long everybody thought."""
    text = _("Nobody is shown how long the others thought.")
    if rules.shows_thinking:
        text = _("Everybody is shown how long each player thought.")
    return clause(rules, _("Thinking"), text, options=["thinking"])


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


def played_with(rules: Rules) -> Clause:
    """What is hidden in the fists, in either game."""
    text = {
        Token.COINS: pgettext("token", "You hide coins."),
        Token.PEBBLES: _("You hide pebbles, as Kyiv does where there are no coins."),
        Token.BUTTONS: _("You hide buttons, as Kyiv does where there are no coins."),
    }[rules.token]
    return clause(rules, _("Played with"), text, options=["token"])
