"""Keys that take seats and do no more: their programs hang, or pretend to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.guest.link import HostLink
from protocol.guest.voter import Voter
from protocol.rules.words import Bid, Ending
from protocol.table.state import Phase
from protocol.table.statements import Sit
from protocol.timeouts import LOST_DELAY, Moment
from protocol.wire.messages import Ping
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.protocol.joining import newcomer
from tests.protocol.stories import GRACE

ADDRESS = "192.0.2.66"

Answer = Callable[[Ping], Ping]

WAYS: dict[str, Answer] = {
    "answers no ping": lambda ping: Ping(0),
    "keeps nothing": lambda ping: Ping(ping.number),
}


def come(table: MemoryTable, name: str, address: str) -> GuestSide:
    """Somebody sits down, with the code if the table has one."""
    client = newcomer(table, table.host.admission.code, address)
    table.act(client, client.guest.propose(Sit(ForeignText(name))))
    return client


class Hanging:
    """Three who sit down, and whose programs then do nothing but keep their links."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
        self._keys: set[bytes] = set()
        tell, owes = HostLink.next_ping, Voter.owes_seen

        def next_ping(link: HostLink, held: int, at: Moment) -> Ping:
            ping = tell(link, held, at)
            return answer(ping) if link in self._links() else ping

        def owes_seen(voter: Voter, *asked: object) -> bool:
            return voter._key.public not in self._keys and owes(voter, *asked)  # type: ignore[arg-type]

        monkeypatch.setattr(HostLink, "next_ping", next_ping)
        monkeypatch.setattr(Voter, "owes_seen", owes_seen)
        self._guests: list[GuestSide] = []

    def sit(self, table: MemoryTable) -> None:
        """They come, all at once."""
        for number in range(3):
            guest = come(table, f"Hanging{number}", ADDRESS)
            self._guests.append(guest)
            self._keys.add(guest.guest.key)

    def _links(self) -> list[HostLink | None]:
        return [each.guest._link for each in self._guests]


def plays(table: MemoryTable, *friends: GuestSide) -> bool:
    """Whether these play a whole game within the grace time, once they are ready."""
    before = table.host.table.game
    table.ready(*friends)
    table.pass_time(GRACE + 1, step=1.0)
    if table.host.table.game is before or not table.host.may_go_on(table.now()):
        return False
    table.choose(1, 1)
    table.say(Bid(1), Ending.CALL)
    is_counted = table.host.table.phase is not Phase.WITNESSING
    if is_counted:
        table.play_on()
    return is_counted


@pytest.mark.parametrize("locked", [False, True], ids=["open", "by a code"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("games", [0, 1], ids=["before the first game", "between games"])
def test_two_friends_play_game_after_game_though_three_sit_there_who(
    way: str, locked: bool, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = MemoryTable(0, seats=5, locked=locked)
    friends = [come(table, name, "192.0.2.1") for name in ("Anna", "Ben")]
    hanging = Hanging(monkeypatch, WAYS[way])
    assert all(plays(table, *friends) for _ in range(games))
    hanging.sit(table)
    table.pass_time(LOST_DELAY + 1, step=1.0)
    assert [seat.away for seat in table.host.table.seats] == [False] * 5
    assert all(plays(table, *friends) for _ in range(2))
