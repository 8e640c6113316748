"""What a table's advert says, as the pairs of a DNS TXT record.

Anybody on the network can read it and anybody can forge one: it holds nothing secret, and what
is read from it is a hint until the table itself has answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME, MAX_RULES, MAX_VERSION
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import Card, State

MAX_BYTES: Final = 400
"""Bytes of an advert: with the other records it fits into one packet of any network."""

TABLE_BYTES: Final = 8
"""Bytes of the table id that an advert or a beacon holds: enough to tell tables apart."""

_MAX_NUMBER: Final = 5
"""Digits of a number."""


@dataclass(frozen=True, slots=True)
class Advert:
    """What an advert claims; None and empty stand for what it does not say, or not clearly."""

    protocol: int | None = None
    program: str = ""
    table: bytes = b""
    """The first bytes of the table id."""
    name: ForeignText | None = None
    """What the table is called, perhaps cut."""
    host: ForeignText | None = None
    """Who hosts it, perhaps cut."""
    rules: str = ""
    """The rule set as it is written."""
    seats: int | None = None
    taken: int | None = None
    state: State | None = None


def write(card: Card) -> dict[str, bytes]:
    """The pairs that advertise `card`: names are cut where it would be too long."""
    pairs = {
        "protocol": str(PROTOCOL).encode(),
        "program": PROGRAM.encode(),
        "table": card.table[:TABLE_BYTES].hex().encode(),
        "rules": card.rules.text.encode(),
        "seats": str(card.seats).encode(),
        "taken": str(card.taken).encode(),
        "state": card.state.value.encode(),
        "name": b"",
        "host": b"",
    }
    room = MAX_BYTES - size(pairs)
    name, host = card.name.encoded(), card.host.encoded()
    # The longer one gives way first; each keeps half of the room if it needs it.
    name_room = max(room - len(host), room // 2)
    pairs["name"] = _cut(name, name_room)
    pairs["host"] = _cut(host, room - len(pairs["name"]))
    return pairs


def size(pairs: Mapping[str, bytes]) -> int:
    """Bytes of the TXT record: each pair is `key=value` behind one byte of length."""
    return sum(len(key) + len(value) + 2 for key, value in pairs.items())


def read(pairs: Mapping[bytes, bytes | None]) -> Advert:
    """What the pairs of any TXT record say; never raises."""
    said = {key: value for key, value in pairs.items() if value}
    return Advert(
        protocol=_number(said.get(b"protocol")),
        program=_words(said.get(b"program"), MAX_VERSION),
        table=_octets(said.get(b"table")),
        name=_foreign(said.get(b"name")),
        host=_foreign(said.get(b"host")),
        rules=_words(said.get(b"rules"), MAX_RULES),
        seats=_number(said.get(b"seats")),
        taken=_number(said.get(b"taken")),
        state=_state(said.get(b"state")),
    )


def _cut(text: bytes, room: int) -> bytes:
    """At most `room` bytes of UTF-8, without half a character at the end."""
    return text[: max(room, 0)].decode(errors="ignore").encode()


def _number(said: bytes | None) -> int | None:
    return int(said) if said and said.isdigit() and len(said) <= _MAX_NUMBER else None


def _words(said: bytes | None, most: int) -> str:
    text = (said or b"").decode("ascii", errors="replace")
    return text if len(text) <= most and text.isascii() and text.isprintable() else ""


def _octets(said: bytes | None) -> bytes:
    try:
        return bytes.fromhex((said or b"").decode("ascii"))[:TABLE_BYTES]
    except ValueError:
        return b""


def _foreign(said: bytes | None) -> ForeignText | None:
    text = _cut(said or b"", MAX_NAME).decode()
    return ForeignText(text) if text else None


def _state(said: bytes | None) -> State | None:
    try:
        return State((said or b"").decode())
    except ValueError:
        return None
