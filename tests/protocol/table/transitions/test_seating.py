"""Being admitted, and what a seat may do that was muted or refused."""

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.table.announcements import Admitted
from protocol.table.fold import check_statement, fold
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import Gesticulate, Gesture, Leave, Measure, Say, Sit
from tests.protocol.stories import Story, first_entry, refused, signing_key

ANN = signing_key(0).public
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


def test_who_is_removed_may_sit_down_again() -> None:
    story = Story(2).decide(Measure.REMOVE, 0).sit(0)
    assert [seat.key for seat in story.table.seats] == [signing_key(1).public, ANN]
