"""A table server: what it does with guests, strangers, slow readers and a full disk."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.guest.guest import Guest
from protocol.host.effects import Found, Record, Send
from protocol.limits import (
    HANDSHAKE_TIMEOUT,
    HELLO_TIMEOUT,
    MAX_HANDSHAKES_OF_ADDRESS,
    MAX_UNPROVEN_OF_ADDRESS,
    MESSAGES_BURST,
    MESSAGES_INTERVAL,
)
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.statements import Say
from protocol.version import PROGRAM
from protocol.wire.messages import (
    Farewell,
    Goodbye,
    Greeting,
    Ping,
    read_from_host,
    sign_hello,
    write,
)
from spoof_tui.network import table_server as servers
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import dial
from spoof_tui.runtime.notices import Broken
from spoof_tui.storage.disk import RETRY_DELAY
from tests.helpers.virtual import network
from tests.spoof_tui.network.ends import End
from tests.spoof_tui.runtime.local_table import (
    LocalTable,
    Sitter,
    Wire,
    local_table,
    new_key,
    until,
)

HELLO = ForeignText("hello")


@dataclass
class Visitor(End):
    """A guest made of bare bytes."""

    @property
    def heard(self) -> list[Message]:
        """All that the host has said."""
        return [*map(read_from_host, FrameReader().feed(self.data))]

    async def meet(self, key: SigningKey) -> None:
        """Greet and be welcomed."""
        [greeting] = self.heard
        assert isinstance(greeting, Greeting)
        self.link.send(write(sign_hello(key, PROGRAM, greeting, self.link.channel, EMPTY)))
        await until(lambda: len(self.heard) > 1)


def place(table: LocalTable) -> Address:
    return Address("127.0.0.1", table.port)


async def visit(table: LocalTable) -> Visitor:
    """A guest who comes over the network, and is greeted."""
    visitor = Visitor()
    await dial(visitor, place(table))
    await until(lambda: visitor.heard)
    return visitor


@dataclass
class Stranger(asyncio.Protocol):
    """A connection on which nothing is said."""

    cut: float | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.cut = asyncio.get_running_loop().time()


async def knock(table: LocalTable) -> Stranger:
    stranger = Stranger()
    loop = asyncio.get_running_loop()
    await loop.create_connection(lambda: stranger, "127.0.0.1", table.port)
    return stranger


@contextlib.asynccontextmanager
async def listening(
    record: Callable[[Sequence[Entry]], None] = lambda blobs: None,
) -> AsyncIterator[LocalTable]:
    """A table on the network; its sessions still come by memory."""
    async with local_table(record=record) as table:
        table.port = await table.server.start(servers.bound(0, loopback_only=False))
        yield table


async def say(teller: Sitter, *listeners: Sitter) -> None:
    """A guest says hello, and everybody hears it."""
    counts = [len(each.view.talk) for each in listeners]
    teller.session.do(Guest.propose, Say(HELLO))
    for each, count in zip(listeners, counts, strict=True):
        await until(lambda each=each, count=count: len(each.view.talk) > count)  # type: ignore[misc]


# Guests and strangers


async def test_who_speaks_otherwise_or_not_at_all_is_told_goodbye_and_the_others_play_on() -> None:
    async with listening() as table:
        pair = await table.sit("Ann", "Bob")
        good, bad, silent = [await visit(table) for _ in range(3)]
        await good.meet(new_key())
        bad.link.send(bytes(64))
        await asyncio.sleep(1.0)
        assert bad.heard[1:] == [Goodbye(Farewell.MALFORMED)] and bad.lost_
        assert not silent.lost_
        await asyncio.sleep(HELLO_TIMEOUT)
        assert silent.heard[1:] == [Goodbye(Farewell.TOO_LATE)] and silent.lost_
        await say(*pair)
        assert not good.lost_


async def test_one_connection_too_many_is_told_and_dropped_until_another_hangs_up() -> None:
    async with listening() as table:
        visitors = [await visit(table) for _ in range(MAX_UNPROVEN_OF_ADDRESS + 1)]
        assert [len(each.heard) for each in visitors] == [1] * len(visitors)
        assert visitors[-1].heard == [Goodbye(Farewell.TOO_MANY)]
        visitors[0].link.abort()
        await asyncio.sleep(0.5)
        assert isinstance((await visit(table)).heard[0], Greeting)


async def test_a_port_held_open_in_silence_is_cut_and_gives_way_to_who_comes_next() -> None:
    async with listening() as table:
        begun = asyncio.get_running_loop().time()
        silent = [await knock(table) for _ in range(MAX_HANDSHAKES_OF_ADDRESS)]
        await asyncio.sleep(1.0)
        assert not any(each.cut for each in silent)
        await visit(table)
        assert [bool(each.cut) for each in silent] == [True, *[False] * (len(silent) - 1)]
        await asyncio.sleep(HANDSHAKE_TIMEOUT)
        assert all(each.cut for each in silent)
        assert silent[-1].cut == pytest.approx(begun + HANDSHAKE_TIMEOUT, abs=1.0)


# Saying too much, and reading too little


async def test_a_flood_is_read_slowly_and_all_of_it() -> None:
    async with listening() as table:
        guest = await visit(table)
        await guest.meet(new_key())
        begun = asyncio.get_running_loop().time()
        for _ in range(10):
            guest.link.send(write(Ping(0)) * 40)
        guest.link.send(bytes(64))
        await until(lambda: guest.lost_)
        took = asyncio.get_running_loop().time() - begun
        assert guest.heard[-1] == Goodbye(Farewell.MALFORMED)
        slowly = (400 - MESSAGES_BURST) * MESSAGES_INTERVAL
        assert 0.8 * slowly < took < 1.1 * slowly


async def test_a_reader_that_stays_slow_is_cut_and_comes_back() -> None:
    async with listening() as table:
        [ann] = await table.sit("Ann")
        wire = Wire(lambda owner: dial(owner, place(table)))
        slow = table.seat("Slow", wire=wire)
        await until(lambda: slow.sits)
        [connection] = network().wires()
        connection.pause_reading()
        table.server.carry_out([Send((2,), write(Ping(0)) * 60_000)])
        assert table.server.host.connections[2].clogged_since is not None
        await say(ann, ann)
        await until(lambda: len(wire.dials) == 2)
        await until(lambda: slow.view.talk)
        assert not slow.told(Broken)


# The disk


@dataclass
class FullDisk:
    """Records entries while there is room."""

    written: list[Entry] = field(default_factory=list)
    is_full: bool = False

    def __call__(self, entries: Sequence[Entry]) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.written += entries


async def test_while_the_log_cannot_be_written_the_table_stands_still() -> None:
    disk = FullDisk()
    async with listening(record=disk) as table:
        ann, bob = await table.sit("Ann", "Bob")
        far = await visit(table)
        await far.meet(new_key())
        server, kept, disk.is_full = table.server, [*disk.written], True
        ann.session.do(Guest.propose, Say(HELLO))
        await until(lambda: server.trouble)
        heard = len(far.heard)
        bob.session.do(Guest.propose, Say(HELLO))
        far.link.send(bytes(64))
        await asyncio.sleep(HELLO_TIMEOUT / 2)
        far.link.send(bytes(1 << 22))
        await asyncio.sleep(HELLO_TIMEOUT / 2)
        # What comes meanwhile is not even read: nothing piles up.
        assert far.link.unsent()
        assert len(server.host.log) == len(kept) + 2 == len(server.recorded) + 1
        assert disk.written == kept and not ann.view.talk and not bob.view.talk
        # Nobody comes in, and nobody hears a host that could keep nothing: others stand for it.
        assert len(far.heard) == heard
        with pytest.raises(OSError):
            await server.connect(ann.session)
        with pytest.raises(OSError):
            await dial(End(), place(table))
        disk.is_full = False
        await until(lambda: len(ann.view.talk) == len(bob.view.talk) == 2)
        assert server.trouble is None
        assert disk.written == list(server.host.log[1:])
        await until(lambda: far.heard[-1] == Goodbye(Farewell.MALFORMED))
        await visit(table)


async def test_a_new_table_is_kept_behind_the_log_of_the_old_one() -> None:
    found, disk = list[Entry](), FullDisk()
    async with local_table(record=disk) as table:
        table.server.found = found.append
        entry, disk.is_full = table.server.host.log[0], True
        table.server.carry_out([Record(entry), Found(entry)])
        await asyncio.sleep(3 * RETRY_DELAY)
        assert found == [] and table.server.trouble
        disk.is_full = False
        await until(lambda: found == [entry])
        assert disk.written == [entry]


# Closing


@pytest.mark.parametrize(
    ("is_moving", "why"), [(False, Farewell.CLOSED), (True, Farewell.HANDED_OVER)]
)
async def test_closing_says_goodbye_and_hears_no_more(is_moving: bool, why: Farewell) -> None:
    async with listening() as table:
        [ann] = await table.sit("Ann")
        met, greeted, silent = await visit(table), await visit(table), await knock(table)
        await met.meet(new_key())
        await table.server.close(is_moving=is_moving)
        await asyncio.sleep(0.1)
        assert met.heard[-1] == greeted.heard[-1] == Goodbye(why)
        assert met.lost_ and greeted.lost_ and silent.cut
        length = len(table.server.host.log)
        ann.session.do(Guest.propose, Say(HELLO))
        await asyncio.sleep(1.0)
        assert len(table.server.host.log) == length or is_moving
        with pytest.raises(ConnectionRefusedError):
            await dial(End(), place(table))
