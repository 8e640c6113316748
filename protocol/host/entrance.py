"""How a guest is let in: how a host answers its hello and its proof of the join code.

These classes only decide: they return a farewell if the guest has to go, or the next message of the
handshake. Guesses at the code are answered one at a time, at least `GUESS_INTERVAL` apart, no
matter who makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.crypto.join_code import Entropy, make_code
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import Message
from protocol.errors import Malformed
from protocol.host.connections import Connections, GuestLink
from protocol.host.effects import Compute, HostEffect, LinkId
from protocol.limits import (
    GUESS_INTERVAL,
    MAX_ADDRESSES,
    RENEW_INTERVAL,
    TRIES_AGAIN_DELAY,
    TRIES_OF_ADDRESS,
    TRIES_OF_CODE,
)
from protocol.table.electorate import may_support
from protocol.table.log import Log
from protocol.table.state import Table
from protocol.table.statements import Admitted
from protocol.timeouts import Moment
from protocol.wire.messages import Confirm, Entries, Farewell, Hello, Pake


class Admission:
    """The join code of one table, and who may still try it."""

    def __init__(self, entropy: Entropy, *, locked: bool) -> None:
        """Admit everybody, or if `locked` those who know a fresh code."""
        self.entropy: Final = entropy
        """Returns as many fresh random bytes as it is asked for."""
        self.code: str | None = None
        """The join code; None at a table without one. It appears in no `repr` and no message."""
        self._tries = 0
        self._renewed = float("-inf")
        self._wrong: dict[str, tuple[int, float]] = {}
        self._queue: dict[int, None] = {}
        self._next_guess = float("-inf")
        if locked:
            self.renew()

    def renew(self) -> None:
        """Take a new code; the old one then admits nobody any more."""
        self.code = make_code(self.entropy(HASH_BYTES))
        self._tries = 0

    def waits(self, address: str, now: float) -> bool:
        """Whether this address has sent so many wrong codes that it is refused at `now`, in
        monotonic seconds."""
        tries, last = self._wrong.get(address, (0, now))
        return tries >= TRIES_OF_ADDRESS and now - last < TRIES_AGAIN_DELAY

    def wrong(self, address: str, now: float) -> None:
        """Note a wrong code from this address at `now`, in monotonic seconds; after too many in
        all, the table takes a new code."""
        tries, last = self._wrong.pop(address, (0, now))
        if now - last >= TRIES_AGAIN_DELAY:
            tries = 0
        if len(self._wrong) >= MAX_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        self._wrong[address] = tries + 1, now
        self._tries += 1
        # A code that changes all the time would keep out the people who were told it.
        if self._tries >= TRIES_OF_CODE and now - self._renewed >= RENEW_INTERVAL:
            self._renewed = now
            self.renew()

    def right(self, address: str) -> None:
        """Note the right code from this address: its wrong ones are forgotten."""
        self._wrong.pop(address, None)

    def ask(self, link: int) -> None:
        """Note that a guess came on this link and is waiting for its answer."""
        self._queue[link] = None

    def forget(self, link: int) -> None:
        """Note that this link has ended: its guess is not answered any more."""
        self._queue.pop(link, None)

    def answers(self, now: float) -> int | None:
        """Take the link whose guess has waited longest from the queue; None if none waits or the
        last answer is less than `GUESS_INTERVAL` ago."""
        if not self._queue or now < self._next_guess:
            return None
        self._next_guess = now + GUESS_INTERVAL
        link = next(iter(self._queue))
        del self._queue[link]
        return link


Step = Hello | Entries | Pake | Confirm
"""A message of a guest that is not let in yet."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a handshake message leads to: the next message, or that the guest is let in."""

    message: Message | None = None
    """The message to send to the guest; None if there is nothing to send."""
    newcomer: Hello | None = None
    """The hello of a guest that is let in now, having shown all that it had to; None if it is not
    yet."""
    admitted: Admitted | None = None
    """The announcement that the key was admitted, for the log; None if the log needs none."""
    effects: Sequence[HostEffect] = ()
    """Effects to carry out before the message is sent."""


