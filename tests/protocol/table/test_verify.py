"""Judging a stored log: what is told of it, and that nothing in it can be changed unseen."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.seals import digest
from protocol.encoding.codec import Message, pack, unpack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed, Reason
from protocol.limits import MAX_ENTRY
from protocol.rules.words import Bid, Ending
from protocol.table import verify as verifying
from protocol.table.announcements import Away, Decide, GameStarted, HostMoved, Vacated
from protocol.table.fold import fold
from protocol.table.head import Head
from protocol.table.log import Entry, Intent, Log
from protocol.table.opening import TableOpened
from protocol.table.state import Table
from protocol.table.statements import NO_ONE, Leave, Measure, Open, Say, Sit, Speak, Vote
from protocol.table.verify import Blame, Flaw, LogFault, LogReport, fault_of, verify
from protocol.version import PROTOCOL
from tests.protocol.stories import Story, few, signing_key, very_few

HEADER = 4
"""Bytes of a frame's length."""


@pytest.fixture(scope="module", autouse=True)
def worked_out_once() -> Iterator[None]:
    """What thousands of nearly equal logs share, up to their fault, is read and folded once.

    All of it depends on its arguments alone; what raises is worked out every time.
    """
    folded: dict[tuple[int, int], tuple[Table | None, Entry, Table]] = {}

    def fold_once(table: Table | None, entry: Entry) -> Table:
        # Both are kept with their identity, so that none takes the place of another one.
        place = id(table), id(entry)
        if place not in folded:
            folded[place] = table, entry, fold(table, entry)
        return folded[place][2]

    read_once = functools.cache(Entry.read.__func__)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Entry, "read", classmethod(read_once))  # type: ignore[arg-type]
        patched.setattr(verifying, "fold", fold_once)
        yield


def stored(entries: list[Entry]) -> bytes:
    return b"".join(frame(entry.blob) for entry in entries)


def faulty(verdict: LogReport) -> LogFault:
    assert verdict.fault is not None
    return verdict.fault


def found(data: bytes) -> tuple[int, Flaw]:
    """Where the fault is, and which."""
    fault = faulty(verify([data]))
    return fault.entry, fault.flaw


@functools.cache
def two_games() -> Story:
    """A game that is over and one in its first bids, with people who come and go."""
    story = Story(2).start(0, 1).play_on(1)
    story.tell(0, Say(ForeignText("\x1b[2J"))).sit(2).tell(2, Leave())
    story.start(0, 1)
    story.toss(*(who for who in (0, 1) if story.table.phase.value == "lot"))
    return story.fists(1, 1).say(Bid(1))


@functools.cache
def short() -> list[Entry]:
    """The opening, somebody who sits down, and two words of the host."""
    away = Away(signing_key(0).public)
    return Story(1, seats=2).tell(None, away).entries


def refolded(entries: list[Entry]) -> Table:
    table = None
    for entry in entries:
        table = fold(table, entry)
    assert table is not None
    return table


def borders(entries: list[Entry]) -> list[int]:
    """Where the frames begin, and where the last one ends."""
    ends = [0]
    for entry in entries:
        ends.append(ends[-1] + HEADER + len(entry.blob))
    return ends


def holder(entries: list[Entry], at: int) -> int:
    """The entry to which a byte belongs."""
    return sum(end <= at for end in borders(entries)) - 1


# What is told


def test_a_log_that_holds_together_tells_its_games() -> None:
    story = two_games()
    verdict = verify([stored(story.entries)])
    assert verdict.holds and verdict.fault is None
    assert verdict.length == len(story.entries)
    assert verdict.table == story.table
    assert [game.number for game in verdict.games] == [1, 2]
    assert verdict.games[0].winner is not None
    assert verdict.running == verdict.games[1] == story.game


def test_a_log_between_games_has_none_running() -> None:
    story = Story(2).start(0, 1).play_on()
    assert verify([stored(story.entries)]).running is None


def test_the_guessing_game_is_judged_too() -> None:
    story = Story(4, rules="hollywood first_caller=toss").start(0, 1, 2, 3).play_on()
    verdict = verify([stored(story.entries)])
    assert verdict.holds and verdict.games[0] == story.game


def test_what_no_game_tells_is_told_by_itself() -> None:
    verdict = verify([stored(two_games().entries)])
    (left,) = (each for each in verdict.happenings if not each.silent)
    assert (left.author, left.statement, left.gone) == (signing_key(2).public, Leave(), ())
    (away,) = verify([stored(short())]).happenings
    assert (away.entry, away.author) == (2, None)


