"""Finding the tables of a network."""

import asyncio
import errno
import secrets
import subprocess
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from ipaddress import IPv4Interface, IPv6Interface

import pytest
from zeroconf import IPVersion
from zeroconf._dns import DNSPointer
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.host.host import Host
from protocol.version import PROTOCOL
from protocol.wire.messages import Card, Farewell, Goodbye, Greeting, write
from spoof_tui.network import discovery, endpoints, probing, recent
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.network.beacon import Beacon, BeaconKind
from spoof_tui.network.broadcast import Broadcast
from spoof_tui.network.discovery import (
    MAX_STRANGERS,
    SLOW_TRIP,
    THIS_MACHINE,
    Browser,
)
from spoof_tui.network.endpoints import MAX_ENDPOINTS, Endpoint
from spoof_tui.network.found_table import FoundTable
from spoof_tui.network.links import Owner, dial
from spoof_tui.network.mdns import SERVICE
from spoof_tui.network.pointing import passed_on, pointer
from spoof_tui.network.probe import GREETING_TRIPS, Answer
from spoof_tui.network.probing import (
    MAX_NEW_PROBES,
    MAX_SILENT_PROBES,
    MAX_SLOW_PROBES,
    Probes,
)
from tests.spoof_tui.network.greeter import (
    Handler,
    advertised,
    greeting,
    listening,
    looking,
    open_host,
    saying,
    until,
)

