"""Evenings of whole programs: who leads a table, who comes in, and who goes on elsewhere."""

from __future__ import annotations

import json
from typing import Final

import pytest

from tests.protocol.programs import FILE, Programs

EVENINGS: Final[dict[str, list[str]]] = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_goes_so(name: str) -> None:
    Programs().play(EVENINGS[name])
