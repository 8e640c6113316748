"""The words of a recorded round, judged one after the other (R4 to R10, R14, R15)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from protocol.encoding.replacing import replace
from protocol.errors import Illegal
from protocol.notation.faults import Slip, cut
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.signs import SIGNS
from protocol.notation.tokens import LONGEST_NUMBER, number
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BiddingRules
from protocol.rules.outcome import next_in
from protocol.rules.words import Bid, Direction, Ending, Word


def hear(
    rules: BiddingRules, position: Position, record: RoundRecord, notes: Notes
) -> tuple[BiddingRound, bool]:
    """The round as it was said, illegal words too, and whether it can be counted.

    It can be if every word is readable and the last one ends the round.
    """
    said = _opening(rules, position, record, notes)
    coins, direction = said.coins, said.direction
    due = also = said.starter
    ended, whole = False, True
    for token in record.words:
        if ended:
            notes.add(Slip.AFTER_ENDING, token, text=cut(token.text))
            break
        seat = position.seats.get(token.tag)
        if seat != due:
            seat = _speaker(position, token, (due, also), notes)
        word = _word(token, notes)
        if word is None:
            whole = False
        else:
            _judge(said, seat, word, token, notes)
            said = said.said(seat, word)
            ended = isinstance(word, Ending)
        # The player after the speaker, and the player after the one whose turn it was.
        also = next_in(coins, due, direction)
        due = also if seat == due else next_in(coins, seat, direction)
    # A round that is cut short has lost its ending word, too: that is one fault.
    if whole and not ended and record.hands is not None:
        notes.add(Slip.NO_ENDING)
    return said, whole and ended


def _opening(
    rules: BiddingRules, position: Position, record: RoundRecord, notes: Notes
) -> BiddingRound:
    """The round before its first word: who opens it, and in which direction."""
    starter = _starter(position, record.words[0] if record.words else None, notes)
    said = BiddingRound(rules, position.coins, starter)
    if record.direction is Direction.COUNTER_CLOCKWISE:
        return _turned(said, record.words, notes)
    return said


def _starter(position: Position, token: Token | None, notes: Notes) -> int:
    """The seat that opens; what is wrong with a token of nobody is told with its word."""
    due = position.opener
    seat = position.seat_in(token.tag) if token else None
    if seat is None:
        return position.players[0] if due is None else due
    if due is not None and seat != due:
        slip = Slip.WRONG_OPENER if position.is_first else Slip.WRONG_STARTER
        notes.add(slip, token, tag=position.tags[seat], starter=position.tags[due])
    return seat


def _turned(said: BiddingRound, words: Sequence[Token], notes: Notes) -> BiddingRound:
    """The round counter-clockwise, if that is allowed (R4)."""
    ends = bool(words) and words[0].sign in SIGNS
    # Words that are legal in every opening, so that only the direction is judged.
    word = Ending.SPOOF if ends else Bid(1)
    try:
        said.check(said.starter, word, Direction.COUNTER_CLOCKWISE)
    except Illegal as illegal:
        notes.add(Slip[illegal.reason.name])
        return said
    return replace(said, direction=Direction.COUNTER_CLOCKWISE)


def _speaker(position: Position, token: Token, speakers: tuple[int, int], notes: Notes) -> int:
    """The seat that speaks, when it should be one of `speakers`, the first before all (R4)."""
    seat = position.seat_in(token.tag)
    if seat is None:
        if token.tag in position.seats:
            notes.add(Slip.IS_OUT, token, tag=token.tag)
        elif token.tag:
            notes.add(Slip.NOBODY, token, text=token.tag)
        return speakers[0]
    if seat not in speakers:
        speaker = position.tags[speakers[0]]
        notes.add(Slip.OUT_OF_TURN, token, tag=token.tag, speaker=speaker)
    return seat


def _word(token: Token, notes: Notes) -> Word | None:
    short = token.tag and len(token.sign) <= LONGEST_NUMBER
    word = _meaning(token.sign) if short else None
    if word is None:
        notes.unreadable(token, Slip.NO_WORD)
    return word


@lru_cache(maxsize=4096)
def _meaning(sign: str) -> Word | None:
    if sign in SIGNS:
        return SIGNS[sign]
    value = number(sign)
    return None if value is None else Bid(value)


def _judge(said: BiddingRound, seat: int, word: Word, token: Token, notes: Notes) -> None:
    """Note what forbids the word, apart from the turn (R6 to R10)."""
    # Out of turn a zero is judged by nothing else: it would be taken for another's.
    if word is Ending.ZERO and seat != said.speaker:
        return
    try:
        said.check_word(seat, word)
    except Illegal as illegal:
        notes.add(Slip[illegal.reason.name], token, text=cut(token.text), **illegal.values)
