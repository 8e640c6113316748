"""What a participant knows of the other end of its link."""

from __future__ import annotations

import pytest

from protocol.guest.link import HostLink
from protocol.timing import Moment
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import Ping
from tests.protocol.greetings import CARD, GREETING


def link(*, greeted: bool = True) -> HostLink:
    handshake = GuestHandshake(b"channel", b"k" * 32)
    if greeted:
        handshake.greet(GREETING)
    return HostLink(handshake, heard=0, asked=0, pinged=0)


@pytest.mark.parametrize("what", ["is_candidate", "gives_over"])
def test_a_host_is_followed_that_has_greeted_and_is_one(what: str) -> None:
    assert not link(greeted=False).is_followed
    followed = link()
    assert followed.is_followed
    setattr(followed, what, True)
    assert not followed.is_followed


def test_a_ping_answers_the_last_one_and_tells_what_is_held() -> None:
    answering = link()
    answering.ping = 7
    assert answering.next_ping(12, Moment(3.5, 0)) == Ping(7, 12)
    assert answering.pinged == 3.5


def test_entries_are_introduced_by_what_the_link_knows() -> None:
    candidate = link()
    candidate.epoch = 2
    by = candidate.introduction(CARD)
    assert (by.card, by.epoch, by.host_key) == (CARD, 2, b"k" * 32)
