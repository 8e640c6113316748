"""What a notice changes in the scene, without any screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.wire.messages import Farewell
from spoof_tui.door.opening import DoorFailed, DoorOpened
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.runtime.notices import (
    CannotOpen,
    DiskTrouble,
    DoorChanged,
    Ended,
    Explained,
    HandedTo,
    KeyInUse,
    Moved,
    NewCode,
    NotAllowed,
    NotKept,
    NotSaved,
    Opened,
    OpenElsewhere,
    Saved,
    Standing,
    TurnedAway,
    ViewChanged,
)
from spoof_tui.ui.table.noticing import noted
from spoof_tui.ui.table.scene import Scene
from tests.spoof_tui.ui.table.scenes import at, scene_at, seen


@pytest.fixture
def scene() -> Scene:
    return scene_at("speaking")


OPENED = Opened(7763, "a firewall", "K7M4Q", "10.0.0.7:7763")


def test_an_own_table_tells_its_code_and_its_address(scene: Scene) -> None:
    noted(OPENED, scene)
    assert (scene.code, scene.address, scene.trouble) == ("K7M4Q", "10.0.0.7:7763", "a firewall")
    assert scene.hosts and scene.may_add_bots and not scene.news


def test_a_table_that_moved_here_says_which_code_to_tell(scene: Scene) -> None:
    noted(Moved(me=True), scene)
    noted(OPENED, scene)
    assert "K7M4Q" in scene.news[0]


def door_of(scene: Scene) -> DoorOpened | None:
    return scene.door


def test_a_door_is_told_with_its_command(scene: Scene) -> None:
    noted(OPENED, scene)
    opened = DoorOpened(2222, "SHA256:x")
    noted(DoorChanged(opened), scene)
    assert door_of(scene) == opened and "ssh -p 2222 10.0.0.7" in scene.remark
    noted(DoorChanged(DoorFailed("no such library")), scene)
    assert (door_of(scene), scene.remark) == (None, "no such library")


def test_a_door_that_is_closed_is_named_no_more(scene: Scene) -> None:
    noted(DoorChanged(DoorOpened(2222, "SHA256:x")), scene)
    noted(DoorChanged(None), scene)
    assert (door_of(scene), scene.remark) == (None, "The door for ssh is closed.")


def test_a_table_that_moved_on_takes_its_code_along(scene: Scene) -> None:
    noted(OPENED, scene)
    noted(Moved(me=False), scene)
    assert (scene.code, scene.address, scene.trouble) == (None, "", None)
    assert not scene.may_add_bots


def test_a_table_that_could_not_move_is_remarked_once(scene: Scene) -> None:
    apart = Explained((Finding(Code.GUESTS_APART, Severity.WARNING, names=("Ben", "Cy")),))
    noted(apart, scene)
    assert scene.remark.startswith("If you leave, the table cannot move. Ben, Cy")
    scene.remark = ""
    noted(apart, scene)
    assert scene.remark == ""


def test_another_code_is_told_with_its_reason(scene: Scene) -> None:
    noted(NewCode("X2X2X", CodeChange.GUESSED), scene)
    assert scene.code == "X2X2X"
    assert scene.remark == scene.code_news != ""


def test_what_is_not_allowed_is_a_remark_with_its_clause(scene: Scene) -> None:
    noted(NotAllowed(Illegal(Reason.NO_SEAT)), scene)
    assert scene.remark


def test_a_saved_game_is_told_with_a_short_path(scene: Scene) -> None:
    noted(Saved(Path.home() / "games" / "1.spoof"), scene)
    assert scene.record == Path("~/games/1.spoof")
    noted(Saved(Path("/elsewhere/1.spoof")), scene)
    assert scene.record == Path("/elsewhere/1.spoof")


def test_a_game_that_could_not_be_saved_says_why(scene: Scene) -> None:
    noted(NotSaved(OSError(28, "No space left")), scene)
    assert "No space left" in scene.remark


def test_a_full_disk_is_said_until_it_is_over(scene: Scene) -> None:
    noted(DiskTrouble(OSError(28, "No space left"), is_host=False), scene)
    scene.remark = "Something else."
    assert scene.said == "Something else."
    scene.remark = ""
    assert "disk is full" in scene.said
    noted(DiskTrouble(None, is_host=False), scene)
    assert scene.said == scene.remark and "again" in scene.said


def test_what_ends_with_the_program_says_so(scene: Scene) -> None:
    noted(NotKept(is_host=True), scene)
    assert "ends with this program" in scene.remark


def test_a_program_that_asks_for_the_table_says_so(scene: Scene) -> None:
    noted(Standing(), scene)
    assert scene.is_standing


def test_a_table_with_another_host_has_no_bots_to_add(scene: Scene) -> None:
    scene.may_add_bots = True
    noted(OpenElsewhere(ForeignText("Krona\x1b[2J")), scene)
    assert not scene.may_add_bots
    assert "Krona" in scene.news[0] and scene.news[0].isprintable()


def test_who_gets_the_table_is_told_by_name() -> None:
    table = at("speaking")
    one, two, _three = (client.view for client in table.clients)
    assert one.my_seat and two.my_seat
    scene = seen(table.clients[0])
    noted(HandedTo(two.my_seat.key), scene)
    assert "Player2" in scene.news[0]
    noted(HandedTo(one.my_seat.key), scene)
    assert scene.news[-1] == "The host gives the table to you."


def test_a_host_that_is_to_be_chosen_again_is_no_news(scene: Scene) -> None:
    assert scene.view
    noted(HandedTo(scene.view.host), scene)
    assert not scene.news


def test_whoever_is_turned_away_is_told_where_that_was(scene: Scene) -> None:
    scene.found_at = "10.0.0.7:7763"
    noted(TurnedAway(Farewell.IMPOSTOR), scene)
    assert "10.0.0.7:7763" in scene.turned_away


@pytest.mark.parametrize(
    "notice", [Ended(Farewell.CLOSED), CannotOpen(OSError("no")), CannotOpen(KeyInUse())]
)
def test_what_ends_the_table_is_told(notice: object, scene: Scene) -> None:
    noted(notice, scene)
    assert scene.over


def test_what_a_scene_does_not_show_changes_nothing(scene: Scene) -> None:
    before = repr(scene)
    assert scene.view
    noted(ViewChanged(scene.view), scene)
    assert repr(scene) == before


@pytest.mark.parametrize("reason", [Failure.REFUSED, Failure.SILENT, Failure.UNREACHABLE])
def test_an_address_without_a_table_is_not_the_end_of_one(reason: Failure) -> None:
    scene = Scene()
    noted(CannotOpen(ProbeFailed(Address("10.0.0.9", 7763), reason)), scene)
    assert scene.over_title == "Nobody answers there"
    assert "10.0.0.9:7763" in scene.over and "same network" in scene.over
