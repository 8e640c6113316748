"""What a notice from the background says."""

from pathlib import Path
from typing import get_args

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Malformed, Reason
from protocol.wire.messages import Farewell
from spoof_tui.door.opening import DoorFailed, DoorOpened
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.plain.notices import OVER, Place, finding_lines, invitation_lines, notice_lines
from spoof_tui.runtime import notices
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.storage.identity import Holder
from tests.spoof_tui.ui.table.scenes import at

VIEW = at("answering").clients[0].view

TOLD = (
    notices.NotAllowed(Illegal(Reason.BID_TOO_LOW, standing=4)),
    notices.Saved(Path("a.spoof")),
    notices.NotSaved(OSError(28, "No space left on device")),
    notices.DiskTrouble(OSError(28, "No space left on device"), is_host=True),
    notices.NotKept(is_host=True),
    notices.Ended(Farewell.CLOSED),
    notices.CodeAsked(Farewell.WRONG_CODE),
    notices.TurnedAway(Farewell.TOO_MANY),
    notices.Broken(Malformed("what"), Path("evidence")),
    notices.HandedTo(VIEW.seats[1].key),
    notices.WentOn.__new__(notices.WentOn),
    notices.Standing(),
    notices.CannotOpen(OSError(98, "in use")),
    notices.CannotOpen(notices.KeyInUse()),
    notices.DoorChanged(DoorOpened(2222, "SHA256:abc")),
    notices.DoorChanged(DoorFailed("No door here.")),
    notices.DoorChanged(None),
    notices.Opened(7763, "No network.", "K7M4Q", "10.0.0.2:7763"),
    notices.NewCode("K7M4Q", CodeChange.ASKED),
    notices.OpenElsewhere(ForeignText("Ev\x1bil")),
    notices.Reopened(),
    notices.SeatHeld(Holder(7, ""), is_other_free=False),
    notices.TakenOver(Holder(7, "/dev/pts/1")),
)

BY_VIEWS = (notices.ViewChanged, notices.Ahead, notices.HostGone, notices.Moved)
"""Notices that say nothing by themselves."""


@pytest.mark.parametrize("notice", TOLD, ids=lambda notice: type(notice).__name__)
def test_a_notice_is_told_in_sentences(notice: object) -> None:
    told = [line for line in notice_lines(notice, Place(VIEW)) if line]
    assert told and all(line.isprintable() for line in told)


def test_no_notice_is_forgotten() -> None:
    known = {type(each) for each in TOLD} | {*BY_VIEWS, notices.Explained, notices.WhileAway}
    known |= {notices.ContinuedAt}
    assert set(get_args(notices.ClientNotice)) - known == set()


def test_after_some_notices_there_is_no_table() -> None:
    assert set(OVER) <= set(get_args(notices.ClientNotice))


def test_a_host_is_told_what_others_type() -> None:
    assert invitation_lines("10.0.0.2:7763", None) == [
        "Others find your table in their lobby, or type: spoof join 10.0.0.2"
    ]


def test_nothing_in_the_way_is_nothing_to_tell() -> None:
    findings: tuple[Finding, ...] = ()
    assert finding_lines(findings) == []


def test_a_code_is_spelled_letter_by_letter() -> None:
    told = notice_lines(notices.NewCode("K7M4Q", CodeChange.ASKED), Place())
    assert told == ["The code has changed: K 7 M 4 Q"]
