"""Cases as data: inputs and expected results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

_CASES: Final = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def cases(name: str) -> pytest.MarkDecorator:
    """A test of each case under this name."""
    found: list[dict[str, Any]] = _CASES[name]
    ids = [str(each.get("name", next(iter(each.values())))) for each in found]
    return pytest.mark.parametrize("case", found, ids=ids)
