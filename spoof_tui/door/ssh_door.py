"""The door for ssh: a server that shows every visitor an interface of their own, and nothing else.

A visitor with an ssh key is known by the key. One without is a guest, who comes back with a word
that their screen has shown. There is no shell, no command, no file transfer and no forwarding.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import asyncssh

import spoof_tui
from protocol.host.rate_limit import RateLimits
from spoof_tui.clock import now
from spoof_tui.door.folders import (
    GUESS_DELAY,
    MAX_GUESSES,
    Stay,
    doors_folder,
    has_guest,
    is_guest,
    new_word,
    read_word,
)
from spoof_tui.door.interface import Interface, Start, TerminalSize, start_program
from spoof_tui.door.session import VisitorConnection, VisitorSession
from spoof_tui.door.visitors import Logins, Visitor, has_room, name_of
from spoof_tui.network.addresses import place_of
from spoof_tui.network.links import address_of
from spoof_tui.network.table_server import BACKLOG, Accepted, Handshakes, bound
from spoof_tui.storage import files, quota
from spoof_tui.storage.paths import STATE_VARIABLE
from spoof_tui.text.i18n import _
from spoof_tui.visiting import (
    CODE_VARIABLE,
    DOOR_VARIABLE,
    SOURCE_VARIABLE,
    TABLE_VARIABLE,
    WORD_VARIABLE,
    DoorKind,
)

if TYPE_CHECKING:
    from asyncssh import SSHKey


LOGIN_TIMEOUT: Final = 120
"""Seconds that logging in may take: people compare fingerprints and type passphrases. Slow ones
give way to others from the same address."""

KNOCKS_BURST: Final = 256
"""Connections from one address, or one IPv6 network, that are answered in a burst."""

KNOCKS_RATE: Final = 128
"""Connections per second that are answered after that, so that a flood leaves room for others from
the same address."""

MAX_HALF_OPEN: Final = 128
"""Maximum connections that have not finished the key exchange, for which no person is needed.
Beyond that, the address with the most loses its oldest one."""

MAX_HALF_OPEN_OF_PLACE: Final = 48
"""Maximum connections of these from one address; beyond that its oldest one is closed."""

SESSION_TIMEOUT: Final = 15.0
"""Seconds after the login within which a client must request a terminal."""

KEEPALIVE_INTERVAL: Final = 5
"""Seconds of silence after which a client is asked whether it is still there."""

KEEPALIVE_COUNT: Final = 3
"""Number of unanswered questions after which a client counts as gone."""

WATCH_INTERVAL: Final = 0.5
"""Seconds between two checks of the visitors' directories, since a program may write a hundred
megabytes a second."""

WINDOW: Final = 16 * 1024
"""Maximum bytes of keys that a client may send before it is told that they were read."""

_PASSED_ON: Final = ("PATH", "LD_LIBRARY_PATH")
"""Variables of the door's own environment that a visitor's program needs to run at all."""

_KEX: Final = (
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "diffie-hellman-group14-sha256",
)
"""Key exchanges that cost the door a few milliseconds each; the strongest others would take half a
second."""


def any_environment() -> dict[str, str]:
    """The variables that every visitor's program gets from the door itself."""
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**passed_on, "PYTHONPATH": str(Path(spoof_tui.__file__).parent.parent)}


Challenge = tuple[str, str, str, list[tuple[str, bool]]]
"""A title, instructions, their language, and the prompts, each with whether the answer is
echoed."""


@dataclass(frozen=True, slots=True)
class Behind:
    """What a door leads to, and whose door it is."""

    table: bytes
    """Id of the table that the door belongs to; empty if it belongs to no table."""
    run: Callable[[Visitor], Sequence[str]]
    """Returns the command that runs a visitor's interface."""
    kind: DoorKind
    """Whose door it is."""


@dataclass(slots=True)
class Inside:
    """A visitor whose interface is running."""

    visitor: Visitor
    stay: Stay
    why: str = ""
    """A sentence that says why the visitor is sent away; empty while they are not."""


