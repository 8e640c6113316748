"""The Three Coins notation: games written down, read back and checked (NOTATION.md).

`reading` turns bytes into pieces, `checking` judges pieces, `writing` makes text. `judging` judges
a round by playing it again with the rules that the table uses.
"""

from protocol.notation.checking import (
    CheckedGame,
    GameBegun,
    GameOver,
    Judged,
    check,
    judged,
)
from protocol.notation.faults import Fault, Slip
from protocol.notation.reading import pieces, read
from protocol.notation.records import CheckedRound, GameRecord, Header, RoundRecord, Token
from protocol.notation.writing import game_records, record_of, write

__all__ = [
    "CheckedGame",
    "CheckedRound",
    "Fault",
    "GameBegun",
    "GameOver",
    "GameRecord",
    "Header",
    "Judged",
    "RoundRecord",
    "Slip",
    "Token",
    "check",
    "game_records",
    "judged",
    "pieces",
    "read",
    "record_of",
    "write",
]
