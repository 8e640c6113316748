"""How two ends of a link come to know each other, each in one hand."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from protocol.errors import Malformed
from protocol.table.head import EMPTY
from protocol.wire.handshake import GuestHandshake, HostHandshake
from protocol.wire.messages import Confirm, Hello, Pake
from tests.protocol.greetings import CARD, CHALLENGE, GREETING, TABLE
from tests.protocol.stories import signing_key

GUEST = 3
CODE = "ACDEF"
NO_POINT = Pake(bytes(33))
NO_PROOF = Confirm(bytes(32))
entropy = random.Random(7).randbytes


class Ends:
    """Both sides of one link, and what they say to each other."""

    def __init__(self, host_channel: bytes = b"channel") -> None:
        self.host = HostHandshake(CHALLENGE, host_channel)
        self.guest = GuestHandshake(b"channel", signing_key(255).public)

    def greet(self) -> Ends:
        self.guest.greet(self.host.greeting(CARD))
        return self

    def hello(self) -> Hello:
        return self.guest.hello(signing_key(GUEST), EMPTY, 0, 0, ())

    def introduce(self) -> Ends:
        assert self.greet().host.introduce(self.hello(), TABLE)
        return self

    def guess(self, typed: str = CODE, code: str = CODE) -> Confirm:
        """The guest's proof, after the host asked for the code and answered the guess."""
        self.introduce().host.ask()
        self.host.guess(self.guest.guess(signing_key(GUEST).public, typed, entropy))
        exchange = self.host.answering(code, TABLE, entropy)()
        assert exchange is not None
        return self.guest.confirm(self.host.answered(exchange))


def guessed() -> Ends:
    ends = Ends()
    ends.guess()
    return ends


def let_in() -> Ends:
    ends = guessed()
    ends.host.let_in()
    return ends


def welcomed() -> Ends:
    ends = Ends().greet()
    ends.guest.goal = 1
    return ends


OUT_OF_PLACE: dict[str, tuple[Callable[[], Ends], Callable[[Ends], object]]] = {
    "a proof of somebody known": (let_in, lambda e: e.host.expect_proof()),
    "coming in without a hello": (Ends, lambda e: e.host.let_in()),
    "a second greeting": (lambda: Ends().greet(), lambda e: e.guest.greet(GREETING)),
    "a hello before the greeting": (Ends, lambda e: e.hello()),
    "an answer to no guess": (lambda: Ends().greet(), lambda e: e.guest.confirm(NO_POINT)),
    "a confirmation of no guess": (lambda: Ends().greet(), lambda e: e.guest.check(NO_PROOF)),
    "being asked twice": (guessed, lambda e: e.guest.ask()),
    "being asked after the welcome": (welcomed, lambda e: e.guest.ask()),
}


@pytest.mark.parametrize("step", OUT_OF_PLACE)
def test_a_step_out_of_place_is_malformed(step: str) -> None:
    before, act = OUT_OF_PLACE[step]
    ends = before()
    with pytest.raises(Malformed):
        act(ends)


def test_the_code_is_not_shown() -> None:
    ends = guessed()
    assert ends.host.code == CODE
    assert CODE not in repr(ends.host) and CODE not in repr(ends.guest)
