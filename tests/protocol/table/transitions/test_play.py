"""What a game does to its table: the witnesses of an ending word."""

import functools

import pytest

from protocol.errors import BrokenLog, Reason
from protocol.guest.effects import Halt
from protocol.rules.words import Bid, Ending
from protocol.table.fold import check_intent, check_statement, fold
from protocol.table.log import Entry, Log
from protocol.table.state import Phase
from protocol.table.statements import Open, Speak, Witness
from protocol.wire.messages import Entries
from tests.protocol.stories import Pair, Story, refused, signing_key

FIRST, SECOND, THIRD, LATE = 0, 1, 2, 3


@functools.cache
def spoken() -> Story:
    """The first of three has bid 4, and the second is to speak; one more watches."""
    return Story(3).start(0, 1, 2).toss(0, 1, 2).fists(1, 2, 0).say(Bid(4)).sit(LATE)


@functools.cache
def called() -> Story:
    """The second has called."""
    return spoken().copy().say(Ending.CALL)


def test_the_fists_wait_until_everybody_but_the_ender_has_seen_the_ending_word() -> None:
    story = called().copy()
    for witness in (THIRD, FIRST):
        assert story.table.phase is Phase.WITNESSING
        story.tell(witness, Witness())
    assert story.table.phase is Phase.OPENING
    assert story.table.turn == story.table.head.length


def test_in_the_guessing_game_the_last_caller_is_the_ender() -> None:
    story = Story(3, "hollywood").start(0, 1, 2).toss(0, 1, 2).fists(0, 0, 0)
    story.say(Bid(0), Bid(1), Bid(1), Bid(2))
    assert story.game.witnesses_missing == (FIRST, SECOND)
    with refused(Reason.OWN_ENDING):
        check_statement(story.table, signing_key(THIRD).public, Witness())


def test_who_is_out_is_no_witness() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2)
    for _ in range(3):
        story.fists(0, 0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    story.fists(0, 0).say(Ending.SPOOF)
    assert len(story.game.witnesses_missing) == 1
    with refused(Reason.IS_OUT):
        check_statement(story.table, signing_key(FIRST).public, Witness())


def test_the_witnesses_of_one_round_are_none_of_the_next() -> None:
    story = called().copy().open().fists(0, 0, 0)
    assert story.game.witnesses == frozenset()
    story.say(Ending.SPOOF)
    assert len(story.game.witnesses_missing) == 2


def test_a_witness_must_have_seen_the_ending_word() -> None:
    story = called()
    assert story.entries[-1].statement == Speak(Ending.CALL)
    check_intent(story.table, story.intent(THIRD, Witness(), story.entries[-1].head))
    with refused(Reason.STALE):
        check_intent(story.table, story.intent(THIRD, Witness(), story.entries[-2].head))


def test_an_opening_must_have_seen_the_last_witness() -> None:
    story = called().copy().witness()
    opened = Open(1, story.hands[FIRST].nonce)
    with refused(Reason.STALE):
        check_intent(story.table, story.intent(FIRST, opened, story.entries[-2].head))


# A host that tells two stories


def test_an_ending_word_that_one_guest_alone_is_shown_opens_no_fist() -> None:
    pair = Pair(called(), FIRST)
    assert pair.proposed == [Witness()]
    other = spoken().copy().say(Bid(5))
    for statement in (Witness(), Speak(Bid(6))):
        pair.desk.propose(pair.desk.join(THIRD), other.intent(THIRD, statement))
    pair.act([])
    assert pair.proposed == [Witness()]
    assert pair.desk.host.table.phase is Phase.WITNESSING


def test_a_witness_of_another_story_stops_the_guest_before_its_fist_opens() -> None:
    pair = Pair(called(), FIRST)
    other = spoken().copy().say(Ending.SPOOF)
    table = pair.desk.host.table
    borrowed = other.intent(THIRD, Witness())
    forged = Entry.sign(signing_key(255), 0, table.head, table.time, borrowed)
    pair.hear(Entries((forged.blob,)))
    assert len(pair.events(Halt)) == 1
    assert pair.proposed == [Witness()]


def test_no_witness_of_another_story_fits_into_the_log() -> None:
    story, other = called(), spoken().copy().say(Ending.SPOOF)
    log = Log()
    for entry in story.entries:
        log.append(entry)
    borrowed = other.intent(THIRD, Witness())
    with pytest.raises(BrokenLog):
        log.check(Entry.sign(story.host_key, 0, story.table.head, story.table.time, borrowed))


def test_a_host_cannot_leave_a_witness_out() -> None:
    story = called().copy().witness(THIRD)
    opened = story.entry(THIRD, Open(0, story.hands[THIRD].nonce))
    with pytest.raises(BrokenLog, match="Not everybody has seen"):
        fold(story.table, opened)
