"""An act: one object that defines a key, its label, its help and its command in plain lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from spoof_tui.text.i18n import N_, _, spoken
from spoof_tui.text.layouts import latin

F = TypeVar("F")
"""The type of the facts that an interface knows."""

C = TypeVar("C")
"""The type of the interface with which an act is carried out."""


class KeyLabel(NamedTuple):
    """The label of a key on the line of keys."""

    rank: int
    """Place on the line: lower ranks come first, and are dropped last if there is no room."""
    words: str
    caption: str = ""
    """What is written as the key; empty for the key's own name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Act(Generic[F, C]):
    """Something that a player can do. Its functions of `F` get the facts of the interface."""

    id: str
    """Its English name, which can always be typed in plain lines."""
    about: Callable[[], str]
    """Its description, valid at any time."""
    do: Callable[[C, str], None]
    """Carries the act out; its second argument is what was typed after the name."""
    key: str = ""
    """The key on the screens, as Textual names it; empty if only plain lines have the act."""
    also: tuple[str, ...] = ()
    """Other keys that do the same and are not listed anywhere."""
    shown: Callable[[], str] | None = None
    """How the help names the key, if several keys do the act; None for the key's own name."""
    letter: str = ""
    """The letter to type in plain lines, if that is not the key."""
    name: Callable[[], str] | None = None
    """Its name in plain lines, in the player's language; None if only screens have the act."""
    aliases: tuple[str, ...] = ()
    """Other English names in plain lines, which are not listed anywhere."""
    words: Callable[[F], str] | None = None
    """What the act would do now; None if `about` says it."""
    outcome: Callable[[F], str] | None = None
    """A sentence on the effect of the act, shown where it is chosen from a list; None for none."""
    typed: Callable[[F], str] | None = None
    """Its description in the help of plain lines; None for the same as on screens."""
    label: Callable[[F], KeyLabel | None] = lambda facts: None
    """Its current label on the line of keys; None for none."""
    button: Callable[[], str] | None = None
    """The label of its button on a web page; None if it has none."""
    why_not: Callable[[F], str | None] = lambda facts: None
    """Why the act cannot be done now, in a sentence; None if it can."""
    listed: Callable[[F], bool] | None = None
    """Whether help and palette list the act now; None: whenever it can be done."""
    in_menu: Callable[[F], bool] | None = None
    """Whether the table's menu offers the act now; None: never."""
    needs_table: bool = True
    """Whether the act can be done only once the table is known."""

    def is_listed(self, facts: F) -> bool:
        """Whether help and palette list the act now."""
        return self.why_not(facts) is None if self.listed is None else self.listed(facts)

    def told(self, facts: F) -> str:
        """A description of what the act would do now."""
        return self.words(facts) if self.words else self.about()

    @property
    def plain_letter(self) -> str:
        """The letter to type for the act in plain lines; empty if there is none."""
        own = caption(self.key)
        return self.letter or (own if len(own) == 1 else "")


AnyAct = Act[Any, Any]


def label(
    rank: int,
    words: Callable[[], str],
    when: Callable[[F], bool] = lambda facts: True,
    caption: Callable[[], str] = str,
) -> Callable[[F], KeyLabel | None]:
    """A function for `Act.label`: `words` whenever `when` is true of the facts, otherwise None."""
    return lambda facts: KeyLabel(rank, words(), caption()) if when(facts) else None


class KeyAct(NamedTuple):
    """A key and a description of what it does now."""

    key: str
    """Textual's name for the key; empty for several keys, which `shown` names."""
    words: str
    shown: str = ""
    """How the key is written; empty for its own name."""

    @property
    def caption(self) -> str:
        """How the key is written, as on a keyboard."""
        return self.shown or caption(self.key)


def key_acts(acts: Iterable[Act[F, C]], facts: F) -> Iterator[KeyAct]:
    """The keys of the acts that help and palette list now."""
    return (KeyAct(each.key, each.told(facts), each.shown() if each.shown else "")
            for each in acts if (each.key or each.shown) and each.is_listed(facts))  # fmt: skip


def pressed(key: str, acts: Iterable[Act[F, C]]) -> Act[F, C] | None:
    """The act among `acts` that `key` does; None if there is none."""
    return next((act for act in acts if key and key in (act.key, *act.also)), None)


def named(id: str, acts: Iterable[Act[F, C]]) -> Act[F, C]:
    """The act whose id this is; raises `StopIteration` if there is none."""
    return next(each for each in acts if each.id == id)


def labels(acts: Iterable[Act[F, C]], facts: F) -> list[tuple[str, str]]:
    """The current line of keys: key and text of each label, in the order of their ranks."""
    found = [(shown, act) for act in acts if (shown := act.label(facts))]
    found.sort(key=lambda each: each[0].rank)
    return [(shown.caption or caption(act.key), shown.words) for shown, act in found]


# Plain lines


@dataclass(frozen=True, slots=True)
class Asked:
    """An act that was asked for by name or letter, and the text typed after that."""

    act: AnyAct
    rest: str = ""


def asked(text: str, acts: Iterable[AnyAct]) -> Asked | None:
    """The act whose name or letter a typed line begins with; None if that is none of `acts`."""
    first, _blank, rest = text.strip().partition(" ")
    typed = first.casefold()
    letter = latin(typed) if len(typed) == 1 else ""
    for act in acts:
        if act.name is not None and (
            typed in (act.id, act.name().casefold(), *act.aliases)
            or letter == (act.plain_letter or None)
        ):
            return Asked(act, rest.strip())
    return None


def plain_help(acts: Iterable[Act[F, C]], facts: F) -> Iterator[str]:
    """A line for each act that can be typed now: name, letter and description."""
    for act in acts:
        if act.name is not None and act.is_listed(facts):
            letter = f" ({act.plain_letter})" if act.plain_letter else ""
            yield f"{act.name()}{letter}: {(act.typed or act.told)(facts)}"


# Keys


_CAPTIONS: Final = {
    "enter": N_("Enter"),
    "space": N_("space"),
    "escape": N_("Esc"),
    "tab": N_("Tab"),
    "backspace": "Backspace",
    "ctrl+u": "Ctrl+U",
    "question_mark": "?",
    "slash": "/",
    "full_stop": ".",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "plus": "+",
    "minus": "-",
    "home": N_("Home"),
    "end": N_("End"),
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}


def caption(key: str) -> str:
    """The name of a key as on a keyboard, in the player's language."""
    template = _CAPTIONS.get(key)
    return _(template) if template else key


@lru_cache
def _keys(_language: str) -> dict[str, str]:
    """Textual's names of the keys by their captions in the current language."""
    captions = {_(template): key for key, template in _CAPTIONS.items()}
    arrows = {"◂": "left", "▸": "right", "<": "left", ">": "right"}
    return {**captions, **arrows, _("any key"): "space"}


def key_of(label: str) -> str | None:
    """Textual's name for the key that a label names; None if there is no such key."""
    label = label.strip()
    if len(label) == 1 and label.isascii() and label.isalnum():
        return label
    return _keys(spoken()).get(label)
