"""The vectors of `protocol/vectors`: what every client must agree on, as data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import protocol
from protocol.rules.words import Bid, Direction, Ending, Word
from tests.helpers.offenders import offenders

VECTORS: Final = Path(protocol.__file__).parent / "vectors"

Case = dict[str, Any]
"""One case; `protocol/vectors/README.md` describes its fields."""


def cases(name: str) -> list[Case]:
    """The cases of one file, by its name without `.json`."""
    found: list[Case] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))["cases"]
    return found


def each_case(*names: str, having: str = "name") -> pytest.MarkDecorator:
    """Run a test with each `case` of these files that has this field."""
    every = [case for name in names for case in cases(name) if having in case]
    return pytest.mark.parametrize("case", every, ids=[case["name"] for case in every])


def every_case(*names: str, having: str) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """The same in one test, for many small cases: it reports those that fail."""

    def wrapped(law: Callable[[Case], None]) -> Callable[[], None]:
        def test() -> None:
            found = [case for name in names for case in cases(name) if having in case]
            failing = offenders(law, zip(found, strict=True))
            if failing or not found:
                pytest.fail("\n".join(failing), pytrace=False)

        test.__doc__ = law.__doc__
        return test

    return wrapped


def spoken(said: list[Any]) -> tuple[int, Word, Direction | None]:
    """Seat, word and chosen direction of an entry in a case about a round."""
    seat, word, *turn = said
    return seat, word_of(word), Direction(turn[0]) if turn else None


def word_of(word: int | str) -> Word:
    """A word as it is on the wire, or as it is typed."""
    return Ending(word) if isinstance(word, str) and not word.isdigit() else Bid(int(word))


def plain(value: Any) -> Any:
    """A msgpack value of a case: arrays as tuples, and bytes as bytes."""
    if isinstance(value, dict):
        return bytes.fromhex(value["bytes"])
    return tuple(map(plain, value)) if isinstance(value, list) else value
