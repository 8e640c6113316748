"""The material for inputs: games at several moments, and the traffic on their links."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Drink, Offence
from protocol.table.fold import Phase, Table, fold
from protocol.table.log import Entry, Log
from protocol.table.statements import (
    Admitted,
    AwardFine,
    Away,
    Back,
    Decide,
    Elect,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Measure,
    Order,
    Say,
    Seen,
    Vote,
)
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Story, first_entry, signing_key

RULES = ("milan", "hollywood", "three-coins")


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at some moment of a story, and how the story goes on from there."""

    story: Story
    """The table so far."""
    following: tuple[Entry, ...]
    """The following entries, to the end of the game."""


@functools.cache
def stories() -> tuple[Story, ...]:
    """Whole games by different rules, each followed by a `ready` for another one."""
    told = [Story(players, rules).sit(9) for players, rules in zip((2, 3, 2), RULES, strict=True)]
    for seed, story in enumerate(told):
        who = range(2 + (seed == 1))
        story.start(*who).play_on(seed, 0.4).ready(0)
    return tuple(told)


@functools.cache
def scenes() -> tuple[Scene, ...]:
    """Every story at the beginning of each phase of its first round, and at its end."""
    return tuple(scene for story in stories() for scene in _scenes_of(story))


def _scenes_of(story: Story) -> Iterator[Scene]:
    table: Table | None = None
    phases: set[Phase] = set()
    for at, entry in enumerate(story.entries):
        table = fold(table, entry)
        last = at + 1 == len(story.entries)
        if last or (table.phase not in phases and len(table.seats) > 2 - last):
            phases.add(table.phase)
            so_far = story.copy()
            so_far.entries, so_far.table = story.entries[: at + 1], table
            yield Scene(so_far, tuple(story.entries[at + 1 :]))


@functools.cache
def locked() -> Story:
    """A table that asks for a code, where participant 9 sits and nobody plays."""
    story = Story(0, salt=1)
    story.entries = [first_entry("milan", 9, 1, True)]
    story.table = fold(None, story.entries[0])
    return story.tell(None, Admitted(signing_key(9).public)).sit(9)


def side_talk() -> tuple[tuple[int | None, Message], ...]:
    """Statements that no story holds, with their authors: talk, votes, fines, announcements."""
    first, second, watcher = (signing_key(who).public for who in (0, 1, 9))
    return (
        (0, Say(ForeignText("hello"))),
        (1, Gesticulate(Gesture.MITT_FULL)),
        *((who, Vote(measure, second, True)) for who in (0, 9) for measure in Measure),
        *((None, Decide(measure, watcher)) for measure in Measure),
        (1, Vote(Measure.REMOVE, first, False)),
        (0, Elect(second)),
        (1, AwardFine(first, Offence.GLOATING)),
        (1, LiftFine(0)),
        (0, Order(next(iter(Drink)))),
        (None, Away(first)),
        (None, Back(first)),
        (0, Seen()),
        (9, Leave()),
    )


@functools.cache
def genuine() -> tuple[tuple[bytes, ...], ...]:
    """The logs of the stories, as blobs."""
    return tuple(tuple(entry.blob for entry in story.entries) for story in stories())


@functools.cache
def states(which: int) -> tuple[tuple[Log, Table | None], ...]:
    """A story's log and table before each of its entries, and at its end."""
    entries, table = stories()[which].entries, None
    found: list[tuple[Log, Table | None]] = [(Log(), None)]
    for at, entry in enumerate(entries, 1):
        table = fold(table, entry)
        found.append((Log(entries[:at]), table))
    return tuple(found)


@functools.cache
def traffic() -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Payloads that guests and hosts received in whole games with every kind of talk."""
    to_host: dict[bytes, None] = {}
    to_guests: dict[bytes, None] = {}
    for seed, rules in enumerate(RULES):
        table = MemoryTable(2, rules, seed)
        table.ready()
        table.play_on()
        table.pass_time(4)
        for client in table.clients:
            to_host.update(dict.fromkeys(FrameReader().feed(client.sent)))
            to_guests.update(dict.fromkeys(FrameReader().feed(bytes(client.received))))
    return tuple(to_guests), tuple(to_host)


def number_of(key: bytes | None) -> int | None:
    """The participant with a key, by number; None for the host."""
    return next((who for who in range(20) if signing_key(who).public == key), None)
