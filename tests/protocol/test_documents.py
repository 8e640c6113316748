"""The pages of the rules and the notation: the examples run, and the tables are true."""

import json
import re
from pathlib import Path

import protocol
import spoof_tui
from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.rules.options import BIDDING_OPTIONS, BIDDING_PRESETS, MAX_CAP, START_COINS, written
from tests.helpers.vectors import cases
from tests.protocol.notation.games import KYIV, document_of

FOLDER = Path(protocol.__file__).parent
RULES = (FOLDER / "RULES.md").read_text("utf-8")
NOTATION = (FOLDER / "NOTATION.md").read_text("utf-8")

CLAUSES = (
    *(f"R{number}" for number in range(1, 16)),
    *(f"H{number}" for number in range(1, 14)),
    *(f"G{number}" for number in range(1, 10)),
    *(f"S{number}" for number in range(1, 6)),
)

CITED = re.compile(r"\b[RHG][1-9][0-9]?\b")
"""A clause as the code cites it. Those with an S look like words of a record."""


def test_every_clause_stands_in_the_rules_once() -> None:
    assert sorted(re.findall(r"^- \*\*(\w+)\*\* ", RULES, re.MULTILINE)) == sorted(CLAUSES)


def test_every_clause_that_is_cited_stands_in_the_rules() -> None:
    strays = {
        f"{path}: {clause}"
        for package in (protocol, spoof_tui)
        for path in Path(package.__file__ or "").parent.rglob("*.py")
        for clause in CITED.findall(path.read_text("utf-8"))
        if clause not in CLAUSES
    }
    assert strays == set()


def option_rows() -> dict[str, list[str]]:
    """The table of options: the cells of every option except its meaning."""
    lines = RULES.partition("### Options")[2].partition("###")[0].splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "| `" in line]
    return {name: cells for first, _, *cells in rows[1:] for name in re.findall(r"`(\w+)`", first)}


def test_the_table_of_options_is_that_of_the_code() -> None:
    assert list(option_rows()) == list(BIDDING_OPTIONS)
    for option, values in BIDDING_OPTIONS.items():
        known = [str(value.value) for value in values] if values else ["none"]
        words, *presets = option_rows()[option]
        assert re.findall(r"`([\w-]+)`", words) == known
        assert presets == [written(getattr(rules, option)) for rules in BIDDING_PRESETS.values()]
    assert option_rows()["cap"][0].startswith(f"{START_COINS} to {MAX_CAP}")


def blocks(text: str) -> list[str]:
    """The indented examples of a page, without their indentation."""
    found = re.findall(r"(?:^(?: {4}.*)?\n)+", text, re.MULTILINE)
    examples = (re.sub(r"^ {4}", "", each, flags=re.MULTILINE).strip() for each in found)
    return [each for each in examples if each]


def test_the_example_of_the_notation_is_the_guides_game_and_has_no_fault() -> None:
    example = blocks(NOTATION)[0]
    assert example.replace("   {a comment}", "") + "\n" == KYIV
    (record,) = read([example.encode()])
    assert not check(record).faults


def test_the_page_names_the_clause_of_every_fault_that_no_refusal_has() -> None:
    _, _, table = NOTATION.partition("### Which clause")
    told = (fault for case in cases("records") for fault in case.get("faults", ()))
    found = {clause for _, _, clause, words in told if not words.startswith("the table refuses")}
    assert set(re.findall(r"\b[RHGS]\d+\b|\bnotation\b(?=`)", table)) == found


def test_the_document_of_a_check_is_as_the_notation_shows_it() -> None:
    (shown,) = json.loads(blocks(NOTATION)[-1])["games"]
    (record,) = read([KYIV.encode()])
    found = document_of(check(record))
    assert [shown.pop("rounds"), shown] == [found.pop("rounds")[:1], found]  # type: ignore[index]