def test_a_measure_is_told_when_it_is_carried_and_when_somebody_goes() -> None:
    bad = signing_key(2).public
    story = Story(3).start(0, 1, 2).toss(0, 1, 2)
    story.tell(0, Vote(Measure.MUTE, bad, True)).tell(1, Vote(Measure.MUTE, bad, True))
    story.fists(1, 1, 1).tell(None, Decide(Measure.REMOVE, bad)).say(Ending.SPOOF).open()
    wish, muted, going, gone = verify([stored(story.entries)]).happenings
    assert (wish.carried, wish.gone) == ((), ())
    assert muted.carried == ((Measure.MUTE, bad),)
    assert (going.author, going.carried, going.gone) == (None, ((Measure.REMOVE, bad),), ())
    assert isinstance(gone.statement, Open)
    assert (gone.carried, gone.gone) == ((), (bad,))


def test_who_is_barred_between_games_is_gone_at_once() -> None:
    bad = signing_key(1).public
    story = Story(2).tell(None, Decide(Measure.BAR, bad), Decide(Measure.PARDON, bad))
    barred, pardoned = verify([stored(story.entries)]).happenings
    assert (barred.carried, barred.gone) == (((Measure.BAR, bad),), (bad,))
    assert (pardoned.carried, pardoned.gone) == (((Measure.PARDON, bad),), ())


def test_a_game_that_is_called_off_is_neither_won_nor_running() -> None:
    story = Story(2).start(0, 1).tell(None, Decide(Measure.REMOVE, signing_key(1).public))
    verdict = verify([stored(story.entries)])
    assert verdict.holds and verdict.running is None
    assert [game.winner for game in verdict.games] == [None]


def test_the_times_are_those_of_the_host() -> None:
    story = two_games()
    verdict = verify([stored(story.entries)])
    assert verdict.table and verdict.table.time == story.table.time
    assert verdict.began == story.entries[0].time


@very_few
@given(st.lists(st.integers(1, 5000)))
def test_the_pieces_in_which_a_log_is_read_change_nothing(sizes: list[int]) -> None:
    data = stored(two_games().entries)
    chunks, start = [], 0
    for size in sizes:
        chunks.append(data[start : start + size])
        start += size
    assert verify([*chunks, data[start:]]) == verify([data])


def test_reading_stops_at_the_first_fault() -> None:
    def endless() -> Iterator[bytes]:
        yield stored(short())
        yield b"\xff" * 8
        raise AssertionError("read on after a fault")

    assert verify(endless()).length == len(short())


# Cut, torn, and with something behind


def test_a_log_that_is_cut_between_entries_is_a_shorter_log() -> None:
    story = two_games()
    for length in range(1, len(story.entries) + 1):
        verdict = verify([stored(story.entries[:length])])
        assert verdict.holds and verdict.length == length


def test_a_log_that_is_cut_anywhere_else_ends_in_the_middle_of_an_entry() -> None:
    data, ends = stored(short()), borders(short())
    for at in range(1, len(data)):
        if at not in ends:
            assert found(data[:at]) == (holder(short(), at), Flaw.TORN)


def test_a_torn_end_says_how_much_is_there() -> None:
    data = stored(short())
    fault = faulty(verify([data, frame(short()[1].blob)[:-1]]))
    assert (fault.entry, fault.values["held"]) == (3, HEADER + len(short()[1].blob) - 1)
    assert fault.flaw.blame is Blame.FILE


def test_an_empty_file_is_no_log() -> None:
    verdict = verify([])
    assert faulty(verdict).flaw is Flaw.EMPTY
    assert (verdict.table, verdict.length, verdict.games, verdict.began) == (None, 0, (), 0)


@few
@given(st.binary(min_size=1, max_size=300))
def test_whatever_stands_behind_a_log_is_found(rest: bytes) -> None:
    assert found(stored(short()) + rest)[0] == len(short())


@few
@given(st.binary(min_size=1, max_size=300))
def test_what_is_no_log_is_said_to_be_none(data: bytes) -> None:
    assert not verify([data]).holds
    assert found(frame(data)) == (0, Flaw.NO_OPENING)


