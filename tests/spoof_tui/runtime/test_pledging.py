"""Promises to whom the host gives its role."""

from collections.abc import Iterable

from protocol.guest.effects import GuestEffect, Pledged, Promise
from spoof_tui.runtime.pledging import Pledging
from tests.helpers.tables import MemoryTable


async def test_a_promise_counts_once_it_is_on_the_disk() -> None:
    heir, leaver = MemoryTable(2).clients
    carried: list[GuestEffect] = []

    def carry_out(effects: Iterable[GuestEffect]) -> None:
        carried.extend(effects)
        pledging.kept()

    pledging = Pledging(leaver.guest, carry_out)
    assert await pledging.promise(heir.guest.key)
    assert [type(each) for each in carried] == [Promise, Pledged]


async def test_a_disk_that_is_late_is_not_waited_for() -> None:
    heir, leaver = MemoryTable(2).clients
    assert not await Pledging(leaver.guest, lambda _effects: None).promise(heir.guest.key)
