"""What is said of a disk that cannot be written, and when that is over."""

from __future__ import annotations

import errno
from typing import Final

from spoof_tui.runtime.notices import DiskTrouble, NotKept
from spoof_tui.text.i18n import _

_FULL: Final = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def disk_words(notice: DiskTrouble) -> str:
    """That everything waits which has to be on the disk first, or that it waits no more."""
    error = notice.error
    if error is None:
        if notice.is_host:
            return _("The disk can be written again: the table goes on.")
        return _("The disk can be written again.")
    if error.errno in _FULL:
        if notice.is_host:
            return _("This computer’s disk is full: the table stands still until there is room.")
        return _("This computer’s disk is full: you cannot play on until there is room.")
    text = _("This computer’s disk cannot be written ({why}): you cannot play on until it can.")
    if notice.is_host:
        text = _("This computer’s disk cannot be written ({why}): the table stands still.")
    return text.format(why=error.strerror or str(error))


def not_kept_words(notice: NotKept) -> str:
    """That nothing outlives the program."""
    if notice.is_host:
        return _("Nothing can be written on this computer: the table ends with this program.")
    return _("Nothing can be written on this computer: your seat ends with this program.")
