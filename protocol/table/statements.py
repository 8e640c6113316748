"""The statements in the log of a table: its opening, what players may say, and what its host may
announce.

A statement says what somebody did; everything that follows from that by the rules is derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import (
    FLAG,
    MARK,
    Message,
    Shape,
    choice,
    foreign,
    maybe,
    nested,
    octets,
    several,
    shaped,
    whole,
)
from protocol.encoding.codec import words as ascii_words
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_NAME, MAX_RULES, MAX_TALK
from protocol.rules.options import MAX_PLAYERS, Rules
from protocol.rules.words import Bid, Direction, Drink, Ending, Offence, Word

RULES: Final = Shape(
    "a written rule set",
    lambda v: isinstance(v, Rules),
    decode=lambda raw: _rules(_ascii(raw)),
    encode=lambda rules: rules.text,
)


def _rules(text: str) -> Rules:
    rules = Rules.parse(text)
    if rules.text != text:
        # One rule set, one spelling: what is signed can be written again byte for byte.
        raise Malformed(f"a rule set is written {rules.text!r}, not {text!r:.80}")
    return rules


def _ascii(raw: Any) -> str:
    if not ascii_words(MAX_RULES).fits(raw):
        raise Malformed(f"a rule set is up to {MAX_RULES} ASCII characters, not {raw!r:.80}")
    return str(raw)


@dataclass(frozen=True, slots=True)
class TableOpened(Message):
    """The first entry of a table, which describes it. Its hash is the table id."""

    KIND: ClassVar[str] = "table-opened"
    protocol: int = shaped(whole(2**16))
    """Version of the wire protocol."""
    host: bytes = shaped(octets(HASH_BYTES))
    """Public key of the host, which signs the entries."""
    name: ForeignText = shaped(foreign(MAX_NAME))
    """The name of the table."""
    rules: Rules = shaped(RULES)
    """The options of the game that is played."""
    seats: int = shaped(whole(MAX_PLAYERS, 2))
    """Number of seats (G6)."""
    locked: bool = shaped(FLAG)
    """Whether a join code is asked for."""
    grace: int = shaped(whole(3600, 5))
    """Seconds that the table waits for somebody before a vote may decide to play on (G3)."""
    clock: int = shaped(whole(600))
    """Seconds that a player may take for a fist or a word (G4); 0 for no limit."""
    salt: bytes = shaped(octets(HASH_BYTES))
    """Random bytes that make every table different."""


MAX_CARRIED: Final = 999
"""Maximum coins of one seat that a new table takes over: more than any game has seen."""


MAX_BEFORE: Final = 8
"""Maximum number of earlier tables that a new one names: more than one evening leaves behind."""


@dataclass(frozen=True, slots=True)
class Along(Message):
    """A seat of a new table; part of a `TableContinued`, and not a statement on its own."""

    KIND: ClassVar[str] = "along"
    key: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""
    name: ForeignText = shaped(foreign(MAX_NAME))
    """The name of its owner, as at the old table."""
    coins: int | None = shaped(maybe(whole(MAX_CARRIED)))
    """Coins that it owned when the last round was counted; nil if it is not in the game."""
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """Signature of the seat over the new table, as made by `continuation.sign`."""
    through_door: bool = shaped(MARK, default=False)
    """Whether its player came through a door, as at the old table."""


@dataclass(frozen=True, slots=True)
class TableContinued(Message):
    """The first entry of a new table that goes on where an old one broke off (G8)."""

    KIND: ClassVar[str] = "table-continued"
    opened: TableOpened = shaped(nested(TableOpened))
    """The new table: the same as the old one except for host and salt."""
    table: bytes = shaped(octets(HASH_BYTES))
    """Id of the old table."""
    length: int = shaped(whole(least=1))
    """Number of entries of the old table's log that this one goes on from."""
    last: bytes = shaped(octets(HASH_BYTES))
    """Hash of the last of these entries."""
    starter: bytes | None = shaped(maybe(octets(HASH_BYTES)))
    """Public key of the seat that opens the round; nil if no game goes on."""
    first_out: bytes | None = shaped(maybe(octets(HASH_BYTES)))
    """Public key of the first player who went out of the game so far (R15); nil if nobody did."""
    seats: tuple[Along, ...] = shaped(several(nested(Along), MAX_PLAYERS))
    """The seats that go along, in their order round the table, players first."""
    behind: tuple[bytes, ...] = shaped(several(octets(HASH_BYTES), MAX_PLAYERS))
    """Public keys of the other seats of the old table, and of those left behind when that began;
    they need no join code here."""
    before: tuple[bytes, ...] = shaped(several(octets(HASH_BYTES), MAX_BEFORE), default=())
    """Ids of the tables that came before the old one, the latest first."""

    @property
    def origins(self) -> tuple[bytes, ...]:
        """Ids of all tables that this one goes on from, the latest first."""
        return (self.table, *self.before)


