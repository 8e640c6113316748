"""How much of what binds no game a host takes of each participant: talk, votes, sitting down."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.host.rate_limit import Bucket, RateLimits
from protocol.limits import (
    SEATING_BURST,
    SEATING_INTERVAL,
    SEATING_OF_ADDRESS_BURST,
    SEATING_OF_ADDRESS_INTERVAL,
    TALK_BURST,
    TALK_INTERVAL,
    TALK_OF_ROUND,
)
from protocol.table.log import Intent
from protocol.table.state import Table
from protocol.table.statements import Leave, Sit


@dataclass(frozen=True, slots=True)
class _RoundTalk:
    """What one participant said in a round besides the game."""

    round: tuple[int, int] = (0, 0)
    said: int = 0


class TalkLimits:
    """The rations at one table."""

    def __init__(self) -> None:
        self._talk = RateLimits(TALK_BURST, TALK_INTERVAL)
        self._rounds: dict[bytes, _RoundTalk] = {}
        self._seating = Bucket(SEATING_BURST, SEATING_INTERVAL)
        self._nearby = RateLimits(SEATING_OF_ADDRESS_BURST, SEATING_OF_ADDRESS_INTERVAL)

    def take(self, table: Table, intent: Intent, now: float, address: str | None = None) -> bool:
        """Whether the author, at `address`, may say one more thing at `now`; takes it.

        Without an address it is of the host's own program, which is trusted.
        """
        game = table.game
        running = (game.number, game.round_number) if game and game.round else (0, 0)
        talk = self._rounds.get(intent.author, _RoundTalk())
        said = talk.said if talk.round == running else 0
        if running != (0, 0) and said >= TALK_OF_ROUND:
            return False
        # The own ration first: a player who has used it up takes nothing of what all share.
        if not self._talk.take(intent.author, now):
            return False
        if isinstance(intent.statement, Sit | Leave):
            if address is not None and not self._nearby.take(address, now):
                return False
            if not self._seating.take(now):
                return False
        # Only of players whom the log names, so that keys which cost nothing fill no memory.
        self._rounds[intent.author] = _RoundTalk(running, said + 1)
        return True
