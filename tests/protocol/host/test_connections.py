"""Who is let in, who waits at the door, and who has to give way."""

import pytest

from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.host.connections import Connection, Connections
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
from protocol.table.statements import Say
from protocol.timing import LOST_DELAY, UNSTEADY_DELAY, Moment, RoundTrip
from protocol.wire.handshake import HostHandshake
from protocol.wire.messages import (
    Farewell,
    Ping,
    write,
)
from tests.protocol.greetings import hello_of
from tests.protocol.joining import ADDRESS
from tests.protocol.stories import Desk, Story, signing_key

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


def test_only_seats_that_are_here_count_as_apart_from_each_other() -> None:
    here = connections("a", "b", "c", keys=(b"Ann", b"Bo", b"Watcher"))
    for _, each in here.inside():
        each.apart = frozenset({b"Ann", b"Gone", b"Watcher"})
    assert here.apart == {(b"Bo", b"Ann")}


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


def test_more_than_a_burst_of_one_link_waits_and_everybody_else_goes_on() -> None:
    desk = Desk(Story(2))
    loud, quiet = desk.join(0, address=ADDRESS), desk.join(1, address="192.0.2.2")
    desk.receive(loud, write(Ping(0)) * 10_000)
    assert desk.stalled == {loud}
    story = Story(2)
    desk.propose(quiet, story.intent(1, Say(ForeignText("here"))))
    assert desk.host.log[-1].statement == Say(ForeignText("here"))


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


def test_a_long_frame_is_read_only_of_whoever_was_let_in() -> None:
    early, known = (Connection(handshake(), "a", since=0, heard=0) for _ in range(2))
    for connection in (early, known):
        connection.reader.push((MAX_EARLY_FRAME + 1).to_bytes(4, "big"))
    known.let_in(0)
    with pytest.raises(Malformed):
        next(early.messages(Moment(0, 0)))
    assert list(known.messages(Moment(0, 0))) == []


def handshake() -> HostHandshake:
    """The handshake of a guest whose hello was proven."""
    said = HostHandshake(b"", b"")
    said.hello = hello_of(0, port=7)
    return said


def test_whoever_is_let_in_holds_what_it_shares_with_the_log() -> None:
    connection = Connection(handshake(), "a", since=0, heard=0)
    connection.let_in(5)
    assert (connection.sent, connection.port) == (5, 7)
    assert connection.key == signing_key(0).public


# Slow networks


def slow(round_trip: float, key: bytes | None = b"Ann") -> Connection:
    connection = Connection(HostHandshake(b"", b"", key=key), "a", since=0, heard=0)
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
