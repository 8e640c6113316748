"""The keys of the bots at a program's own table, derived from the host's key, the table, and each
bot's level and character. So the program recognises its bots by their seats when the table is
resumed."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import count, product
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import digest
from protocol.rules.options import MAX_PLAYERS
from protocol.table.state import Seat, Table
from spoof_tui.bots.characters import CHARACTERS, Character
from spoof_tui.bots.levels import Level

_PURPOSE: Final = b"spoof bot 1"


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A bot that had a seat at the table before the program was restarted."""

    key: SigningKey
    seat: Seat
    level: Level
    character: Character | None


def new_key(
    seed: bytes, table: Table, level: Level, character: Character | None, used: Container[bytes]
) -> SigningKey:
    """A key for one more bot, which is neither known at the table nor in `used`; `seed` is that of
    the host's key."""
    keys = (_key(seed, table.id, level, character, number) for number in count())
    return next(key for key in keys if key.public not in table.names and key.public not in used)


def seated(seed: bytes, table: Table) -> Iterator[SeatedBot]:
    """The host's bots that have a seat at `table`, whether added here or at the old tables that it
    goes on from (G8)."""
    if not table.seats:
        return
    tables = (table.id, *(table.continues.origins if table.continues else ()))
    numbers = range(max(len(table.names), MAX_PLAYERS))
    kinds = product(tables, Level, (None, *CHARACTERS.values()), numbers)
    for origin, level, character, number in kinds:
        key = _key(seed, origin, level, character, number)
        if seat := table.seat(key.public):
            yield SeatedBot(key, seat, level, character)


def _key(
    seed: bytes, table: bytes, level: Level, character: Character | None, number: int
) -> SigningKey:
    kind = f"{level.value} {character.key if character else ''}".encode()
    return SigningKey(digest(_PURPOSE, (seed, table, kind, number)))
