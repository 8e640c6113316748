"""Who is chairman, and what that one may do about the slate (H2, H10, H13)."""

from __future__ import annotations

import pytest

from protocol.encoding.codec import Message
from protocol.errors import Reason
from protocol.rules.words import Drink, Offence
from protocol.table.fold import check_statement
from protocol.table.statements import AwardFine, Elect, LiftFine, Order
from tests.protocol.stories import Story, refused, signing_key


def key(who: int) -> bytes:
    return signing_key(who).public


def school(players: int = 3) -> Story:
    return Story(players, "hollywood")


@pytest.mark.parametrize(
    "said", [Elect(key(0)), AwardFine(key(0), Offence.OTHER), LiftFine(0), Order(Drink.PORT)]
)
def test_the_bidding_game_has_no_slate(said: Message) -> None:
    with refused(Reason.GUESSING_ONLY):
        check_statement(Story(2).table, key(0), said)


def test_most_of_the_seats_make_a_chairman() -> None:
    story = school().tell(0, Elect(key(2)))
    assert story.table.chairman == key(0)
    assert story.tell(1, Elect(key(2))).table.chairman == key(2)


def test_nobody_without_a_seat_is_elected_or_fined() -> None:
    for said in (Elect(key(9)), AwardFine(key(9), Offence.OTHER)):
        with refused(Reason.NO_SEAT):
            check_statement(school().table, key(0), said)


def test_only_the_chairman_fines_and_lifts() -> None:
    story = school().tell(0, AwardFine(key(1), Offence.GLOATING))
    assert story.table.slate.owed(key(1)) == 1
    for said in (AwardFine(key(0), Offence.OTHER), LiftFine(0)):
        with refused(Reason.NOT_CHAIRMAN):
            check_statement(story.table, key(1), said)
    assert story.tell(0, LiftFine(0)).table.slate.owed(key(1)) == 0


def test_nothing_is_ordered_before_the_first_school() -> None:
    with refused(Reason.NO_GAME):
        check_statement(school().table, key(0), Order(Drink.PORT))


@pytest.mark.parametrize("offence", [Offence.ABUSE, Offence.EATING, Offence.WORK, Offence.OTHER])
def test_every_fine_of_the_bangkok_text_can_be_awarded_by_its_name_h13(offence: Offence) -> None:
    story = school().tell(0, AwardFine(key(1), offence))
    assert story.table.slate.fines[-1].offence is offence
