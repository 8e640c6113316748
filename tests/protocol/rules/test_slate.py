"""The slate of the guessing game: fines, drinks and the chairman, over one evening."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

from protocol.encoding.codec import Message
from protocol.errors import Reason
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.slate import Fine, Slate
from protocol.rules.words import Bid, Drink, Offence
from protocol.table.fold import check_statement
from protocol.table.statements import AwardFine, Elect, Leave, LiftFine, Order
from tests.protocol.stories import Story, refused, signing_key

ANN, BO, EVA, LATE, STRANGER = range(5)


def key(who: int) -> bytes:
    return signing_key(who).public


@functools.cache
def calling() -> Story:
    """Ann, Bo and Eva hold 1, 2 and 2, and Ann is to call first; somebody watches."""
    story = Story(3, "hollywood").start(ANN, BO, EVA).sit(LATE).toss(ANN, BO, EVA)
    return story.fists(1, 2, 2)


def called(*numbers: int) -> Story:
    """The first round with these calls, and the fists open."""
    return calling().copy().say(*map(Bid, numbers)).open()


@functools.cache
def ann_left() -> Story:
    """Ann called the 5 and has left."""
    return called(5, 6, 7)


@functools.cache
def eva_pays() -> Story:
    """Bo left too: the school is over."""
    return ann_left().copy().fists(1, 2).say(Bid(3), Bid(4)).open()


def slate(story: Story) -> Slate:
    return story.table.slate


def fines(story: Story) -> list[tuple[int, Offence]]:
    """Who is fined for what, in order."""
    known = {key(who): who for who in range(5)}
    return [(known[fine.key], fine.offence) for fine in slate(story).fines]


def tried(story: Story, who: int, statement: Message) -> None:
    """Ask whether this may be stated; it changes nothing."""
    check_statement(story.table, key(who), statement)


# Fines of the house (H13)


def test_nobody_is_fined_for_a_clean_round_h13() -> None:
    assert slate(ann_left()) == Slate()


def test_three_attempts_are_a_fine_for_a_duplicate_h8_h13() -> None:
    assert fines(called(5, 5, 5, 5, 6, 7)) == [(BO, Offence.DUPLICATE)]


def test_an_impossible_call_is_a_fine_when_the_fists_open_h7_h13() -> None:
    story = calling().copy().say(Bid(0), Bid(9), Bid(3))
    assert fines(story) == []
    assert fines(story.open()) == [(ANN, Offence.IMPOSSIBLE), (BO, Offence.IMPOSSIBLE)]


def test_two_offences_of_one_round_are_told_apart_h13() -> None:
    assert fines(called(5, 5, 5, 5, 0, 7)) == [(BO, Offence.DUPLICATE), (BO, Offence.IMPOSSIBLE)]


def test_a_fist_that_stays_shut_is_its_own_offence_g3_h13() -> None:
    """Even when the same player had three attempts."""
    game = calling().copy().say(*map(Bid, (5, 5, 5, 5, 6, 7))).game
    assert isinstance(game.round, GuessingRound)
    played = PlayedRound(game.round, {0: 1, 2: 2}, game.round.void(1))
    after = Slate().after_round(replace(game, past=(played,)))
    assert after.fines == (Fine(key(BO), Offence.SHUT_FIST, None),)


def test_who_left_first_and_ordered_nothing_is_fined_when_the_next_school_starts_h13() -> None:
    story = eva_pays().copy()
    assert fines(story) == []
    assert fines(story.start(BO, EVA)) == [(ANN, Offence.NOT_ORDERING)]


def test_who_ordered_is_not_fined_h10_h13() -> None:
    story = eva_pays().copy().tell(ANN, Order(Drink.PORT)).start(ANN, BO)
    assert fines(story) == []


def test_the_payer_who_leaves_the_table_is_fined_h13() -> None:
    assert fines(eva_pays().copy().tell(EVA, Leave())) == [(EVA, Offence.LEFT_AFTER_LOSS)]


@pytest.mark.parametrize("who", [ANN, BO, LATE])
def test_anybody_else_leaves_for_nothing_h13(who: int) -> None:
    assert fines(eva_pays().copy().tell(who, Leave())) == []


def test_who_left_the_school_may_leave_the_table_while_the_others_play_h10() -> None:
    story = ann_left().copy().tell(ANN, Leave())
    assert fines(story) == [] and story.table.seat(key(ANN)) is None
    with refused(Reason.GAME_RUNNING):
        tried(story.copy(), EVA, Leave())


# Drinks


def test_the_first_to_leave_orders_the_drinks_h10() -> None:
    for story in (ann_left(), eva_pays()):
        assert slate(story.copy().tell(ANN, Order(Drink.BAILEYS))).orders == (
            (1, key(ANN), Drink.BAILEYS),
        )


@pytest.mark.parametrize("who", [BO, EVA, LATE])
def test_nobody_else_orders_h10(who: int) -> None:
    with refused(Reason.NOT_FIRST_OUT):
        tried(eva_pays(), who, Order(Drink.PORT))


def test_nobody_orders_before_somebody_left_h10() -> None:
    with refused(Reason.NOT_FIRST_OUT):
        tried(calling(), ANN, Order(Drink.PORT))
    with refused(Reason.NO_GAME):
        tried(Story(2, "hollywood"), ANN, Order(Drink.PORT))


def test_the_drinks_of_a_school_are_ordered_once_h10() -> None:
    story = eva_pays().copy().tell(ANN, Order(Drink.PORT))
    with refused(Reason.ORDERED_ALREADY):
        tried(story, ANN, Order(Drink.ALIEN_SNOT))


def test_who_gave_the_seat_up_orders_nothing() -> None:
    with refused(Reason.NO_SEAT):
        tried(ann_left().copy().tell(ANN, Leave()), ANN, Order(Drink.PORT))


def test_the_last_one_left_pays_h12() -> None:
    assert slate(ann_left()).paid == ()
    assert slate(eva_pays()).paid == (key(EVA),)


def test_the_next_school_has_its_own_order_and_payer_h10_h12() -> None:
    story = eva_pays().copy().tell(ANN, Order(Drink.PORT)).start(ANN, BO).play_on()
    first = story.game.first_out
    assert first is not None
    who = story.who(first)
    story.tell(who, Order(Drink.ALIEN_SNOT))
    assert slate(story).orders[1] == (2, key(who), Drink.ALIEN_SNOT)
    assert len(slate(story).paid) == 2


# The chairman (H2)


def test_the_chairman_awards_a_fine_h2() -> None:
    story = calling().copy().tell(ANN, AwardFine(key(BO), Offence.GLOATING))
    assert slate(story).fines == (Fine(key(BO), Offence.GLOATING, key(ANN)),)
    assert slate(story).owed(key(BO)) == 1


def test_the_chairman_lifts_a_fine_even_of_the_house_h2() -> None:
    story = called(0, 9, 3).tell(ANN, LiftFine(1))
    assert [fine.lifted for fine in slate(story).fines] == [False, True]
    assert (slate(story).owed(key(ANN)), slate(story).owed(key(BO))) == (1, 0)


@pytest.mark.parametrize("index", [0, 1, 2**53 - 1])
def test_a_fine_is_lifted_once_and_must_be_there_h13(index: int) -> None:
    story = calling().copy().tell(ANN, AwardFine(key(BO), Offence.OTHER), LiftFine(0))
    with refused(Reason.NO_SUCH_FINE):
        tried(story, ANN, LiftFine(index))


@pytest.mark.parametrize("who", [BO, LATE])
def test_nobody_else_fines_or_lifts_h2(who: int) -> None:
    story = calling().copy().tell(ANN, AwardFine(key(BO), Offence.OTHER))
    for statement in (AwardFine(key(ANN), Offence.OTHER), LiftFine(0)):
        with refused(Reason.NOT_CHAIRMAN):
            tried(story, who, statement)


def test_only_who_sits_is_fined_or_elected() -> None:
    of_a_stranger: list[Message] = [AwardFine(key(STRANGER), Offence.OTHER), Elect(key(STRANGER))]
    for statement in of_a_stranger:
        with refused(Reason.NO_SEAT):
            tried(calling(), ANN, statement)
    for statement in (AwardFine(key(ANN), Offence.OTHER), Elect(key(ANN)), LiftFine(0)):
        with refused(Reason.NO_SEAT):
            tried(calling(), STRANGER, statement)


def test_by_default_the_chairman_is_the_hosts_seat_or_the_first_one_h2() -> None:
    story = Story(2, "hollywood")
    assert story.table.chairman == key(ANN)
    assert story.sit(255).table.chairman == key(255) == story.table.opened.host
    assert Story(0, "hollywood").table.chairman is None


def test_more_than_half_of_the_seats_elect_a_chairman_h2() -> None:
    story = Story(4, "hollywood").tell(ANN, Elect(key(EVA))).tell(BO, Elect(key(EVA)))
    assert story.table.chairman == key(ANN)
    assert story.tell(EVA, Elect(key(EVA))).table.chairman == key(EVA)


def test_one_voter_has_one_vote_h2() -> None:
    story = Story(3, "hollywood").tell(BO, Elect(key(EVA)), Elect(key(EVA)))
    assert story.table.chairman == key(ANN)
    story.tell(BO, Elect(key(BO))).tell(EVA, Elect(key(EVA)))
    assert story.table.chairman == key(ANN)


def test_the_votes_of_those_who_left_do_not_count_h2() -> None:
    story = Story(4, "hollywood").tell(BO, Elect(key(EVA))).tell(LATE, Elect(key(EVA)))
    story.tell(LATE, Leave()).sit(STRANGER).tell(EVA, Elect(key(EVA)))
    assert story.table.chairman == key(ANN)


def test_a_chairman_who_left_is_followed_by_the_default_h2() -> None:
    story = Story(3, "hollywood").tell(ANN, Elect(key(EVA))).tell(BO, Elect(key(EVA)))
    assert story.table.chairman == key(EVA)
    assert story.tell(EVA, Leave()).table.chairman == key(ANN)


# The other game


@pytest.mark.parametrize(
    "statement",
    [Elect(key(ANN)), AwardFine(key(ANN), Offence.OTHER), LiftFine(0), Order(Drink.PORT)],
)
def test_the_bidding_game_has_no_slate_h13(statement: Message) -> None:
    with refused(Reason.GUESSING_ONLY):
        tried(Story(2), ANN, statement)


def test_a_whole_bidding_game_leaves_the_slate_empty() -> None:
    story = Story(2).start(ANN, BO).play_on()
    assert slate(story) == Slate() and not story.table.has_slate
    assert slate(story.tell(BO, Leave()).tell(ANN, Leave())) == Slate()
