"""Everything that can be wrong with a record: a sentence, the clause, and the place.

A fault is a value and not an exception, because reading and checking go on after it: checking with
the next round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

NOTATION: Final = "notation"
"""Stands in for a clause if the record is wrong rather than the play."""

QUOTED: Final = 40
"""Characters of a record that a sentence quotes; enough to find the place."""


def _(template: str) -> str:
    """Mark a sentence for translation; the interface translates and fills it."""
    return template


class Slip(Enum):
    """A kind of fault: the clause, and a sentence with named placeholders.

    Text from the file goes into a `!r` placeholder or is a tag: `repr` keeps the letters of every
    alphabet and escapes everything that a terminal could obey.
    """

    LINE_TOO_LONG = (NOTATION, _("the line is longer than {most} bytes and is not read"))
    NOT_UTF8 = (NOTATION, _("the line holds bytes that are not UTF-8"))
    CONTROL = (NOTATION, _("the line holds the control character {text!r}"))
    OPEN_COMMENT = (NOTATION, _("the comment that begins here never ends"))
    BAD_HEADER = (NOTATION, _('a header is written [Name "value"], not {text!r}'))
    TOO_MANY_HEADERS = (NOTATION, _("a game has at most {most} headers"))
    HEADER_TWICE = (NOTATION, _("the header {name} appears a second time"))
    NO_HEADER = (NOTATION, _("the header {name} is missing"))
    BAD_RULES = (NOTATION, _("the rules cannot be read: {why}"))
    BAD_SEAT = (
        NOTATION,
        _("a seat is written tag:name with a tag of 1 to 3 letters, not {text!r}"),
    )
    TAG_TWICE = (NOTATION, _("two seats have the tag {tag}"))
    SEAT_COUNT = ("G6", _("a game has {least} to {most} seats, not {seats}"))
    BAD_DATE = (NOTATION, _("a date is written like 2026-11-21, not {text!r}"))
    BAD_COINS = (NOTATION, _("coins are written like S3 D1, every seat once, not {text!r}"))
    TOO_FEW_PLAY = ("R13", _("fewer than two players own coins before round 1"))
    NOBODY = (NOTATION, _("no seat has the tag {text!r}"))
    STRAY = (NOTATION, _("{text!r} belongs to no round"))
    MISPLACED = (NOTATION, _("{text!r} does not belong here"))
    TOO_MANY_TOKENS = (NOTATION, _("a part of a round has at most {most} words"))
    BAD_NUMBER = (NOTATION, _("{text!r} is not the number of a round"))
    WRONG_NUMBER = (NOTATION, _("this is round {right} and not {written}"))
    DIRECTION_APART = (NOTATION, _("{text!r} comes right after the full stop of the number"))
    NO_HANDS = (NOTATION, _("the round stops before the end of its hands"))
    NO_CHANGES = (NOTATION, _("the changes are missing; a full stop says that there are none"))
    NO_COINS = (NOTATION, _("the round stops before the coins"))
    UNREADABLE = (NOTATION, _("{text!r} cannot be read"))
    BIG_NUMBER = (NOTATION, _("the number in {text!r} is too long"))
    TWICE = (NOTATION, _("{tag} appears a second time"))

    HAND_TOO_BIG = ("R2", _("{tag} shows {hand} but owns {coins}"))
    HAND_MISSING = ("R2", _("the hand of {tag} is missing"))
    NOT_YOUR_TURN = ("R4", _("{tag} speaks on {speaker}’s turn"))
    DIRECTION_RULE = ("R4", _("these rules play clockwise only"))
    DIRECTION_FOR_TWO = ("R4", _("with two players there is no direction"))
    DIRECTION_FIXED = ("R4", _("only a round that a bid opens has a direction"))
    NO_WORD = ("R5", _("{text!r} is not a word: write a bid, !, =, 0 or max"))
    NO_ENDING = ("R5", _("no word ended the round"))
    ROUND_IS_OVER = ("R5", _("{text!r} follows the word that ends the round"))
    BID_TOO_LOW = ("R6", _("{text!r} is not above the standing bid of {standing}"))
    BID_TOO_HIGH = ("R6", _("{text!r} is more than the {most} coins on the table"))
    CALL_NEEDS_BID = ("R7", _("{text!r} calls, but there is no bid"))
    CLIFF_NEEDS_BID = ("R8", _("{text!r} cliffs, but there is no bid"))
    ZERO_OPENS_ONLY = ("R10", _("{text!r}: here zero may only open the round"))
    ZERO_FIRST_ONLY = ("R10", _("{text!r}: zero may only be the first word of a player"))
    IS_OUT = ("R12", _("{tag} is out"))
    CHANGES = ("R11", _("the total is {total}: the changes are {right} and not {written}"))
    CHANGES_OF_VOID = ("G3", _("a fist stayed shut: the changes are {right} and not {written}"))
    COINS = ("R11", _("after this round the coins are {right} and not {written}"))
    SHUT_FISTS = ("G3", _("exactly one of the fists that stayed shut costs a coin"))
    GAME_IS_OVER = ("R13", _("the game is over: {winner} has won"))
    WRONG_RESULT = ("R13", _("the result is {right} and not {written!r}"))
    WRONG_STARTER = ("R14", _("{tag} opens instead of {starter}"))
    WRONG_OPENER = ("R15", _("{tag} opens instead of {starter}, first out of the last game"))

    NO_SUCH_HEADER = ("H4", _("everybody has three coins here: the header {name} does not apply"))
    NO_DIRECTION = ("H5", _("calls go clockwise: a round has no direction here"))
    NOT_YOUR_CALL = ("H5", _("{tag} calls on {speaker}’s turn"))
    CALLS_ARE_OVER = ("H5", _("{text!r} follows the last call"))
    CALL_MISSING = ("H5", _("the call of {tag} is missing"))
    NO_CALL = ("H6", _("{text!r} is not a call: it takes a number"))
    CALL_TOO_HIGH = ("H6", _("{text!r} is more than the {most} coins of the school"))
    CALL_TAKEN = ("H6", _("{text!r} calls a number that is taken"))
    CALL_STANDS = ("H8", _("{text!r} calls a number that is free, so it stands"))
    CALL_FROM_FREE = ("H8", _("{text!r} comes after three attempts and is not free"))
    HAS_LEFT = ("H10", _("{tag} has left the school"))
    SCHOOL = ("H10", _("after this round the school is {right} and not {written}"))
    WRONG_CALLER = ("H11", _("{tag} calls first instead of {starter}"))
    SCHOOL_IS_OVER = ("H12", _("the school is over: {payer} pays"))
    FINES = ("H13", _("the fines are {right} and not {written}"))
    BAD_POT = (
        NOTATION,
        _("the pot has {least} to {most} chips here, not {text!r}"),
    )
    BAD_CHIPS = (NOTATION, _("chips are written like S+2 D-1 M-1, every seat once, not {text!r}"))
    NO_CHIPS = ("S1", _("nobody has won yet: the pot is still in the middle"))
    WRONG_CHIPS = ("S1", _("the winner takes the pot: the chips are {right} and not {written}"))
    WRONG_PAYER = ("S2", _("the first one out pays the round: {right} and not {written!r}"))
    NOT_EXPECTED = (
        "S4",
        _("these rules do not require gloating, so nobody can be marked as silent"),
    )
    SHUT_FISTS_FINED = ("G3", _("exactly one of the fists that stayed shut is fined"))

    TOO_MANY_FAULTS = (
        NOTATION,
        _("this game has more than {most} faults: the rest is not checked"),
    )

    def __init__(self, clause: str, template: str) -> None:
        self.clause = clause
        """Clause of the rulebook, or `NOTATION`."""
        self.template = template
        """English sentence with named placeholders."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, where, and by which clause."""

    line: int
    """Line of the file, from 1."""
    round: int | None
    """Number of the round as written; None outside the rounds."""
    slip: Slip
    """The kind of fault."""
    clause: str
    """The clause that is broken; for what a round did, the clause of its ending."""
    values: Mapping[str, int | str]
    """Values for the placeholders."""

    @classmethod
    def at(cls, line: int, number: int | None, slip: Slip, **values: int | str) -> Fault:
        """A fault with the clause of its kind."""
        return cls(line, number, slip, slip.clause, values)

    @property
    def message(self) -> str:
        """The sentence in English, safe to print."""
        return self.slip.template.format(**self.values)

    def as_json(self) -> dict[str, object]:
        """The fault as `spoof check --json` shows it."""
        return {
            "line": self.line,
            "round": self.round,
            "clause": self.clause,
            "message": self.message,
        }


def cut(text: str) -> str:
    """The beginning of `text`, as a sentence quotes it."""
    return text if len(text) <= QUOTED else text[:QUOTED] + "…"