@pytest.mark.parametrize("length", [0, MAX_ENTRY + 1, 2**32 - 1])
def test_an_impossible_length_is_not_waited_for(length: int) -> None:
    data = stored(short()) + length.to_bytes(HEADER, "big")
    assert found(data) == (3, Flaw.LENGTH)


def test_a_log_that_is_too_long_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "MAX_LOG", 2)
    assert found(stored(short())) == (2, Flaw.TOO_MANY)


# Bits and fields


def test_every_bit_of_a_short_log_counts() -> None:
    entries = short()
    data = bytearray(stored(entries))
    for bit in range(len(data) * 8):
        at = bit // 8
        data[at] ^= 1 << bit % 8
        fault = faulty(verify([bytes(data)]))
        assert fault.entry == holder(entries, at), bit
        assert fault.flaw.blame is Blame.FILE
        data[at] ^= 1 << bit % 8


def test_every_byte_of_a_game_counts() -> None:
    entries = Story(2).start(0, 1).toss(0, 1).fists(1, 1).say(Ending.SPOOF).open().entries
    data = bytearray(stored(entries))
    for at in range(len(data)):
        data[at] ^= 1 << at % 8
        assert found(bytes(data))[0] == holder(entries, at), at
        data[at] ^= 1 << at % 8


@given(st.data())
def test_any_bytes_that_are_changed_are_found_at_the_first_of_them(draw: st.DataObject) -> None:
    entries = two_games().entries
    data = stored(entries)
    at = draw.draw(st.integers(0, len(data) - 1))
    size = draw.draw(st.integers(1, min(8, len(data) - at)))
    other = draw.draw(st.binary(min_size=size, max_size=size))
    changed = [at + i for i in range(size) if data[at + i] != other[i]]
    verdict = verify([data[:at] + other + data[at + size :]])
    assert verdict.holds == (not changed)
    if changed:
        assert faulty(verdict).entry == holder(entries, changed[0])


def changed(value: object) -> Iterator[object]:
    """`value` with one field changed: those of everything that is packed inside, one by one."""
    if isinstance(value, bytes):
        try:
            inner = unpack(value)
        except Malformed:
            inner = None
        if isinstance(inner, tuple):
            yield from map(pack, changed(inner))
        else:
            yield value[:-1] + bytes([value[-1] ^ 1])
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            for other in changed(each):
                yield (*value[:index], other, *value[index + 1 :])
            yield (*value[:index], *value[index + 1 :])
        yield (*value, 0)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from {value + 1, max(value - 1, 0)} - {value}
    elif isinstance(value, str):
        yield value + "x"
    else:
        assert value is None
        yield ">"


def resigned(blob: bytes) -> bytes:
    """An entry that the host signed anew, whatever it says."""
    signed = unpack(blob)
    assert isinstance(signed, tuple)
    payload = signed[0]
    hash_ = digest(b"spoof entry hash 1", (payload,))
    return pack((payload, signing_key(255).sign(b"spoof entry 1", hash_)))


def test_every_field_of_every_entry_counts() -> None:
    entries = two_games().entries
    for number, entry in enumerate(entries):
        before, after = stored(entries[:number]), stored(entries[number + 1 :])
        for other in changed(entry.blob):
            assert isinstance(other, bytes)
            flaw = Flaw.UNSIGNED if number else Flaw.NO_OPENING
            assert found(before + frame(other) + after) == (number, flaw)


def test_not_even_the_host_can_change_a_field_of_what_a_player_said() -> None:
    entries = two_games().entries
    for number, entry in enumerate(entries):
        if entry.intent is None:
            continue
        payload = unpack(unpack(entry.blob)[0])  # type: ignore[index]
        assert isinstance(payload, tuple)
        for content in changed(payload[-1]):
            said = resigned(pack((pack((*payload[:-1], content)), bytes(64))))
            fault = faulty(verify([stored(entries[:number]) + frame(said)]))
            assert (fault.entry, fault.flaw.blame) == (number, Blame.HOST)
            assert fault.flaw in (Flaw.FORGED, Flaw.MISSHAPEN)


def test_a_host_that_signs_a_changed_entry_anew_breaks_its_own_chain() -> None:
    entries = two_games().entries
    for number, entry in enumerate(entries[:-1]):
        before, after = stored(entries[:number]), stored(entries[number + 1 :])
        for other in changed(entry.blob):
            assert isinstance(other, bytes)
            if len(unpack(other)) != 2 or unpack(other)[0] == unpack(entry.blob)[0]:  # type: ignore
                continue
            assert found(before + frame(resigned(other)) + after)[0] in (number, number + 1)


