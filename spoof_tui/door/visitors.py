"""Who is at a door or logging in, sans-IO: how many from one address, and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from protocol.limits import MAX_NAME
from spoof_tui.door import folders
from spoof_tui.door.folders import Stay
from spoof_tui.network.addresses import place_of
from spoof_tui.text.safe_text import own_text, show

MAX_VISITORS: Final = 24
"""Interfaces that run at once: nine seats and spectators, at 100 MB each at most."""

MAX_OF_ADDRESS: Final = 12
"""Of these, for one address or IPv6 network: people behind one router, or on one machine."""

_NAME_CELLS: Final = 24


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has logged in."""

    address: str
    name: str
    """The name that they logged in with, as others may see it; empty if there is none."""
    key: bytes | None = None
    """Public half of the ssh key that was proven; None for a guest."""
    word: str = field(default="", repr=False)
    """The word that a guest comes back with; empty if there is a key."""
    code: str = field(default="", repr=False)
    """The join code that a web page brought along; empty if it brought none."""

    @classmethod
    def called(cls, address: str, user: str, key: bytes | None, word: str = "") -> Visitor:
        """Somebody who logged in as `user`."""
        return cls(address, name_of(user), key, "" if key else word)

    def stay(self, table: bytes) -> Stay:
        """The state directory of this person at the door of `table`; raises `OSError`."""
        if self.key is not None:
            return folders.stay_of_key(self.key, self.place)
        return folders.stay_of_guest(table, self.name, self.word, self.place)

    @property
    def place(self) -> str:
        """What their address is counted under."""
        return place_of(self.address)

    @property
    def source(self) -> str:
        """The loopback address that tells a table on this machine where they come from."""
        first, second, third = sha256(self.place.encode()).digest()[:3]
        return f"127.{first % 127 + 128}.{second}.{third % 254 + 1}"

    @property
    def person(self) -> object:
        """What tells people apart."""
        return self.key or (self.name, self.word)


def name_of(user: str) -> str:
    """The name that somebody logged in with, as others may see it."""
    return show(own_text(user, MAX_NAME), _NAME_CELLS) if user else ""


def has_room(visitor: Visitor, inside: Collection[Visitor]) -> bool:
    """Whether a visitor may come in, with these inside already."""
    of_place = sum(each.place == visitor.place for each in inside)
    return len(inside) < MAX_VISITORS and of_place < MAX_OF_ADDRESS


MAX_LOGINS: Final = 64
"""Maximum connections that are logging in, or have no session yet. When there are too many, the
place with the most gives one up for a place without any."""

MAX_OF_PLACE: Final = 16
"""Of these, from one place: more are refused until the oldest has had its time."""

PATIENCE: Final = 30.0
"""Seconds after which a login may give way to another from the same place."""


class Logins:
    """The connections that are logging in."""

    def __init__(self) -> None:
        self._begun: dict[int, tuple[str, float]] = {}
        """Place and start time, by number of the connection; the oldest first."""

    def begin(self, number: int, place: str, now: float) -> int | None:
        """Let the connection with this number log in at `now`, in seconds.

        Returns the number of the one that gives way, which may be the same, or None if none has to.
        """
        counts = Counter(where for where, _ in self._begun.values())
        gives_way = None
        if counts[place] >= MAX_OF_PLACE:
            gives_way = next(each for each, (where, _) in self._begun.items() if where == place)
            if now - self._begun[gives_way][1] < PATIENCE:
                return number
        elif len(self._begun) >= MAX_LOGINS:
            busiest = counts.most_common(1)[0][0]
            of_it = [each for each, (where, _) in self._begun.items() if where == busiest]
            gives_way = of_it[-1]
        if gives_way is not None:
            del self._begun[gives_way]
        self._begun[number] = place, now
        return gives_way

    def end(self, number: int) -> None:
        """A connection has its session or is gone, whether it had begun or not."""
        self._begun.pop(number, None)
