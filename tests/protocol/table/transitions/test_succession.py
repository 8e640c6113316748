"""Moving a table: who may become its host, and what no host of another epoch can do any more."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, LocalError, Malformed, Reason
from protocol.limits import MAX_EPOCH_STEP
from protocol.rules.words import Bid, Ending
from protocol.table.announcements import Away, Backing, HostMoved
from protocol.table.fold import check_statement, fold
from protocol.table.head import Head
from protocol.table.log import Entry, Log
from protocol.table.state import Phase, Table
from protocol.table.statements import Leave, Measure, Say
from protocol.table.transitions.succession import is_support, sign_support, supports
from tests.protocol.stories import Story, decision, refused, signing_key, very_few, vote

ANN, BO, EVA, ROB, LATE, STRANGER, HOST = 0, 1, 2, 3, 4, 9, 255
"""Three play, two watch from their seats, one does not sit, and one hosts without a seat."""


def key(who: int) -> bytes:
    return signing_key(who).public


@functools.cache
def playing() -> Story:
    """A round in which Bo is to speak, at a table of five."""
    stories = (Story(5, salt=salt).start(ANN, BO, EVA).toss(ANN, BO, EVA) for salt in range(99))
    story = next(story for story in stories if story.game.round and not story.game.round.starter)
    return story.fists(1, 2, 0).say(Bid(2))


@functools.cache
def gathering() -> Story:
    return Story(4).call_off(*range(4))


def refused_for(reason: Reason, table: Table, moved: HostMoved) -> None:
    with refused(reason):
        check_statement(table, None, moved)


# The support of a seat


def test_a_support_is_good_for_its_host_epoch_table_and_log_only() -> None:
    head, other = Head(7, b"h" * 32), b"o" * 32
    signed = sign_support(signing_key(ANN), b"t" * 32, 3, key(BO), head)
    assert is_support(key(ANN), signed, b"t" * 32, 3, key(BO), head)
    assert not is_support(key(EVA), signed, b"t" * 32, 3, key(BO), head)
    assert not is_support(key(ANN), signed, other, 3, key(BO), head)
    assert not is_support(key(ANN), signed, b"t" * 32, 4, key(BO), head)
    assert not is_support(key(ANN), signed, b"t" * 32, 3, key(EVA), head)
    assert not is_support(key(ANN), signed, b"t" * 32, 3, key(BO), Head(8, head.hash))
    assert not is_support(key(ANN), signed, b"t" * 32, 3, key(BO), Head(7, other))


# Who becomes host


def test_a_seat_that_most_of_the_electors_support_becomes_the_host() -> None:
    story = playing().copy().move(BO, ANN, BO, LATE)
    assert (story.table.host, story.table.epoch) == (key(BO), 1)
    assert (story.entries[-1].epoch, story.entries[-1].position) == (1, len(story.entries) - 1)


@pytest.mark.parametrize("seats", range(2, 10))
def test_more_than_half_of_all_seats_it_takes(seats: int) -> None:
    story = Story(seats).call_off(*range(seats))
    for count in range(seats + 1):
        moved = story.moving(ANN, *range(count))
        assert supports(story.table, moved, story.table.head) == (count > seats / 2)


def test_the_host_itself_may_begin_anew_without_a_seat() -> None:
    story = gathering().copy().move(HOST, ANN, BO, EVA)
    assert (story.table.host, story.table.epoch) == (key(HOST), 1)


def test_epochs_may_be_left_out_but_not_too_many() -> None:
    story = gathering().copy()
    check_statement(story.table, None, story.moving(ANN, ANN, BO, EVA, epoch=MAX_EPOCH_STEP))
    far = story.moving(ANN, ANN, BO, EVA, epoch=MAX_EPOCH_STEP + 1)
    refused_for(Reason.OLD_EPOCH, story.table, far)


@pytest.mark.parametrize("epoch", [0, 1, 2])
def test_an_epoch_is_never_used_again(epoch: int) -> None:
    story = gathering().copy().move(ANN, ANN, BO, EVA).move(BO, ANN, BO, EVA)
    refused_for(Reason.OLD_EPOCH, story.table, story.moving(EVA, ANN, BO, EVA, epoch=epoch))


def test_a_stranger_never_hosts() -> None:
    story = gathering()
    refused_for(Reason.NO_SEAT, story.table, story.moving(STRANGER, ANN, BO, EVA, ROB))


def test_who_left_its_seat_does_not_host() -> None:
    story = gathering().copy().tell(ROB, Leave())
    refused_for(Reason.NO_SEAT, story.table, story.moving(ROB, ANN, BO, EVA))


def test_while_a_game_runs_somebody_with_coins_has_to_be_among_them() -> None:
    story = playing().copy().sit(5, 6, 7, 8)
    watching = story.moving(ROB, ROB, LATE, 5, 6, 7, 8)
    refused_for(Reason.NOT_SUPPORTED, story.table, watching)
    one = story.moving(ROB, ROB, LATE, 5, 6, ANN)
    refused_for(Reason.NOT_SUPPORTED, story.table, one)
    story.move(ROB, ROB, LATE, 5, 6, ANN, BO)


def test_who_is_out_speaks_for_no_game() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2)
    for _ in range(3):
        story.fists(0, 0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    assert story.game.first_out == 0 and story.table.in_play == {key(1), key(2)}
    story.sit(3, 4)
    refused_for(Reason.NOT_SUPPORTED, story.table, story.moving(3, 0, 3, 4))
    check_statement(story.table, None, story.moving(3, 0, 3, 1))


def changed(how: Callable[[Story, HostMoved], HostMoved]) -> tuple[Story, HostMoved]:
    story = gathering()
    return story, how(story, story.moving(ANN, ANN, BO, EVA))


def with_first(moved: HostMoved, vote: Backing) -> HostMoved:
    return replace(moved, votes=(vote, *moved.votes[1:]))


NO_MAJORITY: dict[str, Callable[[Story, HostMoved], HostMoved]] = {
    "nobody": lambda s, m: replace(m, votes=()),
    "too few": lambda s, m: replace(m, votes=m.votes[:2]),
    "one of them twice": lambda s, m: with_first(m, m.votes[1]),
    "one of them once more": lambda s, m: replace(m, votes=(*m.votes, m.votes[0])),
    "a stranger among them": lambda s, m: with_first(m, s.support(STRANGER, 1, ANN)),
    "a stranger besides": lambda s, m: replace(m, votes=(*m.votes, s.support(STRANGER, 1, ANN))),
    "a vote for another": lambda s, m: with_first(m, s.support(ANN, 1, BO)),
    "a vote of another epoch": lambda s, m: with_first(m, s.support(ANN, 2, ANN)),
    "a vote in another's name": lambda s, m: with_first(m, Backing(key(ROB), m.votes[0].signature)),
    "a vote that is not signed": lambda s, m: with_first(m, Backing(key(ANN), bytes(64))),
    "votes for another host": lambda s, m: replace(m, host=key(ROB)),
    "votes of another epoch": lambda s, m: replace(m, epoch=2),
    "votes at another table": lambda s, m: (
        Story(4, salt=77).call_off(0, 1, 2, 3).moving(ANN, ANN, BO, EVA)
    ),
    "votes behind a shorter log": lambda s, m: Story(3).moving(ANN, ANN, BO, EVA),
    "votes behind a longer log": lambda s, m: s.copy().ready(ANN).moving(ANN, ANN, BO, EVA),
}


@pytest.mark.parametrize("how", NO_MAJORITY)
def test_no_table_is_moved_by(how: str) -> None:
    story, moved = changed(NO_MAJORITY[how])
    refused_for(Reason.NOT_SUPPORTED, story.table, moved)
    with pytest.raises(BrokenLog, match="Too few"):
        fold(story.table, story.moved_entry(moved, ANN))


def test_votes_move_a_table_once() -> None:
    story = gathering().copy()
    moved = story.moving(ANN, ANN, BO, EVA)
    story.take(story.moved_entry(moved, ANN))
    refused_for(Reason.OLD_EPOCH, story.table, moved)
    refused_for(Reason.NOT_SUPPORTED, story.table, replace(moved, epoch=2))


def test_a_player_announces_no_host() -> None:
    story = gathering()
    with refused(Reason.HOST_ONLY):
        check_statement(story.table, key(ANN), story.moving(ANN, ANN, BO, EVA))


# Entries of other epochs


def test_the_new_host_signs_what_moves_the_table() -> None:
    story = gathering()
    moved = story.moving(ANN, ANN, BO, EVA)
    blob = story.moved_entry(moved, ANN).blob
    assert Entry.read(blob, key(HOST)).statement == moved
    for who in (BO, HOST):
        with pytest.raises(Malformed, match="signature of an entry"):
            Entry.read(story.moved_entry(moved, who).blob, key(HOST))


def test_no_log_begins_with_a_move() -> None:
    story = gathering()
    entry = story.moved_entry(story.moving(ANN, ANN, BO, EVA), ANN)
    with pytest.raises(Malformed, match="begins with the opening"):
        Entry.read(entry.blob)
    with pytest.raises(BrokenLog, match="begins with the opening"):
        fold(None, entry)


@pytest.mark.parametrize("epoch", [0, 2])
def test_the_entry_that_moves_a_table_is_of_its_own_epoch(epoch: int) -> None:
    story = gathering()
    moved = story.moving(ANN, ANN, BO, EVA)
    entry = Entry.sign(signing_key(ANN), epoch, story.table.head, story.table.time, moved)
    with pytest.raises(BrokenLog, match=f"epoch {epoch} where 1 is due"):
        fold(story.table, entry)


def test_an_entry_of_the_old_host_is_not_the_new_hosts() -> None:
    story = gathering().copy()
    late = story.entry(ANN, Say(ForeignText("hm")))
    story.move(ANN, ANN, BO, EVA)
    with pytest.raises(Malformed, match="signature of an entry"):
        Entry.read(late.blob, story.table.host)


@pytest.mark.parametrize("epoch", [0, 2])
def test_an_entry_of_an_epoch_that_is_not_due_is_refused(epoch: int) -> None:
    story = gathering().copy().move(ANN, ANN, BO, EVA)
    away = Away(key(BO))
    entry = Entry.sign(story.host_key, epoch, story.table.head, story.table.time, away)
    with pytest.raises(BrokenLog, match=f"epoch {epoch} where 1 is due"):
        fold(story.table, entry)


@very_few
@given(st.integers(0, 10**6))
def test_no_bit_of_a_move_may_turn(bit: int) -> None:
    story = gathering()
    blob = story.moved_entry(story.moving(ANN, ANN, BO, EVA), ANN).blob
    number = int.from_bytes(blob, "big") ^ (1 << bit % (len(blob) * 8))
    with pytest.raises(Malformed):
        Entry.read(number.to_bytes(len(blob), "big"), key(HOST))


# A log that is cut


def test_a_new_host_may_go_on_from_an_earlier_entry() -> None:
    story = playing().copy()
    entry = story.copy().moved_entry(story.moving(BO, ANN, BO, EVA), BO)
    longer = story.copy().say(Ending.CALL)
    log = Log(longer.entries)
    assert log.holds(Head(entry.position, entry.previous))
    log.cut(entry.position)
    log.append(entry)
    assert list(log) == [*story.entries, entry]


@pytest.mark.parametrize("length", [-1, 0, 5])
def test_a_log_is_not_cut_to_what_it_is_not(length: int) -> None:
    log = Log(gathering().entries[:4])
    with pytest.raises(LocalError):
        log.cut(length)
    assert len(log) == 4


# What it changes at the table


def test_the_game_goes_on_from_the_same_word() -> None:
    story = playing().copy()
    before = story.table
    story.move(EVA, ANN, BO, EVA)
    after = story.table
    assert (after.game, after.phase, after.turn) == (before.game, before.phase, before.turn)
    story.say(Ending.CALL).open().play_on(3)
    assert story.table.phase is Phase.GATHERING and story.game.winner is not None


def test_what_was_said_before_the_move_answers_still_to_the_turn() -> None:
    story = playing().copy()
    said = story.intent(BO, Say(ForeignText("hm")))
    story.move(EVA, ANN, BO, EVA)
    story.take(Entry.sign(story.host_key, 1, story.table.head, story.table.time, said))


def test_everybody_is_awaited_anew_because_the_new_hosts_clock_is_another() -> None:
    story = playing().copy().away(BO).wait().vote(Measure.PLAY_ON, BO, ANN)
    story.move(EVA, ANN, EVA, ROB)
    assert story.table.votes == {}
    assert story.table.waiting_since == {key(BO): story.table.time}


def test_the_new_host_is_chairman_and_decides_about_the_old_one() -> None:
    story = Story(3, "hollywood").call_off(ANN, BO, EVA).move(BO, ANN, BO)
    assert story.table.chairman == key(BO)
    with refused(Reason.OWN_SEAT):
        check_statement(story.table, None, decision(Measure.MUTE, BO))
    story.sit(HOST).decide(Measure.REMOVE, HOST)
    assert story.table.seat(key(HOST)) is None


def test_the_new_host_stays() -> None:
    story = playing().copy().vote(Measure.BAR, BO, ANN).decide(Measure.REMOVE, BO)
    story.move(BO, ANN, BO, EVA)
    assert story.table.leaving == () and story.table.votes == {}
    with refused(Reason.HOST_STAYS):
        check_statement(story.table, key(ANN), vote(Measure.REMOVE, BO))


def test_who_was_barred_and_plays_to_the_end_may_host() -> None:
    story = playing().copy().decide(Measure.BAR, BO).move(BO, ANN, BO, EVA)
    assert story.table.barred == frozenset() and story.table.leaving == ()


# Laws


@very_few
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=6), st.integers(0, 999))
def test_a_table_that_moves_from_hand_to_hand_comes_to_its_end(
    moves: list[tuple[int, int]], seed: int
) -> None:
    story = Story(4).start(0, 1, 2, 3)
    for host, steps in moves:
        story.play_on(seed, steps=steps)
        if story.table.phase is Phase.GATHERING:
            break
        story.move(host, *sorted({0, 1, 2, host}))
    story.play_on(seed)
    table, epochs = None, []
    for entry in story.entries:
        table = fold(table, Entry.read(entry.blob, table.host if table else None))
        epochs.append(entry.epoch)
    assert table == story.table and story.game.winner is not None
    assert epochs == sorted(epochs) and epochs[-1] == table.epoch


@very_few
@given(st.sets(st.integers(0, 6)), st.integers(0, 6))
def test_only_most_of_the_players_move_a_game(voters: set[int], host: int) -> None:
    story = playing().copy().sit(5, 6)
    moved = story.moving(host, *voters)
    enough = len(voters & {ANN, BO, EVA}) > 3 / 2
    assert supports(story.table, moved, story.table.head) == enough
