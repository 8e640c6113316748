"""Text that another person typed, in a type that keeps it from reaching a terminal by accident."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.errors import Malformed


@dataclass(frozen=True, slots=True, order=True)
class ForeignText:
    """A string from somebody else's keyboard: a name, a line of talk, a table's name.

    Formatting it gives an escaped, quoted ASCII form. The text that may be drawn comes from
    `spoof_tui.text.safe_text.show`, the only reader of `raw` outside the codec and the notation.
    """

    raw: str
    """The text as it was sent: any characters at all, including escapes and bidi controls."""

    def __post_init__(self) -> None:
        try:
            self.raw.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Malformed(f"text holds a lone surrogate: {self.raw!a}") from error

    def encoded(self) -> bytes:
        """The text as UTF-8."""
        return self.raw.encode()

    def __str__(self) -> str:
        return ascii(self.raw)

    def __format__(self, spec: str) -> str:
        return format(ascii(self.raw), spec)