class Entrance:
    """Decides for one table which guests are let in."""

    def __init__(
        self,
        admission: Admission,
        connections: Connections,
        log: Log,
        table: Callable[[], Table],
        standing: Callable[[], int | None],
        borrow: Callable[[Sequence[bytes]], list[HostEffect]],
    ) -> None:
        """`table` returns the table that the log makes now, and `standing` the epoch of a
        candidate, or None at a host. `borrow` makes a candidate take entries that a guest holds
        beyond its log."""
        self._admission = admission
        self._connections = connections
        self._log = log
        self._table = table
        self._standing = standing
        self._borrow = borrow
        self._unasked: set[bytes] = set()
        """Keys from an old table that were let in without the code, although they held no
        entries."""

    def take(
        self,
        link: LinkId,
        connection: GuestLink,
        said: Step,
        at: Moment,
    ) -> Farewell | Reply:
        """The answer to one handshake message of a guest; raises `Malformed` for one out of
        place."""
        match said:
            case Hello():
                return self._hello(connection, said, at)
            case Entries():
                return self._lent(connection, said, at)
            case Pake():
                connection.handshake.guess(said)
                self._admission.ask(link)
                return Reply()
            case Confirm():
                return self._confirmed(connection, said, at)

    def _hello(self, connection: GuestLink, hello: Hello, at: Moment) -> Farewell | Reply:
        table, standing = self._table(), self._standing()
        if not connection.handshake.introduce(hello, table.id):
            return Farewell.WRONG_PROOF
        if hello.key in table.refused:
            return Farewell.BARRED
        if self._is_shut_to(connection, hello.key):
            return Farewell.SHUT
        # Who tells a candidate of its own epoch has promised another one its support in it.
        if hello.epoch > (table.epoch if standing is None else standing - 1):
            return Farewell.OLD_EPOCH
        if self.common(hello) is None:
            if standing is None:
                return Farewell.OTHER_LOG
            if not may_support(table, hello.key) or hello.length <= len(self._log):
                return Farewell.BEHIND
            return Reply(connection.ask_entries(len(self._log), at))
        is_known = self._knows(hello.key) and not self._may_doubt(hello)
        if standing is not None and not is_known:
            return Farewell.TOO_MANY
        if connection.address is None or is_known:
            return Reply(newcomer=hello)
        if self._admission.waits(connection.address, at.monotonic):
            return Farewell.TOO_MANY_TRIES
        connection.since = at.monotonic
        return Reply(connection.handshake.ask())

    def _lent(self, connection: GuestLink, lent: Entries, at: Moment) -> Farewell | Reply:
        """The answer to a guest that lends a candidate entries; it is let in once the candidate
        holds as much as it does."""
        hello, asked = connection.handshake.hello, connection.asked_behind
        if hello is None or asked is None or connection.key is not None:
            raise Malformed("only who was asked for entries lends them")
        effects = self._borrow(lent.blobs)
        if self.common(hello) is not None:
            return Reply(newcomer=hello, effects=effects)
        if len(self._log) <= asked:
            return Farewell.BEHIND
        return Reply(connection.ask_entries(len(self._log), at), effects=effects)

    def common(self, hello: Hello) -> int | None:
        """How many entries of its log a guest may keep; None if it holds the log of another table.

        Entries after the last one that both logs have in common are lost.
        """
        if self._log.holds(hello.held):
            return hello.length
        return self._log.common(hello.terms, hello.length)

    def answer_due(self, at: Moment) -> list[Compute]:
        """The work that answers the guess of the join code that has waited longest; empty if none
        waits or it is too early, since guesses are answered one per `GUESS_INTERVAL`."""
        link = self._admission.answers(at.monotonic)
        connection = None if link is None else self._connections.get(link)
        code = self._admission.code
        if link is None or connection is None or code is None:
            return []
        work = connection.handshake.answering(code, self._table().id, self._admission.entropy)
        return [Compute(link, work)]

    def _confirmed(self, connection: GuestLink, confirm: Confirm, at: Moment) -> Farewell | Reply:
        connection.handshake.expect_proof()
        address = connection.address or ""
        if self._admission.waits(address, at.monotonic):
            # Guesses that began before the last wrong one do not count as further tries.
            return Farewell.TOO_MANY_TRIES
        proof = connection.handshake.prove(confirm, self._admission.code)
        if proof is None:
            self._admission.wrong(address, at.monotonic)
            return Farewell.WRONG_CODE
        self._admission.right(address)
        hello = connection.handshake.hello
        is_stranger = hello is not None and not self._knows(hello.key)
        return Reply(proof, hello, Admitted(hello.key) if hello and is_stranger else None)

    def _may_doubt(self, hello: Hello) -> bool:
        """Whether a guest may not know that this host has proven the join code, too, and so has to
        be asked for it again.

        Such a guest holds no entries and has never sat here, and accepts no welcome without that
        proof. Players from an old table seldom have a code: they are asked for it only if they came
        once without it and did not stay.
        """
        table = self._table()
        if hello.length or hello.key not in table.admitted - table.names.keys():
            return False
        if hello.key not in table.behind or hello.key in self._unasked:
            return True
        self._unasked.add(hello.key)
        return False

    def _is_shut_to(self, connection: GuestLink, key: bytes) -> bool:
        """Whether the table is shut, and this key is unknown to it and not of the host's own
        program."""
        table = self._table()
        return table.shut and connection.address is not None and not table.knows(key)

    def _knows(self, key: bytes) -> bool:
        """Whether this key need not prove the join code: the table is open, or the key sat here,
        proved the code before, or opened the table."""
        table = self._table()
        return not table.opened.locked or table.knows(key)
