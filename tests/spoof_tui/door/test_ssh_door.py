"""The way in through a door."""

from __future__ import annotations

import asyncio

import asyncssh
import pytest

from spoof_tui.door import ssh_door
from spoof_tui.door.interface import Interface, TerminalSize
from spoof_tui.door.visitors import Visitor
from spoof_tui.storage import quota
from tests.spoof_tui.door.doors import (
    ECHO,
    Guest,
    knocking,
    python,
    read_until,
    terminal,
)

FILLS = f"open('big', 'wb').write(bytes(200_000))\n{ECHO}"


async def visited(user: str = "Ben", **options: object) -> Visitor:
    """The visitor that a door takes a client for."""
    seen: list[Visitor] = []

    def run(visitor: Visitor) -> list[str]:
        seen.append(visitor)
        return python(ECHO)

    async with knocking(run=run) as door, await door.connect(user, **options) as client:
        await terminal(client)
    return seen[0]


async def came(*answers: str, user: str = "Ben") -> tuple[Visitor, list[str]]:
    """The visitor whom the door recognises by these answers, and the questions it asked."""
    guest = Guest(*answers)
    return await visited(user, client_factory=lambda: guest), guest.asked


async def test_a_guest_comes_back_by_name_and_word() -> None:
    ben, asked = await came()
    assert ben.word and not asked
    stranger, asked = await came()
    assert len(asked) == 1 and "Ben" in asked[0] and stranger.word not in ("", ben.word)
    again, _asked = await came(ben.word.lower())
    assert (again.name, again.word) == (ben.name, ben.word)
    dora, asked = await came(ben.word, user="Dora")
    assert not asked and dora.word != ben.word


async def test_who_shows_a_key_after_a_word_is_known_by_the_key() -> None:
    ben, _asked = await came()
    key = asyncssh.generate_private_key("ssh-ed25519")
    assert (await visited("Ben", client_keys=[key])).word == "" != ben.word


@pytest.mark.parametrize("kind", ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"])
async def test_who_has_a_key_is_known_by_it(kind: str) -> None:
    key = asyncssh.generate_private_key(kind)
    assert (await visited(client_keys=[key])).key == key.public_data


async def test_a_key_that_was_only_shown_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    # A thief knows the public half, and asks whether it would be welcome before it is a guest.
    key = asyncssh.generate_private_key("ecdsa-sha2-nistp256")
    monkeypatch.setattr(type(key), "sign", lambda *given: b"no signature")
    with pytest.raises(asyncssh.PermissionDenied):
        await visited(client_keys=[key], preferred_auth="publickey")
    assert (await visited(client_keys=[key])).key is None


async def test_nothing_is_forwarded() -> None:
    async with knocking() as door, await door.connect() as client:
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.open_connection("127.0.0.1", door.port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.open_unix_connection("/run/x")
        with pytest.raises(asyncssh.ChannelListenError):
            await client.forward_remote_port("127.0.0.1", 0, "127.0.0.1", door.port)
        with pytest.raises(asyncssh.ChannelListenError):
            await client.forward_remote_path("/tmp/x", "/tmp/y")
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.create_tun(asyncssh.SSHTunTapSession)


async def test_no_password_opens_the_door() -> None:
    async with knocking() as door:
        with pytest.raises(asyncssh.PermissionDenied):
            await door.connect(password="x", preferred_auth="password")


async def test_a_login_takes_its_time_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_door, "LOGIN_TIMEOUT", 0.1)
    async with knocking() as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        async with asyncio.timeout(30):
            while await reader.read(4096):
                pass
        writer.close()


async def test_only_who_logs_in_and_asks_for_nothing_has_to_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ssh_door, "SESSION_TIMEOUT", 1.0)
    async with knocking() as door, await door.connect("Ann") as staying:
        process = await terminal(staying)
        client = await door.connect()
        async with asyncio.timeout(30):
            await client.wait_closed()
        process.stdin.write("z")
        await read_until(process.stdout, "z")


async def test_who_fills_the_disk_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_door, "WATCH_INTERVAL", 0.05)
    monkeypatch.setattr(quota, "QUOTA", 100_000)
    async with knocking(FILLS) as door, await door.connect() as client:
        # It may be sent away before it has painted anything.
        process = await client.create_process(term_type="xterm", term_size=(80, 24))
        async with asyncio.timeout(30):
            told = await process.wait()
    assert "disk is full" in str(told.stderr)


async def test_of_many_windows_of_one_person_that_wait_only_the_newest_begins() -> None:
    begun: list[Interface] = []

    def left(status: int, why: str) -> None:
        begun.pop(0)

    async with knocking() as door:
        ann = Visitor.called("10.0.0.1", "Ann", b"key")

        async def come() -> str:
            size = TerminalSize.asked(0, 0)
            try:
                begun.append(await door.door.start(ann, {}, size, lambda data: None, left))
            except OSError as error:
                return str(error.strerror)
            return ""

        assert await come() == ""
        *others, newest = await asyncio.gather(*(come() for _ in range(9)))
        assert newest == "" and len(begun) == 1
        assert all("in another window" in each for each in others)


async def test_nothing_is_compressed() -> None:
    async with knocking() as door:
        with pytest.raises(asyncssh.KeyExchangeFailed):
            await door.connect(compression_algs=["zlib@openssh.com"])
