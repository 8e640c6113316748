"""What was said and has no answer yet."""

from __future__ import annotations

from protocol.errors import Reason
from protocol.guest.guest import (
    Refused,
)
from protocol.table.statements import Gesticulate, Gesture
from protocol.timing import SUPPORT_DELAY
from tests.protocol.moving import gather, playing


def test_what_answered_to_lost_entries_is_not_said_to_the_new_host() -> None:
    table = playing()
    alone, second, third = table.clients
    for client in (second, third, alone):
        table.cut(client)
    table.act(alone, alone.guest.state(Gesticulate(Gesture.MITT_FULL)))
    table.now(SUPPORT_DELAY)
    table.stand(third)
    gather(table, third, second)
    sent = len(alone.sent)
    gather(table, alone)
    assert Gesticulate.KIND.encode() not in alone.sent[sent:]
    assert Refused(Gesticulate(Gesture.MITT_FULL), Reason.STALE) in alone.events
    assert not alone.guest.waiting
