"""A host's leadership: later epochs, one seat's wishes, and loneliness."""

from __future__ import annotations

import asyncio

import pytest

from protocol.host.host import Stranded, Superseded
from protocol.timing import LEASE, Moment
from spoof_tui.runtime.leadership import RENEW_INTERVAL, Leadership
from tests.spoof_tui.runtime.local_table import local_table, new_host


async def test_the_latest_of_the_later_epochs_counts_and_one_seat_is_heard_not_too_often() -> None:
    heard = Leadership()
    for epoch in (3, 7, 5):
        heard.hear(Superseded(epoch))
    assert heard.later == 7
    laters = []
    for epoch, pause in ((8, 0.0), (9, RENEW_INTERVAL / 2), (10, RENEW_INTERVAL / 2 + 1)):
        heard.begin()
        await asyncio.sleep(pause)
        heard.hear(Stranded(epoch))
        laters.append(heard.later)
    assert laters == [8, None, 10]


@pytest.mark.parametrize(
    ("players", "longest", "seconds"),
    [((), 0.0, []), (("Ann", "Bob"), 0.0, [4, 8, 12, 16, 20]), (("Ann", "Bob"), 8.0, [4, 11, 20])],
)
async def test_a_host_is_alone_once_most_seats_were_silent_for_a_while_and_then_again(
    players: tuple[str, ...], longest: float, seconds: list[int]
) -> None:
    async with local_table() as table:
        for sitter in await table.sit(*players):
            await sitter.crash()
        host, lonely = table.server.host if players else new_host()[0], Leadership(longest)
        times = [Moment(LEASE + at, round((LEASE + at) * 1000)) for at in range(21)]
        alone = [lonely.is_alone(host, at) for at in times]
        assert [second for second, is_alone in enumerate(alone) if is_alone] == seconds