Opening = TableOpened | TableContinued
"""The statement in the first entry of a log."""


def table_of(opening: Opening) -> TableOpened:
    """The description of the table that is opened by this statement, the first in its log."""
    return opening.opened if isinstance(opening, TableContinued) else opening


NO_ONE: Final = bytes(HASH_BYTES)
"""Used in place of a public key in a measure that concerns the whole table."""


class Gesture(Enum):
    """A gesture that a player can make at the table; it binds nobody."""

    MITT_FULL = "mitt-full"
    """"Mitt-full!": my fist is full, or so I say."""
    NEVER = "never"
    """"Never!": I do not believe that bid."""
    START = "start-us-off"
    """"Start us off!", to crap, who opens the game (R15)."""
    HURRY = "hurry-up"
    """"Hurry up!", to crap."""
    WOBBLE = "wobble"
    """The Shearn Wobble: the fist trembles, and stays shut."""
    SWEAT = "sweat"
    INDECISION = "indecision"
    SMUGNESS = "smugness"
    GLOAT = "gloat"
    """The latest winner gloats, until the next fist is in (S4): the only gesture with
    consequences."""


class Measure(Enum):
    """A measure about a key or the whole table, taken by the host or by a majority (G3, G5)."""

    MUTE = "mute"
    """The key can no longer talk or gesture."""
    UNMUTE = "unmute"
    """The key may talk again."""
    REMOVE = "remove"
    """The key's seat is taken away between rounds."""
    BAR = "bar"
    """The key may not sit any more, and its seat is taken away."""
    PARDON = "pardon"
    """The key may sit again."""
    PLAY_ON = "play-on"
    """The game goes on without the move that it waits for from the key; by vote only (G3)."""
    PAUSE = "pause"
    """The game is paused; for `NO_ONE`."""
    GO_ON = "go-on"
    """The pause is over; for `NO_ONE`."""
    LOCK = "lock"
    """A table without a join code takes no newcomers; for `NO_ONE`."""
    UNLOCK = "unlock"
    """A table without a join code takes newcomers again; for `NO_ONE`."""
    BAN_WOBBLE = "ban-wobble"
    """Nobody may wobble; for `NO_ONE`. Mr. A. L. Shearn vetoes it, always (S5)."""


VOTED: Final = (Measure.PLAY_ON, Measure.BAN_WOBBLE)
"""Measures that the host cannot take alone."""


_NUMBER: Final = whole()


def _read_word(raw: Any) -> Word:
    if isinstance(raw, str):
        return Ending(raw)
    if not _NUMBER.fits(raw):
        raise Malformed(f"a word is a bid or an ending, not {raw!r:.80}")
    return Bid(raw)


WORD: Final = Shape(
    "a bid or an ending word",
    lambda v: isinstance(v, Ending) or (isinstance(v, Bid) and _NUMBER.fits(v.number)),
    decode=_read_word,
    encode=lambda word: word.number if isinstance(word, Bid) else word.value,
)


@dataclass(frozen=True, slots=True)
class Sit(Message):
    """Take a free seat: at once between games, for the next game while one runs (G2)."""

    KIND: ClassVar[str] = "sit"
    name: ForeignText = shaped(foreign(MAX_NAME))
    """The name that the player chose."""
    through_door: bool = shaped(MARK, default=False)
    """Whether the player came through a door, so that the owner of the machine behind it could look
    at the hand."""


