"""Two planted faults, each behind conditions that an input of chance does not meet together."""

from __future__ import annotations

from msgpack import packb

from tests.fuzzing.mutation import tree_of


def by_bytes(data: bytes) -> None:
    """Fail for one input in 16 million, which every condition that is met brings nearer."""
    if len(data) < 7 or data[0] % 16 != 3:
        return
    if data[1] % 16 != 5:
        return
    if data[2] % 16 != 7:
        return
    if data[3] % 16 != 1:
        return
    if data[4] % 16 != 8:
        return
    if data[5] % 16 == 2:
        raise LookupError("planted")


def by_structure(data: bytes) -> None:
    """Fail for a large number in an array in packed bytes in an array, all of them whole."""
    outer = tree_of(data)
    if outer is None or len(outer) != 3 or packb(outer) != data:
        return
    inner = tree_of(outer[2]) if isinstance(outer[2], bytes) else None
    if inner is None or inner[:1] != ["say"] or len(inner) != 3:
        return
    if not isinstance(inner[2], list) or len(inner[2]) < 3:
        return
    number = inner[2][-1]
    if isinstance(number, int) and number > 10**9:
        raise LookupError("planted")
