"""People whose clients live in a background loop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.storage.identity import Identity
from tests.spoof_tui.runtime.people import New, Person


@pytest.fixture
def person(background: BackgroundLoop) -> Iterator[New]:
    people: list[Person] = []

    def new(name: str, identity: Identity | None = None) -> Person:
        people.append(Person(background, name, identity))
        return people[-1]

    yield new
    for each in reversed(people):
        each.leave()
