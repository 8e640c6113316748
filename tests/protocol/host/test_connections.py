"""Who is let in, who waits, and who has to give way."""

import itertools

import pytest

from protocol.encoding.framing import frame
from protocol.host.connections import Connections, GuestLink
from protocol.limits import (
    HELLO_TIMEOUT,
    MAX_EARLY_FRAME,
    MAX_HELLO_TIMEOUT,
    MAX_LINKS,
    MAX_UNPROVEN,
    MAX_UNPROVEN_OF_ADDRESS,
    MAX_WATCHERS_OF_ADDRESS,
    MESSAGES_BURST,
)
from protocol.timeouts import LOST_DELAY, UNSTEADY_DELAY, Moment, RoundTrip
from protocol.wire.handshake import HostHandshake
from protocol.wire.messages import (
    Farewell,
    Ping,
    write,
)
from tests.protocol.joining import ADDRESS
from tests.protocol.stories import Desk, Story

SEATED = {b"Ann", b"Bo"}


def connections(*addresses: str | None, keys: tuple[bytes | None, ...] = ()) -> Connections:
    """Connections from these addresses, let in by these keys."""
    all_ = Connections(lambda key: key in SEATED)
    for link, address in enumerate(addresses):
        key = keys[link] if link < len(keys) else None
        all_[link] = GuestLink(HostHandshake(b"", b""), address, since=0, heard=0, key=key)
    return all_


CROWD = ["b", *["a"] * 7, *[f"c{n}" for n in range(MAX_UNPROVEN - 8)]]


@pytest.mark.parametrize(
    ("there", "known", "comes", "gives_way"),
    [
        (["a", "b"], 0, "c", []),
        (["a"] * MAX_UNPROVEN_OF_ADDRESS, 0, "a", None),
        (["a"] * MAX_UNPROVEN_OF_ADDRESS, 0, "b", []),
        (CROWD, 0, "new", [1]),
        (["a"] * MAX_UNPROVEN, 0, None, []),
        (["a"] * 20, 20, "a", []),
    ],
    ids=["room", "of one address no more", "but of another", "the oldest of the busiest goes",
         "the own program", "who was let in is not counted"],
)  # fmt: skip
def test_a_connection_finds_room_at_the_door(
    there: list[str], known: int, comes: str | None, gives_way: list[int] | None
) -> None:
    keys = tuple(bytes([number]) for number in range(known))
    assert connections(*there, keys=keys).room_for(comes) == gives_way


@pytest.mark.parametrize(
    ("there", "who", "comes", "gives_way"),
    [
        (["a"] * MAX_WATCHERS_OF_ADDRESS, b"one more", "a", None),
        (["a"] * MAX_WATCHERS_OF_ADDRESS, b"one more", "b", []),
        (["a"] * MAX_WATCHERS_OF_ADDRESS, b"Ann", "a", []),
        ([f"a{n}" for n in range(MAX_LINKS)], b"one more", "b", None),
        ([f"a{n}" for n in range(MAX_LINKS)], b"Ann", "b", [MAX_LINKS - 1]),
        ([None] * MAX_LINKS, b"Ann", "b", []),
        ([f"a{n % 4}" for n in range(MAX_LINKS)], b"one more", "b", [0]),
        (["b", *(f"a{n // 2}" for n in range(MAX_LINKS - 1))], b"one more", "b", None),
    ],
    ids=["so many watch from one address", "and others from another", "a seat comes in",
         "full", "a seat comes before a watcher", "but not before the host's own players",
         "the address that has most of all places gives one to a new one", "and to no other"],
)  # fmt: skip
def test_a_key_finds_a_place_inside(
    there: list[str | None], who: bytes, comes: str, gives_way: list[int] | None
) -> None:
    full = connections(*there, keys=tuple(f"{n}".encode() for n in range(len(there))))
    assert full.place_for(who, comes) == gives_way


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
    connection = GuestLink(HostHandshake(b"", b""), "a", since=0, heard=0, key=key)
    for name, value in change.items():
        setattr(connection, name, value)
    assert connection.overdue(Moment(after, 0)) is why


def test_what_waited_is_taken_in_time_and_then_the_link_is_read_again() -> None:
    desk = Desk(Story(1))
    loud = desk.join(0, address=ADDRESS)
    desk.receive(loud, write(Ping(0)) * (MESSAGES_BURST + 10))
    desk.pass_time(1.0)
    assert not desk.stalled and not desk.closed


def test_who_has_proven_nothing_may_not_send_a_long_frame() -> None:
    desk = Desk(Story(0))
    link = desk.dial(ADDRESS)
    desk.receive(link, frame(bytes(MAX_EARLY_FRAME + 1))[:5])
    assert desk.closed == {link: Farewell.MALFORMED}


# Slow networks


def slow(round_trip: float, key: bytes | None = b"Ann") -> GuestLink:
    connection = GuestLink(HostHandshake(b"", b""), "a", since=0, heard=0, key=key)
    connection.trip = RoundTrip(round_trip)
    return connection


@pytest.mark.parametrize(("round_trip", "least"), [(0.0, 0), (1.0, 11), (2.0, 13), (9.0, 13)])
def test_whoever_is_slow_has_more_time_for_the_code_and_not_for_ever(
    round_trip: float, least: float
) -> None:
    stranger = slow(round_trip, None)
    stranger.heard = 99.0
    ends = next(at for at in range(99) if stranger.overdue(Moment(at, 0)))
    assert max(HELLO_TIMEOUT, least) < ends <= MAX_HELLO_TIMEOUT + 1


def test_a_seat_on_a_slow_network_is_called_unsteady_later() -> None:
    at = Moment(UNSTEADY_DELAY + 1, 0)
    assert slow(0.01).is_unsteady(at)
    assert not slow(1.0).is_unsteady(at)


def test_the_way_is_measured_by_the_answers_to_pings_and_only_by_the_first_to_each() -> None:
    connection = slow(0.01)
    for after in (1.0, 5.0):
        connection.answer_ping(Moment(0, 0), Moment(after, 0))
    assert 0.01 < connection.trip.mean < 0.5


def test_a_connection_that_takes_the_place_of_another_knows_of_its_losses() -> None:
    older, newer = slow(0.01), slow(0.01)
    for _ in range(20):
        older.trip.measured(1.0)
        older.trip.measured(0.01)
    newer.replaces(older)
    assert not newer.is_unsteady(Moment(UNSTEADY_DELAY + 1, 0))


def test_a_friend_stays_at_the_door_while_a_crowd_comes_from_hundreds_of_addresses() -> None:
    all_, links = connections(), itertools.count()

    def come(address: str) -> int:
        giving_way, link = all_.room_for(address), next(links)
        for each in giving_way or ():
            del all_[each]
        all_[link] = GuestLink(HostHandshake(b"", b""), address, since=0, heard=0)
        return link

    flood = itertools.cycle([f"10.0.{number // 250}.{number % 250}" for number in range(500)])
    for _ in range(1000):
        come(next(flood))
    friend = come("a friend")
    for _ in range(5000):
        come(next(flood))
    assert friend in all_ and len(all_) == MAX_UNPROVEN
