"""Who this player is: secret keys, one for each program that runs at the same time."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spoof_tui import system
from spoof_tui.storage import files, paths

_SEED_BYTES: Final = 32

_HOLDER: Final = ".holder"
_WANTED: Final = ".wanted"
"""Suffix of the file beside a key that says who has it, or who asks for it."""

_MAX_LINE: Final = 200
"""Bytes of such a file that are read."""

MAX_SLOTS: Final = 64
"""Programs of one user that may run at once, each with its own identity."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A program of this user that has an identity, or wants it."""

    pid: int
    terminal: str
    """Where its player sits; empty if it has no terminal."""


class Identity:
    """The secret key of a player on this machine.

    Several programs of one user that run at once get different identities, so that they can sit at
    one table; the first one is always the same.
    """

    def __init__(self, seed: bytes, lock: files.FileLock | None, path: Path | None = None) -> None:
        """The identity of `seed`, kept at `path`; the program holds its `lock`."""
        self.seed = seed
        """The 32 secret bytes of the key."""
        self._lock = lock
        self._path = path
        if path is not None:
            _sign_in(path)

    def __repr__(self) -> str:
        return "<Identity>"

    @classmethod
    def claim(cls) -> Identity:
        """The first identity that no other running program uses, created if there is none.

        If the disk cannot be written, it is a temporary one.
        """
        try:
            return cls._kept() or cls.passing()
        except OSError:
            return cls.passing()

    @classmethod
    def _kept(cls) -> Identity | None:
        folder = paths.home() / "identities"
        files.make_private_directory(folder)
        for slot in range(1, MAX_SLOTS + 1):
            lock, path = files.FileLock(folder / f"{slot}.lock"), folder / f"{slot}.key"
            # If something else, such as a folder, is in the place of a key or lock, try the next.
            with contextlib.suppress(OSError):
                if lock.acquire():
                    return cls(_seed(path), lock, path)
        return None

    @classmethod
    def of(cls, key: bytes) -> Identity | None:
        """The identity whose public key is `key`; None if it is not here, or in use."""
        path = _path_of(key)
        lock = files.FileLock(path.with_suffix(".lock")) if path else None
        with contextlib.suppress(OSError):
            if path and lock and lock.acquire():
                return cls(_seed(path), lock, path)
        return None

    @classmethod
    def holder(cls, key: bytes) -> Holder | None:
        """The other program that uses the identity with this public key; None if none does."""
        path = _path_of(key)
        if path is None:
            return None
        lock = files.FileLock(path.with_suffix(".lock"))
        try:
            if not lock.acquire():
                return _read_line(path.with_suffix(_HOLDER)) or Holder(0, "")
        except OSError:
            return None  # a lock that is not a file cannot be held
        # The program that signed in last is gone.
        lock.release()
        return None

    @classmethod
    def passing(cls) -> Identity:
        """A temporary identity that is gone when the program ends."""
        return cls(secrets.token_bytes(32), None)

    @property
    def may_be_wanted(self) -> bool:
        """Whether another program of this user could have it, if this one gave it up."""
        return self._path is not None and self._lock is not None

    def wanted(self) -> Holder | None:
        """The program that has asked for the identity since this one got it, if any."""
        if self._path is None or self._lock is None:
            return None
        return _read_line(self._path.with_suffix(_WANTED))

    def release(self) -> None:
        """Let other programs of this user have the identity."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _seed(path: Path) -> bytes:
    try:
        seed = files.read(path, _SEED_BYTES)
        if len(seed) == _SEED_BYTES:
            return seed
    except (FileNotFoundError, files.Unfit):
        pass
    seed = secrets.token_bytes(_SEED_BYTES)
    files.write_private(path, seed)
    return seed


def ask_for(key: bytes) -> None:
    """Ask the program that uses the identity with this public key to give it up."""
    path = _path_of(key)
    if path is not None:
        _write_line(path.with_suffix(_WANTED))


def ask_no_more(key: bytes) -> None:
    """Withdraw that request."""
    path = _path_of(key)
    if path is not None:
        with contextlib.suppress(OSError):
            files.delete(path.with_suffix(_WANTED))


def keys_in_use() -> list[bytes]:
    """Public keys of the identities that other programs of this user have now."""
    from protocol.crypto.keys import SigningKey

    try:
        keys = [SigningKey(seed).public for _, seed in seeds(paths.home())]
    except OSError:
        # Without a state folder there are no identities.
        return []
    return [key for key in keys if (who := Identity.holder(key)) and who.pid != os.getpid()]


def _path_of(key: bytes) -> Path | None:
    """Where the identity with this public key is kept, if it belongs to this user."""
    from protocol.crypto.keys import SigningKey

    kept = seeds(paths.home())
    return next((path for path, seed in kept if SigningKey(seed).public == key), None)


def seeds(home: Path) -> Iterator[tuple[Path, bytes]]:
    """The secret bytes of all identities in a state folder, each with its file."""
    for path in (home / "identities").glob("*.key"):
        with contextlib.suppress(OSError):
            if len(seed := files.read(path, _SEED_BYTES)) == _SEED_BYTES:
                yield path, seed


def _sign_in(path: Path) -> None:
    """Record that this program has the identity now; nobody has asked it yet."""
    with contextlib.suppress(OSError):
        files.delete(path.with_suffix(_WANTED))
    _write_line(path.with_suffix(_HOLDER))


def _write_line(path: Path) -> None:
    with contextlib.suppress(OSError):
        files.write_private(path, f"{os.getpid()} {system.terminal_name()}".encode())


def _read_line(path: Path) -> Holder | None:
    try:
        line = files.read(path, _MAX_LINE).decode("utf-8", "replace")
        pid, _, terminal = line.partition(" ")
        return Holder(int(pid), "".join(filter(str.isprintable, terminal)))
    except (OSError, ValueError):
        return None
