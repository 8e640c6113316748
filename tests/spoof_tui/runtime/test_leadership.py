"""A host's leadership: later epochs, one seat's wishes, and loneliness."""

import pytest

from protocol.host.host import Stranded, Superseded
from protocol.timing import LEASE, Moment
from spoof_tui.runtime import leadership as term
from spoof_tui.runtime.leadership import Leadership
from tests.spoof_tui.runtime.local_table import local_table, new_host


def test_the_latest_of_the_later_epochs_counts() -> None:
    heard = Leadership()
    for epoch in (3, 7, 5):
        heard.hear(Superseded(epoch))
    assert heard.later == 7


def test_for_one_seat_a_host_is_chosen_anew_not_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, laters = Leadership(), []
    for epoch, every in ((3, 30.0), (4, 30.0), (5, 0.0)):
        monkeypatch.setattr(term, "RENEW_INTERVAL", every)
        heard.hear(Stranded(epoch))
        laters.append(heard.later)
        heard.begin()
    assert laters == [3, None, 5]


def test_a_host_with_no_seats_at_its_table_is_not_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term, "ALONE_DELAY", 0.0)
    host, _ = new_host()
    assert not any(Leadership().is_alone(host, Moment(at, at * 1000)) for at in range(9))


@pytest.mark.parametrize(("longest", "seconds"), [(0.0, [3, 6, 9, 12]), (4.0, [3, 8, 13])])
async def test_a_host_is_alone_once_most_seats_were_silent_for_a_while_and_then_again(
    monkeypatch: pytest.MonkeyPatch, longest: float, seconds: list[int]
) -> None:
    monkeypatch.setattr(term, "ALONE_DELAY", 2.5)
    async with local_table() as table:
        for sitter in await table.sit("Ann", "Bob"):
            await sitter.crash()
        host, lonely = table.server.host, Leadership(longest)
        times = [Moment(LEASE + at, round((LEASE + at) * 1000)) for at in range(15)]
        alone = [lonely.is_alone(host, at) for at in times]
        assert [second for second, is_alone in enumerate(alone) if is_alone] == seconds
