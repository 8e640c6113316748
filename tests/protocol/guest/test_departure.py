"""A seat and new tables: the questions it asks, what it signs, and where it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed, Reason
from protocol.guest.effects import Depart, GuestEffect, Halt, Transmit
from protocol.guest.link import HostLink
from protocol.guest.log_copy import LogCopy
from protocol.guest.new_table import Departure
from protocol.table.continuation import agree, agrees, mark, sign, signed
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import Say, TableContinued
from protocol.timeouts import Moment
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import Agree, Continued, GoAlong, Offer
from tests.helpers.sides import said_in
from tests.protocol.continuing import SALT, drafted, old_table, signed_by
from tests.protocol.stories import public, refused, signing_key

ANN, BO, EVA, STRANGER, HOST = 0, 1, 2, 9, 255
GRACE = 60.0


def keys(*who: int) -> tuple[bytes, ...]:
    return tuple(map(public, who))


def table() -> Table:
    return old_table().table


def link(shown: int | None = HOST) -> HostLink:
    handshake = GuestHandshake(b"", None if shown is None else public(shown))
    return HostLink(handshake, heard=0.0, asked=0.0, pinged=0.0)


def at(seconds: float) -> Moment:
    return Moment(seconds, int(seconds * 1000))


def offer(
    *agreed: int, along: tuple[int, ...] = (ANN, BO), wait: int = 0, host: int = HOST
) -> Offer:
    terms = table().id, public(host), SALT, keys(*along)
    agreements = tuple(agree(signing_key(w), *terms) if w in agreed else None for w in along)
    return Offer(public(host), SALT, keys(*along), agreements, wait)


class Seat:
    """Ann's departure from a table that has been stuck for the grace time by her own clock."""

    def __init__(self, signed: bytes | None = None, waited: float = GRACE) -> None:
        self.departure = Departure(signing_key(ANN), signed)
        self.copy = LogCopy(None, old_table().entries)
        self.now = 100.0
        self.departure.tick(at(self.now - waited), is_served=False)

    def hears(
        self, said: Offer | Continued, by: int | None = HOST, silence: float = 0.0
    ) -> list[GuestEffect]:
        log, table = self.copy.log, self.copy.table
        return self.departure.hear(link(by), said, log, table, silence, at(self.now))

    @property
    def shown(self) -> Offer | None:
        return self.departure.offer


def agreed() -> Seat:
    """Ann's departure, after she has agreed to go along with Bo."""
    seat = Seat()
    seat.hears(offer())
    seat.departure.agree()
    return seat


def signatures(effects: list[GuestEffect]) -> list[bytes]:
    return [message.signature for message in said_in(effects) if isinstance(message, GoAlong)]


def draft(*along: int) -> TableContinued:
    return drafted(table(), *along or (ANN, BO), host=HOST)


# What is shown


def _made_up_agreement() -> Offer:
    honest = offer(BO)
    return replace(honest, agreements=(None, sign(signing_key(STRANGER), draft())))


UNTRUE: dict[str, Callable[[], Offer]] = {
    "somebody makes it who does not sit there": lambda: offer(host=STRANGER),
    "a seat makes it that does not go along": lambda: offer(host=EVA),
    "an agreement is made up": _made_up_agreement,
    "an agreement is one to something else": lambda: replace(
        offer(), agreements=offer(BO, along=(BO, EVA)).agreements[::-1]
    ),
    "agreements are missing": lambda: replace(offer(), agreements=(None,)),
    "somebody goes along who has no seat": lambda: offer(along=(ANN, STRANGER)),
    "somebody goes along twice": lambda: offer(along=(ANN, ANN)),
    "nobody else goes along": lambda: offer(along=(ANN,)),
}


@pytest.mark.parametrize("why", UNTRUE)
def test_an_offer_is_not_shown_and_never_signed_where(why: str) -> None:
    seat, untrue = agreed(), UNTRUE[why]()
    by = next(who for who in (ANN, BO, EVA, STRANGER, HOST) if public(who) == untrue.host)
    assert signatures(seat.hears(untrue, by=by)) == []
    assert seat.shown is None and not seat.departure.signed


def test_an_offer_is_made_by_the_host_to_be() -> None:
    with pytest.raises(Malformed):
        Seat().hears(offer(), by=BO)


# The grace time


def test_whoever_comes_back_to_a_host_that_offers_has_not_begun_to_wait_anew() -> None:
    seat = Seat(waited=GRACE / 2)
    seat.departure.tick(at(seat.now), is_served=True)
    seat.now += 1
    seat.hears(offer())
    assert seat.shown and seat.shown.wait == GRACE / 2 - 1


# What is signed


def test_an_agreement_is_signed_for_what_was_offered_and_can_be_taken_back() -> None:
    seat = Seat()
    seat.hears(offer())
    (first,) = said_in(seat.departure.agree())
    assert isinstance(first, Agree) and first.signature
    terms = table().id, public(HOST), SALT, keys(ANN, BO)
    assert agrees(public(ANN), *terms, first.signature)
    assert said_in(seat.departure.agree(yes=False)) == [Agree(None)]


def test_that_it_goes_along_is_kept_first() -> None:
    effects = agreed().hears(offer(ANN, BO))
    assert effects[0] == Depart(mark(draft()))
    assert isinstance(effects[1], Transmit)


