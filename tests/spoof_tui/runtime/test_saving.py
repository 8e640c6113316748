"""Files that are written where no loop waits for them."""

import errno
import threading
from pathlib import Path

from spoof_tui.runtime.notices import Notice, NotSaved
from spoof_tui.runtime.saving import Saver
from spoof_tui.storage.disk import DISK


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
        raise OSError(errno.ENOSPC, "no room")

    saver = Saver(DISK, notices.append)
    saver.save(fail, told.append)
    await saver.wait(5.0)
    assert told == [None]
    assert [type(each) for each in notices] == [NotSaved]


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
