"""Tables without a log: a moment of a recorded or a taught game, to be drawn like any other.

A moment becomes a `Table` and then a view by the same code as at a real table, so that a shut fist
shows no hand here either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.rules.game import Game, GamePlayer, PlayedRound, Round
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import MIN_PLAYERS, Rules
from protocol.rules.stakes import Stakes
from protocol.table.fold import Phase, Seat, Table
from protocol.table.head import EMPTY
from protocol.table.statements import TableOpened
from protocol.version import PROTOCOL
from protocol.views import view_of
from spoof_tui.beats import Beat
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.pacing import Reveal
from spoof_tui.text.safe_text import own_text
from spoof_tui.ui.table.felt.centre import Centre
from spoof_tui.ui.table.scene import Scene

_NOBODY = bytes(HASH_BYTES)


@dataclass(frozen=True, slots=True)
class StaticSeats:
    """Who is playing."""

    title: str
    """The table's name; the player's own words, or text that passed the gate."""
    rules: Rules
    names: tuple[ForeignText, ...]
    """Clockwise."""
    me: int | None = None
    """The seat whose view is shown; None for a spectator."""
    number: int = 1
    """Number of the game."""


@dataclass(frozen=True, slots=True)
class Instant:
    """What has happened so far."""

    round_number: int
    coins: tuple[int, ...]
    """Coins of every seat now."""
    said: Round | None = None
    """The round as far as it has been bid; None before the first."""
    missing: frozenset[int] = frozenset()
    """Seats whose fist is not in yet."""
    hands: Mapping[int, int] = field(default_factory=dict)
    """The hands that are open."""
    played: PlayedRound | None = None
    """The round, once it is over; `coins` and `hands` are then those after its count."""
    told: int | None = None
    """The step of its count that is shown, as an index in `Reveal.steps`; None for the last."""
    stakes: Stakes = field(default_factory=Stakes)
    """The stakes on the felt."""


@dataclass(frozen=True, slots=True)
class _Game(Game):
    """A game whose coins and round are given, not derived from earlier rounds."""

    held: tuple[int, ...] = ()
    at: int = 0

    @property
    def coins(self) -> tuple[int, ...]:
        """Coins of every seat now."""
        return self.held

    @property
    def round_number(self) -> int:
        """Number of the round on show."""
        return self.at


def still(company: StaticSeats, moment: Instant, caption: Centre | None = None) -> Scene:
    """The moment as the table screen shows it."""
    reveal = Reveal.of(moment.played).to(Beat.PAID) if moment.played else None
    if moment.played and reveal and moment.told is not None:
        reveal = replace(reveal, at=moment.told)
        if not reveal.is_paid:
            moment = replace(moment, coins=moment.played.words.coins, hands={}, played=None)
    view = view_of(_table(company, moment), _key(company.me))
    return Scene(view=view, names=seat_names(view), reveal=reveal, caption=caption)


def spoken(said: Round, words: int) -> Round:
    """The round after only this many words."""
    if isinstance(said, GuessingRound):
        return replace(said, calls=said.calls[:words])
    return replace(said, words=said.words[:words])


def _key(seat: int | None) -> bytes:
    return _NOBODY if seat is None else bytes([seat + 1]) * HASH_BYTES


def _table(company: StaticSeats, moment: Instant) -> Table:
    title = own_text(company.title, MAX_NAME)
    count = max(len(company.names), MIN_PLAYERS)
    opened = TableOpened(PROTOCOL, _NOBODY, title, company.rules, count, False, 60, 0, _NOBODY)
    keys = [_key(seat) for seat in range(len(company.names))]
    return Table(
        opened=opened,
        host=_NOBODY,
        head=EMPTY,
        id=_NOBODY,
        time=0,
        phase=_phase(moment),
        seats=tuple(Seat(key, name) for key, name in zip(keys, company.names, strict=True)),
        names=dict(zip(keys, company.names, strict=True)),
        game=_game(company, moment, keys),
        stakes=moment.stakes,
    )


def _game(company: StaticSeats, moment: Instant, keys: list[bytes]) -> Game:
    players = zip(keys, company.names, strict=True)
    fists = moment.said.players if moment.said else ()
    return _Game(
        table=_NOBODY,
        number=company.number,
        rules=company.rules,
        players=tuple(GamePlayer(key, name, _NOBODY) for key, name in players),
        started=0,
        round=moment.said,
        seals={seat: _NOBODY for seat in fists if seat not in moment.missing},
        hands=moment.hands,
        past=(moment.played,) if moment.played else (),
        held=moment.coins,
        at=moment.round_number,
    )


def _phase(moment: Instant) -> Phase:
    if moment.said is None:
        return Phase.LOT
    if moment.missing:
        return Phase.CHOOSING
    if moment.played or moment.said.is_over:
        return Phase.OPENING
    return Phase.SPEAKING
