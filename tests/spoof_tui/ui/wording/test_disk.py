"""What is said of a disk that cannot be written."""

import errno
import os

import pytest

from spoof_tui.runtime.notices import DiskTrouble, NotKept
from spoof_tui.ui.wording.disk import disk_words, not_kept_words


@pytest.mark.parametrize("is_host", [False, True])
def test_a_full_disk_is_said_with_what_it_means(is_host: bool) -> None:
    words = disk_words(DiskTrouble(OSError(errno.ENOSPC, "No space left on device"), is_host))
    assert "disk is full" in words and ("table stands still" in words) is is_host


@pytest.mark.parametrize("is_host", [False, True])
def test_any_other_disk_that_cannot_be_written_is_said_with_the_reason(is_host: bool) -> None:
    why = os.strerror(errno.EROFS)
    words = disk_words(DiskTrouble(OSError(errno.EROFS, why), is_host))
    assert f"({why})" in words and ("table stands still" in words) is is_host


@pytest.mark.parametrize("is_host", [False, True])
def test_it_is_said_that_it_is_over(is_host: bool) -> None:
    assert "can be written again" in disk_words(DiskTrouble(None, is_host))


def test_it_is_said_what_ends_with_the_program() -> None:
    assert "the table ends" in not_kept_words(NotKept(is_host=True))
    assert "your seat ends" in not_kept_words(NotKept(is_host=False))
