"""Asking addresses whether a table is there."""

from __future__ import annotations

import asyncio

import pytest

from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.limits import MAX_FRAME
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import Farewell, Goodbye, Ping, write
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import (
    ATTEMPT_DELAY,
    Failure,
    FoundTable,
    ProbeFailed,
    Reached,
    probe,
    reach,
    reach_any,
)
from tests.spoof_tui.network.ends import End
from tests.spoof_tui.network.places import (
    CARD,
    FULL,
    GARBAGE,
    REFUSED,
    UNREACHABLE,
    Places,
    at,
    greeting,
    now,
)

HERE = at(1)


async def test_a_table_greets_and_the_probe_hangs_up() -> None:
    places = Places({HERE: greeting()}, {HERE: b"key"}, trip=0.2)
    answer = await probe([HERE], connect=places.connect)
    assert answer == FoundTable(HERE, CARD, PROTOCOL, PROGRAM)
    assert (answer.key, answer.round_trip) == (b"key", 0.2)
    await asyncio.sleep(0)
    assert places.open == 0


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        pytest.param(FULL, Failure.BUSY, id="a full table"),
        pytest.param(REFUSED, Failure.REFUSED, id="nobody listens"),
        pytest.param(UNREACHABLE, Failure.UNREACHABLE, id="no way leads there"),
        pytest.param(b"", Failure.SILENT, id="nothing"),
        pytest.param(greeting()[:-1], Failure.SILENT, id="a part of a greeting"),
        pytest.param(b"\xff\xff\xff\xff", Failure.NO_TABLE, id="a frame of 4 GB"),
        pytest.param((MAX_FRAME + 1).to_bytes(4, "big"), Failure.NO_TABLE, id="a long frame"),
        pytest.param(bytes(4), Failure.NO_TABLE, id="an empty frame"),
        pytest.param(frame(b"\xc1"), Failure.NO_TABLE, id="no msgpack"),
        pytest.param(frame(pack(("greeting",))), Failure.NO_TABLE, id="half a greeting"),
        pytest.param(write(Ping(0)), Failure.NO_TABLE, id="another message first"),
        pytest.param(write(Goodbye(Farewell.CLOSED)), Failure.NO_TABLE, id="a goodbye"),
        pytest.param(GARBAGE, Failure.NO_TABLE, id="a web server"),
    ],
)
async def test_why_no_table_was_found(said: bytes | OSError, reason: Failure) -> None:
    places = Places({HERE: said})
    with pytest.raises(ProbeFailed, match=HERE.text) as failed:
        await probe([HERE], 1.0, places.connect)
    assert failed.value.reason is reason
    await asyncio.sleep(0)
    assert places.open == 0


# Several addresses


async def test_a_dead_address_does_not_hold_up_the_next() -> None:
    places = Places({at(2): greeting()})
    assert (await probe([HERE, at(2)], connect=places.connect)).address == at(2)
    assert ATTEMPT_DELAY <= now() < 2 * ATTEMPT_DELAY
    assert places.waiting == 0


@pytest.mark.parametrize(
    ("addresses", "reason"),
    [([HERE, at(2)], Failure.REFUSED), ([at(2), HERE], Failure.SILENT)],
)
async def test_the_first_address_says_why_all_failed(
    addresses: list[Address], reason: Failure
) -> None:
    with pytest.raises(ProbeFailed) as failed:
        await probe(addresses, 0.5, Places({HERE: REFUSED}).connect)
    assert failed.value.reason is reason


@pytest.mark.parametrize(
    ("said", "tries"), [(REFUSED, 1), (FULL, 1), (GARBAGE, 1), (UNREACHABLE, 3)]
)
async def test_only_who_has_not_answered_is_tried_again(said: bytes | OSError, tries: int) -> None:
    places = Places({HERE: said})
    with pytest.raises(ProbeFailed):
        await reach_any([HERE], 30.0, places.connect, tries=3)
    assert len(places.asked) == tries


# Going on with the link that was greeted


async def reached(said: bytes) -> tuple[Places, Reached]:
    places = Places({HERE: said})
    found = await reach(HERE, connect=places.connect)
    await asyncio.sleep(0.1)
    return places, found


@pytest.mark.parametrize("more", [b"", write(Goodbye(Farewell.CLOSED))])
async def test_the_link_that_was_greeted_is_gone_on_with(more: bytes) -> None:
    places, found = await reached(greeting() + more)
    guest = End()
    found.pass_to(guest)
    assert guest.data == greeting() + more
    guest.link.send(b"hello")
    await asyncio.sleep(0.1)
    assert places.hosts[0].data == b"hello"


async def test_a_table_that_has_hung_up_meanwhile_is_nobodys() -> None:
    places, found = await reached(greeting())
    places.hosts[0].link.close()
    await asyncio.sleep(0.1)
    with pytest.raises(OSError):
        found.pass_to(End())


async def test_who_says_too_much_before_it_is_spoken_to_is_left() -> None:
    places, found = await reached(greeting())
    [host] = places.hosts
    for is_open in (True, False):
        assert host.link
        host.link.send(bytes(MAX_FRAME))
        await asyncio.sleep(0.1)
        assert bool(host.lost_) is not is_open
    with pytest.raises(OSError):
        found.pass_to(End())
