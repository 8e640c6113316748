"""The messages by which those who stay find a new table."""

from __future__ import annotations

import pytest

from protocol.encoding.codec import pack
from protocol.errors import Malformed
from protocol.wire.messages import FROM_GUEST, FROM_HOST, read_from_guest, read_from_host
from protocol.wire.new_table import Agree, Continued, GoAlong, Offer

ANN, BO = b"a" * 32, b"b" * 32


def offer(agreed: tuple[bytes, ...], wait: int = 0, along: tuple[bytes, ...] = (ANN, BO)) -> Offer:
    agreements = tuple(bytes(64) if key in agreed else None for key in along)
    return Offer(ANN, bytes(32), along, agreements, wait)


def test_an_offer_is_final_once_all_have_agreed() -> None:
    assert offer((BO, ANN)).is_final
    assert not offer((ANN,)).is_final
    assert not offer((ANN, BO), wait=1).is_final
    assert not offer((), along=()).is_final
    assert not Offer(ANN, bytes(32), (ANN, BO), (bytes(64),), 0).is_final


@pytest.mark.parametrize("message", [offer((ANN,)), Continued(b"x")])
def test_a_host_says_it(message: Offer | Continued) -> None:
    assert read_from_host(pack(message.packable())) == message
    assert message.KIND in FROM_HOST and message.KIND not in FROM_GUEST


@pytest.mark.parametrize("message", [Agree(bytes(64)), Agree(None), GoAlong(bytes(64))])
def test_a_guest_says_it(message: Agree | GoAlong) -> None:
    assert read_from_guest(pack(message.packable())) == message
    assert message.KIND in FROM_GUEST and message.KIND not in FROM_HOST


def test_an_entry_is_never_empty() -> None:
    with pytest.raises(Malformed):
        Continued(b"")