# Whole entries


def test_an_entry_that_is_missing_is_a_gap() -> None:
    entries = two_games().entries
    for number in range(1, len(entries) - 1):
        data = stored([*entries[:number], *entries[number + 1 :]])
        assert found(data) == (number, Flaw.GAP)


def test_a_log_without_its_opening_is_none() -> None:
    assert found(stored(short()[1:])) == (0, Flaw.NO_OPENING)


def test_an_entry_that_stands_twice_is_said_to() -> None:
    entries = two_games().entries
    for number in range(len(entries)):
        assert found(stored([*entries, entries[number]])) == (len(entries), Flaw.REPEATED)


def test_two_entries_cannot_change_places() -> None:
    entries = two_games().entries
    for number in range(1, len(entries) - 1):
        one, other = entries[number : number + 2]
        data = stored([*entries[:number], other, one, *entries[number + 2 :]])
        assert found(data) == (number, Flaw.GAP)


def test_an_entry_of_another_table_is_not_signed_by_this_host() -> None:
    stranger = Story(2)
    stranger.host_key = signing_key(77)
    alien = Entry.sign(stranger.host_key, 0, Head(3, short()[-1].hash), 2**41, GameStarted(()))
    assert found(stored([*short(), alien])) == (3, Flaw.UNSIGNED)


def test_another_table_of_the_same_host_is_another_story() -> None:
    other = Story(2, salt=99).entries
    assert found(stored([*short(), other[1]])) == (3, Flaw.TWO_ENTRIES)


# What a host signs and must not


def after(story: Story, said: Intent | Message, **changes: object) -> LogFault:
    """The fault of one more entry that the host of a story signs, as evidence has it."""
    place = {"epoch": 0, "after": story.table.head, "time": story.table.time, **changes}
    lie = Entry.sign(story.host_key, said=said, **place)  # type: ignore[arg-type]
    fault = faulty(verify([stored([*story.entries, lie])]))
    assert fault.entry == len(story.entries)
    assert fault.flaw.blame is Blame.HOST
    return fault


def test_two_entries_of_one_place_are_two_stories() -> None:
    story = two_games()
    fault = after(story, Away(bytes(32)), after=story.entries[4].head)
    assert (fault.flaw, fault.values["position"]) == (Flaw.TWO_ENTRIES, 5)


def test_an_entry_that_follows_another_past_is_two_stories() -> None:
    story = two_games()
    fault = after(story, Away(bytes(32)), after=Head(len(story.entries), bytes(32)))
    assert (fault.flaw, fault.values["position"]) == (Flaw.TWO_PASTS, len(story.entries) - 1)


def test_a_word_whose_author_saw_another_log_is_two_stories() -> None:
    story = two_games()
    intent = story.intent(0, Say(ForeignText("hm")), seen=Head(3, b"x" * 32))
    fault = after(story, intent)
    assert (fault.flaw, fault.values["length"]) == (Flaw.OTHER_LOG, 3)
    assert (fault.author, fault.statement) == (signing_key(0).public, intent.statement)


def test_time_does_not_go_back() -> None:
    story = two_games()
    intent = story.intent(0, Say(ForeignText("hm")))
    assert after(story, intent, time=story.table.time - 1).flaw is Flaw.OLDER


def test_a_forged_word_is_the_work_of_the_host() -> None:
    story = two_games()
    intent = story.intent(0, Say(ForeignText("hm")))
    pair = unpack(intent.blob)
    assert isinstance(pair, tuple)
    forged = replace(intent, blob=pack((pair[0], bytes(64))))
    assert after(story, forged).flaw is Flaw.FORGED


def test_an_announcement_in_an_intent_is_no_statement() -> None:
    story = two_games()
    assert after(story, story.intent(0, GameStarted(()))).flaw is Flaw.MISSHAPEN


def test_an_epoch_that_is_not_due_is_forbidden() -> None:
    story = two_games()
    fault = after(story, story.intent(0, Say(ForeignText("hm"))), epoch=1)
    assert (fault.flaw, fault.forbidden) == (Flaw.FORBIDDEN, None)
    assert "epoch 1" in fault.message


