"""The guest's side of the join code: a host that does not know it gets nowhere."""

from __future__ import annotations

from protocol.crypto.join_code import ExchangeContext, answer
from protocol.crypto.keys import SigningKey
from protocol.encoding.framing import FrameReader, frame
from protocol.guest.effects import Changed, CodeWanted, Hangup
from protocol.guest.guest import Guest
from protocol.host.effects import Compute, Send
from protocol.limits import (
    GUESS_INTERVAL,
)
from protocol.wire.messages import (
    Farewell,
    Locked,
    Pake,
    Welcome,
    write,
)
from tests.helpers.sides import said_in
from tests.protocol.joining import ADDRESS, entropy, locked_table


def test_a_code_that_was_half_proven_when_the_link_broke_is_asked_for_again() -> None:
    table = locked_table()
    guest = Guest(SigningKey(table.entropy()))
    guest.use_code("K7M4Q", entropy)
    guest.connected(b"", table.now(), None)
    guest.received(table.greeting(), table.now())
    (message,) = said_in(guest.received(write(Locked()), table.now()))
    setting = ExchangeContext(b"", bytes(32), table.host.table.id, guest.key)
    assert isinstance(message, Pake)
    answered = answer("AAAAA", setting, message.message, entropy)
    guest.received(write(Pake(answered.message)), table.now())
    assert CodeWanted(Farewell.NO_CODE) in guest.disconnected()


def test_a_link_that_breaks_after_the_proof_makes_no_suspicion_of_the_same_host() -> None:
    table = locked_table()
    host = table.host_key.public
    guest = Guest(SigningKey(table.entropy()))
    guest.use_code(table.host.admission.code or "", entropy)
    table.now(GUESS_INTERVAL)
    link = 77
    sent = guest.connected(b"", table.now(), host)
    challenge = table.entropy()
    effects = table.host.connected(link, challenge, b"", table.now(), ADDRESS)
    for _ in range(3):
        said = b"".join(e.data for e in effects if isinstance(e, Send))
        sent = guest.received(said, table.now())
        effects = []
        asked = b"".join(map(write, said_in(sent)))
        for effect in table.host.received(link, asked, table.now()):
            if isinstance(effect, Compute):
                effects += table.host.computed(link, effect.work(), table.now())
            else:
                effects.append(effect)
    proof, *_ = FrameReader().feed(b"".join(e.data for e in effects if isinstance(e, Send)))
    guest.received(frame(proof), table.now())
    assert guest.disconnected() == [Changed()]
    guest.connected(b"", table.now(), host)
    guest.received(table.greeting(), table.now())
    effects_now = guest.received(write(Welcome(2)), table.now())
    assert not any(isinstance(effect, Hangup) for effect in effects_now)
