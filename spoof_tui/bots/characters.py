"""Characters: bot personalities, as data. Each adds a habit, lines and a tempo to a level.

A habit, or lean, is a chance to do something other than what the level would do. The Cliffer is the
one from the Milan rules who goes home with nothing: it cliffs a bid because it is there. None says
a word that its own hand makes wrong. What a character does besides its words (tempo, gestures and
remarks) depends on what everybody sees and on a random generator of its own, never on its hand; it
remarks only on rounds that are over.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final

from protocol.manners import makes_sense
from protocol.rules.bidding import BiddingRound
from protocol.rules.words import Bid, Direction, Ending, Verdict, Word
from protocol.table.state import Talk
from protocol.table.statements import Gesture
from protocol.views import TableView
from spoof_tui.bots.judging import any_hand, is_lost, possible_calls
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BIG_BID, BotMind
from spoof_tui.bots.tournament import PLANS, SimpleMind
from spoof_tui.text.i18n import _
from spoof_tui.text.names import COINS, MAX_CELLS
from spoof_tui.text.safe_text import show
from spoof_tui.text.texts import texts


class Occasion(Enum):
    """An occasion for which a character has lines, once the fists are open."""

    RIGHT = "right"
    """The character ended the round and was right, or guessed the number."""
    LOST = "lost"
    """The character lost a coin, or pays in the guessing game."""
    WON = "won"
    """The character won the game."""
    PRAISED = "praised"
    """Somebody gloats, or says that the game was good."""


def occasion_of(view: TableView) -> Occasion | None:
    """The occasion that the last round was for the viewer; None if it was none."""
    last, me = view.last, view.me
    if last is None or me is None or me not in last.hands:
        return None
    outcome, is_last_in = last.outcome, last.outcome.winner == me
    if view.is_guessing:
        if is_last_in:
            return Occasion.LOST
        return Occasion.RIGHT if me in outcome.went_out else None
    if is_last_in:
        return Occasion.WON
    if outcome.changes.get(me, 0) < 0:
        return Occasion.LOST
    return Occasion.RIGHT if outcome.ender == me and outcome.verdict.ender_is_right else None


def name_of(character: str) -> str:
    """A character's name at the table, in the current language."""
    return texts("characters").title(character)


def lines_of(character: str) -> Mapping[Occasion, Sequence[str]]:
    """The lines of a character for each occasion, in the current language."""
    book = texts("characters")
    return {occasion: book.ways(character, occasion.value) for occasion in Occasion}


