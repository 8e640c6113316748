"""Attempts of a guest to win, to get in, or to spoil the game: the table plays on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.crypto.join_code import ALPHABET, CODE_LENGTH
from protocol.encoding.untrusted import ForeignText
from protocol.limits import (
    GUESS_INTERVAL,
    HELLO_TIMEOUT,
    MESSAGES_BURST,
    RENEW_INTERVAL,
    RETURNS_BURST,
    RETURNS_INTERVAL,
    SEATING_BURST,
    SEATING_INTERVAL,
    TALK_BURST,
    TALK_INTERVAL,
    TRIES_AGAIN_DELAY,
    TRIES_OF_ADDRESS,
    TRIES_OF_CODE,
)
from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.table.head import EMPTY
from protocol.table.log import Intent
from protocol.table.statements import (
    Leave,
    Measure,
    Open,
    Sit,
    Speak,
)
from protocol.timeouts import LOST_DELAY
from protocol.version import PROTOCOL
from protocol.views import FistState, view_of
from protocol.wire.messages import (
    Confirm,
    Farewell,
    Goodbye,
    Greeting,
    Hello,
    Locked,
    Pake,
    Ping,
    Propose,
    Refusal,
    Welcome,
    sign_hello,
)
from tests.attacks.crooked import ANN, BO, HI, MALLORY, STRANGER, honest
from tests.attacks.crooks import (
    ADDRESS,
    RIGHT,
    WRONG,
    Crook,
    LockedDesk,
    entries_in,
    flood,
)
from tests.protocol.stories import Desk, Story, public, signing_key, vote


def anns_turn() -> Story:
    return honest(Phase.SPEAKING).copy().say(Bid(3))


# To sit on another's seat


def test_a_guest_repeats_a_hello_that_it_recorded() -> None:
    desk = Desk(honest(Phase.SPEAKING))
    link = desk.dial(ADDRESS)
    hello = anns_hello(desk, link)
    desk.send(link, hello)
    again = desk.dial(ADDRESS)
    desk.send(again, hello)
    assert desk.closed == {again: Farewell.WRONG_PROOF}


def test_a_man_in_the_middle_passes_a_hello_on() -> None:
    desk = Desk(honest(Phase.SPEAKING))
    link = desk.dial(ADDRESS)
    # Ann signs for the certificate that she sees, which is that of the man in the middle.
    desk.send(link, anns_hello(desk, link, channel=b"another certificate"))
    assert desk.closed == {link: Farewell.WRONG_PROOF}


def anns_hello(desk: Desk, link: int, channel: bytes = b"channel") -> Hello:
    (greeting,) = desk.heard(link)
    assert isinstance(greeting, Greeting)
    return sign_hello(signing_key(ANN), "test", greeting, channel, desk.host.log.head)


def test_a_guest_says_hello_for_another_and_signs_itself() -> None:
    desk = Desk(honest(Phase.SPEAKING))
    link = desk.dial(ADDRESS)
    hello = anns_hello(desk, link)
    mine = replace(hello, key=public(MALLORY))
    desk.send(link, mine)
    assert desk.closed == {link: Farewell.WRONG_PROOF}
    assert all(not seat.away for seat in desk.host.table.seats)


@pytest.mark.parametrize("second", [0, 1, 2**255 - 20, 2**255 - 18])
def test_a_guest_comes_with_a_key_that_anybody_can_sign_for(second: int) -> None:
    desk = Desk(honest(Phase.GATHERING))
    link = desk.dial(ADDRESS)
    key, neutral = second.to_bytes(32, "little"), (1).to_bytes(32, "little")
    desk.send(link, Hello(PROTOCOL, "test", key, 0, bytes(32), 0, (), 0, neutral + bytes(32)))
    assert desk.closed == {link: Farewell.WRONG_PROOF}


# To get in without the code


def test_a_guest_without_the_code_says_what_only_guests_say() -> None:
    for message in (Ping(0), Propose(b"x"), Confirm(RIGHT)):
        desk = LockedDesk()
        link = stopped_at_the_door(desk)
        desk.send(link, message)
        assert desk.closed == {link: Farewell.MALFORMED}
        assert [type(said) for said in desk.said[link]] == [Greeting, Locked, Goodbye]


def stopped_at_the_door(desk: LockedDesk) -> int:
    link = desk.dial(ADDRESS)
    (greeting,) = desk.said[link]
    assert isinstance(greeting, Greeting)
    desk.send(link, sign_hello(signing_key(STRANGER), "test", greeting, b"channel", EMPTY))
    return link


def test_a_wrong_guess_learns_nothing_before_it_is_counted() -> None:
    desk = LockedDesk()
    link = desk.knock(ADDRESS)
    assert [type(said) for said in desk.said[link]] == [Greeting, Locked, Pake]
    desk.confirm(link, WRONG)
    assert desk.said[link][3:] == [Goodbye(Farewell.WRONG_CODE)]


def test_a_guess_is_made_once_on_a_connection() -> None:
    desk = LockedDesk()
    link = desk.knock(ADDRESS)
    desk.send(link, Pake(b"A" * 33))
    assert desk.closed == {link: Farewell.MALFORMED}


def siege(seconds: float, addresses: Callable[[int], str]) -> LockedDesk:
    """As many guesses as the host allows anybody in this time, all of them wrong."""
    desk = LockedDesk()
    knocks = 0
    while desk.time < seconds:
        for _ in range(2):
            desk.knock(addresses(knocks))
            knocks += 1
        for link in desk.answered():
            desk.confirm(link, WRONG)
        desk.pass_time(GUESS_INTERVAL)
    return desk


def test_one_address_guesses_as_fast_as_it_can() -> None:
    desk = siege(TRIES_AGAIN_DELAY - 1, lambda _: ADDRESS)
    assert desk.guesses == TRIES_OF_ADDRESS
    assert siege(2 * TRIES_AGAIN_DELAY - 1, lambda _: ADDRESS).guesses == 2 * TRIES_OF_ADDRESS


def test_one_address_lets_eight_guesses_be_answered_before_it_proves_any() -> None:
    desk = LockedDesk()
    for _ in range(8):
        desk.knock(ADDRESS)
    for _ in range(8):
        desk.pass_time(GUESS_INTERVAL)
    links = desk.answered()
    assert len(links) == 8
    for link in links:
        desk.confirm(link, WRONG)
    assert desk.guesses == TRIES_OF_ADDRESS
    assert desk.closed[desk.knock(ADDRESS)] is Farewell.TOO_MANY_TRIES


def test_one_address_is_right_after_so_many_wrong_guesses_that_it_waits() -> None:
    desk = LockedDesk()
    links = [desk.knock(ADDRESS) for _ in range(TRIES_OF_ADDRESS + 1)]
    for _ in links:
        desk.pass_time(GUESS_INTERVAL)
    *wrong, last = desk.answered()
    for link in wrong:
        desk.confirm(link, WRONG)
    desk.confirm(last, RIGHT)
    assert desk.closed[last] is Farewell.TOO_MANY_TRIES
    assert desk.host.table.admitted == frozenset()


def test_many_addresses_guess_as_fast_as_they_can() -> None:
    seconds = 30.0
    desk = siege(seconds, lambda number: f"192.0.{number // 250}.{number % 250}")
    assert desk.guesses <= seconds / GUESS_INTERVAL + 1
    assert 1 < len(desk.codes) <= seconds / RENEW_INTERVAL + 2
    hours = len(ALPHABET) ** CODE_LENGTH * GUESS_INTERVAL / 3600
    assert hours > 800


def test_a_code_that_was_guessed_too_often_opens_nothing_to_who_began_before() -> None:
    desk = LockedDesk()
    links = [desk.knock(f"192.0.2.{number}") for number in range(TRIES_OF_CODE + 1)]
    for _ in links:
        desk.pass_time(GUESS_INTERVAL)
    *wrong, last = links
    for link in wrong:
        desk.confirm(link, WRONG)
    assert len(desk.codes) == 2
    desk.confirm(last, RIGHT)
    assert desk.closed[last] is Farewell.WRONG_CODE


def test_while_somebody_guesses_who_knows_the_code_gets_in() -> None:
    desk = siege(5, lambda _: ADDRESS)
    link = desk.knock("192.0.2.1")
    desk.pass_time(GUESS_INTERVAL)
    desk.confirm(link, RIGHT)
    assert any(isinstance(said, Welcome) for said in desk.said[link])


# To hold the table up


def test_a_guest_keeps_its_opening_back() -> None:
    story = honest(Phase.OPENING).copy().open(ANN, BO)
    crook = Crook(story)
    crook.desk.pass_time(60, crook.ann, crook.link)
    view = view_of(crook.host.table, public(ANN))
    assert [seat.fist for seat in view.seats] == [FistState.OPEN, FistState.OPEN, FistState.IN]
    assert crook.tries(Speak(Bid(1))) == "round-is-over"
    hand = story.hands[MALLORY]
    assert crook.tries(Open(hand.coins, hand.nonce)) == "accepted"
    assert crook.host.table.phase is Phase.CHOOSING


def test_a_guest_that_is_put_out_for_that_pays_all_the_same() -> None:
    story = honest(Phase.OPENING).copy().open(ANN, BO).decide(Measure.REMOVE, MALLORY)
    assert story.table.phase is Phase.OPENING
    story.open(MALLORY)
    assert story.game.past[-1].outcome.coins == (3, 3, 2)
    assert story.game.coins == (3, 3, 0)


# To vote more often than once


def test_a_guest_changes_its_mind_about_a_vote_for_ever() -> None:
    crook = Crook(Story(4))
    turns = [vote(Measure.MUTE, ANN, number % 2 == 0) for number in range(TALK_BURST + 1)]
    assert [crook.tries(each) for each in turns] == ["accepted"] * TALK_BURST + ["too-fast"]


def test_a_guest_that_is_refused_sits_down_again() -> None:
    story = Story(3).decide(Measure.BAR, MALLORY)
    desk = Desk(story)
    assert desk.closed == {desk.join(MALLORY, address=ADDRESS): Farewell.BARRED}


# To drown the table


def test_a_guest_floods_its_link_and_everybody_else_is_heard_at_once() -> None:
    story = anns_turn()
    crook = Crook(story)
    crook.desk.receive(crook.link, flood(story, 2_000, HI))
    assert crook.desk.stalled == {crook.link}
    crook.desk.propose(crook.ann, story.intent(ANN, Speak(Bid(4))))
    assert crook.host.log[-1].statement == Speak(Bid(4))
    assert len(crook.host.log) <= len(story.entries) + TALK_BURST + 1


def test_a_guest_floods_the_host_with_refusals_to_send() -> None:
    story = anns_turn()
    crook = Crook(story)
    crook.desk.receive(crook.link, flood(story, 2_000, Speak(Bid(9))))
    refusals = [said for said in crook.desk.heard(crook.link) if isinstance(said, Refusal)]
    assert 0 < len(refusals) <= MESSAGES_BURST + 1
    assert crook.desk.heard(crook.ann) == []


def test_a_guest_talks_for_a_minute_as_fast_as_it_can() -> None:
    story = Story(3)
    crook = Crook(story)
    crook.desk.receive(crook.link, flood(story, 2_000, HI))
    crook.desk.pass_time(60, crook.ann)
    grown = len(crook.host.log) - len(story.entries)
    assert grown <= TALK_BURST + 60 / TALK_INTERVAL + 1


def test_a_guest_sends_half_a_frame_and_is_silent() -> None:
    story = anns_turn()
    crook = Crook(story)
    crook.desk.receive(crook.link, flood(story, 1, HI)[:40])
    crook.desk.pass_time(LOST_DELAY + 1, crook.ann)
    assert crook.desk.closed == {crook.link: Farewell.SILENT}
    crook.desk.propose(crook.ann, story.intent(ANN, Speak(Bid(4))))
    assert crook.host.log[-1].statement == Speak(Bid(4))


def test_a_stranger_sends_half_a_hello_byte_by_byte() -> None:
    desk = Desk(honest(Phase.SPEAKING))
    link = desk.dial(ADDRESS)
    for byte in b"\x00\x00\x00\xb5" + bytes(20):
        desk.receive(link, bytes([byte]))
        desk.pass_time(HELLO_TIMEOUT / 20)
    assert desk.closed == {link: Farewell.TOO_LATE}


def test_a_guest_sits_down_and_leaves_in_a_loop() -> None:
    story = Story(3)
    crook = Crook(story, STRANGER)
    for _ in range(300):
        crook.tries(Sit(ForeignText("Eve")))
        crook.tries(Leave())
        crook.desk.pass_time(0.25, crook.ann, crook.link)
    grown = len(crook.host.log) - len(story.entries)
    assert grown <= TALK_BURST + 75 / TALK_INTERVAL + 1


def test_a_guest_asks_for_seats_so_often_that_nobody_else_gets_one() -> None:
    story = Story(3)
    crook = Crook(story, STRANGER)
    for _ in range(SEATING_BURST * 2):
        crook.tries(Sit(ForeignText("Eve")))
        crook.tries(Leave())
    newcomer = crook.desk.join(STRANGER + 1, address="192.0.2.7")
    sit = Intent.sign(signing_key(STRANGER + 1), 1, crook.host.log.head, Sit(ForeignText("Di")))
    crook.desk.propose(newcomer, sit)
    assert crook.host.table.seat(sit.author) is not None


def test_many_keys_of_one_guest_sit_down_and_leave() -> None:
    desk = Desk(Story(0, seats=9, salt=1))
    for number in range(60):
        key = 20 + number
        link = desk.join(key, address=ADDRESS)
        for statement in (Sit(ForeignText("Eve")), Leave()):
            intent = Intent.sign(
                signing_key(key), len(desk.host.log) + 1, desk.host.log.head, statement
            )
            desk.propose(link, intent)
        desk.drop(link)
        desk.pass_time(0.25)
    assert len(desk.host.log) <= 1 + SEATING_BURST + 15 / SEATING_INTERVAL + 9


def test_a_guest_comes_and_goes_in_a_loop() -> None:
    story = Story(3)
    desk = Desk(story)
    ann = desk.join(ANN)
    desk.heard(ann)
    for _ in range(240):
        desk.drop(desk.join(MALLORY, address=ADDRESS))
        desk.pass_time(0.25, ann)
    grown = entries_in(desk.heard(ann))
    assert grown == len(desk.host.log) - len(story.entries)
    assert grown <= 2 * (RETURNS_BURST + 60 / RETURNS_INTERVAL + 1)
