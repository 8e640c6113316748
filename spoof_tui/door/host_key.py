"""The key by which a door is known: one for each state directory, made when it is first needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from spoof_tui.door.folders import doors_folder
from spoof_tui.storage import files, reading

if TYPE_CHECKING:
    from asyncssh import SSHKey

_KIND: Final = "ssh-ed25519"
"""Every client of the last ten years knows it."""

_MAX_KEY: Final = 4096
"""Bytes of its file that are read: ten times as many as it has."""


def key_path() -> Path:
    """Where the key is kept."""
    return doors_folder() / "host_key"


def host_key() -> SSHKey:
    """The key of the doors of this user; raises `OSError` where it cannot be kept."""
    import asyncssh

    path = key_path()
    try:
        return asyncssh.import_private_key(reading.read(path, _MAX_KEY))
    except (FileNotFoundError, reading.Unfit, asyncssh.KeyImportError):
        key = asyncssh.generate_private_key(_KIND, comment="spoof")
        files.write_private(path, key.export_private_key())
        return key