@dataclass(frozen=True, slots=True)
class Leave(Message):
    """Give the seat up; not allowed while its owner has coins in a running game (G3)."""

    KIND: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True)
class Ready(Message):
    """Be ready for the next game, with a sealed share of its lot (G1)."""

    KIND: ClassVar[str] = "ready"
    seal: bytes = shaped(octets(HASH_BYTES))
    """`SealedShare.seal` for round 0 of the next game."""


@dataclass(frozen=True, slots=True)
class Toss(Message):
    """Open the author's share of the lot (G1)."""

    KIND: ClassVar[str] = "toss"
    share: bytes = shaped(octets(HASH_BYTES), repr=False)
    """The share that was sealed at `Ready`."""
    nonce: bytes = shaped(octets(HASH_BYTES), repr=False)
    """The nonce that hid the share."""


@dataclass(frozen=True, slots=True)
class Fist(Message):
    """Put the fist in (R2): the seal of the hand."""

    KIND: ClassVar[str] = "fist"
    seal: bytes = shaped(octets(HASH_BYTES))
    """`SealedHand.seal` for this round."""


@dataclass(frozen=True, slots=True)
class Speak(Message):
    """Say one word (R4, R5), or call a number (H5, H6)."""

    KIND: ClassVar[str] = "word"
    word: Word = shaped(WORD)
    """The word or, as a bid, the number."""
    direction: Direction | None = shaped(maybe(choice(Direction)), default=None)
    """The direction in which the turn passes, only with the opening bid; nil for clockwise."""


@dataclass(frozen=True, slots=True)
class Witness(Message):
    """Confirm that the author has seen the ending word: no fist opens before all others with a fist
    in have confirmed it.

    So no host can show an ending word to one player alone and see that fist open.
    """

    KIND: ClassVar[str] = "witness"


@dataclass(frozen=True, slots=True)
class Open(Message):
    """Open the fist after the ending word (R11)."""

    KIND: ClassVar[str] = "open"
    coins: int = shaped(whole(), repr=False)
    """The hand that was sealed."""
    nonce: bytes = shaped(octets(HASH_BYTES), repr=False)
    """The nonce that hid the hand."""


@dataclass(frozen=True, slots=True)
class Seen(Message):
    """Confirm that the last change of the electors is on the author's disk; see `electorate`."""

    KIND: ClassVar[str] = "seen"


@dataclass(frozen=True, slots=True)
class Say(Message):
    """Say something that is not part of the game."""

    KIND: ClassVar[str] = "say"
    text: ForeignText = shaped(foreign(MAX_TALK))
    """One line of talk."""


@dataclass(frozen=True, slots=True)
class Gesticulate(Message):
    """Make a gesture, which is not part of the game."""

    KIND: ClassVar[str] = "gesture"
    gesture: Gesture = shaped(choice(Gesture))
    """The gesture."""


@dataclass(frozen=True, slots=True)
class Elect(Message):
    """Vote for a chairman of the guessing game (H2)."""

    KIND: ClassVar[str] = "elect"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the candidate."""


@dataclass(frozen=True, slots=True)
class AwardFine(Message):
    """As chairman, fine a seat (H2, H13)."""

    KIND: ClassVar[str] = "fine"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the offender."""
    offence: Offence = shaped(choice(Offence))
    """What the fine is for."""


@dataclass(frozen=True, slots=True)
class LiftFine(Message):
    """As chairman, lift a fine (H2)."""

    KIND: ClassVar[str] = "lift"
    index: int = shaped(whole())
    """Index of the fine among all of the evening, from 0."""


@dataclass(frozen=True, slots=True)
class Order(Message):
    """Order the drinks, as the first to leave the school (H10)."""

    KIND: ClassVar[str] = "order"
    drink: Drink = shaped(choice(Drink))
    """The drink, for everybody."""


