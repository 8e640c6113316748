"""What was said and has no answer yet."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.guest.effects import Refused
from protocol.guest.outbox import Outbox
from protocol.rules.words import Bid
from protocol.table.head import EMPTY, Head
from protocol.table.log import Log
from protocol.table.statements import Gesticulate, Gesture, Leave, Say, Speak
from protocol.timing import SUPPORT_DELAY
from protocol.wire.messages import Refusal
from tests.protocol.moving import gather, playing
from tests.protocol.stories import Story, refused, signing_key


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


# One outbox without a link


ME = 0


def outbox() -> Outbox:
    return Outbox(signing_key(ME))


def test_numbers_grow_from_the_last_one_in_the_log() -> None:
    story, box = Story(1).tell(ME, Say(ForeignText("!"))), outbox()
    for number in (3, 4):
        box.sign(Say(ForeignText("!")), story.table, story.table.head)
        assert story.table.sequences[signing_key(ME).public] == 2
        assert max(box._pending) == number


def test_a_statement_is_not_signed_twice_but_talk_is() -> None:
    story, box = Story(1), outbox()
    box.sign(Leave(), story.table, story.table.head)
    with refused(Reason.REPEATED):
        box.sign(Leave(), story.table, story.table.head)
    for _ in range(2):
        box.sign(Say(ForeignText("!")), story.table, story.table.head)
    assert box.waiting == (Leave(), *[Say(ForeignText("!"))] * 2)


def test_no_two_words_are_signed_in_one_turn() -> None:
    story, box = Story(2), outbox()
    box.sign(Speak(Bid(1)), story.table, story.table.head)
    box.check_word(Speak(Bid(1)), story.table.turn)
    box.check_word(Speak(Bid(2)), story.table.turn + 1)
    with refused(Reason.REPEATED):
        box.check_word(Speak(Bid(2)), story.table.turn)
    box.take_back_word()
    box.check_word(Speak(Bid(2)), story.table.turn)


def test_what_is_in_the_log_is_forgotten_and_what_was_overtaken_is_refused() -> None:
    story, box = Story(1), outbox()
    for statement in (Say(ForeignText("1")), Say(ForeignText("2"))):
        box.sign(statement, story.table, story.table.head)
    assert box.settle(story.intent(1, Leave())) == [] and box.settle(None) == []
    last = story.intent(ME, Say(ForeignText("2")), sequence=3)
    assert box.settle(last) == [Refused(Say(ForeignText("1")), Reason.STALE)]
    assert box.waiting == ()


def test_a_refusal_is_told_once_and_waits_for_a_longer_log() -> None:
    story, box = Story(1), outbox()
    box.sign(Leave(), story.table, story.table.head)
    refusal = Refusal(2, Reason.NOT_NOW.code)
    assert box.refused(refusal) == Refused(Leave(), Reason.NOT_NOW)
    assert box.refused(refusal) is None
    assert box.was_refused(story.table.head) and not box.was_refused(EMPTY)


def test_the_same_bytes_are_said_again_but_not_what_answered_to_lost_entries() -> None:
    story, box = Story(1), outbox()
    box.sign(Say(ForeignText("!")), story.table, Head(1, bytes(32)))
    kept = box.sign(Leave(), story.table, story.table.head)
    lost = Refused(Say(ForeignText("!")), Reason.STALE)
    assert box.say_again(Log(story.entries)) == [lost, kept]
    assert box.say_again(Log(story.entries)) == [kept]
