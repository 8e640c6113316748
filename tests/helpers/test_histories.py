"""The history that is made up is one of real games."""

from pathlib import Path

from protocol.notation import check, read
from tests.helpers.histories import fill, record


def test_every_record_that_is_made_up_has_no_fault() -> None:
    for number in range(0, 250, 5):
        (game,) = read([record(number)[1].encode()])
        assert not check(game).faults and check(game).winner


def test_each_has_a_file_of_its_own(state: Path) -> None:
    assert len(set(fill(state, 40))) == 40
