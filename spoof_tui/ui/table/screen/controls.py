"""What keys mean at the table, independent of any screen.

`Controls` holds what the player is composing: a raise, a direction, an ending word that waits for
its second press, the digits of a large hand. `press` turns a key into an action or changes that.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from protocol.errors import Illegal, Reason
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.acts import table
from spoof_tui.acts.act import pressed
from spoof_tui.acts.table import ENDING_KEYS, PEEK, READY, TURN, TableAct
from spoof_tui.telling.measures import sits
from spoof_tui.text.layouts import latin


@dataclass(frozen=True, slots=True)
class PutIn:
    """Action: hide this many coins."""

    coins: int


@dataclass(frozen=True, slots=True)
class SayWord:
    """Action: say a word of the game; an opening bid may set the direction."""

    word: Word
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Action: tell the player why the key is not allowed now."""

    error: Illegal


Action = TableAct | PutIn | SayWord | Forbidden

_MORE: Final = frozenset({"up", "right", "plus"})
_LESS: Final = frozenset({"down", "left", "minus"})
_ONE_DIGIT: Final = 9
"""The most coins for which a single digit is a complete hand."""


def _hands(view: TableView) -> int:
    """The number of hands that the player can choose from."""
    return 1 + (view.my_seat.coins if view.my_seat else 0)


@dataclass(slots=True)
class Controls:
    """What the player is composing, and the settings for it."""

    confirm_endings: bool = True
    """Whether an ending word needs a second press."""
    bid: int | None = None
    """The number that Enter would bid; None for the lowest allowed."""
    typed: str = ""
    """The digits typed so far for a bid."""
    armed: Ending | None = None
    """The ending word that waits for its second press; None for none."""
    counter_clockwise: bool = False
    """Whether the player's opening bid is to reverse the direction."""
    hand_digits: str = ""
    """The digits typed so far for a hand of ten or more; never shown."""
    cover_keys: bool = False
    """Whether a hand is chosen from a hidden list, so that watching the player's fingers reveals
    nothing."""
    chance: Callable[[int], int] = secrets.randbelow
    """Chooses at which hand the list begins: a random index below the given number."""
    covered: int | None = None
    """The hand selected in the hidden list; None until a key has been pressed."""
    position: tuple[int, int, int] = (0, 0, 0)
    """Game, round and number of words for which the player is composing."""

    def follow(self, view: TableView) -> None:
        """Discard what was composed if the turn that it was for is over."""
        now = (view.game_number, view.round_number, len(view.words))
        if now != self.position:
            self.position = now
            self.bid, self.typed, self.armed, self.hand_digits = None, "", None, ""
            self.covered = None
            self.counter_clockwise = False

    def raise_to(self, view: TableView) -> int | None:
        """The number that Enter would bid or call; None if no number is possible."""
        if view.is_guessing:
            return self._call(view)
        return None if view.lowest_bid is None else self.bid or view.lowest_bid

    def _call(self, view: TableView) -> int | None:
        if self.bid is not None:
            return self.bid
        middle = view.most // 2
        return min(view.free, key=lambda number: abs(number - middle), default=None)

    def is_of_hand(self, key: str, view: TableView) -> bool:
        """Whether a key pressed during a count may be meant for the hand of the next round."""
        key, plays = latin(key), view.my_seat is not None and view.my_seat.coins > 0
        is_digit = key.isascii() and key.isdigit()
        return plays and (is_digit or (key in ("enter", "backspace") and bool(self.hand_digits)))

    @staticmethod
    def plain(key: str) -> TableAct | None:
        """The act of a key that always means the same during a game; None for other keys."""
        act = pressed(latin(key), table.TABLE)
        return None if act in (READY, TURN) else act

    def press(self, key: str, view: TableView) -> Action | None:
        """The action of a key; None if the key only changed what is being composed, or does
        nothing."""
        key = latin(key)
        self.follow(view)
        armed, self.armed = self.armed, None
        if key in ENDING_KEYS and not view.is_guessing:
            return self._ending(ENDING_KEYS[key], armed, view)
        act = pressed(key, table.TABLE)
        if act is TURN:
            if view.my_turn and not view.may_turn:
                return Forbidden(Illegal(Reason.DIRECTION_FIXED))
            if view.my_turn:
                self.counter_clockwise = not self.counter_clockwise
            return None
        if act is not None and act is not READY:
            self.armed = armed if act is PEEK else None
            return act
        if act is READY and view.went_along:
            return READY
        if view.own_fist_due:
            return self._hand(key, view)
        if view.my_turn:
            return self._raise(key, view)
        if key == "enter" and view.phase is Phase.GATHERING:
            return READY
        if act is READY and (view.phase is Phase.GATHERING or not sits(view)):
            return READY
        return None

    def _ending(self, word: Ending, armed: Ending | None, view: TableView) -> Action | None:
        error = next(option.forbidden for option in view.options if option.word is word)
        if error is not None:
            return Forbidden(error)
        if self.confirm_endings and armed is not word:
            self.armed = word
            return None
        return SayWord(word)

    def _hand(self, key: str, view: TableView) -> Action | None:
        owned = view.my_seat.coins if view.my_seat else 0
        if self.cover_keys:
            return self._covered_hand(key, view)
        if key.isascii() and key.isdigit():
            if owned <= _ONE_DIGIT:
                return PutIn(int(key))
            self.hand_digits = (self.hand_digits + key)[-2:]
        elif key == "backspace":
            self.hand_digits = ""
        elif key == "enter" and self.hand_digits:
            digits, self.hand_digits = self.hand_digits, ""
            return PutIn(int(digits))
        return None

    def _covered_hand(self, key: str, view: TableView) -> Action | None:
        hand, hands = self.blind_hand(view), _hands(view)
        if key == "enter":
            self.covered = None
            return PutIn(hand)
        if key in _MORE or key in _LESS:
            self.covered = (hand + (1 if key in _MORE else -1)) % hands
        return None

    def blind_hand(self, view: TableView) -> int:
        """The hand selected in the hidden list, which begins at a random one."""
        if self.covered is None:
            self.covered = self.chance(_hands(view))
        return self.covered

    def _raise(self, key: str, view: TableView) -> Action | None:
        lowest, bid = 0 if view.is_guessing else view.lowest_bid, self.raise_to(view)
        if lowest is None or bid is None:
            return None
        if key == "enter":
            return SayWord(Bid(bid), self._direction(view))
        if key in _MORE or key in _LESS:
            self.typed = ""
            self.bid = min(max(bid + (1 if key in _MORE else -1), lowest), view.most)
        elif key == "backspace":
            self._type(self.typed[:-1])
        elif key.isascii() and key.isdigit():
            self._type(self.typed + key if int(self.typed + key) <= view.most else key)
        return None

    def _type(self, digits: str) -> None:
        self.typed = digits
        self.bid = int(digits) if digits else None

    def _direction(self, view: TableView) -> Direction | None:
        if not view.may_turn or not self.counter_clockwise:
            return None
        return Direction.COUNTER_CLOCKWISE
