"""The shared language of Spoof: rules, words, seals, messages, the log, and both ends of a link.

Sans-IO: bytes in, events out. Nothing here opens a socket, reads a clock, draws a random
number, starts a thread or touches a file; time, nonces and keys are arguments.

What a program needs to play, host and verify can be imported from here. The rest is in the
folders, lowest layer first: `encoding`, `crypto`, `rules`, `notation`, `table`, `views`, `wire`,
`host`, `guest`, `failover`. Names are loaded on first use, so a program that only asks for the
version loads nothing else.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from protocol.crypto.join_code import make_code, read_code
    from protocol.crypto.keys import SigningKey
    from protocol.encoding.untrusted import ForeignText
    from protocol.errors import (
        BrokenLog,
        Illegal,
        LocalError,
        Malformed,
        ProtocolError,
        Reason,
        RemoteError,
    )
    from protocol.guest.effects import GuestEffect
    from protocol.guest.guest import Guest
    from protocol.host.effects import HostEffect
    from protocol.host.host import Host
    from protocol.host.policy import HostPolicy
    from protocol.rules.options import PRESETS, BiddingRules, GuessingRules, Rules
    from protocol.rules.words import Bid, Direction, Ending, Word
    from protocol.table.fold import check_statement, fold
    from protocol.table.log import Entry, Intent, Log
    from protocol.table.state import Phase, Seat, Table
    from protocol.table.verify import LogReport, verify
    from protocol.timing import Moment
    from protocol.version import PROGRAM, PROTOCOL
    from protocol.views import LinkState, TableView, view_for, view_of
    from protocol.wire.messages import Card, Farewell

__all__ = [
    "PRESETS", "PROGRAM", "PROTOCOL", "Bid", "BiddingRules", "BrokenLog", "Card", "Direction",
    "Ending", "Entry", "Farewell", "ForeignText", "GuessingRules", "Guest", "GuestEffect", "Host",
    "HostEffect", "HostPolicy", "Illegal", "Intent", "LinkState", "LocalError", "Log",
    "LogReport", "Malformed", "Moment", "Phase", "ProtocolError", "Reason", "RemoteError",
    "Rules", "Seat", "SigningKey", "Table", "TableView", "Word", "check_statement", "fold",
    "make_code", "read_code", "verify", "view_for", "view_of",
]  # fmt: skip

_HOMES: Final = {
    "crypto.join_code": ("make_code", "read_code"),
    "crypto.keys": ("SigningKey",),
    "encoding.untrusted": ("ForeignText",),
    "errors": (
        "BrokenLog",
        "Illegal",
        "LocalError",
        "Malformed",
        "ProtocolError",
        "Reason",
        "RemoteError",
    ),
    "guest.effects": ("GuestEffect",),
    "guest.guest": ("Guest",),
    "host.effects": ("HostEffect",),
    "host.host": ("Host",),
    "host.policy": ("HostPolicy",),
    "rules.options": ("PRESETS", "BiddingRules", "GuessingRules", "Rules"),
    "rules.words": ("Bid", "Direction", "Ending", "Word"),
    "table.fold": ("check_statement", "fold"),
    "table.log": ("Entry", "Intent", "Log"),
    "table.state": ("Phase", "Seat", "Table"),
    "table.verify": ("LogReport", "verify"),
    "timing": ("Moment",),
    "version": ("PROGRAM", "PROTOCOL"),
    "views": ("LinkState", "TableView", "view_for", "view_of"),
    "wire.messages": ("Card", "Farewell"),
}
"""Which module each name is loaded from."""

_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"protocol has no {name!r}")
    value = getattr(importlib.import_module(f"protocol.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
