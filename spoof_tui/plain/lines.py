"""Prints plain lines to a stream: whole lines of text, without anything that controls a
terminal."""

from __future__ import annotations

import unicodedata
from typing import Final, TextIO

from spoof_tui.text.ascii import respelling

PROMPT: Final = "> "
"""Ends the prompt, which stands where something can be typed, if a person sees it."""

BELL: Final = "\a"

_COMMANDS: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of characters that control a terminal or end a line."""


def plain(text: str) -> str:
    """The text on one line, with only printable characters and single spaces."""
    kept = (letter for letter in text if unicodedata.category(letter) not in _COMMANDS)
    return " ".join("".join(kept).split())


class NobodyReads(Exception):
    """Raised by writing if the terminal, or the program that read the output, is gone."""


class LineWriter:
    """Prints lines to a stream and flushes each at once; raises `NobodyReads`."""

    def __init__(self, stream: TextIO, *, is_terminal: bool) -> None:
        """`is_terminal`: the stream gets a prompt and the bell, too."""
        self._stream = stream
        self.is_terminal: Final = is_terminal
        """Whether the stream is a terminal, where a person sees the lines as they come."""
        self._respell = respelling()
        self._is_prompted = False
        """Whether the last output is a prompt, after which a person may have begun to type."""
        self._is_answered = True
        """Whether anything was printed since the last line was typed."""

    def tell(self, *lines: str) -> None:
        """Print lines, without the empty ones."""
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
        """Note that a line was typed, so that the next output begins on a new line."""
        self._is_prompted = self._is_answered = False

    def end(self) -> None:
        """End the line of an open prompt, so that the shell's next line starts at the left."""
        if self._is_prompted:
            self._write("\n")
        self._is_prompted = False

    def ring(self) -> None:
        """Ring the bell, if the stream is a terminal."""
        if self.is_terminal:
            self._write(BELL)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text if self._respell is None else self._respell(text))
            self._stream.flush()
        except OSError as error:
            raise NobodyReads from error