def test_a_word_out_of_turn_is_told_with_its_rule_and_its_author() -> None:
    story = two_games()
    silent = next(who for who in (0, 1) if who != story.speaker)
    fault = after(story, story.intent(silent, Speak(Bid(2))))
    assert fault.flaw is Flaw.FORBIDDEN and fault.forbidden is not None
    assert fault.forbidden.reason is Reason.NOT_YOUR_TURN
    assert fault.author == signing_key(silent).public
    assert "(R4)" in fault.message


def test_a_hand_that_was_not_sealed_does_not_open() -> None:
    story = two_games().copy().say(Ending.CALL).witness()
    wrong = story.hand(0, story.hands[0].coins + 1)
    fault = after(story, story.intent(0, Open(wrong.coins, wrong.nonce)))
    assert fault.forbidden and fault.forbidden.reason is Reason.WRONG_OPENING


def test_a_fist_that_opens_before_everybody_has_seen_the_last_word_is_found() -> None:
    story = two_games().copy().say(Ending.CALL)
    hand = story.hands[0]
    fault = after(story, story.intent(0, Open(hand.coins, hand.nonce)))
    assert fault.forbidden and fault.forbidden.reason is Reason.NOT_SEEN_BY_ALL


def test_a_word_that_answers_to_an_older_turn_is_stale() -> None:
    story = two_games()
    fault = after(story, story.intent(story.speaker, Speak(Bid(2)), seen=story.entries[2].head))
    assert fault.forbidden and fault.forbidden.reason is Reason.STALE


def test_a_word_that_is_used_a_second_time_is_found() -> None:
    story = two_games()
    old = story.entries[1].intent
    assert old is not None and isinstance(old.statement, Sit)
    fault = after(story, old)
    assert fault.forbidden and fault.forbidden.reason is Reason.REPEATED


def test_a_game_in_another_order_is_the_hosts_work_alone() -> None:
    story = Story(2).ready(0, 1)
    fault = after(story, GameStarted(tuple(reversed(story.starting().order))))
    assert fault.forbidden and fault.forbidden.reason is Reason.WRONG_ORDER
    assert fault.author is None and isinstance(fault.statement, GameStarted)


def test_evidence_tells_the_log_before_it() -> None:
    story = two_games()
    lie = Entry.sign(story.host_key, 0, story.table.head, story.table.time, GameStarted(()))
    verdict = verify([stored([*story.entries, lie])])
    assert verdict.table == story.table and len(verdict.games) == 2


def test_a_table_of_another_version_is_not_judged() -> None:
    opened = short()[0].statement
    assert isinstance(opened, TableOpened)
    values = {name: getattr(opened, name) for name in TableOpened.__match_args__}
    newer = TableOpened(**{**values, "protocol": PROTOCOL + 1})
    first = Entry.sign(signing_key(255), 0, Head(0, bytes(32)), 0, newer)
    fault = faulty(verify([stored([first])]))
    assert (fault.entry, fault.flaw) == (0, Flaw.OTHER_VERSION)
    assert str(PROTOCOL + 1) in fault.message


def test_an_opening_behind_another_entry_opens_nothing() -> None:
    opened = short()[0].statement
    first = Entry.sign(signing_key(255), 0, Head(0, b"x" * 32), 0, opened)
    assert found(stored([first])) == (0, Flaw.NO_OPENING)
    late = Entry.sign(signing_key(255), 0, Head(4, b"x" * 32), 0, opened)
    assert found(stored([late])) == (0, Flaw.GAP)


# A table that moved


@functools.cache
def moved() -> Story:
    """A game that three hosts led, the last of whom was the first one, too."""
    story = Story(3).sit(255).start(0, 1, 2).toss(0, 1, 2).fists(1, 0, 2).say(Bid(1))
    story.move(1, 0, 1, 2).tell(None, Away(signing_key(2).public)).say(Bid(2))
    return story.move(255, 0, 1, 2).say(Ending.CALL).witness()


def test_a_moved_log_holds_together_and_tells_its_hosts() -> None:
    verdict = verify([stored(moved().entries)])
    assert verdict.holds and verdict.table == moved().table
    hosts = [each.statement.host for each in verdict.happenings
        if isinstance(each.statement, HostMoved)]  # fmt: skip
    assert hosts == [signing_key(1).public, signing_key(255).public]


@pytest.mark.parametrize("epoch", [1, 2])
def test_every_byte_of_a_move_counts(epoch: int) -> None:
    entries = moved().entries
    data = bytearray(stored(entries))
    first = next(entry.position for entry in entries if entry.epoch == epoch)
    for at in range(*borders(entries)[first : first + 2]):
        data[at] ^= 1 << at % 8
        fault = faulty(verify([bytes(data)]))
        assert (fault.entry, fault.flaw.blame) == (holder(entries, at), Blame.FILE), at
        data[at] ^= 1 << at % 8


