"""Tables in memory as they stood at a moment, to be continued any number of times.

Playing up to a moment costs ten times as much as copying it, and hundreds of tests begin at one.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any, Final, Generic, TypeVar

from protocol.crypto.keys import SigningKey
from protocol.table.log import Entry
from protocol.table.state import Table

T = TypeVar("T")

_CONSTANT: Final = frozenset({SigningKey, Entry, Table})
"""Values that nobody can change: all copies share them."""


class Snapshot(Generic[T]):
    """The present state of an object and everything that belongs to it."""

    def __init__(self, original: T) -> None:
        file = io.BytesIO()
        self._constants: Final[list[object]] = []
        _Writer(file, self._constants).dump(original)
        self._bytes: Final = file.getvalue()

    def copy(self) -> T:
        """A fresh copy for the caller alone."""
        again: T = _Reader(io.BytesIO(self._bytes), self._constants).load()
        return again


class _Constant:
    """Marks what is to be shared as it is."""

    def __init__(self, value: object) -> None:
        self.value: Final = value


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, constants: list[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._constants = constants

    def persistent_id(self, value: Any) -> int | None:
        if type(value) is _Constant:
            value = value.value
        elif type(value) not in _CONSTANT:
            return None
        self._constants.append(value)
        return len(self._constants) - 1

    def reducer_override(self, value: Any) -> Any:
        """A function that refers to something outside gets its copy."""
        if type(value) is not FunctionType or not value.__closure__:
            return NotImplemented
        return _bound, (_Constant(value), *(cell.cell_contents for cell in value.__closure__))


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, constants: list[object]) -> None:
        super().__init__(file)
        self._constants = constants

    def persistent_load(self, place: int) -> object:
        return self._constants[place]


def _bound(function: FunctionType, *known: object) -> Callable[..., Any]:
    cells = tuple(map(CellType, known))
    return FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, cells
    )
