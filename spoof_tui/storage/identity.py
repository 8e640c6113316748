"""Identities: the secret keys of this user, one for each program that runs at the same time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spoof_tui import system
from spoof_tui.storage import files, paths

_SEED_BYTES: Final = 32

_HOLDER: Final = ".holder"
_WANTED: Final = ".wanted"
"""Suffix of the file beside a key that says which program asks for it; `_HOLDER` is that for the
program that has it."""

_MAX_LINE: Final = 200
"""Maximum bytes of such a file that are read."""

MAX_SLOTS: Final = 64
"""Maximum number of programs of one user that run at the same time, each with its own identity."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A program of this user that has an identity, or asks for it."""

    pid: int
    terminal: str
    """Name of the terminal that its player uses; empty if it has none."""


class Identity:
    """The secret key of a player on this machine.

    Several programs of one user that run at the same time get different identities, so that they
    can sit at one table; the first program always gets the same one.
    """

    def __init__(self, seed: bytes, lock: files.FileLock | None, path: Path | None = None) -> None:
        """The identity made of `seed`, saved at `path` (None for a temporary one); the program
        holds its `lock`."""
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
        """The first identity that no other running program uses, which is made if there is none.

        If nothing can be written to disk, it is a temporary one.
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
        """The identity with the public key `key`, which this program then holds; None if it is not
        on this machine, or if another program uses it."""
        path = _path_of(key)
        lock = files.FileLock(path.with_suffix(".lock")) if path else None
        with contextlib.suppress(OSError):
            if path and lock and lock.acquire():
                return cls(_seed(path), lock, path)
        return None

    @classmethod
    def holder(cls, key: bytes) -> Holder | None:
        """The other program that uses the identity with the public key `key`; None if none does."""
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
        """A temporary identity, which is lost when the program ends."""
        return cls(os.urandom(32), None)

    @property
    def may_be_wanted(self) -> bool:
        """Whether another program of this user could use this identity if this one gave it up."""
        return self._path is not None and self._lock is not None

    def wanted(self) -> Holder | None:
        """The program that has asked for this identity since this one got it; None if none has."""
        if self._path is None or self._lock is None:
            return None
        return _read_line(self._path.with_suffix(_WANTED))

    def release(self) -> None:
        """Let other programs of this user use the identity."""
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
    seed = os.urandom(_SEED_BYTES)
    files.write_private(path, seed)
    return seed


def ask_for(key: bytes) -> None:
    """Ask the program that uses the identity with this public key to give it up."""
    path = _path_of(key)
    if path is not None:
        _write_line(path.with_suffix(_WANTED))


def ask_no_more(key: bytes) -> None:
    """Withdraw the request that `ask_for` made."""
    path = _path_of(key)
    if path is not None:
        with contextlib.suppress(OSError):
            files.delete(path.with_suffix(_WANTED))


def keys_in_use() -> list[bytes]:
    """Public keys of the identities that other running programs of this user have."""
    from protocol.crypto.keys import SigningKey

    try:
        keys = [SigningKey(seed).public for _, seed in seeds(paths.home())]
    except OSError:
        # Without a state folder there are no identities.
        return []
    return [key for key in keys if (who := Identity.holder(key)) and who.pid != os.getpid()]


def _path_of(key: bytes) -> Path | None:
    """The path of the identity with the public key `key`; None if this user has none."""
    from protocol.crypto.keys import SigningKey

    kept = seeds(paths.home())
    return next((path for path, seed in kept if SigningKey(seed).public == key), None)


def seeds(home: Path) -> Iterator[tuple[Path, bytes]]:
    """The secret bytes of all identities in a state folder, each with the path of its file."""
    for path in (home / "identities").glob("*.key"):
        with contextlib.suppress(OSError):
            if len(seed := files.read(path, _SEED_BYTES)) == _SEED_BYTES:
                yield path, seed


def _sign_in(path: Path) -> None:
    """Record that this program has the identity now, and delete an older request for it."""
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
