"""Splits what a terminal sends, by its form, into text, keys and pastes; all else is dropped.

A terminal also answers questions of other programs: a tmux that somebody attaches to, the prompt of
a shell, an editor that has just ended. Such answers come late, twice and in pieces, and none of
their characters is a key. The forms are those of ECMA-48, section 5, and of xterm's "Control
Sequences".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import Enum
from typing import Final, NamedTuple

ESCAPE: Final = "\x1b"

KEY_WAIT: Final = 0.1
"""Seconds after which a lone Esc counts as a key, and not as the beginning of a sequence."""

REPORT_WAIT: Final = 1.0
"""Seconds without a character after which any other unfinished sequence is dropped."""

PASTE_WAIT: Final = 5.0
"""Seconds without a character after which an unfinished paste is dropped. It is long, because the
rest of a paste must not count as keys when the connection has stalled."""

MAX_KEPT: Final = 64 * 1024
"""Maximum characters of an unfinished sequence that are kept; the rest is dropped."""

_PASTE: Final = "\x1b[200~"
_PASTE_END: Final = "\x1b[201~"
_STRING_END: Final = "\x1b\\"

_SHAPES: Final = re.compile(
    "|".join(
        (
            r"[^\x1B]+",
            r"\x1B\[200~(?P<pasted>.*?)\x1B\[201~",
            r"\x1B\[M...",  # the mouse, in old terminals
            r"\x1B\[\[.",  # a key of the Linux console
            r"\x1B(?:\[(?![M\[]|200~)|O)[ -?]*+(?:[@-~]|(?=[^ -~]))",
            r"\x1B[\]PX^_][^\a\x18\x1A\x1B\x9C]*+(?:[\a\x18\x1A\x9C]|\x1B\\|(?=\x1B[^\\]))",
            r"\x1B[ -/]+(?:[0-~]|(?=[^ -~]))",
            r"\x1B(?=\x1B)",
            r"\x1B[^\x1B\[\]PX^_O -/]",
        )
    ),
    re.DOTALL,
)
"""Text, or a complete sequence; a character that cannot be part of a sequence ends it."""

_BEGINNINGS: Final = tuple("[]PX^_O")
"""Characters that may follow the Esc of a sequence with more than one character after it."""

_TAIL: Final = re.compile(r"[;:/\\\a]")
"""Characters of answers that are not keys of this program, except for a `/` typed alone."""

_REPORT: Final = re.compile(
    r"\x1b\[(?:<\d{1,5};-?\d{1,5};-?\d{1,5}[Mm]|[IO]|\?2026;\d\$y)", re.ASCII
)
"""A report of the mouse or the focus, or of whether the terminal can show a whole frame at once."""

_KEY: Final = re.compile(
    r"\x1b\[(?P<code>\d{0,7})(?::[\d:]*)?"
    r"(?:;(?P<modifiers>\d{0,3})(?::(?P<event>\d))?(?:;(?P<text>[\d:]*))?)?(?P<end>[u~A-HPQS])",
    re.ASCII,
)
"""A key in the kitty protocol, with alternate keys and the kind of event."""

_RELEASE: Final = "3"
_OTHER_KEY: Final = "27~"
"""Number and final character by which xterm reports a key with modifiers that has no sequence of
its own."""


class SentKind(Enum):
    """What kind of input was sent."""

    TYPED = "typed"
    """Characters, each of which is a key."""
    KEY = "key"
    """The sequence of one key, or of a report."""
    ALT = "alt"
    """A character typed while Alt is held down."""
    PASTED = "pasted"
    """A pasted text, without Esc."""


class Sent(NamedTuple):
    """One complete part of the input."""

    kind: SentKind
    text: str


class TerminalInput:
    """Splits what is read into complete parts, and keeps an unfinished one until it is complete or
    too late.

    Times are in seconds, by any clock that only goes forward.
    """

    def __init__(self, known: Collection[str] = ()) -> None:
        """`known` are sequences that count as keys whatever their form."""
        self._known: Final = frozenset(known) - {ESCAPE, ESCAPE * 2}
        odd = sorted(re.escape(each) for each in self._known if not _SHAPES.fullmatch(each))
        self._shape: Final = re.compile("|".join([*odd, _SHAPES.pattern]), _SHAPES.flags)
        self._rest = ""
        self._due = 0.0
        """Until when an unfinished part is kept."""
        self._escaped = 0.0
        """Until when the next read may continue a sequence whose Esc was taken for a key."""

    def feed(self, read: str, at: float, *, takes_text: bool = False) -> list[Sent]:
        """The parts that are complete after `read`, which came at the time `at`.

        If its characters contain the end of an answer whose Esc was lost, all characters are
        dropped, unless text is being typed now (`takes_text`).
        """
        goes_on = at < self._escaped and len(read) > 1 and read.startswith(_BEGINNINGS)
        text = self._rest + (ESCAPE if goes_on else "") + read
        sent, place, has_tail = list[Sent](), 0, False
        while match := self._shape.match(text, place):
            place, found = match.end(), match[0]
            if match["pasted"] is not None:
                sent.append(Sent(SentKind.PASTED, match["pasted"].replace(ESCAPE, "")))
            elif found.startswith(ESCAPE):
                sent += self._keys(found)
                has_tail |= found == _STRING_END
            else:
                sent.append(Sent(SentKind.TYPED, found))
                has_tail |= len(read) > 1 and _TAIL.search(found) is not None
        self._keep(text[place:], at)
        if has_tail and not takes_text:
            return [each for each in sent if each.kind is not SentKind.TYPED]
        return sent

    def tick(self, at: float) -> list[Sent]:
        """Drop an unfinished part that is too late at the time `at`; returns a key if it was a lone
        Esc."""
        rest = self._rest
        if not rest or at < self._due:
            return []
        self._rest = ""
        if rest != ESCAPE:
            return []
        self._escaped = at + REPORT_WAIT
        return [Sent(SentKind.KEY, ESCAPE)]

    def _keep(self, rest: str, at: float) -> None:
        wait = PASTE_WAIT if rest.startswith(_PASTE) else REPORT_WAIT
        self._due = at + (KEY_WAIT if rest == ESCAPE else wait)
        if len(rest) > MAX_KEPT:
            # The end of a paste may be in two reads.
            rest = rest[:MAX_KEPT] + rest[-len(_PASTE_END) :]
        self._rest, self._escaped = rest, 0.0

    def _keys(self, found: str) -> Iterator[Sent]:
        """The keys in a complete sequence, each in its shortest form; nothing for an answer."""
        if found in self._known or _REPORT.fullmatch(found) or found == ESCAPE:
            yield Sent(SentKind.KEY, found)
        elif len(found) == 2 and not found.endswith(("\\", *_BEGINNINGS)):
            yield Sent(SentKind.ALT, found[1])
        elif (match := _KEY.fullmatch(found)) and match["event"] != _RELEASE:
            code, modifiers, end = match["code"], match["modifiers"], match["end"]
            letters = match["text"].split(":") if match["text"] else []
            if self._is_key(code + end, bool(letters)) and all(map(_is_letter, (code, *letters))):
                key = f"\x1b[{code}" if modifiers is None else f"\x1b[{code};{modifiers}"
                ends = [f";{letter}{end}" for letter in letters] or [end]
                yield from (Sent(SentKind.KEY, key + each) for each in ends)

    def _is_key(self, name: str, has_letter: bool) -> bool:
        """Whether a sequence with this number and final character is that of a key."""
        if name.endswith("u"):
            return len(name) > 1
        short = name.removeprefix("1")
        return (name == _OTHER_KEY and has_letter) or not self._known.isdisjoint(
            (f"\x1b[{name}", f"\x1b[{short}", f"\x1bO{short}")
        )


def _is_letter(number: str) -> bool:
    """Whether there is a character with this number; an empty one counts as 1."""
    code = int(number or 1)
    return code < 0xD800 or 0xDFFF < code <= 0x10FFFF


def typed_text(line: str) -> str:
    """A typed line without the escape sequences in it."""
    sent = TerminalInput().feed(line, 0.0, takes_text=True)
    return "".join(each.text for each in sent if each.kind in (SentKind.TYPED, SentKind.PASTED))
