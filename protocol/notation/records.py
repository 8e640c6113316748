"""The record of a game as headers and rounds of tokens, the same for both games.

A token is a tag and a sign: `S4`, `S!`, `Smax`, `M-`, and in the guessing game `S12?`, `M*` or `M`.
So reading and writing know the structure of a round, and only `rounds` knows what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from protocol.notation.faults import Fault
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Round
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Direction, RoundOutcome, Verdict


@dataclass(frozen=True, slots=True)
class Header:
    """One header: `[Name "value"]`."""

    name: str
    """The name, whether it has a meaning or not."""
    value: str
    """The value, with its escapes resolved."""
    line: int = field(default=0, compare=False)
    """Line of the file, from 1; 0 if it comes from none."""


@dataclass(frozen=True, slots=True)
class RecordToken:
    """A tag, and the sign that follows it without a blank."""

    tag: str
    """1 to 3 letters; empty if the text does not begin with a tag."""
    sign: str
    """The rest: a number, `!`, `=`, `max`, `-`, `+`, `?`; the whole text if there is no tag."""

    @property
    def text(self) -> str:
        """The token as it is written."""
        return self.tag + self.sign


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round as written: `N.` words `(` hands `)` changes `=` after; None for a part that is
    missing."""

    number: int
    """Number of the round as written."""
    words: tuple[RecordToken, ...]
    """The words, in the order in which they were said."""
    hands: tuple[RecordToken, ...] | None
    """The hands in the opened fists."""
    changes: tuple[RecordToken, ...] | None
    """The coins won and lost; an empty part is written as a full stop."""
    after: tuple[RecordToken, ...] | None
    """The coins of the players after the round."""
    direction: Direction | None = None
    """The direction mark after the number; None if there is none."""
    line: int = field(default=0, compare=False)
    """Line of the number in the file, from 1; 0 if it comes from none."""

    @property
    def tags(self) -> set[str]:
        """The tags of all tokens."""
        parts = (self.words, self.hands or (), self.changes or (), self.after or ())
        return {token.tag for tokens in parts for token in tokens}

    def respelt(self, spell: Callable[[RecordToken], RecordToken]) -> RoundRecord:
        """The round with each token replaced by what `spell` returns for it."""

        def each(tokens: tuple[RecordToken, ...] | None) -> tuple[RecordToken, ...] | None:
            return None if tokens is None else tuple(map(spell, tokens))

        words = tuple(map(spell, self.words))
        hands, changes, after = map(each, (self.hands, self.changes, self.after))
        return RoundRecord(self.number, words, hands, changes, after, self.direction, self.line)

    @property
    def text(self) -> str:
        """The round as one line of a record."""
        mark = self.direction.value if self.direction else ""
        parts = [f"{self.number}.{mark}", *_texts(self.words)]
        if self.hands is not None:
            parts.append(f"({' '.join(_texts(self.hands))})")
        if self.changes is not None:
            parts += _texts(self.changes) or ["."]
        if self.after is not None:
            parts += ["=", *_texts(self.after)]
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class GameHead:
    """The headers of a game."""

    headers: tuple[Header, ...]
    """The headers in the order of the file."""
    line: int
    """Line on which the game begins."""

    def find(self, name: str) -> Header | None:
        """The first header of this name, which is the one that counts; None if there is none."""
        return first_header(self.headers, name)


@dataclass(frozen=True, slots=True)
class GameEnd:
    """Marks the end of a game."""


Piece = GameHead | RoundRecord | Fault | GameEnd
"""A result of reading: the head, rounds and end of every game, and faults between them."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The record of one game."""

    headers: tuple[Header, ...]
    """The headers in the order of the file, including unknown ones."""
    rounds: tuple[RoundRecord, ...]
    """The rounds in the order of the file."""
    faults: tuple[Fault, ...] = ()
    """Faults found while reading: the text there was not understood."""
    line: int = field(default=1, compare=False)
    """Line of the file on which the game begins."""

    def value(self, name: str) -> str | None:
        """Value of the first header of this name; None if there is none."""
        found = first_header(self.headers, name)
        return found.value if found else None

    def pieces(self) -> Iterator[Piece]:
        """The pieces that reading this record would return."""
        yield GameHead(self.headers, self.line)
        yield from self.faults
        yield from self.rounds
        yield GameEnd()


def first_header(headers: tuple[Header, ...], name: str) -> Header | None:
    """The first header of this name, which is the one that counts; None if there is none."""
    return next((header for header in headers if header.name == name), None)


def _texts(tokens: tuple[RecordToken, ...]) -> list[str]:
    return [token.text for token in tokens]


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """A round that was played again from its record."""

    number: int
    """Number of the round as written."""
    is_school: bool = False
    """Whether it is a round of the guessing game."""
    fault: Fault | None = None
    """The first thing that is wrong with the round; None if all is right."""
    tags: tuple[str, ...] = ()
    """Tags of the seats, clockwise."""
    said: Round | None = None
    """The words before the first fault; None if the round could not be played."""
    hands: Mapping[int, int] = field(default_factory=dict)
    """The opened hands in coins, by seat; fists that stayed shut are absent."""
    outcome: RoundOutcome | None = None
    """What the round changed; None if it could not be counted."""
    coins: tuple[int, ...] = ()
    """Coins of every seat afterwards; 0 if it is out, or has left the school."""
    opener: int | None = None
    """Seat that opens the next round; None if there is none, or if it cannot be known."""

    def as_json(self) -> dict[str, object]:
        """The round as `spoof check --json` shows it."""
        said, outcome = self.said, self.outcome
        players = said.players if said else ()
        turned = said.direction if said else Direction.CLOCKWISE
        way = {} if self.is_school else {"direction": turned.value}
        return {
            "round": self.number,
            "starter": self.tags[said.starter] if said else None,
            **way,
            "words": self._words(),
            "hands": {self.tags[s]: self.hands.get(s) for s in players if outcome},
            "total": outcome.total if outcome else None,
            **(self._of_school(players) if self.is_school else self._of_bidding(players)),
            "next_starter": None if self.opener is None else self.tags[self.opener],
        }

    def _words(self) -> list[list[object]]:
        if isinstance(self.said, GuessingRound):
            calls = self.said.calls
            return [[self.tags[c.seat], c.number, *["taken"] * c.taken] for c in calls]
        words = self.said.words if self.said else ()
        return [[self.tags[s], w.number if isinstance(w, Bid) else w.value] for s, w in words]

    def _of_bidding(self, players: Iterable[int]) -> dict[str, object]:
        said, outcome = self.said, self.outcome
        ending = said.ending if isinstance(said, BiddingRound) else None
        is_told = outcome is not None and outcome.verdict is not Verdict.VOID
        return {
            "ending": ending.value if ending else None,
            "right": outcome.verdict.ender_is_right if outcome and is_told else None,
            "changes": {self.tags[s]: n for s, n in sorted(outcome.changes.items())}
            if outcome
            else None,
            "coins": {self.tags[seat]: self.coins[seat] for seat in players},
            "out": self._named(outcome.went_out if outcome else ()),
        }

    def _of_school(self, players: Iterable[int]) -> dict[str, object]:
        outcome = self.outcome
        return {
            "left": self._named(outcome.went_out if outcome else ()),
            "fined": self._named(outcome.fined if outcome else ()),
            "in": self._named(seat for seat in players if self.coins[seat]),
        }

    def _named(self, seats: Iterable[int]) -> list[str]:
        return [self.tags[seat] for seat in seats]
