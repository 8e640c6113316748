"""Who is at a door, and how many."""

from ipaddress import ip_address

from spoof_tui.door.visitors import (
    MAX_OF_ADDRESS,
    MAX_VISITORS,
    Visitor,
    has_room,
)


def visitor(number: int, address: str = "10.0.0.1", key: bytes | None = None) -> Visitor:
    return Visitor.called(address, f"Player{number}", key)


def entered(*each: Visitor) -> list[Visitor]:
    """Those who get in, of visitors who come one by one."""
    inside: list[Visitor] = []
    for one in each:
        if has_room(one, inside):
            inside.append(one)
    return inside


def test_a_name_to_log_in_with_is_a_name_at_the_table() -> None:
    assert Visitor.called("10.0.0.1", "Ben\x1b[2J", None).name == "Ben[2J"
    assert Visitor.called("10.0.0.1", "x" * 300, None).name.startswith("xxx")
    assert Visitor.called("10.0.0.1", "", None).name == ""


def test_a_table_here_tells_visitors_apart_by_where_they_come_from() -> None:
    near, far = visitor(1, "10.0.0.1").source, visitor(1, "10.0.0.2").source
    assert near == visitor(2, "10.0.0.1", b"key").source != far
    assert ip_address(near).is_loopback and ip_address(far).is_loopback


def test_there_is_room_for_so_many_of_one_address_and_so_many_in_all() -> None:
    near = [visitor(each) for each in range(MAX_OF_ADDRESS)]
    assert entered(*near, visitor(99)) == near
    others = range(100, 100 + MAX_VISITORS - MAX_OF_ADDRESS)
    far = [visitor(each, f"10.0.1.{each}") for each in others]
    late = visitor(999, "10.0.2.1")
    assert entered(*near, *far, late) == [*near, *far]
    assert entered(*near, *far[1:], late)[-1] == late


def test_a_network_of_ipv6_is_one_address() -> None:
    near = [visitor(each, f"2001:db8::{each:x}") for each in range(MAX_OF_ADDRESS + 1)]
    far = visitor(99, "2001:db8:0:1::1")
    assert entered(*near, far) == [*near[:MAX_OF_ADDRESS], far]
    assert near[0].source == near[1].source
