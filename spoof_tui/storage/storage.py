"""What stays on this machine: identities, settings, logs, own secrets and finished games.

Everything lives under one private directory, `home()`; nothing in it is readable by others.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from protocol.encoding.framing import FrameReader, frame
from protocol.errors import ProtocolError
from protocol.limits import MAX_NAME
from spoof_tui import system
from spoof_tui.storage import paths as places
from spoof_tui.text import i18n

MAX_SLOTS: Final = 64
"""Programs of one user that may run at once, each with an identity of its own."""

_LENGTH: Final = 4
"""Bytes of a frame's length."""


def home() -> Path:
    """The state directory of this user, made if it is not there."""
    path = places.state_folder()
    system.make_private_directory(path)
    return path


class Frames:
    """An append-only file of frames. A torn last frame is passed over, never the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def read(self) -> list[bytes]:
        """The whole frames of the file; none if there is no file."""
        return list(self._whole())

    def _whole(self) -> Iterator[bytes]:
        reader = FrameReader()
        try:
            with self._path.open("rb") as file:
                # A length that is impossible must not hide the frames that are whole before it.
                while length := file.read(_LENGTH):
                    reader.feed(length)
                    yield from reader.feed(file.read(int.from_bytes(length, "big")))
        except FileNotFoundError:
            return
        except ProtocolError:
            # What follows a length that no program wrote cannot be cut into frames.
            return

    def cut_torn_end(self) -> None:
        """Shorten the file to its whole frames, so that what is appended can be read."""
        whole = sum(len(frame(payload)) for payload in self._whole())
        if self._path.exists() and self._path.stat().st_size != whole:
            with self._path.open("r+b") as file:
                file.truncate(whole)

    def append(self, *payloads: bytes) -> None:
        """Add frames and wait until they are on the disk; raises `OSError`, and has added none."""
        if not payloads:
            return
        file = self._opened()
        data, end = b"".join(map(frame, payloads)), file.seek(0, os.SEEK_END)
        try:
            if file.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
            system.sync(file)
        except OSError:
            # A torn frame in the middle would hide all that is appended later.
            with contextlib.suppress(OSError):
                file.truncate(end)
            self.close()
            raise

    def replace(self, payloads: Iterable[bytes]) -> None:
        """Have these frames in the file and no others, in one step; raises `OSError`."""
        self.close()
        system.make_private_directory(self._path.parent)
        system.write_private(self._path, b"".join(map(frame, payloads)))

    def close(self) -> None:
        """Let go of the file; what is appended later opens it again."""
        file, self._file = self._file, None
        if file:
            with contextlib.suppress(OSError):
                file.close()

    def _opened(self) -> BinaryIO:
        """The file, which is opened once: a folder is a lot of work for every entry of a log."""
        if self._file is None:
            if not self._path.parent.is_dir():
                system.make_private_directory(self._path.parent)
            is_new = not self._path.exists()
            self._file = system.open_private_append(self._path)
            if is_new:
                system.sync_directory(self._path.parent)
        return self._file

    def __del__(self) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Settings:
    """What the player chose once and for all."""

    name: str = ""
    """Name at the tables; empty until the first run made one up."""
    confirm_endings: bool = True
    """Whether an ending word asks for a second press."""
    language: str | None = None
    """Code of the language that the program speaks; None for that of the locale."""
    theme: str | None = None
    """Name of the theme; None, or one that there is not, for the usual one."""

    @classmethod
    def load(cls) -> Settings:
        """The settings on disk; a file that cannot be read counts as none."""
        return cls._from(places.read_settings())

    @classmethod
    def _from(cls, raw: dict[str, Any]) -> Settings:
        name, confirm = raw.get("name"), raw.get("confirm_endings")
        language, theme = raw.get("language"), raw.get("theme")
        return cls(
            name=name if isinstance(name, str) and _is_name(name) else "",
            confirm_endings=confirm if isinstance(confirm, bool) else True,
            language=language if language in tuple(i18n.LANGUAGES) else None,
            theme=theme if isinstance(theme, str) else None,
        )

    def save(self) -> None:
        """Write the settings; raises `OSError`."""
        raw = {
            "name": self.name,
            "confirm_endings": self.confirm_endings,
            "language": self.language,
            "theme": self.theme,
        }
        text = json.dumps(raw, ensure_ascii=False, indent=1)
        home()
        system.write_private(places.settings_path(), text.encode())


def _is_name(name: str) -> bool:
    """Whether others could be told this name."""
    return name.isprintable() and len(name.encode(errors="replace")) <= MAX_NAME


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
        folder = home() / "identities"
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

        folder = home() / "identities"
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


def keep_trouble(error: BaseException) -> Path | None:
    """Write down where an unforeseen error happened, without any value; the file's path."""
    import traceback

    lines = [*traceback.format_exception_only(error), *traceback.format_tb(error.__traceback__)]
    try:
        path = home() / "trouble.txt"
        system.write_private(path, "".join(lines).encode())
    except OSError:
        return None
    return path


def table_folder(table: bytes) -> Path:
    """Where the files of one table are kept."""
    folder = home() / "tables"
    system.make_private_directory(folder)
    return folder / table.hex()[:32]


def games_folder() -> Path:
    """Where finished games are kept, as records and as logs."""
    folder = home() / "games"
    system.make_private_directory(folder)
    return folder


def game_stem(finished: int, table_name: str, number: int) -> str:
    """The name, without its ending, of a finished game's files.

    `finished` is in milliseconds since 1970; `table_name` is fit for a file name already.
    """
    return f"{local_time(finished):%Y-%m-%d-%H%M%S}-{table_name}-game-{number}"


def local_time(milliseconds: int) -> datetime:
    """The time this long after the beginning of 1970; that beginning if there is no such time."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
