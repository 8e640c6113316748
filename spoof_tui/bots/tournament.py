"""Games of players without a table, one or many: seating, wins, and their statistical error.

A player here is any object that chooses a hand and a word from a view, as `BotMind` does. It sees
what the same seat sees at a table: before the fists open, no hand but its own.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Final, Protocol

from protocol.encoding.untrusted import ForeignText
from protocol.notation.writing import record_of
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, GamePlayer, PlayedRound, Round, round_of
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import START_COINS, GuessingRules, Rules
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.table.state import Phase
from protocol.views import (
    FistState,
    Option,
    SeatView,
    TableView,
    heard,
    lowest_bid,
    may_turn,
    objection,
)
from spoof_tui.bots.judging import any_hand, legal_words, own_seat, possible_calls
from spoof_tui.bots.odds import Odds, rest_of

MAX_ROUNDS: Final = 400
"""Number of rounds after which a game is left undecided: plans without randomness may go on for
ever."""

_TOSS_BITS: Final = 64


class Mind(Protocol):
    """A player: chooses hands and words from a view."""

    def choose_hand(self, view: TableView) -> int:
        """The coins to hide, from 0 to all that the player owns (R2)."""

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """A legal word, and the direction if an opening bid changes it (R4)."""


def play_game(
    minds: Sequence[Mind],
    rules: Rules,
    opener: int,
    *,
    number: int = 1,
    rounds: int = MAX_ROUNDS,
    toss: random.Random | None = None,
    coins: tuple[int, ...] | None = None,
) -> tuple[PlayedRound, ...]:
    """Play a game that `opener` opens, and return its rounds; the rules check every word, and an
    illegal one raises `Illegal`.

    Everybody starts with three coins, or with `coins` if given. After `rounds` rounds the game is
    left undecided. `toss` picks first callers where the rules toss for them (H11); without it the
    first of the school is picked.
    """
    past: tuple[PlayedRound, ...] = ()
    coins = coins or (START_COINS,) * len(minds)
    starter: int | None = opener
    while starter is not None and len(past) < rounds:
        lot = toss.getrandbits(_TOSS_BITS) if toss else 0
        played = _play_round(minds, round_of(rules, coins, starter), past, number, lot)
        past = (*past, played)
        coins, starter = played.outcome.coins, played.outcome.next_starter
    return past


def _play_round(
    minds: Sequence[Mind],
    running: Round,
    past: tuple[PlayedRound, ...],
    number: int,
    lot: int,
) -> PlayedRound:
    hands = {
        seat: minds[seat].choose_hand(view_of_round(running, seat, past, False, number))
        for seat in running.players
    }
    while (speaker := running.speaker) is not None:
        view = view_of_round(running, speaker, past, True, number)
        word, direction = minds[speaker].choose_word(view, hands[speaker])
        running = running.say(speaker, word, direction)
    if isinstance(running, GuessingRound):
        return PlayedRound(running, hands, running.count(hands, lot))
    return PlayedRound(running, hands, running.count(hands))


def view_of_round(
    running: Round,
    me: int,
    past: tuple[PlayedRound, ...] = (),
    speaking: bool = True,
    number: int = 1,
) -> TableView:
    """The view of a round from seat `me`; with `speaking=False`, while fists are still being put
    in."""
    speaker = running.speaker if speaking else None
    bidding = running if speaking and isinstance(running, BiddingRound) else None
    return TableView(
        table_name=ForeignText("Arena"),
        rules=running.rules,
        phase=Phase.SPEAKING if speaking else Phase.CHOOSING,
        seat_count=len(running.coins),
        seats=tuple(_seat(running, seat, me, speaker) for seat in range(len(running.coins))),
        me=me,
        game_number=number,
        round_number=len(past) + 1,
        **heard(running),
        speaker=speaker,
        last=past[-1] if past else None,
        past=past,
        own_fist_due=not speaking,
        may_turn=may_turn(bidding, me),
        lowest_bid=lowest_bid(bidding, me),
        options=tuple(Option(word, objection(running, me, word)) for word in Ending),
    )


def _seat(running: Round, seat: int, me: int, speaker: int | None) -> SeatView:
    coins = running.coins[seat]
    return SeatView(
        key=bytes([seat]),
        name=ForeignText(f"Seat {seat}"),
        coins=coins,
        fist=FistState.IN if coins else FistState.NONE,
        is_me=seat == me,
        speaks=seat == speaker,
    )


@dataclass(frozen=True, slots=True)
class Seating:
    """Which player sits in which seat in one game."""

    seats: tuple[int, ...]
    """For each seat, the index of its player in the list of all players."""
    opener: int
    """Index of the seat that opens."""


def seating(entries: int, seed: int, number: int) -> Seating:
    """The seating of game `number`, counted from 0: each seat opens in turn, then the players are
    shuffled again."""
    deal, opener = divmod(number, entries)
    seats = list(range(entries))
    random.Random(f"seats {seed} {deal}").shuffle(seats)
    return Seating(tuple(seats), opener)


def dice(seed: int, number: int) -> random.Random:
    """The random generator of game `number`, the same for the same seed, whoever plays and when."""
    return random.Random(f"dice {seed} {number}")


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """The result of one game."""

    number: int
    """Number of the game, from 0."""
    entry: int | None
    """Index of the player who won (R13) or pays (H12) in the list of all players; None if the game
    is undecided."""
    rounds: int
    record: str
    """The game in the Three Coins notation; empty if it is not recorded."""
    names: Sequence[str] = ()
    """The names of all players; empty if they have none."""
    lapses: Sequence[str] = ()
    """Sentences about the engines' mistakes in this game that were forgiven."""


