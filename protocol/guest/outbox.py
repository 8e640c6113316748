"""The statements of a participant that have no answer yet, each counted once, whatever happens.

A signed intent is kept until it is in the log or refused, and the same bytes are sent again over
every new link: its sequence number keeps it from counting twice. Nothing else is signed in its
place meanwhile, since a host that holds two signed words for one turn could choose between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.errors import REASONS, Illegal, Reason
from protocol.guest.effects import GuestEffect, Refused, Transmit
from protocol.table.head import Head
from protocol.table.log import Intent, Log
from protocol.table.state import Table
from protocol.table.statements import SIDE_TALK, Seen, Speak, Vote
from protocol.wire.messages import Propose, Refusal, write


class Outbox:
    """This participant's statements that have no answer yet."""

    def __init__(self, key: SigningKey) -> None:
        self._key = key
        self._pending: dict[int, Intent] = {}
        self.signed: Mapping[bytes, Intent] = {}
        """The last statement that was signed, by its encoded bytes; its signature need not be
        verified again."""
        self._sequence = 0
        self._word: tuple[int, Speak] | None = None
        """The turn in which the last word was said, and that word."""
        self._refused_at: Head | None = None

    @property
    def waiting(self) -> tuple[Message, ...]:
        """The statements that are neither in the log nor refused yet."""
        return tuple([intent.statement for intent in self._pending.values()])

    def holds(self, kind: type[Message]) -> bool:
        """Whether a statement of this kind is waiting for an answer."""
        waiting = self._pending.values()
        return bool(waiting) and any(type(intent.statement) is kind for intent in waiting)

    def was_refused(self, head: Head) -> bool:
        """Whether the statement that was last refused had been signed with exactly this head of the
        log."""
        return self._refused_at == head

    def check_word(self, statement: Message, turn: int) -> None:
        """Raise `Illegal` if another word was already said in this turn."""
        if isinstance(statement, Speak) and self.owed_word(turn) not in (None, statement):
            raise Illegal(Reason.REPEATED)

    def owed_word(self, turn: int) -> Speak | None:
        """The word that was said in this turn; None if there was none, or it no longer counts."""
        return self._word[1] if self._word and self._word[0] == turn else None

    def sign(self, statement: Message, table: Table, head: Head) -> Transmit:
        """Sign a statement and keep it; raises `Illegal` if one of its kind is already waiting for
        an answer.

        Any number of talk statements may wait, and one vote for each measure about the same key.
        """
        if not isinstance(statement, (*SIDE_TALK, Vote)) and self.holds(type(statement)):
            raise Illegal(Reason.REPEATED)
        if isinstance(statement, Vote):
            votes = [each for each in self.waiting if isinstance(each, Vote)]
            if any(each.about == statement.about for each in votes):
                raise Illegal(Reason.REPEATED)
        if isinstance(statement, Speak):
            self._word = table.turn, statement
        self._sequence = max(self._sequence, table.sequences.get(self._key.public, 0)) + 1
        intent = Intent.sign(self._key, self._sequence, head, statement)
        self._pending[intent.sequence] = intent
        self.signed = {intent.blob: intent}
        return _proposed(intent)

    def say_again(self, log: Log) -> list[GuestEffect]:
        """Propose again what has no answer yet, and drop statements whose author had seen entries
        that are lost.

        If those were not dropped, the opening of a round that is played again would show the hand
        before the ending word.
        """
        lost = [number for number, each in self._pending.items() if not log.holds(each.seen)]
        refused = self._refusals(self._pending.pop(number).statement for number in lost)
        return [*refused, *(_proposed(intent) for intent in self._pending.values())]

    def strike_off(self, said: Intent | None, turn: int) -> list[Refused]:
        """Drop the statement `said`, which is in the log, and those that can no longer get there
        because their sequence number is used up; returns refusals for the latter.

        A number is used up if a refusal was lost with its link, or if this key spoke elsewhere. A
        word of the present turn is not refused: it is still owed.
        """
        if said is None or said.author != self._key.public:
            return []
        used_up = [sequence for sequence in self._pending if sequence <= said.sequence]
        statements = [self._pending.pop(sequence).statement for sequence in used_up]
        answered = said.statement, self.owed_word(turn)
        return self._refusals(each for each in statements if each not in answered)

    @staticmethod
    def _refusals(statements: Iterable[Message]) -> list[Refused]:
        """Refusals to report to the owner for statements that were lost; a `Seen` is left out,
        since the owner did not say it."""
        return [Refused(each, Reason.STALE) for each in statements if not isinstance(each, Seen)]

    def refused(self, refusal: Refusal) -> Refused | None:
        """Drop the statement that the host has refused and return what to report; None if it was
        not waiting, or is a `Seen`.

        A statement that had been signed with an earlier head of the log may be said again at once.
        """
        intent = self._pending.pop(refusal.sequence, None)
        if intent is None:
            return None
        self._refused_at = intent.seen
        if isinstance(intent.statement, Seen):
            # Enough others were faster, and the owner did not say it.
            return None
        return Refused(intent.statement, REASONS.get(refusal.code, Reason.NOT_NOW))

    def forget(self) -> None:
        """Drop all statements that wait, because their author has gone along to a new table."""
        self._pending.clear()

    def take_back_word(self) -> None:
        """Drop the last word, so that another may be said in its turn."""
        self._word = None

    def cut(self) -> None:
        """Forget the last word and the last refusal: the log was cut back to before them."""
        self._word = self._refused_at = None


def _proposed(intent: Intent) -> Transmit:
    return Transmit(write(Propose(intent.blob)))
