"""The words of a recorded round, judged one after the other (R4 to R10, R14, R15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from protocol.bidding import BiddingRound, next_in
from protocol.errors import Illegal
from protocol.notation.bidding_position import SIGNS, Position
from protocol.notation.faults import Slip, cut
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.tokens import number
from protocol.words import Bid, Direction, Ending, Word


def hear(position: Position, record: RoundRecord, notes: Notes) -> tuple[BiddingRound, bool]:
    """The round as it was said, illegal words too, and whether it can be counted.

    It can be if every word is readable and the last one ends the round.
    """
    said = _opening(position, record, notes)
    words: list[tuple[int, Word]] = []
    speakers = (said.starter, said.starter)
    whole = True
    for token in record.words:
        if said.ending is not None:
            notes.add(Slip.AFTER_ENDING, token, text=cut(token.text))
            break
        seat = _speaker(position, token, speakers, notes)
        # Whoever follows the speaker, and whoever follows the one whose turn it was.
        speakers = (
            next_in(position.coins, seat, said.direction),
            next_in(position.coins, speakers[0], said.direction),
        )
        word = _word(token, notes)
        if word is None:
            whole = False
            continue
        _judge(said, seat, word, token, notes)
        words.append((seat, word))
        said = replace(said, words=tuple(words))
    # A round that is cut short has lost its ending word, too: that is one fault.
    if whole and said.ending is None and record.hands is not None:
        notes.add(Slip.NO_ENDING)
    return said, whole and said.ending is not None


def _opening(position: Position, record: RoundRecord, notes: Notes) -> BiddingRound:
    """The round before its first word: who opens it, and in which direction."""
    starter = _starter(position, record.words[0] if record.words else None, notes)
    said = BiddingRound(position.rules, position.coins, starter)
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
    if token.tag and token.sign in SIGNS:
        return SIGNS[token.sign]
    value = number(token.sign) if token.tag else None
    if value is None:
        notes.unreadable(token, Slip.NO_WORD)
        return None
    return Bid(value)


def _judge(said: BiddingRound, seat: int, word: Word, token: Token, notes: Notes) -> None:
    """Note what forbids the word, apart from the turn (R6 to R10)."""
    speaker = said.speaker
    # Out of turn a zero is judged by nothing else: it would be taken for another's.
    if speaker is None or (word is Ending.ZERO and seat != speaker):
        return
    try:
        said.check(speaker, word)
    except Illegal as illegal:
        notes.add(Slip[illegal.reason.name], token, text=cut(token.text), **illegal.values)