def play_one(
    minds: Sequence[Mind],
    rules: Rules,
    seed: int,
    number: int,
    *,
    names: Sequence[str] = (),
    date: str = "",
) -> TournamentResult:
    """Play game `number` and return its result; with a `date` it is recorded, with `names` in the
    order of `minds`."""
    placed = seating(len(minds), seed, number)
    seated = [minds[entry] for entry in placed.seats]
    toss = dice(seed, number)
    rounds = play_game(seated, rules, placed.opener, number=number + 1, toss=toss)
    last_in = rounds[-1].outcome.winner
    entry = None if last_in is None else placed.seats[last_in]
    called = [names[each] for each in placed.seats] if date else []
    record = _record(rounds, rules, called, number, date) if date else ""
    return TournamentResult(number, entry, len(rounds), record, names)


def _record(
    past: tuple[PlayedRound, ...], rules: Rules, names: Sequence[str], number: int, date: str
) -> str:
    players = tuple(GamePlayer(bytes([seat]), ForeignText(n), b"") for seat, n in enumerate(names))
    game = Game(b"", number + 1, rules, players, 0, past=past)
    return record_of(game, event=f"Arena, game {number + 1}", date=date)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One line in the table of a tournament: a player, or several with the same entry."""

    player: str
    """The entry of the player, as given on the command line."""
    name: str
    """The name of the player; for an engine, the one that it gives itself."""
    seats: int
    """Number of players with this entry."""
    count: int
    """Number of games that they won, or in the guessing game paid for."""
    rate: float
    """The share of the decided games that one of them won, or paid for, on average."""
    error: float
    """Standard error of the rate."""


@dataclass
class ScoreTally:
    """The results of a tournament so far."""

    players: Sequence[str]
    """The entries of all players; equal ones are counted together."""
    rules: Rules
    won: Counter[int | None] = field(default_factory=Counter)
    rounds: int = 0
    names: Sequence[str] = ()
    """The names of all players, once a game was counted."""

    def add(self, result: TournamentResult) -> None:
        """Count one more game."""
        self.names = result.names
        self.won[result.entry] += 1
        self.rounds += result.rounds

    @property
    def games(self) -> int:
        """Number of games counted."""
        return self.won.total()

    @property
    def undecided(self) -> int:
        """Number of games that were broken off because they did not end."""
        return self.won[None]

    @property
    def fair(self) -> float:
        """The share of games that each player would win, or pay for, if all were equally strong."""
        return 1.0 / len(self.players)

    @property
    def counts_bills(self) -> bool:
        """Whether the tally counts the games that a player pays for (H12) instead of those won."""
        return isinstance(self.rules, GuessingRules)

    @property
    def rows(self) -> list[ScoreRow]:
        """The lines of the table, the best player first."""
        rows = [self._row(player) for player in dict.fromkeys(self.players)]
        return sorted(rows, key=lambda row: row.rate, reverse=not self.counts_bills)

    def _row(self, player: str) -> ScoreRow:
        entries = [index for index, name in enumerate(self.players) if name == player]
        count = sum(self.won[entry] for entry in entries)
        part, error = share_of(count, self.games - self.undecided)
        name = self.names[entries[0]] if self.names else player
        return ScoreRow(
            player, name, len(entries), count, part / len(entries), error / len(entries)
        )

    def as_json(self) -> Mapping[str, object]:
        """The results as `spoof arena --json` prints them, without the seed."""
        counted = "paid" if self.counts_bills else "won"
        return {
            "rules": self.rules.text,
            "games": self.games,
            "undecided": self.undecided,
            "rounds": self.rounds,
            "fair": self.fair,
            "players": [
                {counted if name == "count" else name: said for name, said in asdict(row).items()}
                for row in self.rows
            ],
        }


def share_of(count: int, games: int) -> tuple[float, float]:
    """The share that `count` is of `games`, and its standard error; 0 and 0 without games.

    For the error, two games that count and two that do not are added (Agresti and Coull), so that a
    share of all or none is not taken for certain.
    """
    if not games:
        return 0.0, 0.0
    steady = (count + 2) / (games + 4)
    return count / games, math.sqrt(steady * (1.0 - steady) / (games + 4))


def numbered(players: Sequence[str]) -> list[str]:
    """A unique name for every entry: the second `random` becomes `random-2`."""
    seen: Counter[str] = Counter()
    names = []
    for player in players:
        seen[player] += 1
        names.append(player if seen[player] == 1 else f"{player}-{seen[player]}")
    return names


DIGITS: Final = 9
"""Number of decimals to which values are rounded before they are compared, so that equal ones stay
equal."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The situation in which a simple player chooses its word."""

    view: TableView
    """The table, with this player's turn."""
    me: int
    hand: int
    rng: random.Random

    @property
    def coins(self) -> tuple[int, ...]:
        """Coins of every seat."""
        return tuple(seat.coins for seat in self.view.seats)

    @property
    def odds(self) -> Odds:
        """The odds of every total, if all hands of the others are equally likely."""
        return Odds(self.hand, rest_of(self.coins, self.me), self.view.most)

    @property
    def players(self) -> int:
        """Number of players who are in."""
        return sum(1 for coins in self.coins if coins)

    @property
    def estimate(self) -> int:
        """The player's own hand plus half of the others' coins, rounded down."""
        return self.hand + (self.view.most - self.coins[self.me]) // 2

    @property
    def likeliest(self) -> int:
        """The likeliest of the totals that nobody has called; in a tie, the lowest."""
        odds = self.odds
        return max(self.callable, key=odds.exactly)

    @property
    def callable(self) -> list[int]:
        """The free numbers that the hand makes possible (H6, H7)."""
        return possible_calls(self.view, self.hand)

    def bid_or_call(self, number: int) -> Word:
        """A bid of `number` if that is legal; otherwise a call, or the lowest bid if there is
        nothing to call."""
        lowest = self.view.lowest_bid
        if lowest is None or (number < lowest and self.view.standing):
            return Ending.CALL
        return Bid(min(max(number, lowest), self.view.most))


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """The fixed plan of a simple player: how it chooses hands, words and calls."""

    hand: Callable[[int, random.Random], int]
    """Returns the coins to hide, given the coins owned."""
    word: Callable[[Spot], Word]
    """Returns the word to say in the bidding game."""
    number: Callable[[Spot], int]
    """Returns the number to call in the guessing game; the nearest possible one is called."""