class Door:
    """An open door for ssh; belongs to the event loop that opened it."""

    def __init__(self, behind: Behind, key: asyncssh.SSHKey) -> None:
        """`behind` is what the door leads to; `key` is its ssh host key."""
        self.behind: Final = behind
        self._key = key
        rates = RateLimits(KNOCKS_BURST, 1 / KNOCKS_RATE)
        self._guard = Handshakes(rates, MAX_HALF_OPEN, MAX_HALF_OPEN_OF_PLACE)
        self._logins = Logins()
        self._knocking: dict[int, VisitorConnection] = {}
        """Connections that have no session yet, by number."""
        self.standing: Final[set[VisitorConnection]] = set()
        """All connections that have not ended."""
        self._inside: dict[Interface, Inside] = {}
        self._waiting: dict[object, asyncio.Future[None]] = {}
        """For each person whose older window has to exit first, a future that is done when a still
        newer window comes."""
        self._watching: asyncio.Task[None] | None = None
        self._servers: list[asyncio.Server] = []

    @property
    def visitors(self) -> list[Visitor]:
        """The visitors whose interfaces are running."""
        return [each.visitor for each in self._inside.values()]

    async def open(self, port: int) -> int:
        """Listen on `port` (0 for any free one) and return it; raises `OSError` if it is taken."""
        loop = asyncio.get_running_loop()
        options = asyncssh.SSHServerConnectionOptions(
            server_factory=lambda: Login(self),
            server_host_keys=[self._key],
            server_version="spoof",
            kex_algs=list(_KEX),
            compression_algs=["none"],
            login_timeout=LOGIN_TIMEOUT,
            keepalive_interval=KEEPALIVE_INTERVAL,
            keepalive_count_max=KEEPALIVE_COUNT,
            public_key_auth=True,
            kbdint_auth=True,
            password_auth=False,
            host_based_auth=False,
            gss_host=None,
            allow_pty=True,
            line_editor=False,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            encoding=None,
            window=WINDOW,
        )
        accepted = partial(Accepted, partial(self._begin, loop, options))
        sockets = bound(port, loopback_only=False)
        try:
            for each in sockets:
                server = await loop.create_server(accepted, sock=each, backlog=BACKLOG)
                self._servers.append(server)
        except BaseException:
            for each in sockets:
                each.close()
            raise
        self._watching = loop.create_task(self._watch())
        return int(sockets[0].getsockname()[1])

    async def _watch(self) -> None:
        """Send visitors away who use more than their part of the disk, until cancelled."""
        while True:
            await asyncio.sleep(WATCH_INTERVAL)
            for interface, inside in list(self._inside.items()):
                if await asyncio.to_thread(quota.is_exceeded, inside.stay.folder):
                    inside.why = _("Your part of this machine’s disk is full.")
                    interface.kill()

    async def close(self) -> None:
        """Send all visitors away, and return when their interfaces have exited."""
        if self._watching:
            self._watching.cancel()
        for server in self._servers:
            server.close()
        for connection in list(self.standing):
            connection.part()
        ending = [each.end() for each in self._inside]
        if ending:
            await asyncio.wait(ending)

    def _begin(
        self,
        loop: asyncio.AbstractEventLoop,
        options: asyncssh.SSHServerConnectionOptions,
        transport: asyncio.Transport,
    ) -> None:
        """Begin the ssh handshake on an accepted connection if the limits allow it, otherwise close
        it."""
        address = address_of(transport)
        place = None if address is None else place_of(address)
        handshake = None if place is None else self._guard.accept(place, now().monotonic)
        if place is None or handshake is None:
            transport.abort()
            return
        self._break_off(handshake.evicts)
        connection = VisitorConnection(loop, options)
        connection.on_exchanged = partial(self._exchanged, handshake.number, place)
        self._knocking[handshake.number] = connection
        self.standing.add(connection)
        transport.set_protocol(connection)
        connection.connection_made(transport)

    def _exchanged(self, number: int, place: str) -> None:
        """Note that a client has finished the key exchange, and now has to log in, which may need a
        person."""
        if number in self._guard.under_way:
            self._guard.end(number)
            self._break_off(self._logins.begin(number, place, now().monotonic))

    def _break_off(self, number: int | None) -> None:
        """Close the connection with this number, which has to give way; does nothing for None."""
        if number is not None and (connection := self._knocking.pop(number, None)):
            connection.abort()

    def end_knock(self, connection: VisitorConnection) -> None:
        """Note that a connection has got its session, or has ended."""
        for number, each in list(self._knocking.items()):
            if each is connection:
                del self._knocking[number]
                self._guard.end(number)
                self._logins.end(number)

    async def start(
        self,
        visitor: Visitor,
        variables: Mapping[str, str],
        size: TerminalSize,
        on_picture: Callable[[bytes], None],
        on_end: Callable[[int, str], None],
        start: Start = start_program,
    ) -> Interface:
        """Start the interface of a visitor with these variables, in place of an older one of theirs
        if there is one; raises `OSError`."""
        await self._replace(visitor.person)
        if not has_room(visitor, self.visitors):
            why = _("Too many visitors are here already. Try again later.")
            raise OSError(errno.EBUSY, why)
        inside = Inside(visitor, visitor.stay(self.behind.table))
        folder = inside.stay.folder
        own = {
            "HOME": str(folder),
            "TMPDIR": str(folder),
            STATE_VARIABLE: str(folder),
            DOOR_VARIABLE: self.behind.kind.value,
            TABLE_VARIABLE: self.behind.table.hex(),
            SOURCE_VARIABLE: visitor.source,
            WORD_VARIABLE: visitor.word,
            CODE_VARIABLE: visitor.code,
        }
        env = {**any_environment(), **variables, **own}

        def ended(status: int) -> None:
            inside.stay.end()
            del self._inside[interface]
            on_end(status, inside.why)

        words = self.behind.run(visitor)
        try:
            interface = Interface(words, env, folder, size, on_picture, ended, start)
        except BaseException:
            inside.stay.end()
            raise
        self._inside[interface] = inside
        return interface

    async def _replace(self, person: object) -> None:
        """End the older window of a person, if there is one, and wait for that; raises `OSError` if
        a newer window comes meanwhile."""
        why = _("Your seat is in another window now.")
        if before := self._waiting.pop(person, None):
            before.set_result(None)
        for interface, inside in self._inside.items():
            if inside.visitor.person == person:
                inside.why = why
                turn = self._waiting[person] = asyncio.get_running_loop().create_future()
                await asyncio.wait([interface.end(), turn], return_when=asyncio.FIRST_COMPLETED)
                if turn.done():
                    raise OSError(errno.EBUSY, why)
                del self._waiting[person]
                return

    def gone(self, connection: VisitorConnection) -> None:
        """Note that a connection has ended."""
        self.end_knock(connection)
        self.standing.discard(connection)


