"""How fast a log is read: folded into a table, and its signatures checked."""

from __future__ import annotations

from typing import Any, Final

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocol.crypto.keys import SigningKey
from protocol.table.fold import Table, fold
from protocol.table.log import Entry
from tests.benchmarks.figures import Figure, Rate, in_turns, seconds
from tests.helpers.tables import MemoryTable

COUNT: Final = 15
PLAYERS: Final = 4
GAMES: Final = 6


def measure(count: int = COUNT, games: int = GAMES) -> list[Figure]:
    """Whole games of four players, many times over."""
    table = MemoryTable(PLAYERS, seed=1)
    rounds = 0
    for _ in range(games):
        table.ready()
        table.play_on()
        assert table.host.table.game
        rounds += len(table.host.table.game.past)
    blobs, entries = table.recorded, list(table.host.log)
    signatures = sum(2 if entry.intent else 1 for entry in entries)

    def folded() -> float:
        return rounds / seconds(lambda: fold_all(entries))

    def unpacked() -> float:
        return rounds / seconds(lambda: [unpack_deeply(blob) for blob in blobs])

    def read() -> float:
        return len(blobs) / seconds(lambda: read_all(blobs, table.host_key.public))

    def verified() -> float:
        return len(blobs) / seconds(lambda: verify_bare(signatures))

    return [
        Rate("rounds folded / same bytes unpacked", "rounds/s", *in_turns(count, folded, unpacked)),
        Rate("entries verified / bare Ed25519", "entries/s", *in_turns(count, read, verified)),
    ]


def fold_all(entries: list[Entry]) -> Table:
    """The table that these checked entries make."""
    table: Table | None = None
    for entry in entries:
        table = fold(table, entry)
    assert table
    return table


def read_all(blobs: list[bytes], host: bytes) -> None:
    """Check every entry, and the intent inside of it."""
    for blob in blobs:
        Entry.read(blob, host)


def unpack_deeply(blob: bytes) -> list[Any]:
    """Every array of an entry, with nothing checked."""
    payload, _signature = msgpack.unpackb(blob)
    entry: list[Any] = msgpack.unpackb(payload)
    content = msgpack.unpackb(entry[5])
    if entry[4]:
        content = msgpack.unpackb(content[0])
    return [*entry, content]


def verify_bare(count: int) -> None:
    """As many signatures over as many bytes as an entry has."""
    key, message = SigningKey(bytes(32)), bytes(64)
    # Signed through the library itself: only the bare check is to be timed.
    signature = key.sign(b"", message)
    signed = b"\0\0\0\0" + len(message).to_bytes(4, "big") + message
    for _ in range(count):
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, signed)
