"""The door of a table that this program hosts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from spoof_tui.door.opening import DoorFailed, DoorOpened
from spoof_tui.door.program import DoorProgram
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.table_door import TableDoor
from tests.spoof_tui.runtime.local_table import new_key
from tests.spoof_tui.runtime.people import PLAN

OPENED = DoorOpened(2222, "SHA256:x")

Told = list[DoorOpened | DoorFailed | None]


class Pretended(DoorProgram):
    """A door that is no program."""

    says: DoorOpened | DoorFailed = OPENED

    def __init__(self) -> None:
        super().__init__()
        self.asked: tuple[bytes, str, int | None] | None = None
        self.is_closed = False

    async def open(self, table: bytes, address: str, port: int | None) -> DoorOpened | DoorFailed:
        self.asked = table, address, port
        return self.says

    async def close(self) -> None:
        self.is_closed = True


class Failing(Pretended):
    says = DoorFailed("no")


@pytest.fixture
async def table() -> AsyncIterator[HostedTable]:
    table = await HostedTable.open(replace(PLAN, public=True, port=0), new_key())
    yield table
    await table.close()


def door_of(told: Told, made: list[Pretended], kind: type[Pretended] = Pretended) -> TableDoor:
    def make() -> DoorProgram:
        made.append(kind())
        return made[-1]

    return TableDoor(told.append, make)


async def test_a_door_leads_to_its_table(table: HostedTable) -> None:
    told: Told = []
    made: list[Pretended] = []
    door = door_of(told, made)
    await door.open(table, 2022)
    assert made[0].asked == (table.server.host.table.id, f"127.0.0.1:{table.port}", 2022)
    await door.open(table)
    assert (len(made), told) == (1, [OPENED])
    await door.close()
    await door.close()
    assert made[0].is_closed and told == [OPENED, None]


async def test_the_network_is_told_while_it_is_open(
    table: HostedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[int | None] = []
    monkeypatch.setattr(table, "name_door", named.append)
    door = door_of([], [])
    await door.open(table)
    await door.close()
    assert named == [2222, None]


async def test_a_door_that_does_not_open_can_be_tried_again(table: HostedTable) -> None:
    told: Told = []
    made: list[Pretended] = []
    door = door_of(told, made, Failing)
    await door.open(table)
    await door.open(table)
    assert (len(made), told) == (2, [DoorFailed("no")] * 2)


async def test_a_door_that_ends_by_itself_is_told(table: HostedTable) -> None:
    told: Told = []
    made: list[Pretended] = []
    door = door_of(told, made)
    await door.open(table)
    made[0].on_end()
    await door.open(table)
    assert [type(each) for each in told] == [DoorOpened, DoorFailed, DoorOpened]
    await door.close()


async def test_nobody_comes_to_a_practice_table_by_ssh() -> None:
    told: Told = []
    made: list[Pretended] = []
    practice = await HostedTable.open(replace(PLAN, public=False), new_key())
    await door_of(told, made).open(practice)
    await practice.close()
    assert not made and isinstance(told[0], DoorFailed)
