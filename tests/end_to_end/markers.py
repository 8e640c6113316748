"""The words by which tests recognise a screen; they know nothing else of its looks."""

import re
from typing import Final

LOBBY: Final = "Join by address"
OPEN_TABLE: Final = "open the table"
"""In the dialog of a new table."""

READY: Final = "when you are ready"
LAST_READY: Final = "Everybody is ready but you"
"""The same for somebody for whom all others wait."""

ALONE: Final = "Waiting for one more player"
HAND: Final = "YOUR HAND"
WORD: Final = "YOUR TURN"
REALLY: Final = " again"
"""In the line of an ending word that was pressed once."""

LEAVE: Final = "Leave the table?"
"""The question before leaving a table where others sit."""

CLOSES: Final = "closes for everybody"
"""A choice of a host that leaves."""

CLOSED: Final = "The host has closed the table."
CODE_ASKED: Final = "The code is on"
"""In the dialog that asks for the join code."""

JOIN_CODE: Final = "Join code: "
"""What a headless table prints before its code."""

NEW_TABLE: Final = "Press y. "
"""At the end of the question whether to carry the game on at a new table."""

UNSTEADY: Final = "unsteady"
AWAY: Final = "away"
BACK: Final = "Back at the table"
MOVED: Final = "The table has moved"
MISSED: Final = "While you were away"
"""Above the news for somebody who was away, or whose table has moved, until a key is pressed."""

LINK_LOST: Final = "no connection"
NO_LINK: Final = "No connection"
"""Above what is being tried while there is no link."""

HOST_SILENT: Final = "host unsteady"

_AWAY_FOR: Final = re.compile(r"\b(?:away (?:for )?\d|not back\b)")
_CODE: Final = re.compile(r" (?:code|join \S+) ([A-Z0-9]{5})\b")
_WORD: Final = re.compile(r"Your return word: ((?:[A-Z0-9]{4}-?){3})")
_FIRST: Final = re.compile(r"\b1 ★ (\w+)")
"""Who has won the game, in the list of its places."""


def is_peeking(text: str) -> bool:
    """Whether the player's own hand is shown."""
    return "only you" in text


def winner(text: str) -> str | None:
    """Who has won the game, "you" for the player of the screen; None while nobody has."""
    found = _FIRST.search(text)
    return found and found[1]


def code(text: str) -> str:
    """The join code that a host's screen shows."""
    found = _CODE.search(text)
    assert found, f"no join code is shown:\n{text}"
    return found[1]


def word(text: str) -> str:
    """The return word, as a guest's screen shows it."""
    found = _WORD.search(text)
    assert found, f"no word is shown:\n{text}"
    return found[1]


def is_away(text: str) -> bool:
    """Whether a screen shows anybody as away."""
    return bool(_AWAY_FOR.search(text))


def is_told(text: str) -> bool:
    """Whether a screen reports what happened while its player was away."""
    return any(title in text for title in (BACK, MOVED, MISSED))


def is_judged(text: str) -> bool:
    """Whether a screen shows a verdict until a key is pressed, or a page does so, or counts, until
    it is tapped."""
    lines = text.splitlines()
    return "any key goes on" in text or "go on" in lines or "skip to the verdict" in lines


def taken(count: int, seats: int = 9) -> str:
    """What a table that has `count` players says of its seats."""
    return f"{count} of {seats}"
