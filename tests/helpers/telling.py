"""A value in one line, as scripts and transcripts tell it."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from protocol.rules.options import Rules
from spoof_tui.bots.characters import Character
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.saved_tables import SavedTable


def told(value: Any) -> str:
    """A value, without fields that are as always."""
    if isinstance(value, Address | Rules):
        return value.text
    if isinstance(value, Character):
        return value.key
    if isinstance(value, SavedTable):
        return value.name.raw
    if isinstance(value, tuple):
        return ", ".join(map(told, value))
    if is_dataclass(value) and not isinstance(value, type):
        each = ((field, getattr(value, field.name)) for field in fields(value) if field.repr)
        parts = (f"{field.name}={told(v)}" for field, v in each if v != _usual(field))
        return f"{type(value).__name__}({', '.join(parts)})"
    return str(value)


def _usual(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
