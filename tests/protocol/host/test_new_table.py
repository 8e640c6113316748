"""A new table for those who stay, from the offer to its first entry, with a host or without."""

from __future__ import annotations

from protocol.errors import Reason
from protocol.guest.effects import Depart, Transmit, WentOn
from protocol.guest.guest import Guest
from protocol.host.host import Found, Host, HostPolicy
from protocol.rules.words import Bid
from protocol.table.continuation import agree as agreement
from protocol.table.fold import fold
from protocol.table.log import Entry
from protocol.table.state import Phase
from protocol.timing import LEASE, PING_INTERVAL, SUPPORT_DELAY
from protocol.wire.messages import Farewell, write
from protocol.wire.new_table import Agree, Offer
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.moving import GRACE, after_a_game, gather, playing, stuck, vanish
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
    """The first entry of the new table, of which this one was told."""
    found = [event.entry for event in client.everything if isinstance(event, WentOn)]
    return found[-1] if found else None


def is_founded(table: MemoryTable) -> bool:
    return any(isinstance(effect, Found) for effect in table.told)


# With a host


def test_those_who_stay_carry_the_game_on_with_their_coins() -> None:
    table = stuck()
    agree(table, *here(table))
    entry = founded(table.clients[0])
    assert is_founded(table) and entry is not None
    new = fold(None, entry)
    assert new.game and new.game.coins == (3, 3)
    assert new.phase is Phase.CHOOSING and new.host == table.host.key


def test_everybody_is_told_the_same() -> None:
    table = stuck(7, 4)
    agree(table, *here(table))
    assert len({founded(client) for client in here(table)}) == 1


def test_nobody_is_asked_while_a_majority_is_there() -> None:
    table = stuck(5, 2)
    assert [offered(client) for client in here(table)] == [None] * 3


def test_who_is_alone_is_asked_nothing() -> None:
    table = stuck(3, 2)
    assert offered(table.clients[0]) is None


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


def test_one_who_does_not_agree_keeps_all_at_the_old_table() -> None:
    table = stuck(7, 4)
    first, second, third = here(table)
    agree(table, first, second)
    table.pass_time(5)
    assert not is_founded(table)
    offer = offered(third)
    assert offer and set(offer.agreed) == {first.guest.key, second.guest.key}


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


def test_who_takes_it_back_has_not_agreed() -> None:
    table = stuck()
    first, second = here(table)
    agree(table, first)
    agree(table, first, yes=False)
    agree(table, second)
    table.pass_time(2)
    assert not is_founded(table)


def test_whoever_comes_back_is_asked_and_the_others_are_asked_again() -> None:
    table = stuck(7, 5)
    first, second = here(table)
    agree(table, first)
    table.connect(table.clients[6])
    table.pass_time(1)
    agree(table, second, table.clients[6])
    assert not is_founded(table)
    agree(table, first)
    entry = founded(first)
    assert entry and len(fold(None, entry).seats) == 3


def test_the_offer_is_gone_once_a_majority_is_back() -> None:
    table = stuck(5, 3)
    agree(table, table.clients[0])
    table.connect(table.clients[4])
    table.pass_time(PING_INTERVAL + 1)
    assert [offered(client) for client in here(table)] == [None] * 3
    assert table.host.may_go_on(table.now(0))


def test_between_games_a_table_without_a_majority_goes_on_elsewhere_too() -> None:
    table = after_a_game(5)
    vanish(table, *table.clients[2:])
    table.pass_time(GRACE + LEASE + 1)
    agree(table, *here(table))
    entry = founded(table.clients[1])
    assert entry and fold(None, entry).phase is Phase.GATHERING


def test_nothing_goes_on_at_the_old_table_once_the_new_one_stands() -> None:
    table = stuck()
    agree(table, *here(table))
    length = len(table.host.log)
    table.connect(table.clients[2])
    for client in table.clients[3:]:
        table.connect(client)
    table.pass_time(2)
    kinds = {entry.statement.KIND for entry in list(table.host.log)[length:]}
    assert kinds <= {"back", "away"}
    # Nobody is taken along who has not signed.
    assert founded(table.clients[4]) is None


# Whoever has signed


def test_that_a_seat_goes_along_is_kept_before_it_signs() -> None:
    table = stuck()
    agree(table, *here(table))
    kinds = [type(event).__name__ for event in table.clients[0].everything]
    signed = kinds.index("Depart")
    assert kinds[signed + 1] == "Transmit"


def test_who_has_signed_says_nothing_at_the_old_table() -> None:
    table = stuck()
    agree(table, *here(table))
    first = table.clients[0]
    assert first.view.went_along
    with refused(Reason.WENT_ALONG):
        first.guest.speak(Bid(9))


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


def test_who_is_back_knowingly_plays_on() -> None:
    table = stuck()
    agree(table, *here(table))
    first = table.clients[0]
    effects = first.guest.departure.come_back()
    assert Depart(None) in effects and not first.guest.departure.is_gone


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


# Without a host


def orphaned(players: int = 5, stay: int = 2) -> MemoryTable:
    """A table whose host is gone with most of its players; the first who stays stands for host."""
    table = playing(players)
    table.now(SUPPORT_DELAY)
    old = table.host
    table.stand(table.clients[0])
    table.host = Host(
        table.host_key,
        HostPolicy(old.card.host),
        list(table.clients[0].guest.log),
        table.random.randbytes,
        standing=1,
        silent=SUPPORT_DELAY,
    )
    gather(table, *table.clients[:stay])
    return table


def test_those_whose_host_is_gone_too_find_a_new_table_at_whoever_stands() -> None:
    table = orphaned()
    table.pass_time(GRACE)
    agree(table, *here(table))
    entry = founded(table.clients[1])
    assert entry is not None
    new = fold(None, entry)
    assert new.host == table.clients[0].guest.key
    assert new.continues and new.continues.table == table.host.table.id


def test_the_silence_of_the_old_host_is_part_of_the_grace_time() -> None:
    table = orphaned()
    table.pass_time(GRACE - SUPPORT_DELAY - 2)
    offer = offered(table.clients[1])
    assert offer and 0 < offer.wait <= 3


def test_a_candidate_that_is_chosen_offers_nothing_any_more() -> None:
    table = orphaned()
    table.pass_time(GRACE)
    assert offered(table.clients[0]) is not None
    gather(table, table.clients[2])
    table.pass_time(PING_INTERVAL + 1)
    assert not table.host.is_standing
    assert [offered(client) for client in here(table)] == [None] * 3


def test_a_candidate_without_a_majority_keeps_its_guests_by_its_offers() -> None:
    table = orphaned()
    table.pass_time(40)
    assert len(here(table)) == 2
    assert not any(getattr(e, "why", None) is Farewell.SILENT for e in table.clients[1].events)
