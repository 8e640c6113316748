"""The door of a table that this program hosts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spoof_tui.door.program import DoorFailed, DoorOpened, DoorProgram
from spoof_tui.runtime.hosted_table import HostedTable, TableDoor
from tests.spoof_tui.runtime.local_table import new_key
from tests.spoof_tui.runtime.moves import PLAN

OPENED = DoorOpened(2222, "SHA256:x")
FAILED = DoorFailed("no")


class Pretended(DoorProgram):
    """A door without a program."""

    def __init__(self, says: DoorOpened | DoorFailed) -> None:
        super().__init__()
        self.says = says
        self.asked: tuple[bytes, str, int | None] | None = None
        self.is_closed = False

    async def open(self, table: bytes, address: str, port: int | None) -> DoorOpened | DoorFailed:
        self.asked = table, address, port
        return self.says

    async def close(self, *, is_final: bool = False) -> None:
        self.is_closed, self.is_final = True, is_final


class Doors:
    """The door of a table, the programs that it started, and its notices."""

    def __init__(self, says: DoorOpened | DoorFailed = OPENED) -> None:
        self.told: list[DoorOpened | DoorFailed | None] = []
        self.made: list[Pretended] = []
        self.says = says
        self.door = TableDoor(self.told.append, self.make)

    def make(self) -> DoorProgram:
        self.made.append(Pretended(self.says))
        return self.made[-1]


async def opened(public: bool = True) -> HostedTable:
    return await HostedTable.open(replace(PLAN, public=public), new_key())


async def test_a_door_leads_to_its_table_and_the_network_knows_while_it_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, doors, named = await opened(), Doors(), list[int | None]()
    monkeypatch.setattr(table, "name_door", named.append)
    await doors.door.open(table, 2022)
    [made] = doors.made
    assert made.asked == (table.server.host.table.id, f"127.0.0.1:{table.port}", 2022)
    await doors.door.open(table)
    assert (len(doors.made), doors.told, named) == (1, [OPENED], [2222])
    for _ in range(2):
        await doors.door.close(is_final=True)
    assert (
        made.is_closed and made.is_final and (doors.told, named) == ([OPENED, None], [2222, None])
    )


async def test_a_door_that_does_not_open_or_ends_by_itself_is_told_and_can_be_tried_again() -> None:
    table, doors = await opened(), Doors(FAILED)
    await doors.door.open(table)
    doors.says = OPENED
    await doors.door.open(table)
    doors.made[-1].on_end()
    await doors.door.open(table)
    assert [type(each) for each in doors.told] == [DoorFailed, DoorOpened, DoorFailed, DoorOpened]
    assert doors.told[0] == FAILED and len(doors.made) == 3


async def test_nobody_comes_to_a_practice_table_by_ssh() -> None:
    doors = Doors()
    await doors.door.open(await opened(public=False))
    assert not doors.made and isinstance(doors.told[0], DoorFailed)
