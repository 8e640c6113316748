"""Draws a moment of a recorded or taught game, without a log, like any other table.

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
    """The table's name, rules and players."""

    title: str
    """The table's name; the program's own words, or text made safe by `safe_text`."""
    rules: Rules
    names: tuple[ForeignText, ...]
    """The players' names, clockwise."""
    me: int | None = None
    """The seat whose view is shown; None for a spectator."""
    number: int = 1
    """Number of the game."""


@dataclass(frozen=True, slots=True)
class Instant:
    """The state of a game at one moment, as far as a picture of the table shows it."""

    round_number: int
    coins: tuple[int, ...]
    """The coins of every seat."""
    said: Round | None = None
    """The round as far as it has been bid; None before the first word of a game."""
    missing: frozenset[int] = frozenset()
    """Seats that have not hidden a hand yet."""
    hands: Mapping[int, int] = field(default_factory=dict)
    """The open hands, by seat."""
    played: PlayedRound | None = None
    """The finished round, None before; `coins` and `hands` are then those after its count."""
    told: int | None = None
    """Index in `Reveal.steps` of the count's step on show; None for the last one."""
    stakes: Stakes = field(default_factory=Stakes)
    """The stakes on the felt."""
    is_locked: bool = False
    """Whether all fists are in and nobody has the word yet."""


@dataclass(frozen=True, slots=True)
class _Game(Game):
    """A game with given coins and round, not derived from earlier rounds."""

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
    """The scene of a moment, for the table screen; `caption` is shown in the middle, None for the
    round."""
    reveal = Reveal.of(moment.played).to(Beat.PAID) if moment.played else None
    if moment.played and reveal and moment.told is not None:
        reveal = replace(reveal, at=moment.told)
        if not reveal.is_paid:
            moment = replace(moment, coins=moment.played.words.coins, hands={}, played=None)
    view = view_of(_table(company, moment), _key(company.me))
    return Scene(view=view, names=seat_names(view), reveal=reveal, caption=caption)


def spoken(said: Round, words: int) -> Round:
    """The round as it was after its first `words` words."""
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
    if moment.missing or moment.is_locked:
        return Phase.CHOOSING
    if moment.played or moment.said.is_over:
        return Phase.OPENING
    return Phase.SPEAKING