def test_an_older_host_signs_nothing_any_more() -> None:
    story = moved().copy()
    story.host_key = signing_key(1)
    assert found(stored([*story.entries, story.entry(0, Say(ForeignText("hm")))])) == (
        len(story.entries),
        Flaw.UNSIGNED,
    )


def test_what_a_host_signed_before_the_table_moved_on_is_no_second_story() -> None:
    story, first = moved(), next(e for e in moved().entries if e.epoch == 1)
    before = story.entries[: first.position]
    late = Entry.sign(signing_key(255), 0, before[-1].head, story.table.time, Away(bytes(32)))
    fault = faulty(verify([stored([*story.entries, late])]))
    assert (fault.flaw, fault.flaw.blame) == (Flaw.OVERTAKEN, Blame.FILE)
    assert "epoch 0" in fault.message


def test_two_entries_of_one_place_and_epoch_are_two_stories_whoever_was_host_meanwhile() -> None:
    story = moved()
    lie = Entry.sign(story.host_key, 0, story.entries[4].head, story.table.time, Away(bytes(32)))
    fault = faulty(verify([stored([*story.entries, lie])]))
    assert (fault.flaw, fault.values["position"]) == (Flaw.TWO_ENTRIES, 5)


def test_a_move_that_too_few_want_proves_nothing_against_anybody() -> None:
    story = moved()
    lie = story.moved_entry(story.moving(1, 1), 1)
    fault = faulty(verify([stored([*story.entries, lie])]))
    assert (fault.flaw, fault.flaw.blame) == (Flaw.NOT_MOVED, Blame.FILE)
    assert fault.forbidden and fault.forbidden.reason is Reason.NOT_SUPPORTED


def test_a_move_from_an_earlier_entry_is_not_the_end_of_this_file() -> None:
    story = moved().copy()
    twin = story.copy()
    twin.entries = twin.entries[:-2]
    twin.table = refolded(twin.entries)
    move = twin.moved_entry(twin.moving(1, 0, 1, 2), 1)
    assert found(stored([*story.entries, move])) == (len(story.entries), Flaw.NOT_MOVED)
    assert verify([stored([*twin.entries, move])]).holds


def test_a_move_does_not_turn_time_back() -> None:
    story = moved()
    move = story.moving(1, 0, 1, 2)
    late = Entry.sign(signing_key(1), 3, story.table.head, story.table.time - 1, move)
    assert found(stored([*story.entries, late])) == (len(story.entries), Flaw.NOT_MOVED)


def test_a_pause_is_told() -> None:
    verdict = verify([stored(Story(2).pause().go_on().entries)])
    assert [each.carried for each in verdict.happenings] == [
        ((Measure.PAUSE, NO_ONE),),
        ((Measure.GO_ON, NO_ONE),),
    ]


def test_a_lock_and_a_seat_that_is_free_again_are_told() -> None:
    story = Story(3).tell(None, Decide(Measure.LOCK, NO_ONE), Decide(Measure.UNLOCK, NO_ONE))
    story.away(0).wait().tell(None, Vacated(signing_key(0).public))
    lock, unlock, away, vacated = verify([stored(story.entries)]).happenings
    assert [each.carried for each in (lock, unlock)] == [
        ((Measure.LOCK, NO_ONE),),
        ((Measure.UNLOCK, NO_ONE),),
    ]
    assert isinstance(away.statement, Away)
    assert isinstance(vacated.statement, Vacated) and not vacated.gone


# One entry more


def test_an_entry_that_follows_has_no_fault() -> None:
    entries = short()
    *before, last = entries
    log = Log(before)
    assert fault_of(log, folded(before), last.blob) is None
    assert len(log) == len(before)


def test_the_fault_of_one_entry_is_the_same_as_in_the_file() -> None:
    entries = short()
    again = entries[2].blob
    fault = fault_of(Log(entries), folded(entries), again)
    assert fault == faulty(verify([stored(entries) + frame(again)]))
    assert fault and fault.flaw is Flaw.REPEATED


def folded(entries: list[Entry]) -> Table:
    table = None
    for entry in entries:
        table = fold(table, entry)
    assert table is not None
    return table
