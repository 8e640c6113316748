"""The pages of the wire: their dumps are among the vectors, their tables match the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import pytest

import protocol
from protocol import limits, timeouts, version
from protocol.crypto import join_code, keys, seals
from protocol.encoding.codec import Message, read_message
from protocol.errors import Illegal, Reason
from protocol.rules import options as rules
from protocol.rules.house import Gloats
from protocol.table import log
from protocol.table.fold import ALLOWED, check_intent, check_statement, fold
from protocol.table.head import Head
from protocol.table.log import Intent
from protocol.table.state import Phase, Table
from protocol.table.statements import HOSTS, PLAYERS, Along, Gesticulate, Gesture
from protocol.wire import messages
from tests.helpers.golden import accepts
from tests.helpers.vectors import VECTORS, cases, plain
from tests.protocol.registry import UNKNOWN, constants, renewed
from tests.protocol.stories import first_entry, signing_key

FOLDER: Final = Path(protocol.__file__).parent
NAMES: Final = ("README", "WIRE", "TABLE", "FAILOVER", "DISCOVERY", "REGISTRY", "BYTES")
PAGES: Final = {name: FOLDER.joinpath(f"{name}.md").read_text("utf-8") for name in NAMES}
TEXT: Final = "\n".join(PAGES.values())

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
    """All the texts in a JSON value."""
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


# The registry


def test_the_registry_is_as_it_was_accepted(request: pytest.FixtureRequest) -> None:
    path = FOLDER / "REGISTRY.md"
    if accepts(request):
        path.write_text(renewed(PAGES["REGISTRY"]), "utf-8")
    text = path.read_text("utf-8")
    assert renewed(text) == text and text.count("\n| `") > 200
    assert f"| {UNKNOWN} |" not in text


def test_the_fields_that_may_be_missing_are_those_that_the_page_names() -> None:
    kinds: list[type[Message]] = [*PLAYERS.values(), *HOSTS.values(), Along]
    marked = {(k.KIND, each.name) for k in kinds for each in fields(k) if each.default is False}
    assert marked == {("sit", "through_door"), ("along", "through_door")}
    assert "can be absent is `through_door`, the last one of `sit` and `along`" in TEXT


def test_every_constant_that_is_named_exists_and_has_the_value_that_is_named() -> None:
    known = constants(keys, limits, log, messages, join_code, rules, seals, timeouts, version)
    assert set(re.findall(r"`([A-Z]+_[A-Z_]+)`", TEXT)) <= set(known)
    said = re.findall(r"`([A-Z_]+)` = (\d+)", TEXT)
    assert {name for name, _ in said} >= {"PROTOCOL", "START_COINS", "MAX_CAP", "MAX_PLAYERS"}
    for name, value in said:
        assert known[name] == int(value), name


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
    assert len(said) > 5 and set(said) <= set(EXAMPLES)
    allowed = {kind: _allowed(phase, each) for kind, each in EXAMPLES.items()}
    assert dict.fromkeys(EXAMPLES, "yes") | said == allowed


def _allowed(phase: Phase, statement: Message) -> str:
    if (phase, type(statement)) in ALLOWED:
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


# Links


@pytest.mark.parametrize("name", [*NAMES, "vectors/README", "RULES", "NOTATION"])
def test_every_link_leads_to_a_page_and_a_heading(name: str) -> None:
    path = FOLDER / f"{name}.md"
    links = re.findall(r"\]\(([^)#]*)#?([^)]*)\)", path.read_text("utf-8"))
    assert links
    for file, anchor in links:
        target = path.parent / file if file else path
        lines = target.read_text("utf-8").splitlines()
        assert not anchor or anchor in {_anchor(each) for each in lines if each.startswith("#")}


def test_the_title_names_the_version() -> None:
    assert PAGES["README"].splitlines()[0].endswith(f"version {version.PROTOCOL}")


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lstrip("# ")).lower().replace(" ", "-")
