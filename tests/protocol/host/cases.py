"""Tables of one host in a given phase."""

from __future__ import annotations

import functools

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.log import Entry
from protocol.table.state import Phase
from protocol.table.statements import (
    Say,
)
from protocol.wire.messages import (
    Entries,
)
from tests.protocol.stories import Desk, Story

FIRST, SECOND, LATE, STRANGER = 0, 1, 3, 4


HELLO_TEXT = Say(ForeignText("hello"))


@functools.cache
def at(phase: Phase) -> Story:
    """A game of two up to a phase; the first speaks first, and somebody watches."""
    story = Story(2).sit(LATE)
    if phase is Phase.GATHERING:
        return story.ready(FIRST)
    story.start(FIRST, SECOND)
    if phase is Phase.LOT:
        return story.toss(FIRST)
    story.toss(FIRST, SECOND)
    if phase is Phase.CHOOSING:
        return story.fists_of({FIRST: 1})
    story.fists(1, 2)
    return story if phase is Phase.SPEAKING else story.say(Bid(3), Ending.CALL).open(FIRST)


def added(desk: Desk, link: int) -> list[Message]:
    """The statements of the entries that came on a link since the last look."""
    blobs = [blob for said in desk.heard(link) if isinstance(said, Entries) for blob in said.blobs]
    host = desk.host.table.opened.host
    return [Entry.read(blob, host).statement for blob in blobs]
