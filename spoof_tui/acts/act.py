"""An act: one row that defines its key, its label, its help and its command in plain lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from spoof_tui.text.i18n import N_, _, spoken
from spoof_tui.text.layouts import latin

F = TypeVar("F")
"""What an interface knows."""

C = TypeVar("C")
"""What an act is carried out with."""


class KeyLabel(NamedTuple):
    """A key on the line of keys."""

    rank: int
    """Its rank on the line: lower ranks come first, and are dropped last if there is no room."""
    words: str
    caption: str = ""
    """The text on the key, if that is not its name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Act(Generic[F, C]):
    """Something that a player can do. All functions get the facts of the interface."""

    id: str
    """Its English name, which can be typed in plain lines."""
    about: Callable[[], str]
    """A description that is always valid."""
    do: Callable[[C, str], None]
    """Carry it out, with what was typed after its name."""
    key: str = ""
    """The key on the screens, as Textual names it; empty if only plain lines have the act."""
    also: tuple[str, ...] = ()
    """Other keys that do the same, and are not mentioned anywhere."""
    shown: Callable[[], str] | None = None
    """The name of the key in the help, if more than one key does it."""
    letter: str = ""
    """What is typed for it in plain lines, if that is not the key."""
    name: Callable[[], str] | None = None
    """Its name in plain lines; None if only screens have the act."""
    aliases: tuple[str, ...] = ()
    """Other English names of it in plain lines, which are not mentioned anywhere."""
    words: Callable[[F], str] | None = None
    """What it does now, if that is more precise."""
    outcome: Callable[[F], str] | None = None
    """What comes of it, in a sentence, where it is chosen from a list."""
    typed: Callable[[F], str] | None = None
    """Its description in the help of plain lines, if that is not what it does now."""
    label: Callable[[F], KeyLabel | None] = lambda facts: None
    """Its current label on the line of keys; None for none."""
    button: Callable[[], str] | None = None
    """The label of its button on a web page; None if it has none."""
    why_not: Callable[[F], str | None] = lambda facts: None
    """Why it cannot be done now; None if it can."""
    listed: Callable[[F], bool] | None = None
    """Whether help and palette list it now; by default, whenever it can be done."""
    in_menu: Callable[[F], bool] | None = None
    """Whether the table's menu offers it now; None if it never does."""
    needs_table: bool = True
    """Whether it can be done only while there is a table."""

    def is_listed(self, facts: F) -> bool:
        """Whether help and palette list it now."""
        return self.why_not(facts) is None if self.listed is None else self.listed(facts)

    def told(self, facts: F) -> str:
        """What it does now."""
        return self.words(facts) if self.words else self.about()

    @property
    def plain_letter(self) -> str:
        """Its letter in plain lines."""
        own = caption(self.key)
        return self.letter or (own if len(own) == 1 else "")


AnyAct = Act[Any, Any]


def label(
    rank: int,
    words: Callable[[], str],
    when: Callable[[F], bool] = lambda facts: True,
    caption: Callable[[], str] = str,
) -> Callable[[F], KeyLabel | None]:
    """A label with the same text whenever it is shown."""
    return lambda facts: KeyLabel(rank, words(), caption()) if when(facts) else None


class KeyAct(NamedTuple):
    """A key and what it does now."""

    key: str
    """Textual's name for it; empty for keys that no single name describes."""
    words: str
    shown: str = ""
    """The text on the key, if that is not its name."""

    @property
    def caption(self) -> str:
        """The name of the key on a keyboard."""
        return self.shown or caption(self.key)


def key_acts(acts: Iterable[Act[F, C]], facts: F) -> Iterator[KeyAct]:
    """The keys of the acts that can be done now, for help and palette."""
    return (KeyAct(each.key, each.told(facts), each.shown() if each.shown else "")
            for each in acts if (each.key or each.shown) and each.is_listed(facts))  # fmt: skip


def pressed(key: str, acts: Iterable[Act[F, C]]) -> Act[F, C] | None:
    """The act of a key; None if it belongs to none of these."""
    return next((act for act in acts if key and key in (act.key, *act.also)), None)


def named(id: str, acts: Iterable[Act[F, C]]) -> Act[F, C]:
    """The act with this name."""
    return next(each for each in acts if each.id == id)


def labels(acts: Iterable[Act[F, C]], facts: F) -> list[tuple[str, str]]:
    """Key and text of the labels on the line of keys, in order."""
    found = [(shown, act) for act in acts if (shown := act.label(facts))]
    found.sort(key=lambda each: each[0].rank)
    return [(shown.caption or caption(act.key), shown.words) for shown, act in found]


# Plain lines


@dataclass(frozen=True, slots=True)
class Asked:
    """An act that was asked for by its name or letter, and what was typed after it."""

    act: AnyAct
    rest: str = ""


def asked(text: str, acts: Iterable[AnyAct]) -> Asked | None:
    """The act that a typed line begins with; None if there is none among these."""
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
    """A line for each act that can be typed now: its name, its letter, and what it does."""
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
    """The name of a key on a keyboard."""
    template = _CAPTIONS.get(key)
    return _(template) if template else key


@lru_cache
def _keys(_language: str) -> dict[str, str]:
    """Every key by its caption in the current language."""
    captions = {_(template): key for key, template in _CAPTIONS.items()}
    arrows = {"◂": "left", "▸": "right", "<": "left", ">": "right"}
    return {**captions, **arrows, _("any key"): "space"}


def key_of(label: str) -> str | None:
    """Textual's name for the key that a label on the screen shows; None if it shows none."""
    label = label.strip()
    if len(label) == 1 and label.isascii() and label.isalnum():
        return label
    return _keys(spoken()).get(label)
