"""Reads records: bytes in, pieces of games out, in linear time and bounded memory.

No record is refused as a whole. What cannot be read becomes a `Fault`, and reading continues: after
a bad header or an overlong line with the next line. A number with a full stop always begins a
round.

Rounds are also read as people write them, and as the Ukrainian guide does: hyphens between words,
commas, `M(-)` for `M-`, and signs that only look right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from protocol.notation.faults import Fault, FaultKind, cut
from protocol.notation.lookalikes import aligned, plain, skeleton
from protocol.notation.records import (
    GameEnd,
    GameHead,
    GameRecord,
    Header,
    Piece,
    RecordToken,
    RoundRecord,
)
from protocol.notation.signs import NOTHING, NUMBER, split_token
from protocol.rules.words import Direction

MAX_LINE: Final = 64 * 1024
"""Bytes of one line: a round of nine players with 99 coins each in which every bid is made has
18,000."""

MAX_ROUND: Final = MAX_LINE
"""Characters of one round, over all its lines."""

MAX_HEADERS: Final = 100
"""Headers of one game: seven have a meaning."""

KNOWN: Final = frozenset({"Event", "Date", "Rules", "Seats", "Coins", "Crap", "Result"})
"""Headers with a meaning; each may occur once in a game."""

_BY_LOOKS: Final = {name.lower(): name for name in KNOWN}

_EMPTY: Final = re.compile(rb"\n++")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]")
_HEADER: Final = re.compile(
    r'\[[ \t]*+([^\W\d]\w{0,63}+)[ \t]++"((?:[^"\\]++|\\["\\])*+)"[ \t]*+\]'
)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_PIECE: Final = re.compile(r"[{\[]|[^{\[]++")
"""The beginning of a comment or of a header, or the text in front of one."""

_BEGINNING: Final = re.compile(r"(?<![^\s()])(?:[0-9]++\.[<>]?)++")
"""The beginning of a round, or of several that follow one another without a blank."""

_NUMBER: Final = re.compile(r"([0-9]++)\.([<>]?)")

_MISNUMBERED: Final = re.compile(r"\s*+(([1-9][0-9]{0,8}+)[):])(?=\s|\Z)")
"""The beginning of a line whose number is followed by another sign than a full stop."""

_BRACKETED: Final = re.compile(r"\(\s*+[-+]")
_CHANGE: Final = re.compile(r" ?\( ?([-+]) ?\)")
"""A coin won or lost, in the guide's notation."""

_MARKED: Final = re.compile(r"((?<![^\W\d_])([^\W\d_]++)[0-9!=?]++) ?\( ?([-+]) ?\)")
"""A word or a hand, followed by the coin that it won or lost."""

_JOINT: Final = re.compile(r"(?<=[0-9!=?xX]) ?- ?(?=[^\W\d_])")
"""The hyphen that the guide writes between two words."""