class Lean(Enum):
    """Something that a character sometimes does instead of what its level would do."""

    CLIFF = "cliff"
    """Cliffs a standing bid, whatever the odds."""
    BLUFF = "bluff"
    """Bids as if it held another hand; in the guessing game it calls that way."""
    SUM = "sum"
    """Says the best word by the odds alone, taking all hands of the others to be equally likely."""
    WOBBLE = "wobble"
    """Chooses at random between the lowest bid and a call; in the guessing game, calls any possible
    number."""
    JUMP = "jump"
    """Bids one or two higher than it would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """A bot personality. All chances are from 0 to 1."""

    key: str
    """The name of the character on the command line."""
    leans: Mapping[Lean, float]
    """The chance of each lean; at most 1 in total."""
    holds_all: float = 0.0
    """The chance to hide all its coins, whatever its level would hide."""
    tempo: float = 1.0
    """The factor by which its thinking time is multiplied."""
    swing: float = 0.0
    """The fraction by which its tempo varies up or down."""
    shouts: float = 0.0
    """The chance to shout before a big bid."""
    antics: Mapping[Gesture, float] = field(default_factory=dict)
    """The chance of each gesture before a word; at most 1 in total."""
    heckles: float = 0.1
    """The chance to urge crap to start the game."""
    boasts: float = 0.1
    """The chance to gloat where that is fined."""
    talks: float = 0.25
    """The chance to say a line when it has one."""

    @property
    def name(self) -> str:
        """The name of the character in the current language."""
        return name_of(self.key)

    @property
    def habit(self) -> str:
        """What the character often does, in words that follow a name."""
        (text,) = texts("characters").ways(self.key, "habit")
        return text


CHARACTERS: Final[Mapping[str, Character]] = MappingProxyType(
    {
        who.key: who
        for who in (
            Character(
                key="cliffer",
                leans={Lean.CLIFF: 0.3},
                tempo=0.8,
                talks=0.4,
                shouts=0.05,
                antics={Gesture.SMUGNESS: 0.06},
            ),
            Character(
                key="bluffer",
                leans={Lean.BLUFF: 0.35},
                tempo=0.9,
                shouts=0.15,
                antics={Gesture.SMUGNESS: 0.08, Gesture.NEVER: 0.05},
            ),
            Character(
                key="accountant",
                leans={Lean.SUM: 0.6},
                tempo=1.3,
                talks=0.2,
                antics={Gesture.INDECISION: 0.06},
                boasts=0.0,
            ),
            Character(
                key="wobbler",
                leans={Lean.WOBBLE: 0.25},
                swing=0.6,
                talks=0.3,
                antics={Gesture.WOBBLE: 0.12, Gesture.INDECISION: 0.1},
            ),
            Character(
                key="miser",
                leans={},
                holds_all=0.4,
                tempo=1.1,
                talks=0.2,
                antics={Gesture.SWEAT: 0.1},
                boasts=0.0,
            ),
            Character(
                key="loudmouth",
                leans={Lean.JUMP: 0.4},
                tempo=0.7,
                shouts=0.4,
                talks=0.6,
                antics={Gesture.NEVER: 0.1},
                heckles=0.5,
                boasts=0.4,
            ),
        )
    }
)
"""Every character by its name on the command line."""

REST_GAMES: Final = 4
"""Number of games at a table before a character may repeat a line."""

MIXED: Final = "mixed"
"""The name on the command line for all characters in turn."""


def company(name: str) -> tuple[Character, ...]:
    """The character of that name, or all of them for `MIXED`; raises `KeyError` for an unknown
    name."""
    return tuple(CHARACTERS.values()) if name == MIXED else (CHARACTERS[name],)


def of_coin(name: str) -> Character | None:
    """The character of a bot that is named after this coin, where each coin stands for a character;
    None if `name` is no such coin."""
    first = name.split()[:1]
    for place, template in enumerate(COINS):
        if first in ([template], [_(template)]):
            return tuple(CHARACTERS.values())[place % len(CHARACTERS)]
    return None


def concerned(view: TableView) -> int | None:
    """The one seat that may react to the last round: in turn one of those that lost a coin or were
    right; None if nobody may."""
    last = view.last
    if last is None or view.is_guessing or not isinstance(last.words, BiddingRound):
        return None
    outcome, bidder = last.outcome, last.words.standing
    those = [seat for seat, change in outcome.changes.items() if change < 0]
    if outcome.verdict.ender_is_right:
        those.append(outcome.ender)
    elif outcome.verdict is Verdict.CALL_BID_TRUE and bidder:
        those.append(bidder[0])
    return those[len(view.past) % len(those)] if those else None


def reaction_to(view: TableView) -> Gesture | None:
    """The gesture with which the viewer may react to the last round; None if it may not."""
    last, me = view.last, view.me
    if last is None or me is None or me != concerned(view):
        return None
    if last.outcome.changes.get(me, 0) >= 0:
        return Gesture.SMUGNESS
    if last.outcome.verdict is Verdict.ZERO_RIGHT:
        return Gesture.NEVER  # robbed
    return Gesture.SWEAT if last.outcome.ender != me else Gesture.INDECISION


_IN_WORDS: Final = 0.5
"""The chance that a bot reacts in words and not by a gesture."""

_PRAISE_CELLS: Final = 20
_PRAISE: Final = ("gg", "good game", "well played", "гарна гра", "добра гра")


def is_praise(talk: Talk) -> bool:
    """Whether this line says that the game was good."""
    if isinstance(talk.said, Gesture):
        return False
    return show(talk.said, _PRAISE_CELLS).casefold().strip(" .!") in _PRAISE


class CharacterMind(BotMind):
    """A bot of a level with a character.

    If bots are `introduced`, this one keeps quiet unless it is its turn: of all bots at most one
    reacts to a round, with a gesture or a line, and one to a gloat or to praise.
    """

    solves = False

    def __init__(
        self, character: Character, level: Level, rng: random.Random, *, introduced: bool = False
    ) -> None:
        super().__init__(level, rng)
        self.character = character
        self.introduced = self.solves = introduced
        self._reacted = (0, 0)
        """Number of the game, and of its rounds after which the bot last made a gesture."""
        self._considered = (0, 0)
        """Number of the game, and of its rounds after which the bot last considered a gesture."""
        self._thanked = 0
        """Number of the last game whose gloat or praise the bot has answered."""
        self._sums = SimpleMind(PLANS["value"], rng)
        self._remarked = (0, 0)
        """Number of the game, and of its rounds after which the bot last considered a remark."""
        self._said: dict[str, int] = {}
        """Number of the game in which each line was last said."""

    def choose_hand(self, view: TableView) -> int:
        """The hand that its level chooses, or all its coins."""
        usual = super().choose_hand(view)
        coins = view.seats[view.me or 0].coins
        return coins if self._rng.random() < self.character.holds_all else usual

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """The word chosen by the bot's level or by one of its leanings.

        It is always legal and, if it ends the round, can still be right given the bot's hand.
        """
        usual, direction = super().choose_word(view, hand)
        if is_lost(view, usual, hand):
            usual = Bid(view.lowest_bid) if view.lowest_bid else Ending.CALL
        leans = self._leaning(view, hand, usual)
        word = usual if leans is None or is_lost(view, leans, hand) else leans
        return word, direction if isinstance(word, Bid) else None

    def _leaning(self, view: TableView, hand: int, usual: Word) -> Word | None:
        """The word chosen by a leaning that the bot follows this time; None for the word of its
        level."""
        leans = self.character.leans
        odds = [*leans.values(), 1.0 - sum(leans.values())]
        lean = self._rng.choices([*leans, None], odds)[0]
        if lean is Lean.CLIFF:
            return Ending.CLIFF if view.standing else None
        if lean is Lean.BLUFF:
            return self._bluff(view, hand)
        if lean is Lean.SUM:
            return self._sums.choose_word(view, hand)[0]
        if lean is Lean.WOBBLE:
            return self._wobble(view, hand)
        if lean is Lean.JUMP and not view.is_guessing and isinstance(usual, Bid):
            return Bid(min(usual.number + self._rng.randint(1, 2), view.most))
        return None

    def _bluff(self, view: TableView, hand: int) -> Word | None:
        shown = any_hand(view.seats[view.me or 0].coins, self._rng)
        word = super().choose_word(view, shown)[0]
        if not isinstance(word, Bid):
            return None
        possible = not view.is_guessing or word.number in possible_calls(view, hand)
        return word if possible else None

    def _wobble(self, view: TableView, hand: int) -> Word | None:
        if view.is_guessing:
            return Bid(self._rng.choice(possible_calls(view, hand)))
        choices: list[Word] = [Ending.CALL] if view.standing else []
        choices += [Bid(view.lowest_bid)] if view.lowest_bid else []
        return self._rng.choice(choices)

    def choose_gesture(self, view: TableView, hand: int) -> Gesture | None:
        """A shout before a big bid, or another gesture, as often as the character says; None for no
        gesture.

        `hand` has no influence on it.
        """
        del hand
        if not view.my_turn or self.introduced:
            return None
        big = view.lowest_bid is not None and view.lowest_bid >= BIG_BID * view.most
        if big and self._aloud.random() < self.character.shouts:
            return Gesture.MITT_FULL
        antics = self.character.antics
        odds = [*antics.values(), 1.0 - sum(antics.values())]
        antic = self._aloud.choices([*antics, None], odds)[0]
        doubts_nothing = antic is Gesture.NEVER and view.standing is None
        return None if doubts_nothing else antic

    def heckle(self, view: TableView) -> Gesture | None:
        """The gesture that urges crap to start the game, as often as the character says; None for
        no gesture."""
        if not makes_sense(Gesture.START, view) or self.introduced:
            return None
        return Gesture.START if self._aloud.random() < self.character.heckles else None

    def think_seconds(self, view: TableView, pace: float = 1.0) -> float:
        """Seconds before the next move, by the tempo of the character; 0 with a `pace` of 0."""
        swing = self.character.swing * (2.0 * self._aloud.random() - 1.0)
        return super().think_seconds(view, pace * self.character.tempo * (1.0 + swing))

    def reacts(self, view: TableView) -> Gesture | None:
        """A gesture about the last round, considered once for each round; None for no gesture."""
        here = (view.game_number, len(view.past))
        if not self.introduced or here == self._considered:
            return None
        self._considered = here
        if self._aloud.random() < _IN_WORDS:
            return None
        if (gesture := reaction_to(view)) is not None:
            self._reacted = here
        return gesture

    def answers(self, view: TableView) -> str | None:
        """A line in answer to a gloat or to praise between games, if it is this bot's turn to
        answer; None to say nothing."""
        if not self.introduced or self._thanked == view.game_number or view.winner is None:
            return None
        bots = [seat.key for seat in view.seats if of_coin(show(seat.name, MAX_CELLS))]
        mine = view.my_seat
        if mine is None or mine.key not in bots:
            return None
        if mine.key != bots[view.game_number % len(bots)]:
            return None
        talk = [each for each in view.talk if each.author != mine.key]
        if not any(is_praise(each) or each.said is Gesture.GLOAT for each in talk[-3:]):
            return None
        self._thanked = view.game_number
        return self._aloud.choice(lines_of(self.character.key)[Occasion.PRAISED])

    def _boasts(self, view: TableView) -> float:
        """The chance to gloat; the character's own where that is fined."""
        return self.character.boasts if view.has_slate else super()._boasts(view)

    def remark(self, view: TableView) -> str | None:
        """A line about the last round, once its fists are open; None if the bot says nothing.

        It may be called any number of times about a round, and returns a line at most once.
        """
        here = (view.game_number, len(view.past))
        if self.introduced and (view.me != concerned(view) or here == self._reacted):
            return None
        occasion = None if here == self._remarked else occasion_of(view)
        self._remarked = here
        if occasion is None or self._aloud.random() >= self.character.talks:
            return None
        lines = lines_of(self.character.key)[occasion]
        rested = [line for line in lines if self._is_rested(line, view.game_number)]
        if not rested:
            return None
        line = self._aloud.choice(rested)
        self._said[line] = view.game_number
        return line

    def _is_rested(self, line: str, game: int) -> bool:
        """Whether the line was said neither in this game nor in the last `REST_GAMES` before it."""
        return line not in self._said or game - self._said[line] >= REST_GAMES
