"""Leaving an own table: the role first, then the seat, and never for long."""

import asyncio

from spoof_tui.runtime.departure import Departure

LIMIT = 5.0


async def given(is_given: bool) -> bool:
    return is_given


async def test_who_leaves_stays_until_the_table_has_moved() -> None:
    departure = Departure()
    moving = asyncio.create_task(departure.move(given(True)))
    await asyncio.sleep(0)
    assert not moving.done()
    departure.moved()
    await asyncio.wait_for(moving, LIMIT)


async def test_nobody_waits_for_a_role_that_could_not_be_given_away() -> None:
    await asyncio.wait_for(Departure().move(given(False)), LIMIT)


async def test_an_earlier_move_is_not_taken_for_this_one() -> None:
    departure = Departure()
    departure.moved()
    moving = asyncio.create_task(departure.move(given(True)))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not moving.done()
    departure.hurry(0.0)
    await asyncio.wait_for(moving, LIMIT)


async def test_a_program_that_must_go_waits_for_no_network() -> None:
    departure = Departure()
    never: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    departure.hurry(0.0)
    await asyncio.wait_for(departure.move(never), LIMIT)
    assert never.cancelled()
