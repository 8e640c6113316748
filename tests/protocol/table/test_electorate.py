"""Electors that come and go: whose majority it takes, and why no two ever go apart (G7)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Set
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import BrokenLog, Illegal, Reason
from protocol.rules.words import Bid, Ending
from protocol.table.announcements import TimeUp
from protocol.table.electorate import can_move, could_move, voters_of
from protocol.table.fold import check_intent, check_statement, fold
from protocol.table.log import Entry
from protocol.table.state import Phase, Table
from protocol.table.statements import Leave, Measure, Seen
from tests.protocol.stories import Story, few, refused, signing_key

HOST = 255
"""The participant whose key is the host's."""

EVERYBODY = (0, 1, 2, 3, HOST)
"""Who may come to a random evening."""


def key(who: int) -> bytes:
    return signing_key(who).public


def keys(*who: int) -> frozenset[bytes]:
    return frozenset(key(each) for each in who)


def playing(players: int = 3) -> Story:
    """A game that waits for the fists of its first round."""
    everybody = range(players)
    return Story(players).start(*everybody).toss(*everybody)


def gathering(players: int) -> Story:
    """A table between games whose seats were all dealt in, though nobody has opened a fist."""
    return Story(players).call_off(*range(players))


# Who counts


def test_between_games_those_count_who_are_here() -> None:
    story = Story(3).away(1).confirm()
    assert story.table.electors == keys(0, 2)
    assert story.back(1).table.electors == keys(0, 1, 2)


def test_who_goes_away_counts_until_most_have_seen_that() -> None:
    story = Story(5).away(3, 4).tell(0, Seen()).tell(1, Seen())
    assert (story.table.electors, story.table.missed) == (keys(0, 1, 2, 3, 4), keys(3, 4))
    story.tell(2, Seen())
    assert (story.table.electors, story.table.former) == (keys(0, 1, 2), keys(0, 1, 2, 3, 4))


def test_where_most_are_away_nobody_loses_its_weight() -> None:
    assert Story(3).away(0, 1).confirm().table.electors == keys(0, 1, 2)


def test_a_table_whose_host_lost_one_seat_after_the_other_can_be_moved_by_these() -> None:
    story = gathering(3).away(1)
    story.copy().move(2, 1, 2)


def test_between_games_those_decide_who_are_here() -> None:
    story = Story(5).away(2, 3, 4).vote(Measure.MUTE, 4, 0, 1)
    assert story.table.muted == keys(4)


def test_nobody_becomes_an_elector_while_away() -> None:
    story = playing().sit(3, 4).away(3).play_on(3)
    story.tell(0, Leave()).tell(1, Leave()).tell(2, Leave())
    assert story.table.electors == keys(4)
    assert story.back(3).table.electors == keys(3, 4)


def test_in_a_game_those_count_who_were_dealt_in_though_they_are_away() -> None:
    story = playing().sit(3).away(1)
    assert story.table.electors == keys(0, 1, 2)


def test_who_sat_down_during_a_game_counts_from_the_next_one_on() -> None:
    story = playing().sit(3).play_on(3)
    assert story.table.phase is Phase.GATHERING and story.table.electors == keys(0, 1, 2)
    assert story.start(0, 1, 2, 3).table.electors == keys(0, 1, 2, 3)


def test_between_games_those_count_who_have_opened_a_fist_here() -> None:
    story = playing(2).sit(2, 3, 4).play_on(2)
    assert story.table.electors == keys(0, 1)
    assert story.vote(Measure.BAR, 1, 2, 3, 4).table.barred == frozenset()
    assert not could_move(story.table, keys(2, 3, 4))
    assert not can_move(story.table, keys(2, 3, 4), key(2))


def test_before_anybody_has_those_count_who_were_dealt_in() -> None:
    story = Story(5).call_off(0, 1, 2)
    assert story.table.electors == keys(0, 1, 2)


def test_where_nobody_of_these_has_a_seat_any_more_everybody_counts() -> None:
    story = playing(2).sit(2, 3).play_on(2).tell(0, Leave()).tell(1, Leave())
    assert story.table.electors == keys(2, 3)


def test_who_is_set_aside_counts_no_more_until_it_is_back() -> None:
    story = playing().away(1).wait().vote(Measure.PLAY_ON, 1, 0, 2)
    assert story.table.electors == keys(0, 2)
    assert story.back(1).table.electors == keys(0, 1, 2)