NOT_SIGNED = {
    "not all have agreed": lambda: offer(ANN),
    "the grace time is not over": lambda: offer(ANN, BO, wait=1),
    "somebody else goes along, too": lambda: offer(ANN, BO, EVA, along=(ANN, BO, EVA)),
    "the owner is not among them": lambda: offer(BO, EVA, along=(BO, EVA)),
    "there is no offer any more": lambda: offer(along=()),
}


@pytest.mark.parametrize("why", NOT_SIGNED)
def test_it_signs_nothing_where(why: str) -> None:
    seat = agreed()
    assert signatures(seat.hears(NOT_SIGNED[why]())) == []
    assert not seat.departure.signed


def test_it_signs_nothing_that_its_owner_has_taken_back() -> None:
    seat = agreed()
    seat.departure.agree(yes=False)
    assert signatures(seat.hears(offer(ANN, BO))) == []


def test_it_signs_another_draft_only_at_another_word() -> None:
    seat = agreed()
    seat.hears(offer(ANN, BO))
    later = old_table().tell(EVA, Say(ForeignText("hello")))
    seat.copy = LogCopy(None, later.entries)
    assert signatures(seat.hears(offer(ANN, BO))) == []
    seat.departure.agree()
    assert len(signatures(seat.hears(offer(ANN, BO)))) == 1


def test_the_same_is_signed_again_after_a_crash() -> None:
    assert len(signatures(Seat(mark(draft())).hears(offer(ANN, BO)))) == 1


def test_nobody_agrees_without_an_offer() -> None:
    seat = agreed()
    seat.departure.parted()
    with refused(Reason.NOT_NOW):
        seat.departure.agree()


# Where it goes


def first_entry(continued: TableContinued, host: int = HOST) -> Continued:
    entry = Entry.sign(signing_key(host), 0, EMPTY, 1, continued)
    return Continued(entry.blob)


def complete(*along: int) -> TableContinued:
    return signed_by(draft(*along), *along or (ANN, BO))


def gone() -> Seat:
    """Ann's departure, after she has signed to go along with Bo."""
    return Seat(mark(draft()))


def test_it_follows_nobody_to_a_table_that_it_has_not_signed() -> None:
    for seat in (Seat(), agreed(), gone()):
        assert seat.hears(first_entry(complete(BO, EVA))) == []


def test_who_is_back_is_not_taken_along_by_what_it_had_signed() -> None:
    seat = gone()
    seat.departure.come_back()
    assert seat.hears(first_entry(complete())) == []


def invented(host: int = HOST) -> TableContinued:
    """Seats and coins that nobody has at this table."""
    it = draft()
    it = replace(
        it, opened=replace(it.opened, host=public(host)), starter=public(STRANGER), behind=()
    )
    seats = zip(it.seats, (STRANGER, 10), strict=True)
    it = replace(it, seats=tuple(replace(seat, key=public(who), coins=9) for seat, who in seats))
    return signed_by(it, STRANGER, 10)


MADE_UP: dict[str, Callable[[], TableContinued]] = {
    "seats that nobody knows": invented,
    "other coins": lambda: signed_by(
        replace((it := draft(BO, EVA)), seats=(replace(it.seats[0], coins=9), it.seats[1])),
        BO,
        EVA,
    ),
    "a seat that has signed nothing": lambda: signed(
        draft(), {public(ANN): bytes(64), public(BO): sign(signing_key(BO), draft())}
    ),
}


@pytest.mark.parametrize("what", MADE_UP)
@pytest.mark.parametrize("seat", [Seat, agreed, gone])
def test_what_the_table_s_host_has_signed_and_made_up_is_proof_against_it(
    what: str, seat: Callable[[], Seat]
) -> None:
    lie = first_entry(MADE_UP[what]())
    (effect,) = seat().hears(lie)
    assert isinstance(effect, Halt) and effect.evidence == lie.blob


def test_what_a_stranger_makes_up_proves_nothing_and_leads_nowhere() -> None:
    with pytest.raises(Malformed):
        gone().hears(first_entry(invented(STRANGER), STRANGER), by=STRANGER)


def test_what_goes_on_from_an_entry_that_is_not_here_leads_nowhere() -> None:
    unknown = signed_by(replace(draft(BO, EVA), length=99, last=SALT), BO, EVA)
    assert Seat().hears(first_entry(unknown)) == []


FALSE: dict[str, Callable[[], Continued]] = {
    "it goes on from another table": lambda: first_entry(
        signed_by(replace(draft(), table=SALT), ANN, BO)
    ),
    "it is no first entry": lambda: Continued(b"x"),
    "it opens a table that goes on from none": lambda: Continued(old_table().entries[0].blob),
    "another host signs it": lambda: first_entry(complete(), BO),
}


@pytest.mark.parametrize("why", FALSE)
def test_it_follows_nowhere_where(why: str) -> None:
    with pytest.raises(Malformed):
        gone().hears(FALSE[why]())


def test_it_follows_no_host_that_somebody_else_tells_of() -> None:
    with pytest.raises(Malformed):
        gone().hears(first_entry(complete()), by=BO)
