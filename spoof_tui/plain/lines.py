"""Where plain lines go: one whole line after the other, containing only text."""

from __future__ import annotations

import unicodedata
from typing import Final, TextIO

from spoof_tui.text.ascii import respelling

PROMPT: Final = "> "
"""Ends the prompt, which stands where something can be typed, if a person sees it."""

BELL: Final = "\a"

_COMMANDS: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that would control a terminal, or end a line."""


def plain(text: str) -> str:
    """The text on one line, with nothing but printable characters and spaces."""
    kept = (letter for letter in text if unicodedata.category(letter) not in _COMMANDS)
    return " ".join("".join(kept).split())


class NobodyReads(Exception):
    """Nobody reads the output any more: the terminal or the reader is gone."""


class LineWriter:
    """Appends lines to a stream; everything is flushed at once, or raises `NobodyReads`."""

    def __init__(self, stream: TextIO, *, is_terminal: bool) -> None:
        """Only a terminal gets a prompt and the bell."""
        self._stream = stream
        self.is_terminal: Final = is_terminal
        """Whether a person sees the lines as they come."""
        self._respell = respelling()
        self._is_prompted = False
        """Whether the last line is a prompt, where a person may have begun to type."""
        self._is_answered = True
        """Whether anything was printed since the last line was typed."""

    def tell(self, *lines: str) -> None:
        """Append lines; empty ones are left out."""
        told = [line for line in map(plain, lines) if line]
        if not told:
            return
        self._write(("\n" if self._is_prompted else "") + "\n".join(told) + "\n")
        self._is_prompted, self._is_answered = False, True

    def prompt(self, asked: str = "") -> None:
        """Show a prompt that says what is asked for; what was typed before is answered first."""
        if self.is_terminal and self._is_answered and not self._is_prompted:
            self._is_prompted = True
            self._write(asked + PROMPT)

    def typed(self) -> None:
        """A line was typed, so that the next one begins where it should."""
        self._is_prompted = self._is_answered = False

    def end(self) -> None:
        """Leave the terminal at the beginning of a line."""
        if self._is_prompted:
            self._write("\n")
        self._is_prompted = False

    def ring(self) -> None:
        """Ring the terminal's bell."""
        if self.is_terminal:
            self._write(BELL)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text if self._respell is None else self._respell(text))
            self._stream.flush()
        except OSError as error:
            raise NobodyReads from error