def _ask_word(why: str) -> Challenge:
    # Some clients show only the prompt.
    return "", why, "", [(_("Your return word, or Enter for a new seat: "), False)]


class Login(asyncssh.SSHServer):
    """The login of one connection. asyncssh refuses everything that is not allowed here."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._key: bytes | None = None
        """The public ssh key that is being checked, or was proven; None for a guest."""
        self._word = ""
        """The right word that a guest has typed; empty if they typed no word."""
        self._guesses = 0
        self._has_session = False
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        assert isinstance(conn, VisitorConnection)
        self._connection = conn

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting:
            self._waiting.cancel()
        self._door.gone(self._connection)

    def begin_auth(self, username: str) -> bool:
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        # Any key is welcome. Only one method is tried at a time, so the one that succeeds is the
        # last one begun.
        self._key, self._word = key.public_data, ""
        return True

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Challenge:
        self._key, self._word = None, ""
        if not has_guest(self._door.behind.table, name_of(username)):
            return "", "", "", []
        text = _("Somebody has been here as {name} before, and was given a return word.")
        return _ask_word(text.format(name=name_of(username)))

    async def validate_kbdint_response(
        self, username: str, responses: Sequence[str]
    ) -> Challenge | bool:
        self._key, self._word = None, ""
        typed = read_word("".join(responses))
        if typed and self._guesses < MAX_GUESSES:
            self._guesses += 1
            if not is_guest(self._door.behind.table, name_of(username), typed):
                await asyncio.sleep(GUESS_DELAY)
                return _ask_word(_("That is not your return word."))
            self._word = typed
        elif typed:
            self._connection.part()
            return False
        return True

    def auth_completed(self) -> None:
        loop = asyncio.get_running_loop()
        self._waiting = loop.call_later(SESSION_TIMEOUT, self._connection.part)

    def session_requested(self) -> asyncssh.SSHServerSession[bytes] | bool:
        if self._has_session:
            return False
        self._has_session = True
        user = str(self._connection.get_extra_info("username") or "")
        word = self._word or new_word()
        visitor = Visitor.called(self._connection.address, user, self._key, word)
        return VisitorSession(self._door.start, self._connection, visitor, self._begun)

    def _begun(self) -> None:
        self._door.end_knock(self._connection)
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None


_KIND: Final = "ssh-ed25519"
"""The kind of host key: one that every client of the last ten years knows."""

_MAX_KEY: Final = 4096
"""Maximum bytes of the key file that are read: ten times its length."""


def key_path() -> Path:
    """The path of the file with the ssh host key."""
    return doors_folder() / "host_key"


def host_key() -> SSHKey:
    """The ssh host key of this user's doors, which is made if there is none; raises `OSError` if it
    cannot be read or saved."""
    import asyncssh

    path = key_path()
    try:
        return asyncssh.import_private_key(files.read(path, _MAX_KEY))
    except (FileNotFoundError, files.Unfit, asyncssh.KeyImportError):
        key = asyncssh.generate_private_key(_KIND, comment="spoof")
        files.write_private(path, key.export_private_key())
        return key
