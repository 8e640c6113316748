"""A disk that forgets what was not synced, and a player's papers on it (`spoof_tui/storage/`)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.codec import pack, unpack
from protocol.encoding.framing import FrameReader, frame
from protocol.errors import ProtocolError
from protocol.guest.guest import Secret
from protocol.table.fold import Table, fold
from protocol.table.log import Entry, Log


class PowerCut(Exception):
    """The machine lost its power in the middle of writing."""


class Disk:
    """Files of bytes: what was written, and how much of that is sure to stay."""

    def __init__(self, dice: random.Random, note: Callable[[str], None]) -> None:
        self._random = dice
        self._note = note
        self._written: dict[str, bytearray] = {}
        self._synced: dict[str, int] = {}
        self.cut_in: int | None = None
        """Steps of writing after which the power fails; None for never."""
        self.trap = ""
        """File that is written in vain: a few steps after its next frame the power fails."""

    def append(self, name: str, payload: bytes) -> None:
        """Add a frame to a file; it may be lost until `sync`."""
        if name == self.trap:
            self.trap, self.cut_in = "", self._random.randrange(12)
        self._step()
        data = self._written.setdefault(name, bytearray())
        self._synced.setdefault(name, 0)
        data += frame(payload)
        self._step()

    def sync(self, name: str) -> None:
        """Wait until the file is on the disk."""
        self._step()
        self._synced[name] = len(self._written.get(name, b""))
        self._step()

    def replace(self, name: str, payloads: list[bytes]) -> None:
        """Write a file anew beside the old one, and let it take its place: all or nothing."""
        self._step()
        self._written[name] = bytearray(b"".join(map(frame, payloads)))
        self._synced[name] = len(self._written[name])
        self._step()

    def read(self, name: str) -> list[bytes]:
        """The whole frames of a file; a torn last one is passed over, and cut off."""
        reader, data = FrameReader(), self._written.get(name, bytearray())
        payloads = reader.feed(bytes(data))
        whole = sum(len(frame(payload)) for payload in payloads)
        if whole < len(data):
            self.replace(name, payloads)
        return payloads

    def crash(self) -> None:
        """Of what was not synced, a part from the front is there afterwards, or nothing."""
        self.cut_in, self.trap = None, ""
        for name in sorted(self._written):
            data, sure = self._written[name], self._synced[name]
            if len(data) > sure:
                kept = self._random.randint(sure, len(data))
                self._note(f"loses {len(data) - kept} bytes of {name}")
                del data[kept:]
            self._synced[name] = len(data)

    def _step(self) -> None:
        if self.cut_in is None:
            return
        self.cut_in -= 1
        if self.cut_in < 0:
            raise PowerCut


class Vault:
    """What one player keeps of one table."""

    LOG: Final = "log"
    SECRETS: Final = "secrets"
    PROMISE: Final = "promise"
    HOST_LOG: Final = "host.log"

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def entries(self) -> list[Entry]:
        """The own copy of the log, as far as it holds together."""
        return self._entries(self.LOG)

    def host_entries(self) -> list[Entry]:
        """The log as this player served it; empty if it never did."""
        return self._entries(self.HOST_LOG)

    def secrets(self) -> list[Secret]:
        """The hands and shares that were sealed."""
        return [_read_secret(payload) for payload in self._disk.read(self.SECRETS)]

    def promised(self) -> int:
        """The highest epoch that was promised."""
        return max((_whole(unpack(each)) for each in self._disk.read(self.PROMISE)), default=0)

    def keep(self, secret: Secret) -> None:
        """Put a secret on the disk."""
        self._sure(self.SECRETS, _write_secret(secret))

    def store(self, blob: bytes) -> None:
        """Put an entry into the own copy of the log."""
        self._sure(self.LOG, blob)

    def cut(self, length: int) -> None:
        """Drop what the own copy of the log holds beyond so many entries."""
        self._disk.replace(self.LOG, self._disk.read(self.LOG)[:length])

    def promise(self, epoch: int) -> None:
        """Put a promise on the disk."""
        self._sure(self.PROMISE, pack(epoch))

    def record(self, blob: bytes) -> None:
        """Put an entry into the log that is served."""
        self._sure(self.HOST_LOG, blob)

    def begin_host_log(self, entries: list[Entry]) -> None:
        """Put a whole log on the disk that is served from now on."""
        self._disk.replace(self.HOST_LOG, [entry.blob for entry in entries])

    def _sure(self, name: str, payload: bytes) -> None:
        self._disk.append(name, payload)
        self._disk.sync(name)

    def _entries(self, name: str) -> list[Entry]:
        log, table = Log(), None
        for blob in self._disk.read(name):
            try:
                table = _next(log, table, blob)
            except ProtocolError:
                break
        if len(log) < len(self._disk.read(name)):
            self._disk.replace(name, [entry.blob for entry in log])
        return list(log)


def _next(log: Log, table: Table | None, blob: bytes) -> Table:
    entry = Entry.read(blob, table.host if table else None)
    log.check(entry)
    after = fold(table, entry)
    log.append(entry)
    return after


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def _write_secret(secret: Secret) -> bytes:
    place = secret.place
    where = (place.table, place.game, place.round, place.seat)
    if isinstance(secret, SealedHand):
        return pack(("hand", *where, secret.coins, secret.nonce))
    return pack(("share", *where, secret.share, secret.nonce))


def _read_secret(payload: bytes) -> Secret:
    fields: Any = unpack(payload)
    kind, table, game, round_, seat, value, nonce = fields
    place = Place(table, game, round_, seat)
    return SealedHand(place, value, nonce) if kind == "hand" else SealedShare(place, value, nonce)
