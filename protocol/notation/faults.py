"""Everything that can be wrong with a record: a sentence, the clause, and the place.

A fault is a value and not an exception, because reading and checking continue after it: checking
with the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.errors import Illegal
from protocol.notation.lookalikes import stranger

NOTATION: Final = "notation"
"""Used in place of a clause if the record is wrong rather than the play."""

QUOTED: Final = 40
"""Maximum characters of a record that a sentence quotes: enough to find the place."""


def _(template: str) -> str:
    """Mark a sentence for translation and return it unchanged; the interface translates and fills
    it."""
    return template


TAKEN_FOR: Final = _(" ({sign!r} is {code}, not {seen!r})")
"""Appended to a sentence that quotes a character which looks like another one."""

UNSEEN: Final = _(" ({code} cannot be seen)")


class FaultKind(Enum):
    """A kind of fault: a sentence with named placeholders.

    Text from the file goes into a `!r` placeholder or is a tag: `repr` keeps the letters of every
    alphabet and escapes everything that a terminal could interpret.
    """

    LINE_TOO_LONG = _("the line is longer than {most} bytes and is not read")
    NOT_UTF8 = _("the line holds bytes that are not UTF-8")
    CONTROL = _("the line holds the control character {text!r}")
    OPEN_COMMENT = _("the comment that begins here never ends")
    BAD_HEADER = _('a header is written [Name "value"], not {text!r}')
    HEADER_NAME = _("the name of this header is written {name}, not {text!r}")
    TOO_MANY_HEADERS = _("a game has at most {most} headers")
    HEADER_TWICE = _("the header {name} appears a second time")
    STRAY = _("{text!r} belongs to no round: a round begins with its number, as in 1. S4")
    ROUND_NUMBER = _("a round begins with its number and a full stop: {right}, not {text!r}")
    BAD_NUMBER = _("{text!r} is not the number of a round")
    ROUND_TOO_LONG = _("the round is longer than {most} characters: the rest is not read")

    NO_HEADER = _("the header {name} is missing")
    HEADER_APART = _("a game under these rules has no header {name}")
    WRONG_HEADER = _('to match this record, the header must be [{name} "{right}"]')
    BAD_RULES = _("the rules cannot be read: {why}")
    BAD_SEAT = _(
        "a seat is written tag:name, not {text!r}; the tag has 1 to 3 letters and is different "
        "for each seat"
    )
    PLAYERS = _("a game has {least} to {most} players, not {players}")
    BAD_DATE = _("a date is written like 2026-11-21, not {text!r}")
    BAD_COINS = _("coins are written like S3 D1, every seat once, not {text!r}")
    BAD_POT = _("the pot of this game has {least} to {most} chips, not {text!r}")
    NOBODY = _("no seat has the tag {text!r}")

    WRONG_NUMBER = _("this is round {right}, not {written}")
    IS_OVER = _("the game is over: only {tag} is left")
    WRONG_STARTER = _("{tag} opens instead of {starter}")
    NO_WORD = _("in this game, words are written like {forms}, not {text!r}")
    REFUSED = _("the table refuses {text!r}: “{why}”")
    WRONG_MARK = _("{text!r} has to be written {right!r}")
    INCOMPLETE = _(
        "this round is not complete; a round is written as: words (hands) changes = coins"
    )
    NO_ENDING = _("the fists open before {tag} has spoken")
    NO_HAND = _("a hand is written S2 (or S? if the fist stayed shut), not {text!r}")
    HANDS = _("the hands have to be those of {tags}, one each, and no others")
    HAND_TOO_BIG = _("{tag} shows {hand} but owns {coins}")
    SHUT_FISTS = _(
        "several fists stayed shut: the only change must be that one of their owners loses a "
        "coin or is fined"
    )
    WRONG_END = _("the total is {total}, so the round must end with {right}")
    WRONG_END_OF_VOID = _("a fist stayed shut, so the round must end with {right}")
    TOO_MANY_FAULTS = _("this game has more than {most} faults: the rest is not checked")

    @property
    def is_of_hands(self) -> bool:
        """Whether the sentence mentions hands, or what followed from them, and so could reveal
        them."""
        return self in _OF_HANDS


_OF_HANDS: Final = frozenset(
    {
        FaultKind.NO_HAND,
        FaultKind.HANDS,
        FaultKind.HAND_TOO_BIG,
        FaultKind.SHUT_FISTS,
        FaultKind.WRONG_END,
        FaultKind.WRONG_END_OF_VOID,
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, with its line and the clause that it breaks."""

    line: int
    """Line of the file, from 1; for a round, the line of its number."""
    round: int | None
    """Number of the round as written; None outside the rounds."""
    kind: FaultKind
    """The kind of fault, with its sentence."""
    clause: str
    """The clause that is broken, or `NOTATION`."""
    values: Mapping[str, int | str | Illegal]
    """Values for the placeholders of the sentence; an `Illegal` stands for its own sentence."""

    @classmethod
    def at(
        cls,
        line: int,
        number: int | None,
        kind: FaultKind,
        clause: str = NOTATION,
        /,
        **values: int | str | Illegal,
    ) -> Fault:
        """A fault on `line` in round `number` with these values."""
        return cls(line, number, kind, clause, values)

    def told(self, translate: Callable[[str], str] = str) -> str:
        """The sentence, safe to print; in English unless `translate` translates it."""
        values = {
            name: translate(value.reason.template).format(**value.values)
            if isinstance(value, Illegal)
            else value
            for name, value in self.values.items()
        }
        sentence = translate(self.kind.value).format(**values)
        found = next(
            filter(None, (stranger(v) for v in values.values() if isinstance(v, str))), None
        )
        if found is None:
            return sentence
        sign, seen = found
        suffix = translate(TAKEN_FOR if seen else UNSEEN)
        return sentence + suffix.format(sign=sign, code=f"U+{ord(sign):04X}", seen=seen)

    def as_json(self) -> dict[str, object]:
        """The fault as `spoof check --json` shows it."""
        return {
            "line": self.line,
            "round": self.round,
            "clause": self.clause,
            "message": self.told(),
        }


def cut(text: str) -> str:
    """`text`, shortened to `QUOTED` characters with an ellipsis."""
    return text if len(text) <= QUOTED else text[:QUOTED] + "…"
