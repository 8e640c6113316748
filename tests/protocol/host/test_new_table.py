"""A new table for those who stay, from the offer to its first entry, with a host or without."""

from __future__ import annotations

from protocol.errors import Reason
from protocol.guest.effects import Depart, Transmit
from protocol.guest.guest import Guest
from protocol.table.continuation import agree as agreement
from protocol.timeouts import SUPPORT_DELAY
from protocol.wire.messages import Agree, Offer, write
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import GRACE, gather, stuck
from tests.protocol.stories import refused


def here(table: MemoryTable) -> list[GuestSide]:
    return [client for client in table.clients if client.link is not None]


def offered(client: GuestSide) -> Offer | None:
    offer = client.view.new_table
    assert offer is None or isinstance(offer, Offer)
    return offer


def agree(table: MemoryTable, *clients: GuestSide, yes: bool = True) -> None:
    for client in clients:
        table.act(client, client.guest.departure.agree(yes=yes))


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
    mark = first.events(Depart)[0].mark
    again = GuestSide(
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
