"""The invitation to a table: a line printed by a host, and typed or pasted by a guest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocol.crypto.join_code import read_code
from spoof_tui.network.addresses import Address
from spoof_tui.text.i18n import _

_COMMAND: Final = ("spoof", "join")
_QUOTES: Final = "\"'`‘’“”«»"
"""Quotes that shells, messengers and people put around an address."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """The address of a table, and its join code."""

    address: Address
    code: str | None = None
    """The join code; None if there is none."""

    @property
    def line(self) -> str:
        """The command that joins the table, quoted for any shell."""
        where = self.address.short
        # Brackets mean something to most shells; these quotes mean the same to all of them.
        quoted = f'"{where}"' if "[" in where else where
        return " ".join((*_COMMAND, quoted, *([self.code] if self.code else [])))

    @classmethod
    def parse(cls, text: str) -> Invitation:
        """The invitation in a `line`, or in an address with or without the code, however it is
        quoted.

        Raises `ValueError` with a sentence.
        """
        stripped = [word.strip(_QUOTES) for word in text.split()]
        words = _without_command([word for word in stripped if word])
        address = Address.parse(words[0] if words else "")
        typed = "".join(words[1:])
        if not typed:
            return cls(address)
        code = read_code(typed.removeprefix("--code").removeprefix("="))
        if code is None:
            raise ValueError(_("A join code is five letters and digits, such as K7M4Q."))
        return cls(address, code)


def _without_command(words: Sequence[str]) -> Sequence[str]:
    """The words after `spoof join` or `join`, if the text begins with that."""
    for start, word in enumerate(words[: len(_COMMAND) + 1]):
        if word.casefold() == _COMMAND[-1]:
            return words[start + 1 :]
    return words
