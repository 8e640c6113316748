"""Which table is meant on the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.version import PROGRAM, PROTOCOL
from spoof_tui.commands import finding
from spoof_tui.commands.finding import NotFound, find
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.found_table import FoundTable
from spoof_tui.runtime import troubleshooting
from spoof_tui.runtime.hosting import HostedTable, Plan
from tests.spoof_tui.runtime.local_table import new_host, new_key


def found(name: str, number: int) -> FoundTable:
    card = replace(new_host()[0].card, name=ForeignText(name))
    return FoundTable(Address("10.0.0.1", number), card, PROTOCOL, PROGRAM)


OTHER_VERSION = FoundTable(Address("10.0.0.1", 99), None, 99, "9.9")


class Network:
    """A browser that finds certain tables, one after the other."""

    tables: tuple[FoundTable, ...] = ()
    trouble: str | None = None
    coming: tuple[FoundTable, ...] = ()
    closed = 0

    def __init__(self, changed: Callable[[tuple[FoundTable, ...]], None]) -> None:
        self.changed = changed

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        for place, each in enumerate(Network.coming):
            loop.call_later(place / 1000, self.add, each)

    def add(self, table: FoundTable) -> None:
        self.tables = (*self.tables, table)
        self.changed(self.tables)

    async def close(self) -> None:
        Network.closed += 1


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets what can be found; nothing by default."""
    monkeypatch.setattr(finding, "Browser", Network)
    monkeypatch.setattr(finding, "SEARCH_TIMEOUT", 0.05)
    monkeypatch.setattr(finding, "SETTLE_DELAY", 0.01)
    monkeypatch.setattr(Network, "closed", 0)

    def has(*tables: FoundTable, trouble: str | None = None) -> None:
        monkeypatch.setattr(Network, "coming", tables)
        monkeypatch.setattr(Network, "trouble", trouble)

    has()
    return has


HasTables = Callable[..., None]

PIER, ARMS = found("The Golden Pier", 1), found("The King's Arms", 2)


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("10.0.0.1:7000", Address("10.0.0.1", 7000)),
        ("10.0.0.1", Address("10.0.0.1", DEFAULT_PORT)),
        ("localhost", Address("localhost", DEFAULT_PORT)),
        ("olhas-laptop:7000", Address("olhas-laptop", 7000)),
        ("[::1]:7000", Address("::1", 7000)),
        ("fe80::1", Address("fe80::1", DEFAULT_PORT)),
    ],
)
async def test_what_is_written_like_an_address_is_one(named: str, address: Address) -> None:
    assert await find(named) == address


@pytest.mark.parametrize("named", ["host:0", "host:x", "host:99999", ":7763", "[::1", "1.2.3"])
async def test_a_wrong_address_is_a_sentence(named: str) -> None:
    with pytest.raises(NotFound, match=r"[A-Z].*\.$"):
        await find(named)


async def test_a_table_is_found_by_its_name(network: HasTables) -> None:
    network(PIER, ARMS)
    assert await find("the golden pier") == PIER.address


async def test_a_part_of_a_name_is_enough(network: HasTables) -> None:
    network(PIER, ARMS)
    assert await find("king") == ARMS.address


async def test_a_whole_name_goes_before_a_part_of_another(network: HasTables) -> None:
    pier = found("Pier", 3)
    network(PIER, pier)
    assert await find("PIER") == pier.address


async def test_a_part_of_two_names_is_not_enough(network: HasTables) -> None:
    network(PIER, ARMS)
    with pytest.raises(NotFound, match=r"The Golden Pier .*, The King's Arms"):
        await find("the")


async def test_the_only_table_needs_no_name(network: HasTables) -> None:
    network(OTHER_VERSION, PIER)
    assert await find(None) == PIER.address


async def test_several_tables_are_named_with_their_addresses(network: HasTables) -> None:
    network(PIER, ARMS)
    with pytest.raises(NotFound) as error:
        await find(None)
    assert str(error.value) == (
        "more than one table is here, name one: "
        "The Golden Pier (10.0.0.1:1), The King's Arms (10.0.0.1:2)"
    )


async def test_no_table_is_a_sentence_with_the_reason(network: HasTables) -> None:
    network(trouble="Nothing is heard of other machines.")
    with pytest.raises(NotFound, match=r"^no table was found .* Nothing is heard"):
        await find(None)


async def test_what_is_in_the_way_is_told(
    network: HasTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find_out(request: Request) -> tuple[Finding, ...]:
        return (Finding(Code.OWN_FIREWALL, Severity.PROBLEM),)

    network(trouble="Something else.")
    monkeypatch.setattr(troubleshooting, "find_out", find_out)
    monkeypatch.setattr(troubleshooting, "EXPLAIN_DELAY", 0)
    with pytest.raises(NotFound, match=r"A firewall on this computer(?s:.)*doctor"):
        await find(None)


async def test_no_table_of_that_name_is_said_with_the_name(network: HasTables) -> None:
    network(PIER)
    with pytest.raises(NotFound, match=r"^no table called 'Harbour' was found"):
        await find("Harbour")


async def test_a_table_of_another_version_is_not_meant(network: HasTables) -> None:
    network(OTHER_VERSION)
    with pytest.raises(NotFound):
        await find(None)


@pytest.mark.parametrize("tables", [(), (PIER,)])
async def test_the_search_is_closed_in_any_case(
    network: HasTables, tables: tuple[FoundTable, ...]
) -> None:
    network(*tables)
    try:
        await find(None)
    except NotFound:
        assert not tables
    assert Network.closed == 1


async def test_what_a_table_is_called_cannot_hurt_the_terminal(network: HasTables) -> None:
    network(found("a\x1b[2Jb", 1), found("c\u202ed", 2))
    with pytest.raises(NotFound) as error:
        await find(None)
    assert str(error.value).isprintable()


async def test_a_real_table_is_found_by_its_name() -> None:
    key = new_key()
    name = f"Pier {key.public.hex()[:8]}"
    table = await HostedTable.open(Plan(name, "Olha", Rules.parse("milan"), port=0), key)
    try:
        assert (await find(name)).port == table.port
    finally:
        await table.close()


async def test_an_apostrophe_may_be_the_one_of_the_keyboard(network: HasTables) -> None:
    anna = found("Anna’s table", 3)
    network(PIER, anna)
    assert await find("Anna's table") == anna.address