class SimpleMind:
    """A player that follows a fixed plan."""

    def __init__(self, plan: TournamentPlan, rng: random.Random) -> None:
        self._plan = plan
        self._rng = rng

    def choose_hand(self, view: TableView) -> int:
        """The coins to hide, by the plan."""
        return self._plan.hand(view.seats[own_seat(view)].coins, self._rng)

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """A legal word chosen by the plan, paired with None for the direction, which no plan
        changes. Call this only on the player's own turn."""
        spot = Spot(view, own_seat(view), hand, self._rng)
        if not view.is_guessing:
            return self._plan.word(spot), None
        wanted = self._plan.number(spot)
        return Bid(min(spot.callable, key=lambda number: abs(number - wanted))), None


def _small_hand(coins: int, rng: random.Random) -> int:
    return rng.randint(0, min(coins, 1))


def _all_coins(coins: int, rng: random.Random) -> int:
    del rng
    return coins


def _any_word(spot: Spot) -> Word:
    return spot.rng.choice(legal_words(spot.view))


def _lowest_word(spot: Spot) -> Word:
    lowest = spot.view.lowest_bid or 0
    return spot.bid_or_call(lowest if 2 * lowest <= spot.view.most else 0)


def _best_word(spot: Spot) -> Word:
    """The word with the best expected change of the player's lead, as if every bid were called.

    Among equals, an ending word is preferred, then the lowest bid.
    """
    return max(legal_words(spot.view), key=lambda word: round(_worth(spot, word), DIGITS))


def _worth(spot: Spot, word: Word) -> float:
    """The expected gain in coins, plus the mean of the others' expected losses."""
    odds, standing = spot.odds, spot.view.standing
    another = 1.0 / (spot.players - 1)
    if isinstance(word, Bid):
        right = odds.at_least(word.number)
        return right * another - (1.0 - right)
    if word is Ending.SPOOF:
        return odds.everything - 1.0
    if word is Ending.ZERO:
        return 2.0 * odds.nothing - 1.0
    assert standing is not None
    if word is Ending.CALL:
        true = odds.at_least(standing[1])
        return (1.0 - true) * another - true
    return 2.0 * odds.exactly(standing[1]) - 1.0


PLANS: Final[Mapping[str, TournamentPlan]] = MappingProxyType(
    {
        "random": TournamentPlan(any_hand, _any_word, lambda spot: spot.rng.choice(spot.callable)),
        "small": TournamentPlan(_small_hand, _lowest_word, lambda spot: 0),
        "truthful": TournamentPlan(
            any_hand,
            lambda spot: spot.bid_or_call(spot.hand),
            lambda spot: spot.hand * spot.players,
        ),
        "honest": TournamentPlan(
            any_hand, lambda spot: spot.bid_or_call(spot.estimate), lambda spot: spot.estimate
        ),
        "value": TournamentPlan(any_hand, _best_word, lambda spot: spot.likeliest),
        "hold-all": TournamentPlan(
            _all_coins, lambda spot: spot.bid_or_call(spot.hand), lambda spot: spot.likeliest
        ),
    }
)
"""The plan of every simple player, by its name on the command line."""
