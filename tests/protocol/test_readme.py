"""The wire specification: its dumps are among the vectors, its tables are those of the code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

import protocol
from protocol import limits, timing, version
from protocol.crypto import join_code, keys, seals
from protocol.encoding.codec import Message, read_message
from protocol.errors import REASONS, Illegal, Reason
from protocol.limits import MAX_NUMBER
from protocol.rules import options as rules
from protocol.rules.house import Gloats
from protocol.rules.options import (
    BIDDING_OPTIONS,
    BIDDING_PRESETS,
    GUESSING_OPTIONS,
    PRESETS,
    Options,
    written,
)
from protocol.table import continuation, log
from protocol.table.fold import TRANSITIONS, check_intent, check_statement, fold
from protocol.table.head import Head
from protocol.table.log import Intent
from protocol.table.opening import Along
from protocol.table.state import Phase, Table
from protocol.table.statements import HOSTS, PLAYERS, Backing, Gesticulate, Gesture
from protocol.table.transitions import seating
from protocol.wire import messages
from protocol.wire.messages import FROM_GUEST, FROM_HOST, Card, Farewell, HeldTerm, Whereabout
from tests.helpers.vectors import VECTORS, cases, plain
from tests.protocol.stories import first_entry, signing_key

TEXT: Final = Path(protocol.__file__).with_name("README.md").read_text("utf-8")

Row = tuple[str, ...]


def rows(*header: str) -> list[Row]:
    """The rows of all tables with this header, without marks of code."""
    found: list[Row] = []
    inside = False
    for line in TEXT.splitlines():
        cells = tuple(cell.strip() for cell in line.replace("`", "").strip().strip("|").split("|"))
        if not line.lstrip().startswith("|"):
            inside = False
        elif cells == header:
            inside = True
        elif inside and set(line) - set("|- "):
            found.append(cells)
    return found


# The worked bytes


def strings(value: Any) -> Iterator[str]:
    """All the texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def test_every_dump_of_the_page_is_among_the_vectors_by_itself_or_as_a_payload() -> None:
    known = {text for path in VECTORS.glob("*.json") for text in strings(cases(path.stem))}
    dumps = re.findall(r"^```hex (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    octets = {
        label: bytes.fromhex("".join(line.partition("#")[0] for line in text.splitlines()))
        for label, text in dumps
    }
    strays = [label for label, each in octets.items() if not {each.hex(), each[4:].hex()} & known]
    assert len(octets) > 20 and strays == []


def test_every_file_of_vectors_is_described_and_every_case_has_a_name() -> None:
    page = (VECTORS / "README.md").read_text("utf-8")
    for path in VECTORS.glob("*.json"):
        assert f"| `{path.name}` |" in page
        assert all(case["name"] for case in cases(path.stem))


# Messages and statements


def shapes(kinds: Iterable[type[Message]]) -> list[Row]:
    """The rows that describe these messages or statements."""
    found: list[Row] = []
    for kind in kinds:
        described = [(f.name, _said(f.metadata["shape"].name)) for f in fields(kind)]
        found += [(kind.KIND, *field) for field in described or [("—", "—")]]
    return found


def _said(shape: str) -> str:
    return "a number" if shape == f"a number from 0 to {MAX_NUMBER}" else shape


def described(first: str) -> list[Row]:
    """Name, field and shape of each row of the tables of messages or statements."""
    name = ""
    found: list[Row] = []
    for row in rows(first, "field", "on the wire", "meaning"):
        name = row[0] or name
        found.append((name, row[1], row[2]))
    return found


def in_order(found: list[Row]) -> dict[str, list[Row]]:
    """The fields of each kind in their order."""
    return {kind: [row[1:] for row in found if row[0] == kind] for kind, *_ in found}


def test_every_message_is_described_field_by_field_in_the_order_of_the_wire() -> None:
    kinds = {**FROM_HOST, **FROM_GUEST, "card": Card, "whereabout": Whereabout, "term": HeldTerm}
    assert in_order(described("message")) == in_order(shapes(kinds.values()))


def test_every_statement_is_described_field_by_field_in_the_order_of_the_wire() -> None:
    kinds = [*PLAYERS.values(), *HOSTS.values(), Backing, Along]
    assert in_order(described("statement")) == in_order(shapes(kinds))


def test_the_fields_that_may_be_missing_are_those_that_the_page_names() -> None:
    kinds: list[type[Message]] = [*PLAYERS.values(), *HOSTS.values(), Along]
    marked = {(k.KIND, each.name) for k in kinds for each in fields(k) if each.default is False}
    assert marked == {("sit", "through_door"), ("along", "through_door")}
    assert "One field may be missing: `through_door`, the last one of `sit` and of `along`" in TEXT


# The fold