def read(chunks: Iterable[bytes]) -> Iterator[GameRecord]:
    """The games of a file, one after the other; only one is held in memory.

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
    """The pieces of all games of a file, as soon as each is read; no more than one round is held in
    memory."""
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
    texts: list[str] = field(default_factory=list)
    """The text of the round, without its comments and ends of lines."""
    room: int = MAX_ROUND
    """How many more characters are read; below 0 once the excess was reported."""

    def record(self) -> RoundRecord:
        text = " ".join(self.texts).replace(",", " ").replace(";", " ")
        marked: list[str] = []
        if _BRACKETED.search(text):
            text = " ".join(text.split())
            marked = [tag + change for _, tag, change in _MARKED.findall(text)]
            text = _CHANGE.sub(r"\1", _MARKED.sub(r"\1", text))
        text = text.replace("(", " ( ").replace(")", " ) ")
        words, _opens, rest = " ".join(text.split()).partition("(")
        hands, closes, rest = rest.partition(")")
        changes, equals, after = f"{rest} ".partition(" = ")
        stated = ["" if changes.strip() == NOTHING else changes.strip()]
        stated += [change for change in marked if change not in changes.split()]
        return RoundRecord(
            self.number,
            _tokens(_JOINT.sub(" ", words) if "-" in words else words),
            _tokens(hands) if closes else None,
            _tokens(" ".join(stated)) if equals and (marked or changes.strip()) else None,
            _tokens(after) if equals else None,
            self.direction,
            self.line,
        )


class _Reader:
    """Reads one line after the other, and returns the pieces that are complete after each."""

    def __init__(self) -> None:
        self._found: list[Piece] = []
        self._begin(1)
        self._comment: int | None = None
        """Line on which the open comment begins; None outside comments."""
        self._line = 1
        self._at_start = True
        """Whether only blanks and comments have come before in this line."""

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
            self._fault(FaultKind.LINE_TOO_LONG, most=MAX_LINE)
        else:
            text = data.decode("utf-8", errors="replace")
            self._text(text)
            self._characters(text, data)
        yield from self._found
        self._found.clear()

    def close(self) -> Iterator[Piece]:
        if self._comment is not None:
            self._line = self._comment
            self._fault(FaultKind.OPEN_COMMENT)
        self._end_game()
        yield from self._found
        self._found.clear()

    def _fault(self, kind: FaultKind, **values: int | str) -> None:
        number = self._draft.number if self._draft else None
        self._found.append(Fault.at(self._line, number, kind, **values))

    def _characters(self, text: str, data: bytes) -> None:
        """Report characters that no text may contain; called after the line was read, when game and
        round are known."""
        if "\ufffd" in text and text.encode() != data:
            self._fault(FaultKind.NOT_UTF8)
        if control := _CONTROL.search(text):
            self._fault(FaultKind.CONTROL, text=control.group())

    def _text(self, written: str) -> None:
        # One character for one, so that the value of a header is found where it was written.
        text = aligned(written)
        position, self._at_start = 0, True
        if self._comment is not None:
            position = self._after_comment(text, 0)
        elif not plain(text).strip():
            self._parted = bool(self._headers)
        while match := _PIECE.match(text, position):
            piece, position = match.group(), match.end()
            if piece == "{":
                self._comment = self._line
                position = self._after_comment(text, position)
            elif piece == "[":
                position = self._header(text, match.start(), written)
            else:
                self._rounds(piece)
                self._at_start = self._at_start and not piece.strip()

    def _after_comment(self, text: str, position: int) -> int:
        end = text.find("}", position)
        if end < 0:
            return len(text)
        self._comment = None
        return end + 1

    def _header(self, text: str, position: int, written: str) -> int:
        """Take the header at `position`, with its value from `written`; returns the position after
        it, or the line's end if there is no header."""
        match = _HEADER.match(text, position)
        if not match:
            self._fault(FaultKind.BAD_HEADER, text=cut(text[position:].strip()))
            return len(text)
        name = known_as(match.group(1))
        if name != match.group(1):
            self._fault(FaultKind.HEADER_NAME, text=cut(match.group(1)), name=name)
        twice = name in KNOWN and any(header.name == name for header in self._headers)
        if self._head_done or (twice and self._parted):
            self._end_game()
            self._begin(self._line)
        elif twice:
            self._fault(FaultKind.HEADER_TWICE, name=name)
        self._keep(Header(name, _ESCAPE.sub(r"\1", written[slice(*match.span(2))]), self._line))
        return match.end()

    def _keep(self, header: Header) -> None:
        if not self._headers:
            self._head_line = header.line
        self._parted = False
        # One more than the limit is held, so that the fault is reported once.
        if len(self._headers) == MAX_HEADERS:
            self._fault(FaultKind.TOO_MANY_HEADERS, most=MAX_HEADERS)
        if len(self._headers) <= MAX_HEADERS:
            self._headers.append(header)

    def _end_game(self) -> None:
        self._end_round()
        self._end_head()
        self._found.append(GameEnd())

    def _end_head(self) -> None:
        if not self._head_done:
            self._found.append(GameHead(tuple(self._headers[:MAX_HEADERS]), self._head_line))
            self._head_done = True

    def _rounds(self, text: str) -> None:
        """Take text outside headers and comments, in which each number begins a new round."""
        text, begin = plain(text), 0
        if self._at_start and (match := _MISNUMBERED.match(text)):
            begin = match.end()
            self._begin_round(match.group(2), "")
            self._fault(FaultKind.ROUND_NUMBER, right=f"{match.group(2)}.", text=match.group(1))
        for match in _BEGINNING.finditer(text, begin):
            self._add(text[begin : match.start()])
            for digits, mark in _NUMBER.findall(match.group()):
                self._begin_round(digits, mark)
            begin = match.end()
        self._add(text[begin:])

    def _begin_round(self, digits: str, mark: str) -> None:
        self._end_round()
        self._end_head()
        self._count += 1
        known = NUMBER.fullmatch(digits)
        direction = Direction(mark) if mark else None
        self._draft = _Draft(int(digits) if known else self._count, self._line, direction)
        if not known:
            self._fault(FaultKind.BAD_NUMBER, text=cut(digits))

    def _add(self, text: str) -> None:
        draft = self._draft
        if not text.strip():
            return
        if draft is not None and draft.room >= 0:
            draft.texts.append(text[: draft.room])
            draft.room -= len(text)
            if draft.room < 0:
                self._fault(FaultKind.ROUND_TOO_LONG, most=MAX_ROUND)
        elif draft is None and not self._stray:
            self._fault(FaultKind.STRAY, text=cut(text.split(maxsplit=1)[0]))
            self._stray = True

    def _end_round(self) -> None:
        if self._draft is not None:
            self._found.append(self._draft.record())
            self._draft = None


def known_as(name: str) -> str:
    """The header with a meaning that looks like `name`, in any case; `name` itself if there is
    none."""
    return _BY_LOOKS.get(skeleton(name).lower(), name)


def _tokens(text: str) -> tuple[RecordToken, ...]:
    return tuple(map(_token, text.split()))


@lru_cache(maxsize=4096)
def _token(text: str) -> RecordToken:
    """The token that `text` stands for; cached, because the same few occur in every round."""
    return RecordToken(*split_token(text))
