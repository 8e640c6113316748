"""The first entry of a log: a table that is opened, or one that goes on from another (G8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import (
    FLAG,
    MARK,
    Message,
    Shape,
    foreign,
    maybe,
    nested,
    octets,
    several,
    shaped,
    whole,
)
from protocol.encoding.codec import words as ascii_words
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_NAME, MAX_RULES
from protocol.rules.options import MAX_PLAYERS, Rules

RULES: Final = Shape(
    "a written rule set",
    lambda v: isinstance(v, Rules),
    decode=lambda raw: _rules(_ascii(raw)),
    encode=lambda rules: rules.text,
)


def _rules(text: str) -> Rules:
    rules = Rules.parse(text)
    if rules.text != text:
        # One rule set, one spelling: what is signed can be written again byte for byte.
        raise Malformed(f"a rule set is written {rules.text!r}, not {text!r:.80}")
    return rules


def _ascii(raw: Any) -> str:
    if not ascii_words(MAX_RULES).fits(raw):
        raise Malformed(f"a rule set is up to {MAX_RULES} ASCII characters, not {raw!r:.80}")
    return str(raw)


@dataclass(frozen=True, slots=True)
class TableOpened(Message):
    """The first entry: what this table is. Its hash is the table id."""

    KIND: ClassVar[str] = "table-opened"
    protocol: int = shaped(whole(2**16))
    """Version of the wire protocol."""
    host: bytes = shaped(octets(HASH_BYTES))
    """Public key of the host, which signs the entries."""
    name: ForeignText = shaped(foreign(MAX_NAME))
    """What the table is called."""
    rules: Rules = shaped(RULES)
    """What is played here."""
    seats: int = shaped(whole(MAX_PLAYERS, 2))
    """How many seats there are (G6)."""
    locked: bool = shaped(FLAG)
    """Whether a join code is asked for."""
    grace: int = shaped(whole(3600, 5))
    """Seconds that the table waits for somebody before a vote may go on without (G3)."""
    clock: int = shaped(whole(600))
    """Seconds that a player may take for a fist or a word; 0: as many as it takes (G4)."""
    salt: bytes = shaped(octets(HASH_BYTES))
    """Random bytes that make every table another one."""


MAX_CARRIED: Final = 999
"""Coins of one seat that a new table takes over: more than any game has seen."""


MAX_BEFORE: Final = 8
"""Tables before the old one that a new one names: more than are left in an evening."""


@dataclass(frozen=True, slots=True)
class Along(Message):
    """A seat of a new table; part of a `TableContinued`, and no statement on its own."""

    KIND: ClassVar[str] = "along"
    key: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""
    name: ForeignText = shaped(foreign(MAX_NAME))
    """What it is called, as at the old table."""
    coins: int | None = shaped(maybe(whole(MAX_CARRIED)))
    """What it owned when the last round was counted; nil if it is not in the game."""
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """See `continuation.sign`."""
    through_door: bool = shaped(MARK, default=False)
    """Whether its player came through a door, as at the old table."""


@dataclass(frozen=True, slots=True)
class TableContinued(Message):
    """The first entry of a new table that goes on where an old one broke off (G8)."""

    KIND: ClassVar[str] = "table-continued"
    opened: TableOpened = shaped(nested(TableOpened))
    """What this table is: the same as the old one but for its host and salt."""
    table: bytes = shaped(octets(HASH_BYTES))
    """Id of the old table."""
    length: int = shaped(whole(least=1))
    """Entries of its log that this one goes on from."""
    last: bytes = shaped(octets(HASH_BYTES))
    """Hash of the last of them."""
    starter: bytes | None = shaped(maybe(octets(HASH_BYTES)))
    """Public key of the seat that opens the round; nil if no game goes on."""
    first_out: bytes | None = shaped(maybe(octets(HASH_BYTES)))
    """Public key of the first player out of the game so far, if there is one (R15)."""
    seats: tuple[Along, ...] = shaped(several(nested(Along), MAX_PLAYERS))
    """Who goes along, in their order round the table, players first."""
    behind: tuple[bytes, ...] = shaped(several(octets(HASH_BYTES), MAX_PLAYERS))
    """Public keys of the other seats of the old table, and of those behind there: they need no
    join code here."""
    before: tuple[bytes, ...] = shaped(several(octets(HASH_BYTES), MAX_BEFORE), default=())
    """Ids of the tables that the old one goes on from in turn, the last one first."""

    @property
    def origins(self) -> tuple[bytes, ...]:
        """Ids of all tables that this one goes on from, the last one first."""
        return (self.table, *self.before)


Opening = TableOpened | TableContinued
"""What the first entry of a log says."""


def table_of(opening: Opening) -> TableOpened:
    """What kind of table a first entry opens."""
    return opening.opened if isinstance(opening, TableContinued) else opening
