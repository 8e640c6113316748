"""The exceptions of the protocol: the type says whose mistake it is, and `Reason` which clause is
broken.

`LocalError` is a mistake of this program, `RemoteError` one of the peer's. `Malformed` bytes are
not a message; an `Illegal` statement is well formed, but the rules forbid it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class ProtocolError(Exception):
    """Any error that this package raises on purpose."""


class LocalError(ProtocolError):
    """This program called the protocol in a way that the protocol forbids."""


class RemoteError(ProtocolError):
    """The peer sent something that no correct program sends."""


class Malformed(RemoteError):
    """Bytes that are not a message: bad framing, bad msgpack, wrong shape, beyond a limit."""


class BrokenLog(RemoteError):
    """An entry that does not follow from the log before it: a bug or a cheat of the host."""

    def __init__(self, position: int, why: str) -> None:
        super().__init__(f"entry {position}: {why}")
        self.position = position
        """Position of the offending entry in the log."""
        self.why = why
        """What is wrong with the entry, in English, for the evidence file."""


def _(template: str) -> str:
    """Mark a sentence for translation and return it unchanged; the interface translates and fills
    it."""
    return template


class Reason(Enum):
    """Why a statement is illegal: its code in messages, the clause, and a sentence with
    placeholders."""

    NOT_YOUR_TURN = ("not-your-turn", "R4", _("It is {speaker}’s turn, not yours."))
    FISTS_NOT_IN = ("fists-not-in", "R3", _("Nobody may bid until the last fist is in."))
    FIST_IS_IN = ("fist-is-in", "R3", _("Your fist is in already, and it is locked."))
    NO_FISTS_NOW = ("no-fists-now", "R3", _("Fists go in only at the start of a round."))
    HAND_TOO_BIG = ("hand-too-big", "R2", _("A hand is 0 to {coins} coins: you own {coins}."))
    BID_TOO_LOW = ("bid-too-low", "R6", _("A bid must beat the standing bid of {standing}."))
    BID_BELOW_ONE = ("bid-below-one", "R6", _("The lowest bid is 1."))
    BID_TOO_HIGH = (
        "bid-too-high",
        "R6",
        _("A bid cannot be higher than the {most} coins in play."),
    )
    CALL_NEEDS_BID = ("call-needs-bid", "R7", _("There is no bid to call yet."))
    CLIFF_NEEDS_BID = ("cliff-needs-bid", "R8", _("A cliff needs a bid, and there is none yet."))
    ZERO_OPENS_ONLY = (
        "zero-opens-only",
        "R10",
        _("At this table, zero may only open a round."),
    )
    ZERO_FIRST_ONLY = ("zero-first-only", "R10", _("Zero may only be your first word of a round."))
    DIRECTION_FIXED = ("direction-fixed", "R4", _("The direction is chosen with the opening bid."))
    DIRECTION_RULE = ("direction-rule", "R4", _("Under these rules, play is always clockwise."))
    DIRECTION_FOR_TWO = ("direction-for-two", "R4", _("With two players there is no direction."))
    ROUND_IS_OVER = (
        "round-is-over",
        "R5",
        _("The word that ends the round has been said: the fists open now."),
    )
    NOT_YOUR_CALL = ("not-your-call", "H5", _("It is {speaker}’s turn to call, not yours."))
    CALLS_ARE_OVER = ("calls-are-over", "H5", _("Everybody has called: the fists open now."))
    HAS_LEFT = ("has-left", "H10", _("You have left the school: you guessed right."))
    NUMBERS_ONLY = ("numbers-only", "H6", _("In this game you call a number."))
    CALL_TOO_HIGH = ("call-too-high", "H6", _("A call is 0 to {most}."))
    CALL_FROM_FREE = (
        "call-from-free",
        "H8",
        _("Your three attempts are used up: call a number that is free."),
    )
    CALL_IMPOSSIBLE = ("call-impossible", "H7", _("With your hand that number cannot be right."))
    GUESSING_ONLY = ("guessing-only", "H13", _("Fines and drinks belong to the guessing game."))
    NOT_CHAIRMAN = ("not-chairman", "H2", _("Only the chairman can do that."))
    NOTHING_TO_GLOAT = (
        "nothing-to-gloat",
        "S4",
        _("Only the latest winner may gloat, and only until the next fist is in."),
    )
    NO_SUCH_FINE = ("no-such-fine", "H13", _("There is no such fine to lift."))
    NOT_FIRST_OUT = ("not-first-out", "H10", _("Only the first to leave orders the drinks."))
    ORDERED_ALREADY = ("ordered-already", "H10", _("The drinks of this school have been ordered."))
    NOT_PLAYING = (
        "not-playing",
        "G2",
        _("You are not in this game: you will play from the next one."),
    )
    IS_OUT = ("is-out", "R12", _("You are out of this game: no coins left."))
    NO_GAME = ("no-game", "G2", _("There is no game running."))
    GAME_RUNNING = ("game-running", "G2", _("A game is running: you can do that when it ends."))
    NO_WITNESS_NOW = ("no-witness-now", "R11", _("There is no ending word to confirm."))
    OWN_ENDING = (
        "own-ending",
        "R11",
        _("You said the word that ends the round: the others are confirming it."),
    )
    NOT_SEEN_BY_ALL = (
        "not-seen-by-all",
        "R11",
        _("Not everybody has seen the word that ends the round yet."),
    )
    NO_OPENING_NOW = ("no-opening-now", "R11", _("Fists open only after an ending word."))
    OPENED_ALREADY = ("opened-already", "R11", _("This fist is open already."))
    WRONG_OPENING = ("wrong-opening", "R11", _("What was opened is not what was sealed."))
    NO_CODE_HERE = ("no-code-here", "G6", _("This table asks for no code."))
    MUTED = ("muted", "G5", _("You are muted at this table."))
    BARRED = ("barred", "G5", _("You may not sit at this table any more."))
    HOST_STAYS = ("host-stays", "G5", _("The host cannot be removed or banned."))
    PAUSED = ("paused", "G5", _("The game is paused."))
    NOT_AWAITED = ("not-awaited", "G3", _("The table is not waiting for this seat."))
    NOT_AWAY = ("not-away", "G3", _("This player is here: the choice is theirs."))
    KEEPS_SEAT = ("keeps-seat", "G3", _("This seat is kept for its owner."))
    TOO_SOON = ("too-soon", "G3", _("The table will wait a little longer for this seat."))
    VOTE_ONLY = ("vote-only", "G3", _("Only the players who are here decide that, by a vote."))
    OTHERS_DECIDE = (
        "others-decide",
        "G3",
        _("Only the other players can decide that about your seat."),
    )
    HOLDS_NONE = ("holds-none", "G3", _("The table played on: your fist is empty this round."))
    WENT_ALONG = ("went-along", "G8", _("You have moved to the new table with the others."))
    NO_CLOCK = ("no-clock", "G4", _("This table has no turn clock that could run out."))
    OLD_EPOCH = ("old-epoch", "G5", _("The table has already had this host, or a later one."))
    NOT_SUPPORTED = ("not-supported", "G5", _("Too few players support this host."))
    OWN_SEAT = ("own-seat", "G5", _("The host decides nothing about its own seat."))
    NO_CHANGE = ("no-change", "G5", _("That would change nothing: it is already so."))
    SEAT_TAKEN = ("seat-taken", "G6", _("You are already sitting at this table."))
    TABLE_LOCKED = ("table-locked", "G5", _("The table is locked: nobody new sits down."))
    TABLE_FULL = ("table-full", "G6", _("The table is full: {seats} seats."))
    NO_SEAT = ("no-seat", "G6", _("You have no seat at this table."))
    READY_ALREADY = ("ready-already", "G1", _("You are ready already."))
    TOO_FEW = ("too-few", "G6", _("A game needs two players to be ready."))
    NO_LOT_NOW = ("no-lot-now", "G1", _("No lot is being drawn."))
    WRONG_SHARE = ("wrong-share", "G1", _("This share of the lot is not the one that was sealed."))
    STALE = ("stale", "R4", _("Too late: the table has moved on. Try again."))
    REPEATED = ("repeated", "R4", _("That has been said already."))
    OTHER_LOG = (
        "other-log",
        "R4",
        _("You and the host disagree on what has happened at the table."),
    )
    TOO_FAST = ("too-fast", "G2", _("Too much at once: wait a moment."))
    LOG_FULL = ("log-full", "G2", _("This table’s log is full: only the running game can go on."))
    HOST_ONLY = ("host-only", "G5", _("Only the host can announce this."))
    PLAYER_ONLY = ("player-only", "G5", _("Only a player can say this, not the host."))
    WRONG_ORDER = ("wrong-order", "R14", _("This is not the order in which the players sat down."))
    NOT_NOW = ("not-now", "R4", _("This cannot be said now."))

    def __init__(self, code: str, clause: str, template: str) -> None:
        self.code = code
        """Short name in messages."""
        self.clause = clause
        """Clause of the rulebook, such as R4."""
        self.template = template
        """English sentence with named placeholders."""

    @property
    def is_plain(self) -> bool:
        """Whether the sentence has no placeholders."""
        return "{" not in self.template


REASONS: Mapping[str, Reason] = {reason.code: reason for reason in Reason}
"""Every reason by its code."""


class Illegal(ProtocolError):
    """A well-formed statement that the rules forbid at this table now; it has changed nothing."""

    def __init__(self, reason: Reason, **values: int | str) -> None:
        self.reason = reason
        """Why it is forbidden, with clause and sentence."""
        self.values: Mapping[str, int | str] = values
        """Values for the placeholders of the sentence; a seat is given by its index."""
        filled = reason.template.format(**values)
        super().__init__(f"{filled} ({reason.clause})")

    def __eq__(self, other: object) -> bool:
        # Views hold these, and two views that show the same must compare equal.
        if not isinstance(other, Illegal):
            return NotImplemented
        return self.reason is other.reason and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.reason)
