"""Files that are written without keeping a loop waiting."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path

import pytest

from spoof_tui.runtime.notices import DiskTrouble, NotSaved
from spoof_tui.runtime.session import DiskReport, Saver
from spoof_tui.storage import disk
from spoof_tui.storage.disk import RETRY_DELAY
from tests.simulation.substitutes import here

FULL = OSError(errno.ENOSPC, "No space left on device")


class Saving:
    """Something to be saved, on a disk that is full for this many tries."""

    def __init__(self, tries: int = 0, *, waits_for_room: bool = False) -> None:
        self.left = tries
        self.notices: list[NotSaved] = []
        self.told: list[Path | None] = []
        self.saver = Saver(disk.DISK, self.notices.append)
        self.saver.save(self.save, self.told.append, waits_for_room=waits_for_room)

    def save(self) -> Path:
        self.left -= 1
        if self.left >= 0:
            raise FULL
        return Path("game")


@pytest.mark.parametrize(
    ("tries", "told", "notices"), [(0, [Path("game")], []), (1, [None], [NotSaved(FULL)])]
)
async def test_what_was_written_is_told_with_its_path_and_what_was_not_as_such(
    tries: int, told: list[Path | None], notices: list[NotSaved]
) -> None:
    saving = Saving(tries)
    await saving.saver.wait(5.0)
    assert (saving.told, saving.notices) == (told, notices)


async def test_what_waits_for_room_is_told_once_and_written_when_there_is_some() -> None:
    saving = Saving(3, waits_for_room=True)
    await asyncio.sleep(3 * RETRY_DELAY - 0.5)
    assert (saving.told, saving.notices) == ([], [NotSaved(FULL)])
    await asyncio.sleep(2)
    assert (saving.told, saving.notices) == ([Path("game")], [NotSaved(FULL)])


async def test_a_slow_disk_is_not_waited_for_for_ever() -> None:
    here().disk.sync_time = 60.0
    saving, begin = Saving(), here().loop.time()
    await saving.saver.wait(1.0)
    assert saving.told == [] and here().loop.time() - begin == pytest.approx(1.0, abs=0.1)
    await saving.saver.wait(60.0)
    assert saving.told == [Path("game")]


def test_of_a_full_disk_one_sentence_is_said_and_one_when_that_is_over() -> None:
    told: list[DiskTrouble] = []
    report = DiskReport(told.append)
    for host, seat in ((None, None), (None, FULL), (FULL, FULL), (FULL, None), (None, FULL)):
        report.look(host, seat)
        report.look(host, seat)
    assert told == [DiskTrouble(FULL, is_host=False), DiskTrouble(FULL, is_host=True)]
    report.look(None)
    report.look(None)
    assert told[2:] == [DiskTrouble(None, is_host=True)]
    report.look(None, FULL)
    report.look(None, OSError(errno.EROFS, "read-only"))
    assert [each.error and each.error.errno for each in told[3:]] == [errno.ENOSPC, errno.EROFS]
