"""Electors that come and go: whose majority it takes, and why two tables never part (G7)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Set
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import BrokenLog, Illegal
from protocol.table.electorate import can_move, could_move, voters_of
from protocol.table.fold import fold
from protocol.table.log import Entry
from protocol.table.state import Phase, Table
from protocol.table.statements import Leave, Measure, Seen, TimeUp
from tests.protocol.stories import Story, few, public

HOST = 255
"""The participant whose key is the host's."""

EVERYBODY = (0, 1, 2, 3, HOST)
"""The participants who may come to a random evening."""


def keys(*who: int) -> frozenset[bytes]:
    return frozenset(public(each) for each in who)


def playing(players: int = 3) -> Story:
    """A game that waits for the fists of its first round."""
    everybody = range(players)
    return Story(players).start(*everybody).toss(*everybody)


# What a host may go on without


@pytest.mark.parametrize(
    ("silent", "moves"),
    [((2, 3, 4), False), ((1, 2, 3), False), ((1, 2, 3, 4), True), ((HOST, 1), False)],
)
def test_before_the_first_game_nobody_takes_a_table_from_its_host_but_all_others(
    silent: tuple[int, ...], moves: bool
) -> None:
    story = Story(0).sit(HOST, 1, 2, 3, 4).confirm()
    assert could_move(story.table, keys(*silent)) == moves
    assert can_move(story.table, keys(*silent), public(silent[-1])) == moves
    table = Story(4).table
    assert not could_move(table, keys(1, 2, 3)) and could_move(table, keys(0, 1, 2, 3))


@pytest.mark.parametrize("players", [2, 3, 5, 9])
def test_those_who_stay_play_on_without_one_after_the_other(players: int) -> None:
    story, here = playing(players), set(range(players))
    for gone in range(players - 1, 0, -1):
        here -= {gone}
        assert not could_move(story.table, keys(gone))
        story.away(gone).wait()
        for who in here:
            if gone in story.awaited:
                story.vote(Measure.PLAY_ON, gone, who)
        story.confirm()
        assert story.table.electors == keys(*here)
        assert (story.table.former is None) == (gone > 1)
    story.play_on(1)
    assert story.table.phase is Phase.GATHERING and story.game.winner is not None


def test_who_confirmed_a_change_has_not_confirmed_the_next_one() -> None:
    story = Story(5).away(4).tell(0, Seen()).tell(1, Seen()).away(3).tell(2, Seen())
    assert not story.table.set_aside
    assert story.confirm().table.set_aside == keys(3, 4)


# Laws: random evenings, and every log that somebody may have held on the way


class Evening:
    """A story of at most five seats with random coming and going; honest, except for the host.

    The fifth to come is the host's own player.
    """

    def __init__(self, seed: int, steps: int) -> None:
        self.draw = random.Random(seed)
        self.story = Story(self.draw.randint(1, 4), "milan", 5, clock=20)
        self.tables = [self.story.table]
        for _ in range(steps):
            self._step()

    def _step(self) -> None:
        acts = [self._go, self._come, self._see, self._see, self._play, self._vote, self._sit]
        entries = len(self.story.entries)
        self.draw.choice([*acts, self._play, self._move, self._leave])()
        for entry in self.story.entries[entries:]:
            self.tables.append(fold(self.tables[-1], entry))

    def _who(self) -> int:
        return self.draw.choice(EVERYBODY)

    def _try(self, who: int | None, statement: object) -> None:
        try:
            self.story.tell(who, statement)  # type: ignore[arg-type]
        except (BrokenLog, Illegal):
            return

    def _go(self) -> None:
        if (seat := self.story.table.seat(public(who := self._who()))) and not seat.away:
            self.story.away(who)

    def _come(self) -> None:
        if (seat := self.story.table.seat(public(who := self._who()))) and seat.away:
            self.story.back(who)

    def _see(self) -> None:
        self._try(self._who(), Seen())

    def _leave(self) -> None:
        self._try(self._who(), Leave())

    def _sit(self) -> None:
        try:
            self.story.sit(self._who())
        except BrokenLog:
            return

    def _here(self) -> list[int]:
        return [
            who for who in EVERYBODY if (s := self.story.table.seat(public(who))) and not s.away
        ]

    def _play(self) -> None:
        story = self.story
        if story.table.phase is Phase.GATHERING:
            if len(here := self._here()) > 1:
                story.ready(*(who for who in here if not _is_ready(story, who)))
                story.tell(None, story.starting())
            return
        if there := [who for who in story.awaited if who in self._here()]:
            story.act(self.draw.choice(there), self.draw)

    def _vote(self) -> None:
        story = self.story
        if story.table.phase is not Phase.GATHERING and story.awaited:
            about = self.draw.choice(story.awaited)
            story.wait()
            if self.draw.random() < 0.3:
                self._try(None, TimeUp(public(about)))
            for who in self._here():
                if who != about and about in story.awaited:
                    self._vote_of(who, about)

    def _vote_of(self, who: int, about: int) -> None:
        try:
            self.story.wait().vote(Measure.PLAY_ON, about, who)
        except BrokenLog:
            return

    def _move(self) -> None:
        voters = [who for who in self._here() if self.draw.random() < 0.8]
        if voters:
            try:
                self.story.copy().move(voters[0], *voters)
            except BrokenLog:
                return
            self.story.move(voters[0], *voters)


