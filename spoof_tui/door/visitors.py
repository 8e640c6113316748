"""The visitors who are at a door or logging in, sans-IO: limits per address and in all."""

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
"""Maximum number of interfaces that run at the same time: nine seats and spectators, at 100 MB each
at most."""

MAX_OF_ADDRESS: Final = 12
"""Maximum number of these for one address or IPv6 network, such as people behind one router or on
one machine."""

_NAME_CELLS: Final = 24


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has logged in at a door."""

    address: str
    name: str
    """The name that they logged in with, made safe to show; empty if there is none."""
    key: bytes | None = None
    """Public half of the ssh key that was proven; None for a guest."""
    word: str = field(default="", repr=False)
    """The word with which a guest comes back; empty for a visitor with a key."""
    code: str = field(default="", repr=False)
    """The join code in the link of a web page; empty if it had none."""

    @classmethod
    def called(cls, address: str, user: str, key: bytes | None, word: str = "") -> Visitor:
        """The visitor who logged in with the name `user`; `word` is ignored if there is a key."""
        return cls(address, name_of(user), key, "" if key else word)

    def stay(self, table: bytes) -> Stay:
        """The state directory of this person at the door of `table`; raises `OSError`."""
        if self.key is not None:
            return folders.stay_of_key(self.key, self.place)
        return folders.stay_of_guest(table, self.name, self.word, self.place)

    @property
    def place(self) -> str:
        """The key by which visitors from the same address or IPv6 network are counted together."""
        return place_of(self.address)

    @property
    def source(self) -> str:
        """The loopback address from which this visitor's program connects, different for each
        place, so that a table on this machine can limit places separately."""
        first, second, third = sha256(self.place.encode()).digest()[:3]
        return f"127.{first % 127 + 128}.{second}.{third % 254 + 1}"

    @property
    def person(self) -> object:
        """A value that is equal for two visits of the same person."""
        return self.key or (self.name, self.word)


def name_of(user: str) -> str:
    """The name that somebody logged in with, made safe to show and cut to 24 cells; empty for
    none."""
    return show(own_text(user, MAX_NAME), _NAME_CELLS) if user else ""


def has_room(visitor: Visitor, inside: Collection[Visitor]) -> bool:
    """Whether one more visitor may come in while those in `inside` are here."""
    of_place = sum(each.place == visitor.place for each in inside)
    return len(inside) < MAX_VISITORS and of_place < MAX_OF_ADDRESS


MAX_LOGINS: Final = 64
"""Maximum number of connections that are logging in, or have no session yet. Beyond that, the place
with the most loses its latest one."""

MAX_OF_PLACE: Final = 16
"""Maximum number of these from one place: more are refused until its oldest one has had `PATIENCE`
seconds."""

PATIENCE: Final = 30.0
"""Seconds after which a login may give way to another from the same place."""


class Logins:
    """The connections that are logging in, and which of them give way."""

    def __init__(self) -> None:
        self._begun: dict[int, tuple[str, float]] = {}
        """Place and start time in monotonic seconds of each connection, by its number; the oldest
        first."""

    def begin(self, number: int, place: str, now: float) -> int | None:
        """Add the connection `number` from `place`, which begins to log in at `now`, in monotonic
        seconds.

        Returns the number of the connection to close, which may be this one; None if there is room.
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
        """Remove a connection that has its session or has ended; does nothing if it is not
        listed."""
        self._begun.pop(number, None)