@dataclass(frozen=True, slots=True)
class Vote(Message):
    """Vote for a measure, or take the vote back; a measure is carried once more than half of the
    electors vote for it (G5)."""

    KIND: ClassVar[str] = "vote"
    measure: Measure = shaped(choice(Measure))
    """The measure that is voted on."""
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key that the measure concerns; `NO_ONE` for the whole table."""
    yes: bool = shaped(FLAG)
    """True to vote for the measure, false to take that vote back."""

    @property
    def about(self) -> tuple[Measure, bytes]:
        """The measure, and the public key that it concerns."""
        return self.measure, self.seat


def by_kind(*kinds: type[Message]) -> Mapping[str, type[Message]]:
    """The given message classes by their `KIND`."""
    return {kind.KIND: kind for kind in kinds}


PLAYERS: Final = by_kind(
    Sit,
    Leave,
    Ready,
    Toss,
    Fist,
    Speak,
    Witness,
    Open,
    Seen,
    Say,
    Gesticulate,
    Elect,
    AwardFine,
    LiftFine,
    Order,
    Vote,
)
"""The statements that a player may make, by kind."""


MOVES: Final = (Ready, Toss, Fist, Speak, Witness, Open)
"""Statements that belong to the present turn: their author must have seen it begin."""

SIDE_TALK: Final = (Say, Gesticulate)
"""Statements that bind nobody, and so may refer to an earlier turn."""

RATIONED: Final = (*SIDE_TALK, Elect, AwardFine, LiftFine, Vote, Sit, Leave)
"""Statements that the game does not limit: a host accepts only so many of each author in a time."""


@dataclass(frozen=True, slots=True)
class GameStarted(Message):
    """The host starts a game with everybody who is ready, in the order of sitting down."""

    KIND: ClassVar[str] = "game-started"
    order: tuple[bytes, ...] = shaped(several(octets(HASH_BYTES), MAX_PLAYERS))
    """Public keys of the players, clockwise."""


@dataclass(frozen=True, slots=True)
class TimeUp(Message):
    """The turn clock of a seat has run out: the game goes on without its fist or word (G4)."""

    KIND: ClassVar[str] = "time-up"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


@dataclass(frozen=True, slots=True)
class Backing(Message):
    """A seat's support for a host; part of a `HostMoved`, and not a statement on its own."""

    KIND: ClassVar[str] = "backing"
    voter: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """Signature as made by `seating.sign_support`."""


@dataclass(frozen=True, slots=True)
class HostMoved(Message):
    """The table has a new host: the first entry of an epoch, signed by that host."""

    KIND: ClassVar[str] = "host-moved"
    epoch: int = shaped(whole())
    """Epoch of this entry and of those that follow; higher than the previous one."""
    host: bytes = shaped(octets(HASH_BYTES))
    """Public key of the new host."""
    votes: tuple[Backing, ...] = shaped(several(nested(Backing), MAX_PLAYERS))
    """The support for the new host; `electorate.supports` says whether it suffices."""


@dataclass(frozen=True, slots=True)
class Admitted(Message):
    """A player has proved the join code: their key is never asked for it again."""

    KIND: ClassVar[str] = "admitted"
    key: bytes = shaped(octets(HASH_BYTES))
    """Public key of that player."""


@dataclass(frozen=True, slots=True)
class Decide(Message):
    """The host takes a measure, without a vote (G5)."""

    KIND: ClassVar[str] = "decide"
    measure: Measure = shaped(choice(Measure))
    """The measure that the host takes."""
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key that the measure concerns; `NO_ONE` for the whole table."""


@dataclass(frozen=True, slots=True)
class Away(Message):
    """The host lost the connection to a seat; the seat is kept (G3)."""

    KIND: ClassVar[str] = "away"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


@dataclass(frozen=True, slots=True)
class Vacated(Message):
    """A seat was freed: its owner was never dealt in and was away for the grace time."""

    KIND: ClassVar[str] = "vacated"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


@dataclass(frozen=True, slots=True)
class Back(Message):
    """A seat that was away is connected again (G3)."""

    KIND: ClassVar[str] = "back"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


HOSTS: Final = by_kind(
    TableOpened,
    TableContinued,
    GameStarted,
    Admitted,
    Decide,
    Away,
    Back,
    Vacated,
    TimeUp,
    HostMoved,
)
"""The announcements that the host may make, by kind."""