def test_who_is_out_counts_while_it_is_here() -> None:
    story = playing()
    for _ in range(3):
        story.fists(0, 0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    assert not story.game.coins[0] and story.table.electors == keys(0, 1, 2)
    assert story.away(0).confirm().table.electors == keys(1, 2)
    assert story.back(0).table.electors == keys(0, 1, 2)


def test_who_is_out_and_leaves_counts_no_more_and_neither_after_sitting_down_again() -> None:
    story = playing()
    for _ in range(3):
        story.fists(0, 0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    story.tell(0, Leave()).sit(0)
    assert story.table.electors == keys(1, 2)
    assert story.play_on(3).table.electors == keys(0, 1, 2)


def test_who_was_removed_counts_no_more_and_neither_after_sitting_down_again() -> None:
    story = without_player(1).sit(1)
    assert story.table.electors == keys(0, 2)


def without_player(gone: int) -> Story:
    return playing().decide(Measure.REMOVE, gone)


def test_where_all_are_set_aside_all_players_count() -> None:
    story = Story(2, clock=20).start(0, 1).toss(0, 1).away(0, 1).wait(20)
    story.tell(None, TimeUp(key(0)), TimeUp(key(1)))
    assert story.table.set_aside == story.table.electors == keys(0, 1)


def test_a_change_of_the_electors_may_carry_a_measure() -> None:
    story = playing(4).vote(Measure.MUTE, 0, 1, 2).away(3).wait()
    assert story.table.muted == frozenset()
    carried(story, 3, (0, 1))
    assert story.table.muted == keys(0)


# What a change has to go through


def fresh(*others: int) -> Story:
    """The host's own player and these, before their first game."""
    return Story(0).sit(HOST, *others).confirm()


@pytest.mark.parametrize(
    ("silent", "moves"),
    [((2, 3, 4), False), ((1, 2, 3), False), ((1, 2, 3, 4), True), ((HOST, 1), False)],
)
def test_before_the_first_game_nobody_takes_a_table_from_its_host_but_all_others(
    silent: tuple[int, ...], moves: bool
) -> None:
    story = fresh(1, 2, 3, 4)
    assert could_move(story.table, keys(*silent)) == moves
    assert can_move(story.table, keys(*silent), key(silent[-1])) == moves


def test_before_the_first_game_a_host_gives_its_role_to_whom_most_want() -> None:
    story = fresh(1, 2, 3, 4)
    story.move(1, HOST, 1, 2)


def test_a_host_without_a_seat_loses_its_table_before_the_first_game_only_to_all_seats() -> None:
    table = Story(4).table
    assert not could_move(table, keys(1, 2, 3)) and could_move(table, keys(0, 1, 2, 3))


def test_a_first_game_needs_no_word_of_those_who_only_sit() -> None:
    story = fresh(1, 2, 3, 4).ready(HOST, 1)
    story.tell(None, story.starting())
    assert could_move(story.table, keys(2, 3, 4)) is False
    story.tell(HOST, Seen())
    assert story.table.former == keys(HOST, 1, 2, 3, 4)
    assert story.tell(1, Seen()).table.former is None


def shrunk() -> Story:
    """Five of whom the last one was set aside, which nobody has confirmed yet."""
    story = playing(5).away(4).wait()
    carried(story, 4, range(4))
    assert story.table.electors == keys(0, 1, 2, 3)
    return story


def test_the_electors_before_a_change_are_remembered_until_half_of_them_have_seen_it() -> None:
    story = shrunk()
    assert story.table.former == keys(0, 1, 2, 3, 4)
    story.tell(0, Seen()).tell(1, Seen())
    assert (story.table.former, story.table.seen) == (keys(0, 1, 2, 3, 4), keys(0, 1))
    story.tell(2, Seen())
    assert story.table.former is None


def test_of_two_the_one_who_stays_confirms_alone_that_somebody_else_comes() -> None:
    story = Story(2).away(1).tell(0, Seen())
    assert story.table.electors == keys(0, 1)
    assert story.sit(2).tell(0, Seen()).table.former is None


def test_while_one_elector_is_left_nothing_is_confirmed() -> None:
    story = playing(2).away(1).wait().vote(Measure.PLAY_ON, 1, 0).tell(0, Seen())
    assert (story.table.electors, story.table.former) == (keys(0), keys(0, 1))


def test_another_change_is_to_be_seen_again() -> None:
    story = shrunk().tell(0, Seen()).tell(1, Seen()).away(3).wait()
    carried(story, 3, range(3))
    assert (story.table.former, story.table.seen) == (keys(0, 1, 2, 3, 4), frozenset())


def test_electors_who_are_all_back_need_no_confirmation() -> None:
    assert shrunk().back(4).table.former is None


def test_one_seat_alone_is_not_remembered() -> None:
    assert Story(1).sit(1).table.former is None


def test_who_leaves_and_whom_the_host_removes_is_not_waited_for() -> None:
    story = Story(4).vote(Measure.REMOVE, 0, 1, 2, 3)
    assert story.table.former == keys(0, 1, 2, 3)
    story.tell(1, Leave()).sit(1)
    assert story.table.former == keys(0, 2, 3)
    assert story.decide(Measure.REMOVE, 1).table.former == keys(0, 2, 3)
    assert story.decide(Measure.REMOVE, 2).table.former == keys(0, 3)


def test_whom_the_others_vote_away_is_waited_for() -> None:
    story = Story(3).vote(Measure.REMOVE, 2, 0, 1)
    assert story.table.electors == keys(0, 1) and story.table.former == keys(0, 1, 2)


def test_there_is_nothing_to_see_without_a_change() -> None:
    with refused(Reason.NO_CHANGE):
        check_statement(Story(3).table, key(0), Seen())


def test_who_was_no_elector_confirms_nothing() -> None:
    story = Story(3).sit(3)
    with refused(Reason.NO_CHANGE):
        check_statement(story.table, key(3), Seen())


def test_a_change_is_seen_once() -> None:
    story = shrunk().tell(0, Seen())
    with refused(Reason.REPEATED):
        check_statement(story.table, key(0), Seen())


def test_who_has_not_got_the_change_has_not_seen_it() -> None:
    story = Story(3)
    early = story.intent(0, Seen())
    story.away(2)
    with refused(Reason.STALE):
        check_intent(story.table, early)
    check_intent(story.table, story.intent(0, Seen()))


def test_who_has_lost_its_seat_may_still_confirm() -> None:
    story = gathering(3).vote(Measure.REMOVE, 2, 0, 1).tell(2, Seen()).tell(1, Seen())
    assert story.table.former is None


# Whom it takes to move the table


def test_it_takes_most_of_the_former_electors_too() -> None:
    story = gathering(5).away(3, 4).tell(0, Seen()).tell(1, Seen()).tell(2, Seen())
    assert story.table.electors == keys(0, 1, 2)
    with pytest.raises(BrokenLog, match="Too few"):
        story.copy().move(0, 0, 1)
    story.copy().move(0, 0, 1, 2)
    story.confirm().move(0, 0, 1)


def test_a_former_elector_without_a_seat_supports() -> None:
    story = gathering(3).vote(Measure.REMOVE, 2, 0, 1)
    story.copy().move(0, 0, 1)
    with pytest.raises(BrokenLog, match="Too few"):
        story.move(0, 0, 2)


def test_one_elector_alone_takes_no_table_from_its_host() -> None:
    story = Story(1)
    with pytest.raises(BrokenLog, match="Too few"):
        story.move(0, 0)
    story = Story(0).sit(HOST)
    assert story.move(HOST, HOST).table.epoch == 1


@pytest.mark.parametrize(
    ("players", "gone", "goes_on"),
    [(2, 1, True), (3, 1, True), (3, 2, False), (5, 2, True), (5, 3, False), (9, 4, True)],
)
def test_a_host_goes_on_unless_more_than_half_are_silent(
    players: int, gone: int, goes_on: bool
) -> None:
    story = playing(players)
    assert could_move(story.table, keys(*range(gone))) != goes_on


def test_a_host_waits_for_no_single_elector() -> None:
    assert not could_move(Story(1).table, keys(0))
    alone = playing(2).away(1).wait().vote(Measure.PLAY_ON, 1, 0)
    assert alone.table.electors == keys(0) and not could_move(alone.table, keys(0))


@pytest.mark.parametrize("players", [2, 3, 5, 9])
def test_those_who_stay_play_on_without_one_after_the_other(players: int) -> None:
    story, here = playing(players), set(range(players))
    for gone in range(players - 1, 0, -1):
        here -= {gone}
        assert not could_move(story.table, keys(gone))
        story.away(gone).wait()
        carried(story, gone, here)
        story.confirm()
        assert story.table.electors == keys(*here)
        assert (story.table.former is None) == (gone > 1)
    story.play_on(1)
    assert story.table.phase is Phase.GATHERING and story.game.winner is not None


def carried(story: Story, about: int, voters: Iterable[int]) -> None:
    for who in voters:
        if about in story.awaited:
            story.vote(Measure.PLAY_ON, about, who)


# Laws: random evenings, and every log that somebody may have held on the way


class Evening:
    """A story of at most five seats with random coming and going; honest, but for the host.

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
        if (seat := self.story.table.seat(key(who := self._who()))) and not seat.away:
            self.story.away(who)

    def _come(self) -> None:
        if (seat := self.story.table.seat(key(who := self._who()))) and seat.away:
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
        return [who for who in EVERYBODY if (s := self.story.table.seat(key(who))) and not s.away]

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
                self._try(None, TimeUp(key(about)))
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
    seat = story.table.seat(key(who))
    return seat is not None and seat.share_seal is not None


def holders(entries: list[Entry], length: int) -> frozenset[bytes]:
    """Keys that have signed that they hold more than so many entries."""
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
