"""How a host runs its table where the rules leave it a choice, and the card that it shows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import MIN_PLAYERS
from protocol.table.state import Phase, Table
from protocol.table.statements import GameStarted, TimeUp, Vacated
from protocol.wire.messages import Card, State


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """How this host runs its table; the rules depend on none of it."""

    name: ForeignText
    """The host's name, for the card."""
    start_when: int = MIN_PLAYERS
    """How many have to be ready for a game to start. It then starts once everybody present is
    ready, or once the grace time is over (G9)."""
    games: int | None = None
    """Maximum number of games; None for no limit."""

    def card(self, table: Table, standing: int | None) -> Card:
        """The card of the table; `standing` is the epoch of a candidate, None for the host."""
        state = State.GATHERING if table.phase is Phase.GATHERING else State.PLAYING
        return Card(
            table=table.id,
            name=table.opened.name,
            host=self.name,
            rules=table.opened.rules,
            seats=table.opened.seats,
            taken=len(table.seats),
            state=state if standing is None else State.MOVING,
            locked=table.opened.locked,
            epoch=table.epoch if standing is None else standing,
            continues=table.continues.origins if table.continues else (),
        )

    def is_done(self, table: Table) -> bool:
        """Whether the last of the agreed games is over."""
        if table.game is None or self.games is None or table.phase is not Phase.GATHERING:
            return False
        return table.game.number >= self.games

    def game_due(
        self, table: Table, time: int, silent: Collection[bytes], *, waits: bool = True
    ) -> GameStarted | None:
        """The game to start at `time`, in milliseconds by the clock of the table; None if none is
        due.

        Keys that are `silent` do not count as ready, whatever they said before. With `waits=False`
        it does not wait for those who are not ready.
        """
        if table.phase is not Phase.GATHERING or table.paused or self.is_done(table):
            return None
        ready = tuple(key for key in table.ready_keys if key not in silent)
        present = [seat for seat in table.seats if not seat.away]
        if not waits:
            return GameStarted(ready) if len(ready) >= MIN_PLAYERS else None
        if len(ready) < max(MIN_PLAYERS, self.start_when) or table.starts_from is None:
            return None
        if len(ready) < len(present) and time < table.starts_from:
            return None
        return GameStarted(ready)


def due(table: Table, time: int) -> tuple[Message, ...]:
    """The announcements due at `time`, in milliseconds since 1970 by the clock of the table.

    They end a turn that has lasted too long (G4), and free seats whose owners never played and are
    gone.
    """
    late, vacant = table.out_of_time(time)[:1], table.vacant(time)[:1]
    return (*map(TimeUp, late), *map(Vacated, vacant))
