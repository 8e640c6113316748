"""Why the system could not do something, in the player's language."""

from __future__ import annotations

import errno
import os

from spoof_tui.text.i18n import _


def reason_of(error: BaseException) -> str:
    """The reason of an error: the system's own words, if they are not among the most usual ones."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error) or repr(error)
    # A sentence of this program may stand in place of the system's.
    is_told = error.errno is not None and error.strerror == os.strerror(error.errno)
    return _usual().get(error.errno or 0, error.strerror) if is_told else error.strerror


def _usual() -> dict[int, str]:
    return {
        errno.ENOENT: _("No such file or directory"),
        errno.EACCES: _("Permission denied"),
        errno.EPERM: _("Operation not permitted"),
        errno.EISDIR: _("Is a directory"),
        errno.ENOTDIR: _("Not a directory"),
        errno.EEXIST: _("File exists"),
        errno.ENAMETOOLONG: _("File name too long"),
        errno.ENOSPC: _("No space left on device"),
        errno.EDQUOT: _("Disk quota exceeded"),
        errno.EROFS: _("Read-only file system"),
        errno.EIO: _("Input/output error"),
        errno.EMFILE: _("Too many open files"),
        errno.EADDRINUSE: _("Address already in use"),
        errno.EADDRNOTAVAIL: _("Cannot assign requested address"),
        errno.ECONNREFUSED: _("Connection refused"),
        errno.ECONNRESET: _("Connection reset by peer"),
        errno.ETIMEDOUT: _("Connection timed out"),
        errno.ENETUNREACH: _("Network is unreachable"),
        errno.EHOSTUNREACH: _("No route to host"),
    }
