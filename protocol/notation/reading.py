"""Reading: bytes in, pieces of games out, in linear time and bounded memory.

Nothing is refused as a whole. What cannot be read becomes a `Fault`, and reading goes on: after a
bad header or an overlong line at the next line, after a bad token at the next token. A number with
a full stop always begins a round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from protocol.notation.faults import Fault, Slip, cut
from protocol.notation.records import (
    GameEnd,
    GameHead,
    GameRecord,
    Header,
    Piece,
    RoundRecord,
    Token,
)
from protocol.notation.signs import NUMBER, split_token
from protocol.rules.words import Direction

MAX_LINE: Final = 64 * 1024
"""Bytes of one line: a round of nine players with 99 coins each and every bid has 18,000."""

MAX_HEADERS: Final = 100
"""Headers of one game: seven are known."""

MAX_TOKENS: Final = 1000
"""Tokens of one part of a round: nine players with 99 coins each can say 892 words."""

KNOWN: Final = frozenset({"Event", "Date", "Rules", "Seats", "Coins", "Crap", "Result"})
"""Headers with a meaning; each may occur once in a game."""

_BLANKS: Final = " \t\r"
_EMPTY: Final = re.compile(rb"\n++")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]")
_HEADER: Final = re.compile(
    r'\[[ \t]*+([^\W\d]\w{0,63}+)[ \t]++"((?:[^"\\]++|\\["\\])*+)"[ \t]*+\]'
)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_LEXEME: Final = re.compile(r"[ \t\r]*+([(){}\[]|[^ \t\r(){}\[]++)")
_ROUND: Final = re.compile(r"([0-9]++)\.([<>]?)(.*)", re.DOTALL)

_TOKEN: Final = r"[^\W\d_][\w!=?+*$-]{0,15}+"
_TOKENS: Final = rf"{_TOKEN}(?: {_TOKEN}){{0,99}}+"
_PLAIN: Final = re.compile(
    rf"({NUMBER.pattern})\.([<>]?) ({_TOKENS}) \(({_TOKENS})\) (\.|{_TOKENS}) = ({_TOKENS})"
)
"""A whole round as the program writes it, on one line: read in one go, with the same result."""

_WORDS, _HANDS, _CHANGES, _AFTER = range(4)


def read(chunks: Iterable[bytes]) -> Iterator[GameRecord]:
    """The games of a file, one after the other; only one is held at a time.

    There is always at least one: a file without any text is a game without headers.
    """
    head = GameHead((), 1)
    rounds: list[RoundRecord] = []
    faults: list[Fault] = []
    for piece in pieces(chunks):
        if isinstance(piece, GameHead):
            head = piece
        elif isinstance(piece, RoundRecord):
            rounds.append(piece)
        elif isinstance(piece, Fault):
            faults.append(piece)
        else:
            yield GameRecord(head.headers, tuple(rounds), tuple(faults), head.line)
            rounds, faults = [], []


def pieces(chunks: Iterable[bytes]) -> Iterator[Piece]:
    """The pieces of all games of a file, as soon as they are read; one round is held at a time."""
    reader = _Reader()
    for number, line in _lines(chunks):
        yield from reader.line(number, line)
    yield from reader.close()


def _lines(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Every line with its number and without its end; None for one longer than `MAX_LINE`.

    Of consecutive empty lines only the last one is returned.
    """
    number, held, lost = 1, bytearray(), False
    for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            lost = lost or len(held) + end - start > MAX_LINE
            line = None if lost else bytes(held) + chunk[start:end]
            if line == b"" and (empty := _EMPTY.match(chunk, end + 1)):
                number, end = number + len(empty.group()), empty.end() - 1
            yield number, line
            number, start, lost = number + 1, end + 1, False
            held.clear()
        lost = lost or len(held) + len(chunk) - start > MAX_LINE
        if lost:
            held.clear()
        else:
            held += chunk[start:]
    if held or lost:
        yield number, None if lost else bytes(held)


