"""Screens are driven quickly: the pilot need not wait as a person at a slow machine would."""

import functools
from collections import defaultdict
from typing import Any

import pytest
import textual._wait
from textual.css.stylesheet import Stylesheet

_PARSED: dict[Any, dict[Any, Any]] = defaultdict(dict)
"""The rules of every style sheet of this process, by its variables: each is parsed once."""


def _parsed_once(parse: Any) -> Any:
    @functools.wraps(parse)
    def rules(self: Stylesheet, *arguments: Any, **named: Any) -> Any:
        seen = _PARSED[_variables(self)]
        key = (arguments, *named.items())
        if key not in seen:
            seen[key] = parse(self, *arguments, **named)
        return seen[key]

    return rules


def _variables(sheet: Stylesheet) -> Any:
    return frozenset(sheet._variables.items())


setattr(Stylesheet, "_parse_rules", _parsed_once(Stylesheet._parse_rules))  # noqa: B010


@pytest.fixture(autouse=True)
def quick_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Private to Textual, and only a matter of speed."""
    monkeypatch.setattr(textual._wait, "SLEEP_GRANULARITY", 0.002)
    monkeypatch.setattr(textual._wait, "SLEEP_IDLE", 0.0005)
