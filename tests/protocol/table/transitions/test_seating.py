"""Being admitted, and what a seat may do that was muted or refused."""

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.table.announcements import Admitted, Decide, Vacated
from protocol.table.fold import check_statement, fold
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import (
    NO_ONE,
    Gesticulate,
    Gesture,
    Leave,
    Measure,
    Say,
    Sit,
    Vote,
)
from protocol.viewer import view_of
from tests.protocol.stories import GRACE, Story, first_entry, refused, signing_key

ANN = signing_key(0).public
LOCK = Decide(Measure.LOCK, NO_ONE)
UNLOCKING = Vote(Measure.UNLOCK, NO_ONE, yes=True)
HI = Say(ForeignText("hi"))


def locked_table() -> Table:
    return fold(None, first_entry("milan", 9, 0, locked=True))


def admitting(table: Table) -> Table:
    entry = Entry.sign(signing_key(255), 0, table.head, table.time, Admitted(ANN))
    return fold(table, entry)


def test_who_has_proven_the_join_code_is_remembered() -> None:
    assert locked_table().admitted == frozenset()
    assert admitting(locked_table()).admitted == {ANN}


def test_nobody_is_admitted_twice() -> None:
    with refused(Reason.REPEATED):
        check_statement(admitting(locked_table()), None, Admitted(ANN))


def test_an_open_table_admits_nobody_by_a_code() -> None:
    with refused(Reason.NO_CODE_HERE):
        check_statement(Story(1).table, None, Admitted(ANN))


@pytest.mark.parametrize("statement", [HI, Gesticulate(Gesture.MITT_FULL)])
def test_who_is_muted_neither_talks_nor_gestures_until_unmuted(statement: Say) -> None:
    story = Story(2).decide(Measure.MUTE, 0)
    with refused(Reason.MUTED):
        check_statement(story.table, ANN, statement)
    check_statement(story.table, signing_key(1).public, statement)
    story.decide(Measure.UNMUTE, 0)
    check_statement(story.table, ANN, statement)


def test_who_sits_down_again_is_still_muted() -> None:
    story = Story(2).decide(Measure.MUTE, 0).tell(0, Leave()).sit(0)
    with refused(Reason.MUTED):
        check_statement(story.table, ANN, HI)


def test_who_is_refused_may_not_sit_until_pardoned() -> None:
    story = Story(2).decide(Measure.BAR, 0)
    with refused(Reason.BARRED):
        check_statement(story.table, ANN, Sit(ForeignText("Ann")))
    story.decide(Measure.PARDON, 0).sit(0)
    assert story.table.seat(ANN) is not None


def test_who_comes_through_a_door_says_so_and_who_does_not_says_nothing() -> None:
    story = Story(0).tell(0, Sit(ForeignText("Ann"), through_door=True))
    assert story.table.doors == {ANN}
    assert [seat.through_door for seat in view_of(story.table, ANN).seats] == [True]
    story.tell(0, Leave())
    assert story.table.doors == {ANN}
    story.tell(0, Sit(ForeignText("Ann")))
    assert story.table.doors == frozenset()


def test_who_is_removed_may_sit_down_again() -> None:
    story = Story(2).decide(Measure.REMOVE, 0).sit(0)
    assert [seat.key for seat in story.table.seats] == [signing_key(1).public, ANN]


def freed(story: Story, who: int = 0) -> None:
    check_statement(story.table, None, Vacated(signing_key(who).public), story.now)


def test_the_seat_of_somebody_who_never_played_is_free_after_the_grace_time() -> None:
    story = Story(3).away(0).wait(GRACE)
    story.tell(None, Vacated(ANN))
    assert [seat.key for seat in story.table.seats] == [signing_key(n).public for n in (1, 2)]
    assert story.table.vacated == {ANN}
    assert story.sit(0).table.vacated == frozenset()


def test_no_seat_is_freed_before_the_grace_time_is_over() -> None:
    with refused(Reason.TOO_SOON):
        freed(Story(3).away(0).wait(GRACE - 0.001))


def test_who_is_there_keeps_the_seat() -> None:
    with refused(Reason.KEEPS_SEAT):
        freed(Story(3).wait(GRACE))
    with refused(Reason.KEEPS_SEAT):
        freed(Story(3).away(0).back(0).wait(GRACE))


def test_who_was_ever_dealt_in_keeps_the_seat() -> None:
    with refused(Reason.KEEPS_SEAT):
        freed(Story(3).start(0, 1, 2).away(0).wait(GRACE))
    with refused(Reason.KEEPS_SEAT):
        freed(Story(3).start(0, 1).play_on().away(0).wait(GRACE))


def test_who_hosts_the_table_keeps_the_seat() -> None:
    story = Story(3).move(0, 0, 1, 2)
    with refused(Reason.KEEPS_SEAT):
        freed(story.away(0).wait(GRACE))


def test_a_seat_that_was_taken_during_a_game_and_is_nobodys_is_free_while_it_runs() -> None:
    story = Story(2).start(0, 1).sit(2).away(2).wait(GRACE)
    game = story.table.game
    story.tell(None, Vacated(signing_key(2).public))
    assert len(story.table.seats) == 2 and story.table.game is game


def test_an_open_table_is_locked_and_unlocked_by_its_host_or_by_most() -> None:
    story = Story(3).tell(None, LOCK)
    assert story.table.shut
    with refused(Reason.NO_CHANGE):
        check_statement(story.table, None, LOCK)
    story.tell(0, UNLOCKING)
    assert story.table.shut
    assert not story.tell(1, UNLOCKING).table.shut


def test_a_table_with_a_code_has_no_other_lock() -> None:
    with refused(Reason.NO_CHANGE):
        check_statement(locked_table(), None, LOCK)
