"""The slate: fines, drinks and the chairman of the guessing game (H2, H10, H12, H13).

Everything on it follows from the log. It is kept all evening, and is never money.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.guessing import ATTEMPTS, GuessingRound
from protocol.rules.options import GuessingRules
from protocol.rules.words import Drink, Offence

if TYPE_CHECKING:
    from protocol.rules.game import Game, PlayedRound


@dataclass(frozen=True, slots=True)
class Fine:
    """One fine on the slate."""

    key: bytes
    """Public key of the seat that is fined."""
    offence: Offence
    by: bytes | None
    """Public key of the chairman who awarded it; None for the house."""
    lifted: bool = False
    """Whether the chairman has lifted it (H2)."""


@dataclass(frozen=True, slots=True)
class Slate:
    """Fines, drinks and votes for chairman over one evening."""

    fines: tuple[Fine, ...] = ()
    """The fines in the order in which they were awarded."""
    orders: tuple[tuple[int, bytes, Drink], ...] = ()
    """For each school whose drinks are ordered: its number, the key of the seat that ordered, and
    the drink (H10)."""
    paid: tuple[bytes, ...] = ()
    """For each school, the public key of the seat that pays (H12)."""
    votes: Mapping[bytes, bytes] = field(default_factory=dict)
    """Each voter's choice for chairman, by the voter's key (H2)."""
    chairman: bytes | None = None
    """Public key of the elected chairman; None if nobody is elected."""

    def owed(self, key: bytes) -> int:
        """Number of drinks that `key` owes: its fines that were not lifted."""
        return sum(fine.key == key and not fine.lifted for fine in self.fines)

    def fined(self, key: bytes, offence: Offence, by: bytes | None = None) -> Slate:
        """The slate with one more fine of `key`; `by` is the chairman, None for the house."""
        return replace(self, fines=(*self.fines, Fine(key, offence, by)))

    def lift(self, index: int) -> Slate:
        """The slate with the fine at `index` lifted; raises `Illegal` if there is no such fine, or
        it was lifted before."""
        if index >= len(self.fines) or self.fines[index].lifted:
            raise Illegal(Reason.NO_SUCH_FINE)
        lifted = replace(self.fines[index], lifted=True)
        return replace(self, fines=(*self.fines[:index], lifted, *self.fines[index + 1 :]))

    def elect(self, voter: bytes, candidate: bytes, seats: frozenset[bytes]) -> Slate:
        """The slate after a vote; more than half of `seats` make a chairman (H2).

        A vote counts as long as its voter has a seat and votes for nobody else.
        """
        votes = {**self.votes, voter: candidate}
        standing = Counter(votes[key] for key in votes if key in seats)
        elected = standing[candidate] * 2 > len(seats)
        return replace(self, votes=votes, chairman=candidate if elected else self.chairman)

    def order(self, key: bytes, drink: Drink, game: Game) -> Slate:
        """The slate after `key`, the first to leave the school, ordered drinks; raises `Illegal`
        for anybody else."""
        first = game.first_out
        if first is None or game.players[first].key != key:
            raise Illegal(Reason.NOT_FIRST_OUT)
        if self.ordered(game):
            raise Illegal(Reason.ORDERED_ALREADY)
        return replace(self, orders=(*self.orders, (game.number, key, drink)))

    def ordered(self, game: Game) -> bool:
        """Whether the drinks of this school have been ordered."""
        return any(number == game.number for number, _, _ in self.orders)

    def after_round(self, game: Game) -> Slate:
        """The slate after the last round of `game`, with the fines that follow from it.

        The bidding game leaves it as it is.
        """
        played = game.past[-1]
        if not isinstance(played.words, GuessingRound):
            return self
        slate = self
        for seat, offence in _offences(played, played.words):
            slate = slate.fined(game.players[seat].key, offence)
        if game.winner is not None:
            slate = replace(slate, paid=(*slate.paid, game.players[game.winner].key))
        return slate

    def after_removal(self, game: Game) -> Slate:
        """The slate after a seat was taken away from `game`: if only one player is left, that one
        pays (G5, H12)."""
        if game.winner is None or not isinstance(game.rules, GuessingRules):
            return self
        return replace(self, paid=(*self.paid, game.players[game.winner].key))

    def before_next(self, game: Game) -> Slate:
        """The slate when the next school begins: if the first to leave `game` ordered nothing, that
        costs a fine."""
        first = game.first_out
        if first is None or self.ordered(game):
            return self
        return self.fined(game.players[first].key, Offence.NOT_ORDERING)

    def after_leaving(self, key: bytes, game: Game) -> Slate:
        """The slate after `key` gave up its seat between schools: if it had to pay for `game`, it
        is fined (H13)."""
        payer = game.winner
        if payer is None or game.players[payer].key != key:
            return self
        return self.fined(key, Offence.LEFT_AFTER_LOSS)


def _offences(played: PlayedRound, said: GuessingRound) -> Iterator[tuple[int, Offence]]:
    """Seat and offence of each fine of a round; if a seat is fined twice, the first fine is for its
    duplicates."""
    duplicates = {seat for seat in said.players if said.attempts(seat) >= ATTEMPTS}
    for seat in played.outcome.fined:
        if seat not in played.hands:
            yield seat, Offence.SHUT_FIST
        elif seat in duplicates:
            duplicates.discard(seat)
            yield seat, Offence.DUPLICATE
        else:
            yield seat, Offence.IMPOSSIBLE
