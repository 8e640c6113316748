"""Who is let in, who waits at the door, and who has to give way."""

import pytest

from protocol.host.connections import Connection, Connections
from protocol.limits import (
    HELLO_TIMEOUT,
    MAX_LINKS,
    MAX_UNPROVEN,
    MAX_UNPROVEN_OF_ADDRESS,
    MAX_WATCHERS_OF_ADDRESS,
)
from protocol.timing import LOST_DELAY, Moment
from protocol.wire.handshake import HostHandshake
from protocol.wire.messages import Farewell

SEATED = {b"Ann", b"Bo"}


def connections(*addresses: str | None, keys: tuple[bytes | None, ...] = ()) -> Connections:
    """Connections from these addresses, let in by these keys."""
    all_ = Connections(lambda key: key in SEATED)
    for link, address in enumerate(addresses):
        key = keys[link] if link < len(keys) else None
        all_[link] = Connection(HostHandshake(b"", b"", key=key), address, since=0, heard=0)
    return all_


def test_a_new_connection_finds_room() -> None:
    assert connections("a", "b").room_for("c") == []


def test_one_address_has_so_many_unproven_connections_and_no_more() -> None:
    full = connections(*["a"] * MAX_UNPROVEN_OF_ADDRESS)
    assert full.room_for("a") is None
    assert full.room_for("b") == []


def test_the_busiest_address_gives_way_with_its_oldest() -> None:
    crowd = connections("b", *["a"] * 7, *[f"c{n}" for n in range(MAX_UNPROVEN - 8)])
    assert crowd.room_for("new") == [1]


def test_the_hosts_own_program_always_finds_room() -> None:
    assert connections(*["a"] * MAX_UNPROVEN).room_for(None) == []


def test_who_was_let_in_is_not_counted_at_the_door() -> None:
    inside = connections(*["a"] * 20, keys=tuple(bytes([n]) for n in range(20)))
    assert inside.room_for("a") == []


def test_so_many_watch_from_one_address_and_no_more() -> None:
    keys = tuple(bytes([n]) for n in range(MAX_WATCHERS_OF_ADDRESS))
    watching = connections(*["a"] * len(keys), keys=keys)
    assert watching.place_for(b"one more", "a") is None
    assert watching.place_for(b"one more", "b") == []
    assert watching.place_for(b"Ann", "a") == []


def test_a_seat_comes_before_a_watcher() -> None:
    keys = tuple(f"{n}".encode() for n in range(MAX_LINKS))
    full = connections(*[f"a{n}" for n in range(MAX_LINKS)], keys=keys)
    assert full.place_for(b"one more", "b") is None
    assert full.place_for(b"Ann", "b") == [MAX_LINKS - 1]


def test_the_hosts_own_players_give_way_to_nobody() -> None:
    full = connections(*[None] * MAX_LINKS, keys=tuple(f"{n}".encode() for n in range(MAX_LINKS)))
    assert full.place_for(b"Ann", "b") == []


@pytest.mark.parametrize(
    "key,change,after,why",
    [
        (b"Ann", {}, LOST_DELAY, None),
        (b"Ann", {}, LOST_DELAY + 1, Farewell.SILENT),
        (None, {}, HELLO_TIMEOUT, None),
        (None, {}, HELLO_TIMEOUT + 1, Farewell.TOO_LATE),
        (b"Ann", {"heard": 99.0, "clogged_since": 0.0}, LOST_DELAY, None),
        (b"Ann", {"heard": 99.0, "clogged_since": 0.0}, LOST_DELAY + 1, Farewell.TOO_SLOW),
    ],
)
def test_a_connection_has_its_time(
    key: bytes | None, change: dict[str, object], after: float, why: Farewell | None
) -> None:
    connection = Connection(HostHandshake(b"", b"", key=key), "a", since=0, heard=0)
    for name, value in change.items():
        setattr(connection, name, value)
    assert connection.overdue(Moment(after, 0)) is why
