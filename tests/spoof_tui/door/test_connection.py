"""One connection, which reads no faster than it may."""

from spoof_tui.door import connection
from tests.spoof_tui.door.doors import ECHO, eventually, knocking, read_until


async def test_a_flood_of_messages_is_read_slowly_and_nobody_else_waits() -> None:
    async with knocking() as door, await door.connect() as flooding:
        (standing,) = door.door.standing
        for _ in range(40):
            flooding.send_packet(2, b"\0\0\x40\0" + b"x" * 0x4000)
        await eventually(lambda: standing.is_spent)
        async with await door.connect("Ann") as other:
            process = await other.create_process(term_type="xterm", term_size=(80, 24))
            await read_until(process.stdout, "ready")


async def test_what_a_client_sends_by_hand_is_read_at_once() -> None:
    async with knocking(ECHO) as door, await door.connect() as client:
        process = await client.create_process(term_type="xterm", term_size=(80, 24))
        await read_until(process.stdout, "ready")
        for letter in "abcdef":
            process.stdin.write(letter)
            await read_until(process.stdout, letter)
        (standing,) = door.door.standing
        assert not standing.is_spent and not standing.is_clogged


def test_the_bounds_are_far_above_what_a_person_sends() -> None:
    assert connection.BYTES_RATE >= 64 * 1024 <= connection.BYTES_BURST
