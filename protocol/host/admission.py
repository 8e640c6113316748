"""Who may come in to a table: the join code, the guesses at it, and the addresses that wait.

Guesses are answered one at a time and not faster than `GUESS_INTERVAL`, whoever makes them.
"""

from __future__ import annotations

from typing import Final

from protocol.crypto.join_code import Entropy, make_code
from protocol.crypto.seals import HASH_BYTES
from protocol.limits import (
    GUESS_INTERVAL,
    MAX_ADDRESSES,
    RENEW_INTERVAL,
    TRIES_AGAIN_DELAY,
    TRIES_OF_ADDRESS,
    TRIES_OF_CODE,
)


class Admission:
    """The door of one table."""

    def __init__(self, entropy: Entropy, *, locked: bool) -> None:
        """An open door, or one that is `locked` by a fresh code."""
        self.entropy: Final = entropy
        """Gives fresh random bytes."""
        self.code: str | None = None
        """The join code; None at an open table. It is in no `repr` and in no message."""
        self._tries = 0
        self._renewed = float("-inf")
        self._wrong: dict[str, tuple[int, float]] = {}
        self._queue: dict[int, None] = {}
        self._next_guess = float("-inf")
        if locked:
            self.renew()

    def renew(self) -> None:
        """Take another code, if there is one: the old one opens nothing any more."""
        self.code = make_code(self.entropy(HASH_BYTES))
        self._tries = 0

    def waits(self, address: str, now: float) -> bool:
        """Whether this address has guessed so often that it is not heard at `now`."""
        tries, last = self._wrong.get(address, (0, now))
        return tries >= TRIES_OF_ADDRESS and now - last < TRIES_AGAIN_DELAY

    def wrong(self, address: str, now: float) -> bool:
        """A wrong code came from this address; whether the table has taken a new one."""
        tries, last = self._wrong.pop(address, (0, now))
        if now - last >= TRIES_AGAIN_DELAY:
            tries = 0
        if len(self._wrong) >= MAX_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        self._wrong[address] = tries + 1, now
        self._tries += 1
        if self._tries < TRIES_OF_CODE or now - self._renewed < RENEW_INTERVAL:
            # A code that changes all the time would keep out those whom it was told to.
            return False
        self._renewed = now
        self.renew()
        return True

    def right(self, address: str) -> None:
        """The right code came from this address: its slips are forgotten."""
        self._wrong.pop(address, None)

    def ask(self, link: int) -> None:
        """A guess came on this link and waits for its answer."""
        self._queue[link] = None

    def forget(self, link: int) -> None:
        """This link has ended: its guess is not answered."""
        self._queue.pop(link, None)

    def answers(self, now: float) -> int | None:
        """The link whose guess is to be answered now, if it is time for one."""
        if not self._queue or now < self._next_guess:
            return None
        self._next_guess = now + GUESS_INTERVAL
        link = next(iter(self._queue))
        del self._queue[link]
        return link
