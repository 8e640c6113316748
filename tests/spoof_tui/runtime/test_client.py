"""The client at real tables: commands from one thread, notices from the other."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture, Measure, Say, Vote
from spoof_tui.runtime.notices import (
    NotAllowed,
    Opened,
)
from tests.spoof_tui.runtime.people import New, Person, opened


def test_opening_a_table_seats_its_host(person: New) -> None:
    host, _ = opened(person)
    assert host.client.is_host
    assert host.told(Opened) == [Opened(None, None, None)]
    assert [seat.name.raw for seat in host.view.seats] == ["Olha"]


def test_a_game_is_played_from_two_clients(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    for each in (host, guest):
        each.client.ready()
    for each, coins in ((host, 1), (guest, 2)):
        each.wait(lambda each=each: each.view.own_fist_due)  # type: ignore[misc]
        each.client.choose(coins)
    for each in (host, guest):
        each.wait(lambda each=each: each.view.phase is Phase.SPEAKING)  # type: ignore[misc]
    assert (host.client.peek(), guest.client.peek()) == (1, 2)
    speaker, other = (host, guest) if host.view.my_turn else (guest, host)
    speaker.client.speak(Bid(4))
    assert other.wait(lambda: other.view.standing) == (other.view.seats.index(_him(other)), 4)


def _him(person: Person) -> object:
    return next(seat for seat in person.view.seats if not seat.is_me)


def test_a_refusal_is_a_notice(person: New) -> None:
    host, _ = opened(person)
    host.client.speak(Bid(1))
    assert str(host.wait_for(NotAllowed).error) == "There is no game running. (G2)"


def test_commands_without_a_table_do_nothing(person: New) -> None:
    alone = person("Olha")
    alone.client.ready()
    alone.client.choose(1)
    alone.client.speak(Bid(1))
    alone.client.state(Say(ForeignText("hello?")))
    alone.client.state(Gesticulate(Gesture.MITT_FULL))
    alone.client.add_bot()
    assert alone.client.peek() is None
    assert alone.notices == []


def test_without_a_table_of_ones_own_nothing_is_decided(person: New) -> None:
    alone = person("Olha")
    alone.client.decide(Measure.MUTE, bytes(32))
    alone.client.renew_code()
    alone.client.state(Vote(Measure.MUTE, bytes(32), yes=True))
    alone.client.use_code("K7M4Q")
    alone.client.sit()
    assert alone.notices == []
