"""Files that fill a disk."""

from __future__ import annotations

import os
from pathlib import Path


def fill(path: Path, kib: int, time: float = 0) -> Path:
    """Write so many KiB, dated this many seconds after 1970."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(os.urandom(kib << 10))
    os.utime(path, (time, time))
    return path
