"""What a seat signs when it goes along to a new table, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.errors import Malformed, Reason
from protocol.guest.departure import Departure
from protocol.guest.effects import Changed, Depart, GuestEffect, Transmit, WentOn
from protocol.guest.link import HostLink
from protocol.table.continuation import draft, goes_along, mark, sign, signed
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.opening import TableContinued
from protocol.table.state import Table
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import read_from_guest
from protocol.wire.new_table import Continued, GoAlong, Offer
from tests.protocol.stories import Story, refused, signing_key

ANN, BO, EVA, HOST = 0, 1, 2, 9
SALT = b"n" * 32


def key(who: int) -> bytes:
    return signing_key(who).public


def keys(*who: int) -> tuple[bytes, ...]:
    return tuple(map(key, who))


def table() -> Table:
    return Story(5).start(*range(5)).toss(*range(5)).table


def link(shown: int | None = HOST) -> HostLink:
    handshake = GuestHandshake(b"", None if shown is None else key(shown))
    return HostLink(handshake, heard=0.0, asked=0.0, pinged=0.0)


def offer(*agreed: int, along: tuple[int, ...] = (ANN, BO), wait: int = 0) -> Offer:
    return Offer(key(HOST), SALT, keys(*along), keys(*agreed), wait)


def offered(departure: Departure, what: Offer) -> list[GuestEffect]:
    return departure.offered(link(), what, table())


def agreed() -> Departure:
    """Ann's, who has agreed to go along with Bo."""
    departure = Departure(signing_key(ANN), None)
    offered(departure, offer())
    departure.agree()
    return departure


def signatures(effects: list[GuestEffect]) -> list[bytes]:
    said = [read_from_guest(e.data[4:]) for e in effects if isinstance(e, Transmit)]
    return [message.signature for message in said if isinstance(message, GoAlong)]


def drafted() -> TableContinued:
    return draft(table(), {key(ANN), key(BO)}, key(HOST), SALT)


def test_it_signs_what_follows_from_its_own_log() -> None:
    (signature,) = signatures(offered(agreed(), offer(ANN, BO)))
    assert goes_along(key(ANN), drafted(), signature)


def test_that_it_goes_along_is_kept_first() -> None:
    effects = offered(agreed(), offer(ANN, BO))
    assert effects[0] == Depart(mark(drafted()))
    assert isinstance(effects[1], Transmit)


NOT_SIGNED = {
    "not all have agreed": offer(ANN),
    "the grace time is not over": offer(ANN, BO, wait=1),
    "somebody else goes along, too": offer(ANN, BO, EVA, along=(ANN, BO, EVA)),
    "the owner is not among them": offer(BO, EVA, along=(BO, EVA)),
    "there is no offer any more": offer(along=()),
}


@pytest.mark.parametrize("why", NOT_SIGNED)
def test_it_signs_nothing_where(why: str) -> None:
    departure = agreed()
    assert signatures(offered(departure, NOT_SIGNED[why])) == []
    assert not departure.is_gone


def test_it_signs_nothing_that_its_owner_has_not_agreed_to() -> None:
    assert signatures(offered(Departure(signing_key(ANN), None), offer(ANN, BO))) == []


def test_it_signs_nothing_that_its_owner_has_taken_back() -> None:
    departure = agreed()
    departure.agree(yes=False)
    assert signatures(offered(departure, offer(ANN, BO))) == []


def test_it_signs_another_draft_only_at_another_word() -> None:
    departure = agreed()
    offered(departure, offer(ANN, BO))
    other = replace(offer(ANN, BO), salt=b"o" * 32)
    assert signatures(offered(departure, other)) == []
    departure.agree()
    assert len(signatures(offered(departure, other))) == 1


def test_the_same_is_signed_again_after_a_crash() -> None:
    departure = Departure(signing_key(ANN), mark(drafted()))
    assert len(signatures(offered(departure, offer(ANN, BO)))) == 1


def test_who_has_gone_along_is_silent_until_it_is_back() -> None:
    departure = Departure(signing_key(ANN), mark(drafted()))
    with refused(Reason.WENT_ALONG):
        departure.check()
    assert departure.come_back() == [Depart(None), Changed()]
    departure.check()


def test_nobody_agrees_without_an_offer() -> None:
    departure = agreed()
    departure.parted()
    with refused(Reason.NOT_NOW):
        departure.agree()


def test_an_offer_is_made_by_the_host_to_be() -> None:
    with pytest.raises(Malformed):
        Departure(signing_key(ANN), None).offered(link(BO), offer(), table())


def first_entry(continued: TableContinued, host: int = HOST) -> Continued:
    entry = Entry.sign(signing_key(host), 0, EMPTY, 1, continued)
    return Continued(entry.blob)


def complete() -> TableContinued:
    it = drafted()
    return signed(it, {key(who): sign(signing_key(who), it) for who in (ANN, BO)})


def test_it_follows_to_the_new_table_of_this_one() -> None:
    (effect,) = agreed().continued(link(), first_entry(complete()), table())
    assert isinstance(effect, WentOn) and effect.entry.statement == complete()


FALSE: dict[str, Callable[[], Continued]] = {
    "nobody has signed": lambda: first_entry(drafted()),
    "it goes on from another table": lambda: first_entry(
        (it := replace(drafted(), table=SALT))
        and signed(it, {key(who): sign(signing_key(who), it) for who in (ANN, BO)})
    ),
    "it is no first entry": lambda: Continued(b"x"),
    "another host signs it": lambda: first_entry(complete(), BO),
}


@pytest.mark.parametrize("why", FALSE)
def test_it_follows_nowhere_where(why: str) -> None:
    with pytest.raises(Malformed):
        agreed().continued(link(), FALSE[why](), table())


def test_it_follows_no_host_that_somebody_else_tells_of() -> None:
    with pytest.raises(Malformed):
        agreed().continued(link(BO), first_entry(complete()), table())
