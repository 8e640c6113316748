"""What a host wants done: values that say enough to do it."""

from protocol.encoding.framing import FrameReader
from protocol.host.effects import Compute, send
from protocol.wire.messages import Ping, read_from_host


def test_one_message_goes_on_one_link() -> None:
    effect = send(7, Ping(3))
    (payload,) = FrameReader().feed(effect.data)
    assert (effect.links, read_from_host(payload)) == ((7,), Ping(3))


def test_the_work_of_a_proof_is_not_shown() -> None:
    assert "secret" not in repr(Compute(1, lambda secret="secret": None))  # type: ignore[misc]