UNIT = 0.02
"""Seconds, in tests without a network, that stand for one of the program's."""


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No multicast, and a clock that runs faster."""

    async def never() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(discovery, "load", never)
    monkeypatch.setattr(Broadcast, "load", lambda _: never())
    for name in (
        "LISTED_INTERVAL",
        "UNHEARD_INTERVAL",
        "CROWD_INTERVAL",
        "SPARE_INTERVAL",
        "SECOND_CHANCE_DELAY",
        "SILENT_INTERVAL",
    ):
        monkeypatch.setattr(endpoints, name, getattr(endpoints, name) * UNIT)
    monkeypatch.setattr(discovery, "MIN_ASK_INTERVAL", discovery.MIN_ASK_INTERVAL * UNIT)
    for name in ("PROBE_TIMEOUT", "LISTED_TIMEOUT"):
        monkeypatch.setattr(probing, name, 0.5)


class List:
    """What a browser told, each time."""

    def __init__(self) -> None:
        self.told: list[tuple[FoundTable, ...]] = []

    @property
    def tables(self) -> tuple[FoundTable, ...]:
        """Those that have greeted: on a busy machine others may have introduced themselves."""
        return tuple(each for each in self.told[-1] if not each.is_awaited) if self.told else ()

    @property
    def names(self) -> list[str]:
        return [table.card.name.raw for table in self.tables if table.card]

    @property
    def addresses(self) -> list[Address]:
        return [table.address for table in self.tables]

    def row(self, table: bytes) -> FoundTable | None:
        return next((each for each in self.tables if each.card and each.card.table == table), None)


class Changing:
    """A server whose behaviour can be changed; it counts the connections."""

    def __init__(self, handler: Handler) -> None:
        self.handler = handler
        self.count = 0

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.count += 1
        await self.handler(reader, writer)


class Shifting:
    """Greets with a card that can be changed."""

    def __init__(self, card: Card) -> None:
        self.card = card

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(write(Greeting(PROTOCOL, "1", self.card, secrets.token_bytes(32))))
        await reader.read()


@asynccontextmanager
async def asking(*known: Address) -> AsyncIterator[List]:
    """The list of a browser that knows these addresses."""
    rows = List()
    async with looking(Browser(rows.told.append, known=known)):
        yield rows


# Without a network


def test_this_machine_is_asked_always() -> None:
    assert Address("127.0.0.1", DEFAULT_PORT) == THIS_MACHINE
    assert list(Browser(print)._endpoints) == [THIS_MACHINE]


@pytest.mark.usefixtures("alone")
async def test_a_known_table_is_listed() -> None:
    host = open_host()
    async with listening(greeting(host)) as address, asking(address) as rows:
        await until(lambda: bool(rows.tables))
        assert rows.tables == (FoundTable(address, host.card, PROTOCOL, rows.tables[0].program),)


@pytest.mark.usefixtures("alone")
async def test_an_address_may_be_added_later() -> None:
    rows = List()
    browser = Browser(rows.told.append, known=())
    async with listening(greeting(open_host())) as address, looking(browser):
        browser.add(address)
        browser.add(address)
        await until(lambda: rows.addresses == [address])
        assert browser.tables == rows.tables


@pytest.mark.usefixtures("alone")
async def test_only_changes_are_told() -> None:
    table = Shifting(open_host().card)
    server = Changing(table)
    async with listening(server) as address, asking(address) as rows:
        await until(lambda: server.count >= 5)
        assert len(rows.told) == 1
        table.card = replace(table.card, taken=3)
        await until(lambda: len(rows.told) == 2)
        assert rows.tables[0].card == table.card


@pytest.mark.usefixtures("alone")
async def test_a_closed_port_is_gone_with_the_first_refusal() -> None:
    rows = List()
    refused = 0
    async with AsyncExitStack() as closing:
        address = await closing.enter_async_context(listening(greeting(open_host())))

        async def connect(owner: Owner, where: Address) -> None:
            nonlocal refused
            try:
                await dial(owner, where)
            except ConnectionRefusedError:
                refused += 1
                raise

        async with looking(Browser(rows.told.append, known=[address], connect=connect)):
            await until(lambda: bool(rows.tables))
            await closing.aclose()
            await until(lambda: not rows.tables)
            assert refused == 1


@pytest.mark.usefixtures("alone")
async def test_one_missing_answer_is_forgiven_and_two_are_not() -> None:
    server = Changing(greeting(open_host()))
    async with listening(server) as address, asking(address) as rows:
        await until(lambda: bool(rows.tables))
        greet, server.handler = server.handler, saying(b"")
        missed = server.count
        await until(lambda: server.count == missed + 1)
        server.handler = greet
        await until(lambda: server.count >= missed + 4)
        assert len(rows.told) == 1
        server.handler = saying(b"")
        missed = server.count
        await until(lambda: not rows.tables)
        assert server.count == missed + 2


@pytest.mark.usefixtures("alone")
async def test_a_table_that_comes_back_is_listed_again() -> None:
    server = Changing(saying(b"garbage"))
    async with listening(server) as address, asking(address) as rows:
        await until(lambda: server.count >= 2)
        assert not rows.told
        server.handler = greeting(open_host())
        await until(lambda: bool(rows.tables))


@pytest.mark.usefixtures("alone")
async def test_a_full_table_stays_listed() -> None:
    server = Changing(greeting(open_host()))
    async with listening(server) as address, asking(address) as rows:
        await until(lambda: bool(rows.tables))
        server.handler = saying(write(Goodbye(Farewell.TOO_MANY)))
        count = server.count
        await until(lambda: server.count >= count + 4)
        assert len(rows.told) == 1


@pytest.mark.usefixtures("alone")
async def test_another_version_is_listed_with_its_numbers() -> None:
    other = saying(frame(pack(("greeting", 99, "9.9"))))
    async with listening(other) as address, asking(address) as rows:
        await until(lambda: bool(rows.tables))
        assert rows.tables == (FoundTable(address, None, 99, "9.9"),)


@pytest.mark.usefixtures("alone")
async def test_two_addresses_of_a_table_are_one_row() -> None:
    host = open_host()
    first, second = Changing(greeting(host)), Changing(greeting(host))
    async with AsyncExitStack() as stack, listening(second) as there:
        closing = await stack.enter_async_context(AsyncExitStack())
        here = await closing.enter_async_context(listening(first))
        rows = List()
        browser = Browser(rows.told.append, known=[here])
        await stack.enter_async_context(looking(browser))
        await until(lambda: rows.addresses == [here])
        browser.add(there)
        await until(lambda: second.count >= 3)
        assert rows.addresses == [here]
        await closing.aclose()
        await until(lambda: rows.addresses == [there])


@pytest.mark.usefixtures("alone")
async def test_rows_are_in_the_order_of_names() -> None:
    hosts = [open_host(name) for name in ("b", "C", "a", "a")]
    async with AsyncExitStack() as stack:
        known = [await stack.enter_async_context(listening(greeting(each))) for each in hosts]
        other = saying(frame(pack(("greeting", 99, "9.9"))))
        known.append(await stack.enter_async_context(listening(other)))
        rows = await stack.enter_async_context(asking(*known))
        await until(lambda: len(rows.tables) == 5)
        assert rows.names == ["a", "a", "b", "C"]
        assert rows.tables[-1].card is None
        same = [table.card.table for table in rows.tables[:2] if table.card]
        assert same == sorted(same)


class Crowd:
    """Many addresses that never answer, and one that does."""

    def __init__(self, real: Address) -> None:
        self.real = real
        self.now = 0
        self.most = 0

    async def connect(self, owner: Owner, address: Address) -> None:
        if address == self.real:
            await dial(owner, address)
            return
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.Event().wait()
            raise AssertionError
        finally:
            self.now -= 1


@pytest.mark.usefixtures("alone")
async def test_a_dead_crowd_is_asked_slowly_and_holds_up_no_table() -> None:
    server = Changing(greeting(open_host()))
    async with listening(server) as real:
        crowd, rows = Crowd(real), List()
        known = [real, *(Address("10.0.0.5", port) for port in range(1, 40))]
        async with looking(Browser(rows.told.append, known=known, connect=crowd.connect)):
            await until(lambda: bool(rows.tables))
            await until(lambda: server.count >= 10, within=3)
        at_most = MAX_SILENT_PROBES + MAX_NEW_PROBES + MAX_SLOW_PROBES
        assert MAX_SILENT_PROBES <= crowd.most <= at_most
        assert crowd.now == 0


@pytest.mark.usefixtures("alone")
async def test_an_error_in_the_program_is_not_lost() -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError

    async with listening(greeting(open_host())) as address:
        browser = Browser(fail, known=[address])
        await browser.start()
        await until(lambda: bool(browser.tables))
        with pytest.raises(ZeroDivisionError):
            await browser.close()


async def test_it_can_be_closed_at_any_time() -> None:
    await Browser(print).close()
    browser = Browser(print, known=())
    await browser.start()
    await browser.close()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="eager tasks came with Python 3.12")
@pytest.mark.usefixtures("alone")
async def test_tasks_may_start_eagerly() -> None:
    factory = getattr(asyncio, "eager_task_factory", None)
    asyncio.get_running_loop().set_task_factory(factory)
    async with listening(greeting(open_host())) as address, asking(address) as rows:
        await until(lambda: bool(rows.tables))


# Beacons, heard or forged


HERE = Beacon(BeaconKind.HERE, 7763, bytes(8))
GONE = Beacon(BeaconKind.GONE, 7763, bytes(8))


def here(address: Address) -> Beacon:
    return replace(HERE, port=address.port)


def elsewhere(number: int) -> Address:
    """One of 65,536 addresses where nothing is."""
    return Address(f"10.0.{number // 256}.{number % 256}", 7763)


async def unreachable(_owner: Owner, _address: Address) -> None:
    raise OSError(errno.EHOSTUNREACH, "No route to host")


@pytest.mark.usefixtures("alone")
async def test_a_table_is_asked_where_a_beacon_came_from() -> None:
    rows = List()
    async with (
        listening(greeting(open_host())) as address,
        looking(Browser(rows.told.append, known=())) as browser,
    ):
        browser._seen(address, here(address))
        await until(lambda: rows.addresses == [address])


@pytest.mark.usefixtures("alone")
async def test_a_beacon_alone_lists_nothing() -> None:
    asked = list[Address]()

    async def connect(owner: Owner, address: Address) -> None:
        asked.append(address)
        await unreachable(owner, address)

    rows = List()
    async with looking(Browser(rows.told.append, known=(), connect=connect)) as browser:
        browser._seen(elsewhere(1), HERE)
        await until(lambda: len(asked) >= 2)
        assert not rows.told


async def silent(_owner: Owner, _address: Address) -> None:
    await asyncio.Event().wait()


@pytest.mark.usefixtures("alone")
async def test_a_table_of_a_slow_network_is_listed_until_it_should_have_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, card = List(), open_host("North").card
    monkeypatch.setattr(endpoints, "SLACK", -GREETING_TRIPS * SLOW_TRIP + 0.02)
    async with looking(Browser(rows.told.append, known=(), connect=silent)) as browser:
        browser._introduced(elsewhere(1), card, SLOW_TRIP / 2)
        browser._introduced(elsewhere(1), card, None)
        assert not rows.told
        browser._introduced(elsewhere(1), card, SLOW_TRIP)
        awaited = FoundTable(elsewhere(1), card, PROTOCOL, "", is_awaited=True)
        assert rows.told == [(awaited,)] and not rows.tables
        assert browser.unanswered == ()
        await until(lambda: not browser.tables)


@pytest.mark.usefixtures("alone")
async def test_a_guest_who_was_asked_leads_to_its_table_and_a_stranger_does_not() -> None:
    rows, guest, stranger = List(), Address("10.0.0.5", 7763), Address("10.0.0.6", 7763)
    async with (
        listening(greeting(open_host())) as address,
        looking(Browser(rows.told.append, known=[guest, address], connect=unreachable)) as browser,
    ):
        assert browser._known() == [guest.host]
        there = Beacon.read(pointer(Address("10.0.0.9", 4242)))
        assert there
        browser._seen(stranger, there)
        assert Address("10.0.0.9", 4242) not in browser._endpoints
        browser._seen(guest, there)
        assert Address("10.0.0.9", 4242) in browser._endpoints


@pytest.mark.usefixtures("alone")
async def test_lies_about_the_very_machine_hide_no_table_that_is_passed_on() -> None:
    rows, away = List(), Address("10.0.0.9", 4242)
    async with listening(greeting(open_host())) as here:

        async def only_away(owner: Owner, where: Address) -> None:
            await (dial(owner, here) if where == away else silent(owner, where))

        async with looking(Browser(rows.told.append, known=(), connect=only_away)) as browser:

            def hears(teller: str, where: Address) -> None:
                found = Beacon.read(passed_on(where))
                assert found
                browser._seen(Address(teller, 7763), found)

            for number in range(32):
                hears(f"10.0.1.{number // 4}", Address(away.host, 5000 + number))

            def is_listed() -> bool:
                # As often as its lobby asks, a guest says so.
                hears("10.0.0.6", away)
                return bool(rows.tables)

            await until(is_listed)


@pytest.mark.usefixtures("alone")
async def test_what_was_found_by_an_address_is_passed_on_to_whoever_asks_and_listed_there() -> None:
    rows, teller, away = List(), Address("10.0.0.6", 7763), Address("10.0.0.9", 4242)
    async with listening(greeting(open_host())) as here:

        async def behind(owner: Owner, where: Address) -> None:
            await dial(owner, here if where == away else where)

        told: list[bytes] = []
        async with looking(Browser(rows.told.append, known=[away], connect=behind)) as browser:
            await until(lambda: bool(rows.tables))
            browser._asked(told.append)
        assert told == [passed_on(away)]
        found = Beacon.read(told[0])
        assert found
        others = List()
        async with looking(Browser(others.told.append, known=(), connect=behind)) as browser:
            browser._seen(teller, found)
            await until(lambda: bool(others.tables))
            assert [each.address for each in others.tables] == [away]
            browser._asked(told.append)
        assert told == [passed_on(away)], "it is no rumour: only who was told by its player tells"


@pytest.mark.usefixtures("alone")
async def test_a_forged_goodbye_asks_the_table_and_takes_nothing_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, rows = Changing(greeting(open_host())), List()
    for name in ("LISTED_INTERVAL", "UNHEARD_INTERVAL"):
        monkeypatch.setattr(endpoints, name, 60.0)
    async with (
        listening(server) as address,
        looking(Browser(rows.told.append, known=[address])) as browser,
    ):
        await until(lambda: bool(rows.tables))
        for _ in range(5):
            before = server.count
            browser._seen(address, replace(GONE, port=address.port))
            await until(lambda before=before: server.count > before)  # type: ignore[misc]
        assert len(rows.told) == 1


@pytest.mark.usefixtures("alone")
async def test_a_flood_of_beacons_has_an_end_and_evicts_no_table() -> None:
    rows = List()

    async def connect(owner: Owner, address: Address) -> None:
        await (dial if address == real else unreachable)(owner, address)

    async with (
        listening(greeting(open_host())) as real,
        looking(Browser(rows.told.append, known=(), connect=connect)) as browser,
    ):
        browser._seen(real, here(real))
        await until(lambda: rows.addresses == [real])
        for number in range(4 * MAX_ENDPOINTS):
            browser._seen(elsewhere(number), HERE)
            assert len(browser._endpoints) <= MAX_ENDPOINTS
            assert real in browser._endpoints
            # A table says all the time that it is there, however long this takes.
            browser._seen(real, here(real))
            await asyncio.sleep(0)
        # On a busy machine it may have missed a question meanwhile, and answers the next.
        await until(lambda: rows.addresses == [real])


def test_only_so_many_strangers_a_second_are_given_room(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(discovery, "_now", lambda: now)
    browser = Browser(print, known=())

    def followed(first: int) -> int:
        for number in range(first, first + 2 * MAX_ENDPOINTS):
            browser._seen(elsewhere(number), HERE)
        for endpoint in browser._endpoints.values():
            endpoint.asked = now
        these = {elsewhere(number) for number in range(first, first + 2 * MAX_ENDPOINTS)}
        return len(these & browser._endpoints.keys())

    assert followed(0) == MAX_ENDPOINTS
    assert followed(2 * MAX_ENDPOINTS) == 0
    now += 1
    assert followed(4 * MAX_ENDPOINTS) == MAX_STRANGERS


@pytest.mark.usefixtures("alone")
async def test_three_hundred_tables_are_all_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(_: Probes, endpoint: Endpoint) -> Answer:
        return Answer(endpoint.addresses[0], None, 7, "4.2.0")

    monkeypatch.setattr(Probes, "ask", answer)
    rows = List()
    async with looking(Browser(rows.told.append, known=())) as browser:
        for number in range(1, 151):
            advert = AsyncServiceInfo(SERVICE, f"{number}.{SERVICE}", 7763,
                                      parsed_addresses=[elsewhere(number).host])  # fmt: skip
            browser._take(advert)
            beacon = replace(HERE, table=number.to_bytes(8, "big"))
            browser._seen(elsewhere(1000 + number), beacon)
        await until(lambda: len(rows.tables) == 300)


@pytest.mark.usefixtures("alone")
async def test_after_a_flood_a_new_table_is_found() -> None:
    rows = List()

    async def connect(owner: Owner, address: Address) -> None:
        await (dial if address == real else unreachable)(owner, address)

    async with (
        listening(greeting(open_host())) as real,
        looking(Browser(rows.told.append, known=(), connect=connect)) as browser,
    ):
        for number in range(4 * MAX_ENDPOINTS):
            browser._seen(elsewhere(number), HERE)
        await until(lambda: not any(endpoint.is_new for endpoint in browser._endpoints.values()))
        browser._seen(real, here(real))
        await until(lambda: rows.addresses == [real])


@pytest.mark.usefixtures("alone")
async def test_a_beacon_that_led_nowhere_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "FORGET_DELAY", 0.1)
    async with looking(Browser(print, known=[THIS_MACHINE], connect=unreachable)) as browser:
        browser._seen(elsewhere(1), HERE)
        assert len(browser._endpoints) == 2
        await until(lambda: list(browser._endpoints) == [THIS_MACHINE])


@pytest.mark.usefixtures("alone")
async def test_a_table_that_speaks_again_is_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "SILENT_INTERVAL", 60.0)
    rows, server = List(), Changing(saying(b""))
    async with (
        listening(server) as address,
        looking(Browser(rows.told.append, known=[address])) as browser,
    ):
        await until(lambda: not browser._endpoints[address].is_new)
        server.handler = greeting(open_host())
        browser._seen(address, here(address))
        await until(lambda: bool(rows.tables))


async def test_what_was_joined_last_is_asked_too() -> None:
    recent.remember(elsewhere(1))
    assert list(Browser(print)._endpoints) == [THIS_MACHINE, elsewhere(1)]
    seat = Address("10.0.0.77", 4000)
    recent.remember_seats([seat])
    browser = Browser(print)
    assert seat in browser._endpoints and browser._known()[-1] == seat.host


# Over loopback and multicast; others may advertise on this network at the same time


@asynccontextmanager
async def hearing() -> AsyncIterator[List]:
    """The list of a browser that knows nothing beforehand."""
    rows = List()
    async with looking(Browser(rows.told.append, known=())):
        yield rows


@asynccontextmanager
async def hosting(host: Host) -> AsyncIterator[Address]:
    """A table with its advert."""
    async with listening(greeting(host), "0.0.0.0") as address, advertised(host.card, address):
        yield address


def has(rows: List, host: Host) -> Callable[[], bool]:
    return lambda: rows.row(host.card.table) is not None


async def test_an_existing_table_is_found() -> None:
    host = open_host()
    async with hosting(host) as address, hearing() as rows:
        assert await until(has(rows, host)) < 3
        row = rows.row(host.card.table)
        assert row is not None
        assert (row.card, row.address.port) == (host.card, address.port)


async def test_a_new_table_is_found() -> None:
    host = open_host()
    async with hearing() as rows, hosting(host):
        assert await until(has(rows, host)) < 3


async def test_an_endpoint_that_breaks_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: AsyncZeroconf) -> None:
        raise OSError(errno.ENETDOWN, "Network is down")

    monkeypatch.setattr(discovery, "LOOK_INTERVAL", 0.05)
    rows, troubles, host = List(), list[str | None](), open_host()
    async with looking(Browser(rows.told.append, troubles.append, known=())) as browser:
        with monkeypatch.context() as broken:
            broken.setattr(AsyncZeroconf, "async_update_interfaces", fail)
            await until(lambda: browser.trouble is not None)
        await until(lambda: browser.trouble is None)
        assert troubles[0] is not None
        assert "Network is down" in troubles[0]
        async with hosting(host):
            await until(has(rows, host))


async def test_a_goodbye_takes_the_table_off_the_list() -> None:
    host = open_host()
    async with hearing() as rows, AsyncExitStack() as stack:
        listens = await stack.enter_async_context(AsyncExitStack())
        address = await listens.enter_async_context(listening(greeting(host), "0.0.0.0"))
        await stack.enter_async_context(advertised(host.card, address))
        await until(has(rows, host))
        await listens.aclose()
        await stack.aclose()
        assert await until(lambda: rows.row(host.card.table) is None) < 1


async def test_a_change_of_the_advert_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LISTED_INTERVAL", "UNHEARD_INTERVAL", "SPARE_INTERVAL"):
        monkeypatch.setattr(endpoints, name, 60.0)
    card = open_host().card
    table = Shifting(card)
    rows = List()

    def taken() -> int | None:
        row = rows.row(card.table)
        return row.card.taken if row and row.card else None

    async with (
        looking(Browser(rows.told.append, known=())),
        listening(table, "0.0.0.0") as address,
        advertised(card, address) as teller,
    ):
        await until(lambda: taken() == 0)
        table.card = replace(card, taken=4)
        teller.update(table.card)
        assert await until(lambda: taken() == 4) < 3


async def test_adverts_that_cannot_be_are_passed_over() -> None:
    host = open_host()
    endpoint = AsyncZeroconf(ip_version=IPVersion.V4Only)
    try:
        await endpoint.zeroconf.async_wait_for_start()
        async with hearing() as rows:
            out = DNSOutgoing(0x8400)
            for name in (SERVICE, "x._http._tcp.local.", "\x1b[31m", "a" * 60 + "." + SERVICE):
                out.add_answer_at_time(DNSPointer(SERVICE, 12, 1, 60, name), 0)
            endpoint.zeroconf.async_send(out)
            async with hosting(host):
                assert await until(has(rows, host)) < 3
    finally:
        await endpoint.async_close()


@pytest.mark.usefixtures("alone")
async def test_a_flood_of_adverts_has_an_end() -> None:
    async with looking(Browser(print, known=(), connect=unreachable)) as browser:
        for number in range(2 * MAX_ENDPOINTS):
            host = elsewhere(number).host
            name = f"{number}.{SERVICE}"
            browser._take(AsyncServiceInfo(SERVICE, name, 1, parsed_addresses=[host]))
        assert len(browser._endpoints) == MAX_ENDPOINTS


@pytest.mark.usefixtures("alone")
async def test_an_address_of_one_link_is_tried_on_every_link() -> None:
    eth, wlan = IPv6Interface("fe80::5%eth0/64"), IPv6Interface("fe80::6%wlan0/64")
    async with looking(Browser(print, known=(), connect=unreachable)) as browser:
        browser._network.interfaces = (IPv4Interface("10.0.0.5/24"), eth, wlan)
        hosts = ["fe80::9", "2001:db8::9", "10.0.0.9"]
        browser._take(AsyncServiceInfo(SERVICE, f"x.{SERVICE}", 80, parsed_addresses=hosts))
        assert [each.text for each in browser._endpoints[f"x.{SERVICE}"].addresses] == [
            "10.0.0.9:80",
            "[fe80::9%eth0]:80",
            "[fe80::9%wlan0]:80",
            "[2001:db8::9]:80",
        ]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(("host", "port"), [("0.0.0.0", 1), ("224.0.0.251", 1), ("10.0.0.5", 0)])
async def test_an_advert_without_an_address_is_no_lead(host: str, port: int) -> None:
    async with looking(Browser(print, known=())) as browser:
        browser._take(AsyncServiceInfo(SERVICE, f"x.{SERVICE}", port, parsed_addresses=[host]))
        assert not browser._endpoints


async def test_a_name_is_not_believed() -> None:
    card = replace(open_host().card, name=ForeignText("The Golden Pier"))
    forged = replace(card, name=ForeignText("Another"), taken=9)
    rows = List()
    async with (
        looking(Browser(rows.told.append, known=())),
        listening(Shifting(card), "0.0.0.0") as address,
        advertised(forged, address),
    ):
        await until(lambda: rows.row(card.table) is not None)
        row = rows.row(card.table)
        assert row is not None
        assert row.card == card


def test_zeroconf_is_not_imported_before_it_is_needed() -> None:
    code = (
        "import sys, spoof_tui.network.adverts, spoof_tui.network.discovery\n"
        "print(*{'zeroconf', 'ifaddr', 'textual'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
