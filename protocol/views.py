"""A table as one participant may see it: what a screen draws and by what a bot decides.

A view is built for one seat, or for a watcher, from a `Table` and from what this participant's link
knows. It contains no hand before its fist opens, not even the viewer's own.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final, TypedDict

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, PlayedRound, Round
from protocol.rules.guessing import Call, GuessingRound
from protocol.rules.house import Pronounced
from protocol.rules.options import GuessingRules, Rules, Stake
from protocol.rules.slate import Slate
from protocol.rules.stakes import Stakes, stake_of
from protocol.rules.words import Direction, Ending, Word
from protocol.table.state import Matter, Phase, Seat, Table, Talk, needed
from protocol.table.statements import Fist, Measure, Speak

if TYPE_CHECKING:
    from protocol.wire.messages import Offer


class LinkState(Enum):
    """The state of a guest's link to the host."""

    DOWN = "down"
    """There is no connection."""
    MEETING = "meeting"
    """Connected; the log has not been received yet."""
    MOVING = "moving"
    """Connected to a seat that stands for host because the host is gone."""
    UP = "up"
    """The log has been received up to where the host had it at the welcome, and the host is
    heard."""
    UNSTEADY = "unsteady"
    """Nothing was heard for 3 s, or for longer than the network's delays explain."""


class SeatStatus(Enum):
    """Whether the player of a seat is connected, and whether the seat still exists."""

    HERE = "here"
    UNSTEADY = "unsteady"
    """Not heard from for 3 s, or for longer than the network's delays explain."""
    AWAY = "away"
    """The connection is lost; the seat is kept (G3)."""
    GONE = "gone"
    """The seat was given up, or taken away."""


class FistState(Enum):
    """The state of a fist, which everybody can see."""

    NONE = "none"
    """The seat does not play in this round."""
    NOT_IN = "not-in"
    IN = "in"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One seat as everybody sees it; the defaults describe a seat that is connected and plays."""

    key: bytes
    name: ForeignText
    coins: int
    """Coins owned; 0 if the seat is out or not in this game."""
    fist: FistState
    hand: int | None = None
    """The opened hand, in coins; None while the fist is shut."""
    presence: SeatStatus = SeatStatus.HERE
    ready: bool = False
    """Whether it is ready for the next game."""
    plays: bool = True
    """Whether it is in the running game or, between games, was in the last one."""
    is_me: bool
    speaks: bool
    """Whether it speaks next."""
    is_crap: bool = False
    """Whether it was the first out of the previous game and so opens this one (R15)."""
    is_muted: bool = False
    """Whether it may not talk (G5)."""
    is_leaving: bool = False
    """Whether it loses its seat when this round is over (G5)."""
    is_set_aside: bool = False
    """Whether the table plays on without it at once until its owner is back (G3)."""
    counts: bool = True
    """Whether it is one of the electors, more than half of whom are a majority (G7)."""
    away_since: int | None = None
    """When the connection was lost, in milliseconds since 1970; None while it is up, and for my own
    seat."""
    waits_since: int | None = None
    """When the table began to wait for its move, in milliseconds since 1970 by the host's clock;
    None if it does not."""
    play_on_from: int | None = None
    """When the others may vote to play on without it, in milliseconds since 1970 by the host's
    clock (G3); None if they may not."""
    time_up_from: int | None = None
    """When its turn clock runs out, in milliseconds since 1970 by the host's clock (G4); None if
    none is running."""
    did_not_gloat: bool = False
    """Whether it won the last game and did not gloat although that was expected (S4)."""
    through_door: bool = False
    """Whether its player came through a door, so that the owner of the machine behind it could look
    at the hand."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A measure that at least one seat has voted for (G3, G5)."""

    measure: Measure
    seat: bytes
    """Public key of the seat concerned, which may have left; `NO_ONE` for the whole table."""
    voters: frozenset[bytes]
    """Public keys of the seats that voted for it and whose votes count."""
    needed: int
    """How many votes it takes."""


