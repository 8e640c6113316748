"""Who this player is: secret keys, one for every program that runs at a time."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from spoof_tui import system
from spoof_tui.storage import folders

MAX_SLOTS: Final = 64
"""Programs of one user that may run at once, each with an identity of its own."""


class Identity:
    """The secret key of a player on this machine.

    Several programs of one user that run at once get different identities, so that they can
    sit at one table; the first one is always the same.
    """

    def __init__(self, seed: bytes, lock: system.FileLock | None) -> None:
        self.seed = seed
        """The 32 secret bytes of the key."""
        self._lock = lock

    def __repr__(self) -> str:
        return "<Identity>"

    @classmethod
    def claim(cls) -> Identity:
        """The first identity that no other running program uses, made if there is none.

        A passing one where the disk cannot be written.
        """
        try:
            return cls._kept() or cls.passing()
        except OSError:
            return cls.passing()

    @classmethod
    def _kept(cls) -> Identity | None:
        folder = folders.home() / "identities"
        system.make_private_directory(folder)
        for slot in range(1, MAX_SLOTS + 1):
            lock = system.FileLock(folder / f"{slot}.lock")
            if lock.acquire():
                return cls(_seed(folder / f"{slot}.key"), lock)
        return None

    @classmethod
    def of(cls, key: bytes) -> Identity | None:
        """The identity whose public key is `key`; None if it is not here, or in use."""
        from protocol.crypto.keys import SigningKey

        folder = folders.home() / "identities"
        for path in folder.glob("*.key"):
            seed = path.read_bytes()
            if len(seed) == 32 and SigningKey(seed).public == key:
                lock = system.FileLock(path.with_suffix(".lock"))
                return cls(seed, lock) if lock.acquire() else None
        return None

    @classmethod
    def passing(cls) -> Identity:
        """An identity that is gone when the program ends."""
        return cls(secrets.token_bytes(32), None)

    def release(self) -> None:
        """Let other programs of this user have the identity."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _seed(path: Path) -> bytes:
    try:
        seed = path.read_bytes()
        if len(seed) == 32:
            return seed
    except FileNotFoundError:
        pass
    seed = secrets.token_bytes(32)
    system.write_private(path, seed)
    return seed
