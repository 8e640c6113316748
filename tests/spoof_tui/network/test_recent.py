"""The addresses of another day, on the disk."""

import stat
from pathlib import Path

import pytest

from spoof_tui.network import recent
from spoof_tui.network.addresses import Address
from spoof_tui.network.recent import MAX_RECENT, MAX_SEATS
from spoof_tui.storage import folders


def pier(number: int) -> Address:
    return Address(f"10.0.0.{number}", 7763)


def test_nothing_is_known_at_first() -> None:
    assert recent.addresses() == ()


def test_the_newest_comes_first_and_once() -> None:
    for number in (1, 2, 1):
        recent.remember(pier(number))
    assert recent.addresses() == (pier(1), pier(2))


def test_the_oldest_is_forgotten() -> None:
    for number in range(MAX_RECENT + 2):
        recent.remember(pier(number))
    assert recent.addresses() == tuple(pier(number) for number in range(MAX_RECENT + 1, 1, -1))


def test_of_a_machine_that_sat_at_a_table_the_last_address_is_kept() -> None:
    recent.remember_seats(pier(number) for number in range(1, 4))
    moved = Address(pier(2).host, 4000)
    recent.remember_seats([Address("fe80::1%eth0", 7763), moved, Address("127.0.0.1", 7763)])
    assert recent.seats() == (moved, pier(1), pier(3))
    recent.keep_of_table(TABLE, (), [pier(number) for number in range(10, 30)])
    assert recent.seats() == tuple(pier(number) for number in range(10, 10 + MAX_SEATS))
    assert recent.addresses() == ()


def test_an_address_of_one_link_keeps_its_adapter() -> None:
    recent.remember(Address("fe80::1%eth0", 7763))
    assert recent.addresses() == (Address("fe80::1%eth0", 7763),)


def test_nobody_else_may_read_it(state: Path) -> None:
    recent.remember(pier(1))
    assert stat.S_IMODE((state / "addresses.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{}", "[1, null, 'x']", '["\\ud800", 5]', "[" * 5000, "\xff"])
def test_a_file_of_something_else_counts_as_none(text: str, state: Path) -> None:
    (state / "addresses.json").write_text(text, "latin-1")
    assert recent.addresses() == ()
    recent.remember(pier(1))
    assert recent.addresses() == (pier(1),)


def test_what_is_no_address_is_passed_over(state: Path) -> None:
    (state / "addresses.json").write_text('["10.0.0.1:7763", "no way", 7, "pier:0"]')
    assert recent.addresses() == (pier(1),)


def test_a_disk_that_cannot_be_written_is_no_trouble(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").write_text("")
    monkeypatch.setenv("SPOOF_STATE", str(state / "file"))
    recent.remember(pier(1))
    assert recent.addresses() == ()


# Where one table may be

TABLE = bytes(32)


def test_where_a_table_may_be_is_kept_apart_from_all_others() -> None:
    recent.keep_of_table(TABLE, [pier(1), pier(2)])
    recent.keep_of_table(b"x" * 32, [pier(3)])
    recent.remember(pier(4))
    assert recent.of_table(TABLE) == (pier(1), pier(2))
    recent.keep_of_table(TABLE, [pier(5), pier(2)])
    assert recent.of_table(TABLE) == (pier(5), pier(2), pier(1))


def test_of_one_table_the_likeliest_are_kept() -> None:
    for number in range(recent.MAX_OF_TABLE + 2):
        recent.keep_of_table(TABLE, [pier(number)])
    assert len(recent.of_table(TABLE)) == recent.MAX_OF_TABLE
    assert recent.of_table(TABLE)[0] == pier(recent.MAX_OF_TABLE + 1)


@pytest.mark.parametrize("written", ["", "[", "{}", '["nowhere at all", 3, "10.0.0.7:7763"]'])
def test_what_is_kept_of_a_table_may_be_anything(written: str) -> None:
    recent.keep_of_table(TABLE, [pier(1)])
    (folders.table_folder(TABLE) / "addresses.json").write_text(written)
    assert recent.of_table(TABLE) in ((), (pier(7),))


def test_a_table_whose_folder_cannot_be_made_is_no_trouble(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").write_text("")
    monkeypatch.setenv("SPOOF_STATE", str(state / "file"))
    recent.keep_of_table(TABLE, [pier(1)])
    assert recent.of_table(TABLE) == ()
