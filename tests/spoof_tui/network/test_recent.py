"""The addresses of the last tables."""

import stat
from pathlib import Path

import pytest

from spoof_tui.network import recent as known
from spoof_tui.network.addresses import Address
from spoof_tui.network.recent import MOST


def pier(number: int) -> Address:
    return Address(f"10.0.0.{number}", 7763)


def test_nothing_is_known_at_first() -> None:
    assert known.addresses() == ()


def test_the_newest_comes_first_and_once() -> None:
    for number in (1, 2, 1):
        known.remember(pier(number))
    assert known.addresses() == (pier(1), pier(2))


def test_the_oldest_is_forgotten() -> None:
    for number in range(MOST + 2):
        known.remember(pier(number))
    assert known.addresses() == tuple(pier(number) for number in range(MOST + 1, 1, -1))


def test_an_address_of_one_link_keeps_its_adapter() -> None:
    known.remember(Address("fe80::1%eth0", 7763))
    assert known.addresses() == (Address("fe80::1%eth0", 7763),)


def test_nobody_else_may_read_it(state: Path) -> None:
    known.remember(pier(1))
    assert stat.S_IMODE((state / "addresses.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{}", "[1, null, 'x']", '["\\ud800", 5]', "[" * 5000, "\xff"])
def test_a_file_of_something_else_counts_as_none(text: str, state: Path) -> None:
    (state / "addresses.json").write_text(text, "latin-1")
    assert known.addresses() == ()
    known.remember(pier(1))
    assert known.addresses() == (pier(1),)


def test_what_is_no_address_is_passed_over(state: Path) -> None:
    (state / "addresses.json").write_text('["10.0.0.1:7763", "no way", 7, "pier:0"]')
    assert known.addresses() == (pier(1),)


def test_a_disk_that_cannot_be_written_is_no_trouble(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").write_text("")
    monkeypatch.setenv("SPOOF_STATE", str(state / "file"))
    known.remember(pier(1))
    assert known.addresses() == ()
