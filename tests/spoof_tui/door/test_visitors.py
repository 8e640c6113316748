"""Who is at a door, and how many."""

from ipaddress import ip_address

from spoof_tui.door.visitors import (
    MAX_OF_ADDRESS,
    MAX_OF_PERSON,
    MAX_VISITORS,
    Visitor,
    Visitors,
)


def visitor(number: int, address: str = "10.0.0.1", key: bytes | None = None) -> Visitor:
    return Visitor.called(address, f"Player{number}", key)


def test_a_name_to_log_in_with_is_a_name_at_the_table() -> None:
    assert Visitor.called("10.0.0.1", "Ben\x1b[2J", None).name == "Ben[2J"
    assert Visitor.called("10.0.0.1", "x" * 300, None).name.startswith("xxx")
    assert Visitor.called("10.0.0.1", "", None).name == ""


def test_a_table_here_tells_visitors_apart_by_where_they_come_from() -> None:
    near, far = visitor(1, "10.0.0.1").source, visitor(1, "10.0.0.2").source
    assert near == visitor(2, "10.0.0.1", b"key").source != far
    assert ip_address(near).is_loopback and ip_address(far).is_loopback


def test_there_is_room_for_so_many_of_one_address_and_so_many_in_all() -> None:
    visitors = Visitors()
    assert all(visitors.enter(each, visitor(each)) for each in range(MAX_OF_ADDRESS))
    assert not visitors.enter(99, visitor(99))
    others = range(100, 100 + MAX_VISITORS - MAX_OF_ADDRESS)
    assert all(visitors.enter(each, visitor(each, f"10.0.1.{each}")) for each in others)
    assert not visitors.enter(999, visitor(999, "10.0.2.1"))
    visitors.leave(100)
    assert visitors.enter(999, visitor(999, "10.0.2.1"))
    assert len(visitors) == MAX_VISITORS


def test_a_network_of_ipv6_is_one_address() -> None:
    visitors = Visitors()
    near = [visitor(each, f"2001:db8::{each:x}") for each in range(MAX_OF_ADDRESS + 1)]
    inside = [visitors.enter(number, each) for number, each in enumerate(near)]
    assert inside == [True] * MAX_OF_ADDRESS + [False]
    assert visitors.enter(99, visitor(99, "2001:db8:0:1::1"))
    assert near[0].source == near[1].source


def test_one_person_has_a_few_windows_only() -> None:
    visitors = Visitors()
    own = [visitors.enter(each, visitor(1, key=b"key")) for each in range(MAX_OF_PERSON + 1)]
    assert own == [True] * MAX_OF_PERSON + [False]
    assert visitors.enter(9, visitor(1))