@dataclass(slots=True)
class _Draft:
    """A round that is being read."""

    number: int
    line: int
    direction: Direction | None
    parts: tuple[list[Token], list[Token], list[Token], list[Token]] = field(
        default_factory=lambda: ([], [], [], [])
    )
    stage: int = _WORDS
    nothing: bool = False
    """Whether the full stop stood for no changes."""
    full: bool = False
    """Whether too many tokens were reported already."""

    def record(self) -> RoundRecord:
        words, hands, changes, after = map(tuple, self.parts)
        stated = self.stage is _AFTER and (bool(changes) or self.nothing)
        return RoundRecord(
            self.number,
            words,
            hands if self.stage > _HANDS else None,
            changes if stated else None,
            after if self.stage is _AFTER else None,
            self.direction,
            self.line,
        )


class _Reader:
    """What has been read of the game so far; each call returns the pieces that are complete."""

    def __init__(self) -> None:
        self._found: list[Piece] = []
        self._begin(1)
        self._comment: int | None = None
        """Line on which the open comment begins."""
        self._line = 1

    def _begin(self, line: int) -> None:
        self._headers: list[Header] = []
        self._head_line = line
        self._head_done = False
        self._draft: _Draft | None = None
        self._count = 0
        self._parted = False
        """Whether a blank line followed the last header."""
        self._stray = False
        """Whether text outside the rounds was reported already; once per game is enough."""

    def line(self, number: int, data: bytes | None) -> Iterator[Piece]:
        self._line = number
        if data is None:
            self._fault(Slip.LINE_TOO_LONG, most=MAX_LINE)
        else:
            text = data.decode("utf-8", errors="replace")
            if plain := self._comment is None and _PLAIN.fullmatch(text):
                self._plain_round(*plain.groups())
            else:
                self._text(text.removeprefix("\ufeff") if number == 1 else text)
                self._characters(text, data)
        yield from self._found
        self._found.clear()

    def close(self) -> Iterator[Piece]:
        if self._comment is not None:
            self._found.append(Fault.at(self._comment, self._round, Slip.OPEN_COMMENT))
        self._end_game()
        yield from self._found
        self._found.clear()

    @property
    def _round(self) -> int | None:
        return self._draft.number if self._draft else None

    def _fault(self, slip: Slip, **values: int | str) -> None:
        self._found.append(Fault.at(self._line, self._round, slip, **values))

    def _characters(self, text: str, data: bytes) -> None:
        """Report characters that no text holds; after the line, when game and round are known."""
        if "\ufffd" in text and text.encode() != data:
            self._fault(Slip.NOT_UTF8)
        if control := _CONTROL.search(text):
            self._fault(Slip.CONTROL, text=control.group())

    def _text(self, text: str) -> None:
        position = 0
        if self._comment is not None:
            position = self._after_comment(text, 0)
        elif not text.strip(_BLANKS):
            self._parted = bool(self._headers)
        while match := _LEXEME.match(text, position):
            lexeme, position = match.group(1), match.end()
            if lexeme == "{":
                self._comment = self._line
                position = self._after_comment(text, position)
            elif lexeme == "[":
                position = self._header(text, match.start(1))
            else:
                self._lexeme(lexeme)

    def _after_comment(self, text: str, position: int) -> int:
        end = text.find("}", position)
        if end < 0:
            return len(text)
        self._comment = None
        return end + 1

    def _header(self, text: str, position: int) -> int:
        """Take the header at `position`; returns the place after it, or the line's end without
        one."""
        match = _HEADER.match(text, position)
        if not match:
            self._fault(Slip.BAD_HEADER, text=cut(text[position:].strip()))
            return len(text)
        name = match.group(1)
        twice = name in KNOWN and any(header.name == name for header in self._headers)
        if self._head_done or (twice and self._parted):
            self._end_game()
            self._begin(self._line)
        elif twice:
            self._fault(Slip.HEADER_TWICE, name=name)
        self._keep(Header(name, _ESCAPE.sub(r"\1", match.group(2)), self._line))
        return match.end()

    def _keep(self, header: Header) -> None:
        if not self._headers:
            self._head_line = header.line
        self._parted = False
        # One more than the limit is held, so that the fault is reported once.
        if len(self._headers) == MAX_HEADERS:
            self._fault(Slip.TOO_MANY_HEADERS, most=MAX_HEADERS)
        if len(self._headers) <= MAX_HEADERS:
            self._headers.append(header)

    def _end_head(self) -> None:
        if not self._head_done:
            self._found.append(GameHead(tuple(self._headers[:MAX_HEADERS]), self._head_line))
            self._head_done = True

    def _end_game(self) -> None:
        self._end_round()
        self._end_head()
        self._found.append(GameEnd())

    def _lexeme(self, lexeme: str) -> None:
        if match := _ROUND.fullmatch(lexeme):
            self._begin_round(*match.groups())
        elif self._draft is None:
            if not self._stray:
                self._fault(Slip.STRAY, text=cut(lexeme))
            self._stray = True
        elif not self._step(self._draft, lexeme):
            self._token(self._draft, lexeme)

    def _begin_round(self, digits: str, mark: str, rest: str) -> None:
        known = NUMBER.fullmatch(digits)
        self._new_draft(int(digits) if known else None, mark)
        if not known:
            self._fault(Slip.BAD_NUMBER, text=cut(digits))
        if rest:
            self._lexeme(rest)

    def _new_draft(self, number: int | None, mark: str) -> _Draft:
        """Begin a round, after completing what was before it."""
        self._end_round()
        self._end_head()
        self._count += 1
        number = self._count if number is None else number
        self._draft = _Draft(number, self._line, _DIRECTIONS.get(mark))
        return self._draft

    def _plain_round(
        self, digits: str, mark: str, words: str, hands: str, changes: str, after: str
    ) -> None:
        """Take a round that stands on one line; the next line may still continue it."""
        draft = self._new_draft(int(digits), mark)
        draft.nothing = changes == "."
        said = "" if draft.nothing else changes
        draft.parts = _tokens(words), _tokens(hands), _tokens(said), _tokens(after)
        draft.stage = _AFTER

    def _step(self, draft: _Draft, lexeme: str) -> bool:
        """Whether `lexeme` is a mark between or in the parts of a round rather than a token."""
        if (lexeme, draft.stage) in _STEPS:
            draft.stage += 1
        elif lexeme == "." and draft.stage is _CHANGES and not draft.parts[_CHANGES]:
            draft.nothing = True
        elif lexeme in ("<", ">") and draft.stage is _WORDS and not draft.parts[_WORDS]:
            self._fault(Slip.DIRECTION_APART, text=lexeme)
            draft.direction = Direction(lexeme)
        elif lexeme in _MARKS:
            self._fault(Slip.MISPLACED, text=lexeme)
        else:
            return False
        return True

    def _token(self, draft: _Draft, text: str) -> None:
        part = draft.parts[draft.stage]
        if len(part) < MAX_TOKENS:
            if draft.nothing and draft.stage is _CHANGES:
                self._fault(Slip.MISPLACED, text=cut(text))
            part.append(Token(*split_token(text), self._line))
        elif not draft.full:
            draft.full = True
            self._fault(Slip.TOO_MANY_TOKENS, most=MAX_TOKENS)

    def _end_round(self) -> None:
        draft = self._draft
        if draft is None:
            return
        record = draft.record()
        if record.hands is None:
            self._cut_short(draft, Slip.NO_HANDS)
        elif record.after is None:
            self._cut_short(draft, Slip.NO_COINS)
        elif record.changes is None:
            self._cut_short(draft, Slip.NO_CHANGES)
        self._found.append(record)
        self._draft = None

    def _cut_short(self, draft: _Draft, slip: Slip) -> None:
        self._found.append(Fault.at(draft.line, draft.number, slip))


def _tokens(text: str) -> list[Token]:
    return list(map(_one_token, text.split()))


@lru_cache(maxsize=4096)
def _one_token(text: str) -> Token:
    """A token of a round on one line: the same few occur in every round."""
    return Token(*split_token(text))


_DIRECTIONS: Final = {direction.value: direction for direction in Direction}

_STEPS: Final = frozenset({("(", _WORDS), (")", _HANDS), ("=", _CHANGES)})
"""The marks that lead from each part of a round to the next."""

_MARKS: Final = frozenset("()}=.<>")
"""Marks that are not tokens."""
