"""Logs of tables for transcripts, by name: those that hold, and those that do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from protocol.encoding.codec import Message
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.fold import fold
from protocol.table.head import Head
from protocol.table.log import Entry
from protocol.table.statements import (
    Away,
    Decide,
    GameStarted,
    Leave,
    Measure,
    Say,
    Sit,
    Speak,
    Vote,
)
from tests.protocol.continuing import drafted, old_table, opening, signed_by
from tests.protocol.stories import Story, signing_key

BAD: Final = ForeignText("\x1b]0;x\x07\u202e\x9b2J\u200d")
"""A name that would command a terminal."""


def data(story: Story, *said: object) -> bytes:
    """A story as its log, followed by entries that the host signs whatever they say."""
    lies = [Entry.sign(story.host_key, 0, story.table.head, story.table.time, each)  # type: ignore[arg-type]
            for each in said]  # fmt: skip
    return b"".join(frame(entry.blob) for entry in [*story.entries, *lies])


def game() -> Story:
    return Story(2, "three-coins").start(0, 1).play_on()


def flipped() -> bytes:
    log = bytearray(data(game()))
    log[-1] ^= 1
    return bytes(log)


def out_of_turn() -> bytes:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 1)
    silent = next(who for who in (0, 1) if who != story.speaker)
    return data(story, story.intent(silent, Speak(Bid(2))))


def two_stories() -> bytes:
    story = Story(2)
    return data(story, story.intent(0, Say(ForeignText("hm")), seen=Head(2, bytes(32))))


def measures() -> bytes:
    bad = signing_key(2).public
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).tell(None, Decide(Measure.MUTE, bad))
    story.fists(1, 1, 1).tell(0, Vote(Measure.BAR, bad, True)).tell(1, Vote(Measure.BAR, bad, True))
    return data(story.say(Bid(1), Ending.CALL).open())


def removed() -> bytes:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists(1, 1, 1).say(Bid(1), Ending.CALL).open()
    return data(story.tell(None, Decide(Measure.REMOVE, signing_key(2).public)).play_on())


def called_off() -> bytes:
    return data(Story(2).start(0, 1).tell(None, Decide(Measure.REMOVE, signing_key(1).public)))


def sat(*names: Message) -> Story:
    """A table at which these have sat down."""
    story = Story(0)
    for who, name in enumerate(names):
        story.tell(who, name)
    return story


def hostile() -> bytes:
    story = sat(Sit(BAD), Sit(BAD)).start(0, 1).play_on()
    story.tell(0, Say(BAD))
    return data(story, story.intent(1, Sit(BAD)))


def continued(coins: int | None = None) -> bytes:
    """A new table of the first two, hosted by the first; with wrong coins (G8)."""
    drawn = drafted(old_table().table, 0, 1)
    if coins is not None:
        first, *others = drawn.seats
        drawn = replace(drawn, seats=(replace(first, coins=coins), *others))
    new, entry = Story(2), opening(signed_by(drawn, 0, 1))
    new.table, new.entries, new.host_key = fold(None, entry), [entry], signing_key(0)
    return data(new)


def too_short() -> bytes:
    story = old_table()
    story.entries.pop()
    return data(story)


LOGS: Final[Mapping[str, Callable[[], bytes]]] = {
    "game": lambda: data(game()),
    "more": lambda: data(game().start(0, 1)),
    "seats": lambda: data(Story(2)),
    "school": lambda: data(Story(3, "hollywood").start(0, 1, 2).play_on().tell(0, Leave())),
    "drinks": lambda: data(Story(2, "milan stake=drinks").start(0, 1).toss(0, 1).play_on()),
    "ssh": lambda: data(
        Story(1).tell(1, Sit(ForeignText("Bo"), through_door=True)).tell(1, Leave())
    ),
    "olena": lambda: data(sat(Sit(ForeignText("Олена")))),
    "namesakes": lambda: data(sat(Sit(ForeignText("Ann")), Sit(ForeignText("Ann")))),
    "empty": lambda: b"",
    "hello": lambda: frame(b"hello"),
    "flipped": flipped,
    "torn": lambda: data(game())[:-5],
    "out-of-turn": out_of_turn,
    "two-stories": two_stories,
    "lied": lambda: data(game(), GameStarted(())),
    "away": lambda: data(
        Story(2).tell(None, Away(signing_key(0).public)).tell(1, Leave())
    ),
    "measures": measures,
    "removed": removed,
    "called-off": called_off,
    "hostile": hostile,
    "new": continued,
    "new-with-nine": lambda: continued(9),
    "old": lambda: data(old_table().fists(1, 1, 1, 1, 1)),
    "old-too-short": too_short,
}  # fmt: skip