@dataclass(frozen=True, slots=True)
class Option:
    """An ending word, and whether the viewer may say it now."""

    word: Ending
    forbidden: Illegal | None
    """Why the viewer may not; None if it is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """Everything that one participant, "I" in the fields below, may know of a table."""

    table_id: bytes = b""
    table_name: ForeignText
    rules: Rules
    phase: Phase
    link: LinkState = LinkState.UP
    seat_count: int
    """Number of seats at the table."""
    seats: tuple[SeatView, ...]
    """Clockwise round the table: the players of the game, then those who wait for the next one."""
    me: int | None
    """My index in `seats`; None while I watch."""
    game_number: int
    round_number: int
    words: tuple[tuple[int, Word], ...] = ()
    """Seat and word of each word said in this round, in order."""
    calls: tuple[Call, ...] = ()
    """In the guessing game: the calls of this round and the attempts, in order (H5, H8)."""
    free: tuple[int, ...] = ()
    """In the guessing game: the numbers that nobody has called yet (H6)."""
    standing: tuple[int, int] | None = None
    """Seat and number of the standing bid; None before the first bid."""
    most: int = 0
    """W, the number of coins that all players together own."""
    direction: Direction = Direction.CLOCKWISE
    starter: int | None = None
    """Seat that opens this round; None if none is running."""
    speaker: int | None
    """Seat that speaks next; None if nobody may speak."""
    last: PlayedRound | None
    """The last finished round of this game; None before the first is over."""
    past: tuple[PlayedRound, ...]
    """All finished rounds of this game."""
    winner: int | None = None
    """Seat that won the game, if that is over (R13), or that pays (H12); None otherwise."""
    own_fist_due: bool
    """Whether the table waits for my fist."""
    lacks_secret: bool = False
    """Whether I sealed my fist, or my share of the lot, on another computer, which alone can open
    it."""
    own_word: Word | None = None
    """The word that I said in this turn, until the host has answered it."""
    may_turn: bool
    """Whether my opening bid may change the direction."""
    lowest_bid: int | None
    """The lowest bid that I may make now; None if I may not bid."""
    options: tuple[Option, ...]
    """The four ending words, each with whether I may say it."""
    slate: Slate = field(default_factory=Slate)
    """Fines and drinks of the evening, in the guessing game (H13)."""
    chairman: bytes | None = None
    """Public key of the chairman, where fines are kept (H2); None elsewhere."""
    may_order: bool = False
    """Whether I may order the drinks of the last school (H10)."""
    host: bytes = b""
    """Public key of the host, who may decide measures (G5)."""
    epoch: int = 0
    """Epoch of the table, which rises with every change of host; 0 for the first."""
    paused: bool = False
    """Whether the table is paused (G5)."""
    shut: bool | None = None
    """Whether the table refuses newcomers; None at a table with a join code."""
    vacated: bool = False
    """Whether my seat was freed while I was away because I had never played here."""
    starts_from: int | None = None
    """When a game may begin without those who are not ready, in milliseconds since 1970 by the
    host's clock (G9); None while too few are ready."""
    grace: int = 60
    """Seconds of waiting after which the others may vote to play on (G3)."""
    clock: int = 0
    """Seconds that a turn may take (G4); 0 for no limit."""
    time: int = 0
    """When the last entry was made, by the host's clock, in milliseconds since 1970."""
    votes: tuple[Motion, ...] = ()
    """The measures that are being voted on, oldest first (G3, G5)."""
    barred: frozenset[bytes] = frozenset()
    """Public keys that may not sit (G5)."""
    talk: tuple[Talk, ...] = ()
    names: Mapping[bytes, ForeignText] = field(default_factory=dict)
    """The names of all who ever sat here, by public key."""
    position: int = 0
    """Length of the log that this view shows."""
    new_table: Offer | None = None
    """The new table that is offered to the seats here (G8); None if none is."""
    went_along: bool = False
    """Whether my seat has gone along to a new table, and says nothing more here (G8)."""
    lag: int = 0
    """Milliseconds per round trip, in steps of 500, on a slow network; 0 on others."""
    stakes: Stakes = field(default_factory=Stakes)
    """Chips and rounds of drinks of the evening, in the bidding game (S1, S2)."""
    pronounced: tuple[Pronounced, ...] = ()
    """The last things that the house said, oldest first."""
    may_gloat: bool = False
    """Whether I have just won and may gloat (S4)."""
    vetoed: tuple[bytes, int] | None = None
    """Public key of the seat that last wanted the Wobble banned, and the log length at Mr. Shearn's
    veto (S5); None if nobody did."""
    thought: tuple[int, ...] = ()
    """Milliseconds that each of `words`, or of `calls`, took; empty if the rules hide that."""

    @property
    def is_guessing(self) -> bool:
        """Whether the guessing game is played."""
        return isinstance(self.rules, GuessingRules)

    @property
    def counts_rounds(self) -> bool:
        """Whether the first player out of a game pays for a round of drinks, which the table counts
        (S2)."""
        return stake_of(self.rules) is Stake.DRINKS

    @property
    def has_slate(self) -> bool:
        """Whether fines and drinks are kept at this table."""
        return self.rules.fines_gloating

    @property
    def my_attempts(self) -> int:
        """How many of my calls in this round hit a number that was taken (H8)."""
        return sum(call.taken for call in self.calls if call.seat == self.me)

    @property
    def allowed_endings(self) -> tuple[Ending, ...]:
        """The ending words of `options` that I may say now."""
        return tuple([each.word for each in self.options if each.forbidden is None])

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for my word."""
        return self.me is not None and self.speaker == self.me and self.own_word is None

    @property
    def my_seat(self) -> SeatView | None:
        """My seat; None while I watch."""
        return None if self.me is None else self.seats[self.me]


def view_of(
    table: Table,
    key: bytes,
    link: LinkState = LinkState.UP,
    unsteady: Container[bytes] = (),
    waiting: tuple[Message, ...] = (),
    new_table: Offer | None = None,
    *,
    went_along: bool = False,
    lag: int = 0,
    lacks_secret: bool = False,
) -> TableView:
    """The view of `table` for the owner of `key`; `waiting` are its statements that have no answer
    yet.

    `unsteady` are the public keys of seats that the host has not heard from for a while; the other
    parameters become the fields of the same name.
    """
    game = table.game
    running = game.round if game and table.phase is not Phase.GATHERING else None
    speaking = running if table.phase is Phase.SPEAKING else None
    bidding = speaking if isinstance(speaking, BiddingRound) else None
    past = game.past if game else ()
    seats = _seats(table, key, unsteady)
    my_seat = table.seat(key)
    plays = table.playing(key)
    me = next((index for index, seat in enumerate(seats) if seat.is_me), None)
    return TableView(
        table_id=table.id,
        table_name=table.opened.name,
        rules=table.opened.rules,
        phase=table.phase,
        link=link,
        seat_count=table.opened.seats,
        seats=seats,
        me=me,
        game_number=game.number if game else 0,
        round_number=game.round_number if game else 0,
        **heard(running),
        speaker=speaking.speaker if speaking else None,
        last=past[-1] if past else None,
        past=past,
        winner=game.winner if game else None,
        own_fist_due=owes_fist(table, plays, waiting),
        lacks_secret=lacks_secret,
        own_word=word_on_its_way(waiting),
        may_turn=may_turn(bidding, me),
        lowest_bid=lowest_bid(bidding, me),
        options=_options(table, speaking, plays),
        slate=table.slate,
        chairman=table.chairman if table.has_slate else None,
        may_order=_may_order(table, key),
        host=table.host,
        epoch=table.epoch,
        paused=table.paused,
        shut=None if table.opened.locked else table.shut,
        vacated=key in table.vacated,
        starts_from=None if table.paused else table.starts_from,
        grace=table.opened.grace,
        clock=table.opened.clock,
        time=table.time,
        votes=tuple([_motion(table, matter, voters) for matter, voters in table.votes.items()]),
        barred=table.barred,
        talk=table.talk,
        names=table.names,
        position=table.head.length,
        stakes=table.stakes,
        pronounced=table.house.said,
        may_gloat=my_seat is not None and table.gloats.may_gloat(key),
        vetoed=table.vetoed,
        new_table=new_table,
        went_along=went_along,
        lag=lag,
        thought=table.thought if table.opened.rules.shows_thinking else (),
    )


_ENDINGS: Final = tuple(Ending)


class Heard(TypedDict, total=False):
    """The fields of a view that describe the running round."""

    words: tuple[tuple[int, Word], ...]
    most: int
    direction: Direction
    starter: int
    calls: tuple[Call, ...]
    free: tuple[int, ...]
    standing: tuple[int, int] | None


def heard(running: Round | None) -> Heard:
    """The fields of a view that describe `running`; empty if that is None."""
    if running is None:
        return {}
    told: Heard = {
        "words": running.words,
        "most": running.most,
        "direction": running.direction,
        "starter": running.starter,
    }
    if isinstance(running, GuessingRound):
        return {**told, "calls": running.calls, "free": running.free}
    return {**told, "standing": running.standing}


def _options(table: Table, speaking: Round | None, me: int | None) -> tuple[Option, ...]:
    refusal = _why_no_word(table, speaking, me)
    if refusal or speaking is None or me is None:
        return tuple([Option(word, refusal) for word in _ENDINGS])
    return tuple([Option(word, objection(speaking, me, word)) for word in _ENDINGS])


def _motion(table: Table, matter: Matter, voters: frozenset[bytes]) -> Motion:
    counted = table.voters(matter)
    return Motion(*matter, voters & counted, needed(len(counted)))


def word_on_its_way(waiting: tuple[Message, ...]) -> Word | None:
    for each in waiting:
        if isinstance(each, Speak):
            return each.word
    return None


def _may_order(table: Table, key: bytes) -> bool:
    game = table.game
    if not table.is_guessing or game is None or game.first_out is None:
        return False
    return game.players[game.first_out].key == key and not table.slate.ordered(game)


def owes_fist(table: Table, me: int | None, waiting: tuple[Message, ...]) -> bool:
    if table.game is None or table.phase is not Phase.CHOOSING:
        return False
    is_said = any(isinstance(statement, Fist) for statement in waiting)
    return me in table.game.fists_missing and not is_said


def may_turn(speaking: BiddingRound | None, me: int | None) -> bool:
    """Whether seat `me` may choose the direction of the round now; `speaking` is the running round,
    None if nobody is to bid."""
    return speaking is not None and speaking.speaker == me and speaking.may_choose_direction


def lowest_bid(speaking: BiddingRound | None, me: int | None) -> int | None:
    """The lowest number that seat `me` may bid now; None if it may not bid."""
    if speaking is None or speaking.speaker != me:
        return None
    lowest = speaking.standing[1] + 1 if speaking.standing else 1
    return lowest if lowest <= speaking.most else None


def _why_no_word(table: Table, speaking: Round | None, me: int | None) -> Illegal | None:
    """Why seat `me` may say no word at all now; None if that depends on the word."""
    if speaking is None:
        gathering = table.phase is Phase.GATHERING
        ended = table.phase in (Phase.WITNESSING, Phase.OPENING)
        reason = table.over if ended else Reason.FISTS_NOT_IN
        return Illegal(Reason.NO_GAME if gathering else reason)
    if me is None:
        return Illegal(Reason.NOT_PLAYING)
    try:
        speaking.check_turn(me)
    except Illegal as error:
        return error
    return None


def objection(speaking: Round, me: int, word: Ending) -> Illegal | None:
    """Why the rules forbid seat `me` to say `word`; None if it may be said now."""
    try:
        speaking.check(me, word)
    except Illegal as error:
        return error
    return None


def _seats(table: Table, key: bytes, unsteady: Container[bytes]) -> tuple[SeatView, ...]:
    game = table.game
    players = game.players if game else ()
    keys = [player.key for player in players]
    keys += [seat.key for seat in table.seats if seat.key not in keys]
    seat = partial(_seat, table, me=key, unsteady=unsteady, electors=table.electors)
    return tuple([seat(game if i < len(players) else None, i, each) for i, each in enumerate(keys)])


def _seat(
    table: Table,
    game: Game | None,
    index: int,
    each: bytes,
    *,
    me: bytes,
    unsteady: Container[bytes],
    electors: Container[bytes],
) -> SeatView:
    """The view of one seat; `game` is the game in which it plays at `index`, or None."""
    seat, running = table.seat(each), game.round if game else None
    # Whoever looks is here, though the log may have yet to say that they are back.
    away_since = seat.away_since if seat and each != me else None
    waits_since = table.waiting_since.get(each)
    return SeatView(
        key=each,
        name=table.names[each],
        coins=game.coins[index] if game else 0,
        fist=_fist(game, index),
        hand=game.hands.get(index) if game else None,
        presence=_presence(seat, away_since, is_unsteady=each in unsteady),
        ready=seat is not None and seat.share_seal is not None,
        plays=game is not None,
        is_me=each == me,
        speaks=table.phase is Phase.SPEAKING and running is not None and running.speaker == index,
        is_crap=game is not None and game.crap == index,
        is_muted=each in table.muted,
        is_leaving=each in table.leaving,
        is_set_aside=each in table.set_aside,
        counts=each in electors,
        did_not_gloat=each in table.gloats.silent,
        away_since=away_since,
        waits_since=waits_since,
        play_on_from=table.play_on_from(each) if waits_since is not None else None,
        time_up_from=table.time_up_from(each) if waits_since is not None else None,
        through_door=each in table.doors,
    )


def _presence(seat: Seat | None, away_since: int | None, *, is_unsteady: bool) -> SeatStatus:
    if seat is None:
        return SeatStatus.GONE
    if away_since is not None:
        return SeatStatus.AWAY
    return SeatStatus.UNSTEADY if is_unsteady else SeatStatus.HERE


def _fist(game: Game | None, index: int) -> FistState:
    if game is None or game.round is None or not game.coins[index]:
        return FistState.NONE
    if index in game.hands:
        return FistState.OPEN
    return FistState.IN if index in game.seals else FistState.NOT_IN
