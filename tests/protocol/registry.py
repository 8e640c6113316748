"""The page of names, codes and numbers: values from the code, meanings from the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from types import ModuleType
from typing import Final

from protocol import limits, timeouts
from protocol.crypto import join_code, keys, seals
from protocol.encoding.codec import Message
from protocol.errors import REASONS
from protocol.limits import MAX_NUMBER
from protocol.rules.options import (
    BIDDING_OPTIONS,
    BIDDING_PRESETS,
    GUESSING_OPTIONS,
    PRESETS,
    Options,
    written,
)
from protocol.table import continuation, electorate, log
from protocol.table.head import Term
from protocol.table.statements import HOSTS, PLAYERS, Along, Backing
from protocol.wire import messages
from protocol.wire.messages import FROM_GUEST, FROM_HOST, Card, Farewell, Whereabout

Row = list[str]

UNKNOWN: Final = "?"
"""The meaning of a row that nobody has explained yet."""

FROM_GUEST_ALONE: Final = [kind for name, kind in FROM_GUEST.items() if name not in FROM_HOST]


def renewed(text: str) -> str:
    """The page with the values that the code has now; meanings stay where there is one."""
    makers = iter(
        (
            _fields([*FROM_HOST.values(), Card, Whereabout]),
            _fields([*FROM_GUEST_ALONE, Term]),
            _fields([*PLAYERS.values()]),
            _fields([*HOSTS.values(), Backing, Along]),
        )
    )
    others: Mapping[str, Callable[[list[Row]], list[Row]]] = {
        "purpose (ASCII)": _named(purposes(), 1),
        "option bidding": _options(BIDDING_OPTIONS, [*BIDDING_PRESETS]),
        "option guessing": _options(GUESSING_OPTIONS, ["hollywood"]),
        "code clause": _named({code: [reason.clause] for code, reason in REASONS.items()}, 2),
        "code": _named({each.value: [] for each in Farewell}, 2),
        "limit": _numbers(constants(limits)),
        "constant": _numbers(constants(timeouts)),
    }

    def table(found: re.Match[str]) -> str:
        head, line, *rows = found[0].splitlines()
        title = _cells(head)
        key = {"option": f"option {'guessing' if 'hollywood' in head else 'bidding'}"}.get(
            title[0], "code clause" if title[:2] == ["code", "clause"] else title[0]
        )
        if title[:2] in (["message", "field"], ["statement", "field"]):
            maker = next(makers)
        elif key in others:
            maker = others[key]
        else:
            return found[0]
        cells = [_cells(row) for row in rows]
        return "\n".join([head, line, *map(_line, maker(cells)), ""])

    return re.sub(r"(?:^\|.*\n)+", table, text, flags=re.MULTILINE)


def _cells(line: str) -> Row:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split(" | ")]


def _line(cells: Row) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _fields(kinds: Iterable[type[Message]]) -> Callable[[list[Row]], list[Row]]:
    """Rows of a kind, a field, its shape and its meaning, in the order of the kinds."""
    wanted = {kind.KIND: kind for kind in kinds}

    def rows(old: list[Row]) -> list[Row]:
        meanings: dict[tuple[str, str], str] = {}
        order: dict[str, None] = {}
        for name, field, _shape, meaning in old:
            last = name.strip("`") or next(reversed(order))
            order[last] = None
            meanings[last, field] = meaning
        known = [kind for kind in order if kind in wanted]
        new: list[Row] = []
        for name in [*known, *(kind for kind in wanted if kind not in order)]:
            shapes = [(f.name, _said(f.metadata["shape"].name)) for f in fields(wanted[name])]
            for number, (field, shape) in enumerate(shapes or [("—", "—")]):
                first = "" if number else f"`{name}`"
                new.append([first, field, shape, meanings.get((name, field), UNKNOWN)])
        return new

    return rows


def _said(shape: str) -> str:
    return "a number" if shape == f"a number from 0 to {MAX_NUMBER}" else shape


def _named(wanted: Mapping[str, Row], others: int) -> Callable[[list[Row]], list[Row]]:
    """Rows of a name, cells that the code knows, and other cells that only the page has."""

    def rows(old: list[Row]) -> list[Row]:
        kept = {row[0].strip("`"): row for row in old}
        order = [name for name in kept if name in wanted]
        return [
            [f"`{name}`", *wanted[name], *(kept.get(name, [])[-others:] or [UNKNOWN] * others)]
            for name in [*order, *(name for name in wanted if name not in kept)]
        ]

    return rows


def _options(options: Options, presets: list[str]) -> Callable[[list[Row]], list[Row]]:
    def rows(_old: list[Row]) -> list[Row]:
        return [
            [
                f"`{name}`",
                ", ".join(str(each.value) for each in values) if values else "number, none",
                *(written(getattr(PRESETS[each], name)) for each in presets),
            ]
            for name, values in options.items()
        ]

    return rows


def _numbers(wanted: Mapping[str, float]) -> Callable[[list[Row]], list[Row]]:
    """Rows of a name, its number with a unit, and a reason."""

    def rows(old: list[Row]) -> list[Row]:
        kept = {row[0].strip("`"): row for row in old}
        order = [name for name in kept if name in wanted]
        new = []
        for name in [*order, *(name for name in wanted if name not in kept)]:
            _, said, reason = kept.get(name, ["", "", UNKNOWN])
            number, _, unit = said.partition(" ")
            if not number or float(number.replace(",", "")) != wanted[name]:
                number = f"{wanted[name]:,}"
            new.append([f"`{name}`", f"{number} {unit}".strip(), reason])
        return new

    return rows


def constants(*modules: ModuleType) -> dict[str, float]:
    """The numbers that modules define in capitals."""
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, int | float)
    }


def purposes() -> dict[str, Row]:
    """The purposes of hashes and signatures, as the modules name them."""
    return {
        value.decode(): []
        for module in (keys, join_code, log, messages, seals, electorate, continuation)
        for value in vars(module).values()
        if isinstance(value, bytes) and value.startswith(b"spoof ")
    }
