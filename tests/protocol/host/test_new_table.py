"""A new table for those who stay, from the offer to its first entry, with a host or without."""

from __future__ import annotations

from protocol.errors import Reason
from protocol.guest.effects import Depart, Transmit, WentOn
from protocol.guest.guest import Guest
from protocol.host.host import Found
from protocol.table.continuation import agree as agreement
from protocol.table.fold import fold
from protocol.table.log import Entry
from protocol.timing import SUPPORT_DELAY
from protocol.wire.messages import Agree, Offer, write
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.moving import GRACE, gather, stuck
from tests.protocol.stories import refused


def here(table: MemoryTable) -> list[SeatedGuest]:
    return [client for client in table.clients if client.link is not None]


def offered(client: SeatedGuest) -> Offer | None:
    offer = client.view.new_table
    assert offer is None or isinstance(offer, Offer)
    return offer


def agree(table: MemoryTable, *clients: SeatedGuest, yes: bool = True) -> None:
    for client in clients:
        table.act(client, client.guest.departure.agree(yes=yes))


def founded(client: SeatedGuest) -> Entry | None:
    """The first entry of the new table that this guest was told of."""
    found = [event.entry for event in client.everything if isinstance(event, WentOn)]
    return found[-1] if found else None


def is_founded(table: MemoryTable) -> bool:
    return any(isinstance(effect, Found) for effect in table.told)


# With a host


def test_nobody_can_agree_before_the_grace_time_is_over() -> None:
    table = stuck(waited=GRACE / 2)
    first, second = here(table)
    offer = offered(first)
    assert offer and offer.along == (first.guest.key, second.guest.key) and 20 < offer.wait <= 40
    with refused(Reason.NOT_NOW):
        first.guest.departure.agree()
    signed = agreement(first.guest._key, table.host.table.id, offer.host, offer.salt, offer.along)
    table.act(first, [Transmit(write(Agree(signed)))])
    table.pass_time(1)
    again = offered(second)
    assert again and not again.agreed


def test_nobody_agrees_in_the_name_of_another() -> None:
    table = stuck()
    first, second = here(table)
    offer = offered(first)
    assert offer
    terms = table.host.table.id, offer.host, offer.salt, offer.along
    table.act(first, [Transmit(write(Agree(agreement(second.guest._key, *terms))))])
    table.pass_time(1)
    again = offered(second)
    assert again and not again.agreed


# After signing


def test_who_has_signed_supports_no_host_there_even_after_a_crash() -> None:
    table = stuck()
    agree(table, *here(table))
    first = table.clients[0]
    mark = next(e.mark for e in first.everything if isinstance(e, Depart))
    again = SeatedGuest(
        Guest(first.guest._key, table.host.table.id, list(first.guest.log), departed=mark)
    )
    table.clients[0] = again
    for client in table.clients[2:]:
        client.guest.disconnected()
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[2])
    gather(table, again, *table.clients[2:4])
    table.pass_time(SUPPORT_DELAY + 2)
    assert table.host.is_standing


def test_one_word_is_good_for_one_signature() -> None:
    table = stuck(7, 4)
    first, second, third = here(table)
    agree(table, first, second)
    table._wires.clear()
    # The host's last offer reaches two, and then the third is gone without having signed.
    for effect in third.guest.departure.agree():
        table._guest(third, [effect])
    link, third.link = third.link, None
    table.deliver()
    assert first.view.went_along and not is_founded(table)
    assert link is not None
    table._host(table.host.lost(link, table.now()))
    table.deliver()
    table.pass_time(2)
    assert not is_founded(table)
    agree(table, first, second)
    entry = founded(first)
    assert entry and len(fold(None, entry).seats) == 2