K: Final = bytes(32)
OPENED: Final = fold(None, first_entry("milan", 2, 0, locked=True))
EXAMPLES: Final = {
    case["statement"][0]: read_message({**PLAYERS, **HOSTS}, plain(case["statement"]))
    for case in reversed(cases("statements"))
    if "statement" in case
}
"""One statement of each kind."""


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_the_table_of_phases_is_that_of_the_code(phase: Phase) -> None:
    header = ("statement", *(each.value for each in Phase))
    column = list(Phase).index(phase) + 1
    said = {row[0]: row[column] for row in rows(*header)}
    assert said == {kind: _allowed(phase, each) for kind, each in EXAMPLES.items()}


def _allowed(phase: Phase, statement: Message) -> str:
    if (phase, type(statement)) in TRANSITIONS:
        return "yes"
    author = None if statement.KIND in HOSTS else K
    with pytest.raises(Illegal) as caught:
        check_statement(replace(OPENED, phase=phase), author, statement)
    return caught.value.reason.code


@pytest.mark.parametrize("kind", [*PLAYERS, "a gesture of gloat"])
def test_what_an_author_must_have_seen_is_what_the_page_says(kind: str) -> None:
    due = {name.strip(): row[1] for row in rows("statement", "due") for name in row[0].split(",")}
    gloats = Gloats(frozenset({signing_key(1).public}), since=6)
    table = replace(OPENED, era=3, turn=5, changed=4, head=Head(9, K), gloats=gloats)
    statement = EXAMPLES.get(kind, Gesticulate(Gesture.GLOAT))
    least = next(seen for seen in range(10) if _is_fresh(table, statement, seen))
    said = due.get(kind, due["all others"])
    expected = {"era": 3, "turn": 5, "changed": 4, "1": 1}
    assert least == expected.get(said, 6)


def _is_fresh(table: Table, statement: Message, seen: int) -> bool:
    try:
        check_intent(table, Intent.sign(signing_key(1), 1, Head(seen, K), statement))
    except Illegal as error:
        assert error.reason is (Reason.STALE if seen else Reason.OTHER_LOG)
        return False
    return True


# Codes, options, numbers


def test_the_refusal_codes_are_those_of_the_code() -> None:
    said = {row[0]: row[1] for row in rows("code", "clause", "meaning", "carried by")}
    assert said == {code: reason.clause for code, reason in REASONS.items()}
    assert len(REASONS) == len(Reason)


def test_the_farewell_codes_are_those_of_the_code() -> None:
    said = {row[0] for row in rows("code", "meaning", "come back?")}
    assert said == {farewell.value for farewell in Farewell}


@pytest.mark.parametrize(
    ("options", "presets"),
    [(BIDDING_OPTIONS, [*BIDDING_PRESETS]), (GUESSING_OPTIONS, ["hollywood"])],
    ids=["bidding", "guessing"],
)
def test_the_options_are_those_of_the_code(options: Options, presets: list[str]) -> None:
    said = rows("option", "values", *presets)
    assert [row[0] for row in said] == list(options)
    for option, values, *chosen in said:
        allowed = options[option]
        known = [str(each.value) for each in allowed] if allowed else ["number", "none"]
        assert values == ", ".join(known)
        assert chosen == [written(getattr(PRESETS[each], option)) for each in presets]


def constants(*modules: ModuleType) -> dict[str, float]:
    """The numbers that modules define in capitals."""
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, int | float)
    }


def test_every_limit_and_every_time_stands_in_a_table_with_its_value() -> None:
    tables = [rows("limit", "value", "reason"), rows("constant", "value", "meaning")]
    said = {row[0]: float(row[1].split()[0].replace(",", "")) for table in tables for row in table}
    assert said == constants(limits, timing)


def test_every_constant_that_is_named_exists_and_has_the_value_that_is_named() -> None:
    known = constants(keys, limits, log, messages, join_code, rules, seals, timing, version)
    assert set(re.findall(r"`([A-Z]+_[A-Z_]+)`", TEXT)) <= set(known)
    said = re.findall(r"`([A-Z_]+)` = (\d+)", TEXT)
    assert {name for name, _ in said} >= {"PROTOCOL", "START_COINS", "MAX_CAP", "MAX_PLAYERS"}
    for name, value in said:
        assert known[name] == int(value), name


def test_every_purpose_is_named() -> None:
    used = {
        value.decode()
        for module in (continuation, keys, log, messages, join_code, seals, seating)
        for value in vars(module).values()
        if isinstance(value, bytes) and value.startswith(b"spoof ")
    }
    assert {row[0] for row in rows("purpose (ASCII)", "used for")} == used


def test_every_inner_link_leads_to_a_heading_and_the_title_names_the_version() -> None:
    headings = {_anchor(line) for line in TEXT.splitlines() if line.startswith("#")}
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= headings
    assert TEXT.splitlines()[0].endswith(f"version {version.PROTOCOL}")


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lstrip("# ")).lower().replace(" ", "-")
