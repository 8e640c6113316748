"""How the two ends of a link get to know each other, sans-IO: both sides in one place.

The host greets with its card and a challenge. The guest's hello signs that challenge together with
the hash of the certificate, so it is good for this link only. A key that the table does not know
also proves the join code by SPAKE2: first the guest, so that every try is counted, then the host,
so that no relay can stand in between and let anybody in.

Neither side decides here who may come in, or what follows: a host asks its table, a guest its log.
A step out of place raises `Malformed`, after which the link can only be closed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial

from protocol.crypto.join_code import Entropy, ExchangeContext, GuestExchange, HostExchange, answer
from protocol.crypto.keys import SigningKey
from protocol.errors import LocalError, Malformed
from protocol.table.head import Head, Term
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import (
    Card,
    Confirm,
    Greeting,
    Hello,
    Locked,
    Pake,
    is_proven,
    sign_hello,
)


class HandshakeStage(Enum):
    """How far the handshake of a link has come, from the host's side."""

    NEW = "new"
    """The host has greeted."""
    ASKED = "asked"
    """The guest has to prove the join code."""
    KNOWN = "known"
    """The guest was let in."""


@dataclass(slots=True)
class HostHandshake:
    """The host's side of the handshake on one link."""

    challenge: bytes
    """Random bytes that the hello signs."""
    channel: bytes
    """Hash of the certificate of this connection; empty for a link within one program."""
    hello: Hello | None = None
    """The guest's hello, once its signature is verified; None before."""
    stage: HandshakeStage = HandshakeStage.NEW
    _guess: bytes | None = None
    code: str | None = field(default=None, repr=False)
    """The join code when the guess was answered; None before."""
    _exchange: HostExchange | None = None

    def greeting(self, card: Card) -> Greeting:
        """The first message of the link."""
        return Greeting(PROTOCOL, PROGRAM, card, self.challenge)

    def introduce(self, hello: Hello, table: bytes) -> bool:
        """Whether this hello is signed by its key for this table; keeps it if so. Raises
        `Malformed` for a second hello."""
        if self.hello is not None:
            raise Malformed("a hello is said once")
        if not is_proven(hello, self.challenge, self.channel, table):
            return False
        self.hello = hello
        return True

    def ask(self) -> Locked:
        """Note that the guest has to prove the join code; returns the message that asks for it."""
        self.stage = HandshakeStage.ASKED
        return Locked()

    def let_in(self) -> Hello:
        """Note that the guest is let in; returns its hello, and raises `Malformed` without one."""
        if self.hello is None:
            raise Malformed("nobody comes in without a hello")
        self.stage = HandshakeStage.KNOWN
        return self.hello

    def guess(self, pake: Pake) -> None:
        """Take the guest's message of the proof, to be answered when its turn comes; raises
        `Malformed` out of place."""
        if self.stage is not HandshakeStage.ASKED or self._guess is not None:
            raise Malformed("a code is guessed once, after it was asked for")
        self._guess = pake.message

    def answering(
        self, code: str, table: bytes, entropy: Entropy
    ) -> Callable[[], HostExchange | None]:
        """A function that works out the answer to the guess with this code, in about ten
        milliseconds.

        Its result is to be passed to `answered`; it is None if the guess is malformed.
        """
        if self.hello is None or self._guess is None:
            raise LocalError("there is no guess to answer")
        self.code = code
        context = ExchangeContext(self.channel, self.challenge, table, self.hello.key)
        return partial(_try_answer, code, context, self._guess, entropy)

    def answered(self, exchange: HostExchange) -> Pake:
        """Take the exchange that answers the guess; returns the message for the guest."""
        self._exchange = exchange
        return Pake(exchange.message)

    def expect_proof(self) -> HostExchange:
        """The exchange that the guest has to confirm; raises `Malformed` if there is none yet."""
        if self._exchange is None or self.stage is not HandshakeStage.ASKED:
            raise Malformed("nothing is confirmed before it was answered")
        return self._exchange

    def prove(self, confirm: Confirm, code: str | None) -> Confirm | None:
        """The host's own proof, if the guest's shows that it knows `code`; None if not.

        A code that was replaced meanwhile admits nobody, not even a guest that had begun before.
        """
        exchange = self.expect_proof()
        if self.code != code or not exchange.is_proven(confirm.mac):
            return None
        return Confirm(exchange.host)


def _try_answer(
    code: str, context: ExchangeContext, guess: bytes, entropy: Entropy
) -> HostExchange | None:
    try:
        return answer(code, context, guess, entropy)
    except Malformed:
        return None


class GuestHandshake:
    """The guest's side of the handshake on one link."""

    def __init__(self, channel: bytes, host_key: bytes | None) -> None:
        """`channel` is the hash of the certificate, `host_key` the key in it; empty and None for a
        link within one program."""
        self.channel = channel
        self.host_key = host_key
        self.greeting: Greeting | None = None
        """The host's greeting; None before it."""
        self.goal: int | None = None
        """Length of the host's log at the welcome; None before it."""
        self.is_proven = False
        """Whether the host has proven that it knows the code."""
        self.is_asked = False
        """Whether the host has asked for the code and waits for the first message of its proof."""
        self._exchange: GuestExchange | None = None
        self._has_confirmed = False

    @property
    def is_half_proven(self) -> bool:
        """Whether the guest's proof was sent and the host has not answered it yet."""
        return self._has_confirmed and not self.is_proven and self.goal is None

    def greet(self, greeting: Greeting) -> None:
        """Take the host's greeting; raises `Malformed` for a second one.

        The hello that answers a second greeting could be a signature over somebody else's
        challenge.
        """
        if self.greeting is not None:
            raise Malformed("a greeting is said once")
        self.greeting = greeting

    def hello(
        self, key: SigningKey, held: Head, epoch: int, port: int, terms: Sequence[Term]
    ) -> Hello:
        """The signed answer to the greeting; the parameters are those of `sign_hello`."""
        greeting = self._greeted()
        return sign_hello(key, PROGRAM, greeting, self.channel, held, epoch, port, terms)

    def ask(self) -> None:
        """Note that the host asks for the code; raises `Malformed` unless it may do so now."""
        if self.is_asked or self._exchange is not None or self.goal is not None:
            raise Malformed("the code is asked for once, before the welcome")
        self.is_asked = True

    def guess(self, key: bytes, code: str, entropy: Entropy) -> Pake:
        """The first message of the proof, after the host has asked for the code."""
        greeting = self._greeted()
        context = ExchangeContext(self.channel, greeting.challenge, greeting.card.table, key)
        self._exchange, self.is_asked = GuestExchange(code, context, entropy), False
        return Pake(self._exchange.message)

    def confirm(self, pake: Pake) -> Confirm:
        """The guest's proof, after the host has answered the guess."""
        proof = self._tried().proof(pake.message)
        self._has_confirmed = True
        return Confirm(proof)

    def check(self, confirm: Confirm) -> bool:
        """Whether this message of the host proves that it knows the code."""
        self.is_proven = self._tried().is_proven(confirm.mac)
        return self.is_proven

    def _greeted(self) -> Greeting:
        if self.greeting is None:
            raise Malformed("a host greets first")
        return self.greeting

    def _tried(self) -> GuestExchange:
        if self._exchange is None:
            raise Malformed("nothing was guessed")
        return self._exchange
