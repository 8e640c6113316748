"""Files that are written where no loop waits for them."""

import errno
import threading
from pathlib import Path

import pytest

from spoof_tui.runtime import saving
from spoof_tui.runtime.notices import DiskTrouble, Notice, NotSaved
from spoof_tui.runtime.saving import DiskReport, Saver
from spoof_tui.storage.disk import DISK
from tests.spoof_tui.runtime.local_table import until

FULL = OSError(errno.ENOSPC, "No space left on device")


async def test_what_was_written_is_told_with_its_path() -> None:
    told: list[Path | None] = []
    saver = Saver(DISK, lambda _notice: None)
    saver.save(lambda: Path("game"), told.append)
    await saver.wait(5.0)
    assert told == [Path("game")]


async def test_what_could_not_be_written_is_told_as_such() -> None:
    notices: list[Notice] = []
    told: list[Path | None] = []

    def fail() -> Path:
        raise FULL

    saver = Saver(DISK, notices.append)
    saver.save(fail, told.append)
    await saver.wait(5.0)
    assert told == [None]
    assert [type(each) for each in notices] == [NotSaved]


async def test_what_waits_for_room_is_told_once_and_written_when_there_is_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(saving, "RETRY_DELAY", 0.0)
    notices: list[Notice] = []
    told: list[Path | None] = []
    tries = iter(range(4))

    def save() -> Path:
        if next(tries) < 3:
            raise FULL
        return Path("game")

    Saver(DISK, notices.append).save(save, told.append, waits_for_room=True)
    await until(lambda: told)
    assert (told, notices) == ([Path("game")], [NotSaved(FULL)])


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


async def test_a_slow_disk_is_not_waited_for_for_ever() -> None:
    told: list[Path | None] = []
    goes_on = threading.Event()
    saver = Saver(DISK, lambda _notice: None)

    def slow() -> Path:
        goes_on.wait()
        return Path("late")

    saver.save(slow, told.append)
    await saver.wait(0.0)
    assert told == []
    goes_on.set()
    await saver.wait(5.0)
    assert told == [Path("late")]
