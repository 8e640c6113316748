"""The addresses of earlier days, on disk."""

from pathlib import Path

import pytest

from spoof_tui.network import known_addresses
from spoof_tui.network.addresses import Address
from spoof_tui.network.known_addresses import MAX_OF_TABLE, MAX_RECENT, MAX_SEATS
from tests.helpers.unix import is_private

TABLE = bytes(32)


def pier(number: int) -> Address:
    return Address(f"10.0.0.{number}", 7763)


def piers(*numbers: int) -> tuple[Address, ...]:
    return tuple(map(pier, numbers))


def test_the_newest_come_first_and_once_and_the_oldest_are_forgotten() -> None:
    assert known_addresses.addresses() == ()
    for number in (1, 2, 1):
        known_addresses.remember(pier(number))
    assert known_addresses.addresses() == piers(1, 2)
    link_local = Address("fe80::1%eth0", 7763)
    for address in (*piers(*range(10, 10 + MAX_RECENT)), link_local):
        known_addresses.remember(address)
    assert known_addresses.addresses() == (link_local, *piers(*range(9 + MAX_RECENT, 10, -1)))


def test_a_machine_that_sat_at_a_table_may_host_one_at_the_usual_port() -> None:
    known_addresses.remember_seats(piers(1, 2, 3))
    known_addresses.remember_seats(
        [Address("fe80::1%eth0", 7763), Address(pier(2).host, 4000), Address("127.0.0.1", 7763)]
    )
    assert known_addresses.seats() == piers(2, 1, 3)
    known_addresses.keep_of_table(TABLE, (), piers(*range(10, 30)))
    assert known_addresses.seats() == piers(*range(10, 10 + MAX_SEATS))
    assert known_addresses.addresses() == ()


def test_where_a_table_may_be_is_kept_apart_from_all_others() -> None:
    known_addresses.keep_of_table(TABLE, piers(1, 2))
    known_addresses.keep_of_table(b"x" * 32, piers(3))
    known_addresses.remember(pier(4))
    assert known_addresses.of_table(TABLE) == piers(1, 2)
    known_addresses.keep_of_table(TABLE, piers(5, 2))
    assert known_addresses.of_table(TABLE) == piers(5, 2, 1)
    known_addresses.keep_of_table(TABLE, piers(*range(10, 12 + MAX_OF_TABLE)))
    assert known_addresses.of_table(TABLE) == piers(*range(10, 10 + MAX_OF_TABLE))


def test_nobody_else_may_read_it(state: Path) -> None:
    known_addresses.remember(pier(1))
    assert is_private(state / "addresses.json")


GOOD = '["10.0.0.7:7763", "no way", 7, "pier:0"]'


@pytest.mark.parametrize(
    "text", ["", "{}", "[1, null, 'x']", '["\\ud800", 5]', "[" * 5000, "\xff", GOOD]
)
def test_a_file_of_something_else_is_passed_over(text: str, state: Path) -> None:
    known_addresses.remember(pier(2))
    (state / "addresses.json").write_text(text, "latin-1")
    left = piers(7) if text == GOOD else ()
    assert known_addresses.addresses() == left
    known_addresses.remember(pier(1))
    assert known_addresses.addresses() == (pier(1), *left)


def test_a_disk_that_cannot_be_written_is_no_trouble(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").write_text("")
    monkeypatch.setenv("SPOOF_STATE", str(state / "file"))
    known_addresses.remember(pier(1))
    known_addresses.keep_of_table(TABLE, piers(1))
    assert known_addresses.addresses() == known_addresses.of_table(TABLE) == ()