def _is_ready(story: Story, who: int) -> bool:
    seat = story.table.seat(public(who))
    return seat is not None and seat.share_seal is not None


def holders(entries: list[Entry], length: int) -> frozenset[bytes]:
    """Keys that have signed that they hold more than this many entries."""
    signed = (each.intent for each in entries if each.intent)
    seen = {each.author for each in signed if each.seen.length > length}
    moved = (entry for entry in entries if entry.position > length and not entry.intent)
    votes = (vote.voter for each in moved for vote in getattr(each.statement, "votes", ()))
    left = {e.intent.author for e in entries if e.intent and isinstance(e.statement, Leave)}
    return frozenset(seen).union(votes, left)


def movers(table: Table, among: Set[bytes]) -> Iterator[frozenset[bytes]]:
    """The smallest groups that may move a table to one of them, among these."""
    pool = sorted(voters_of(table) & among)
    found: list[frozenset[bytes]] = []
    for count in range(1, len(pool) + 1):
        for group in map(frozenset, combinations(pool, count)):
            if not any(each <= group for each in found) and can_move(table, group, b""):
                found.append(group)
                yield group


EVENINGS = st.builds(Evening, st.integers(0, 10**6), st.integers(5, 60))


@few
@given(EVENINGS)
def test_no_log_and_no_beginning_of_it_are_moved_without_a_seat_that_knows_both(
    evening: Evening,
) -> None:
    last, everybody = evening.tables[-1], keys(*EVERYBODY)
    for table in evening.tables:
        ignorant = everybody - holders(evening.story.entries, table.head.length)
        for early in movers(table, ignorant):
            assert all(early & late for late in movers(last, everybody))


@few
@given(EVENINGS, st.sets(st.sampled_from(EVERYBODY)))
def test_no_host_goes_on_whose_table_the_silent_ones_may_have_taken(
    evening: Evening, heard: set[int]
) -> None:
    last, silent = evening.tables[-1], keys(*EVERYBODY) - keys(*heard)
    if could_move(last, silent):
        return
    for table in evening.tables:
        ignorant = silent - holders(evening.story.entries, table.head.length)
        assert not list(movers(table, ignorant))


@few
@given(EVENINGS)
def test_the_table_waits_for_nobody_who_is_set_aside(evening: Evening) -> None:
    for table in evening.tables:
        if table.in_play - table.set_aside and not table.paused:
            assert not table.set_aside & set(table.waiting_for)


def test_such_evenings_have_changes_of_every_kind() -> None:
    tables = [table for seed in range(40) for table in Evening(seed, 60).tables]
    assert any(table.former for table in tables) and any(table.set_aside for table in tables)
    assert any(table.epoch > 1 for table in tables) and any(table.leaving == () for table in tables)
    assert any(table.former is None and table.changed > 8 for table in tables)
