"""Everything that can be wrong with a record: a sentence, the clause, and where it is."""

import json
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation.faults import NOTATION, QUOTED, Fault, Slip, cut
from tests.helpers.offenders import offenders


def places(slip: Slip) -> dict[str, str | None]:
    """The named places of a sentence, and how each is converted."""
    return {
        name: conversion
        for _text, name, _format, conversion in string.Formatter().parse(slip.template)
        if name
    }


def test_every_fault_is_decided_by_a_clause_or_by_the_notation() -> None:
    def decided(slip: Slip) -> None:
        assert slip.clause == NOTATION or re.fullmatch(r"[RHGS]\d+", slip.clause)

    assert offenders(decided, zip(Slip)) == []


@pytest.mark.parametrize("slip", [slip for slip in Slip if "text" in places(slip)])
def test_what_comes_from_the_file_is_escaped(slip: Slip) -> None:
    assert places(slip)["text"] == "r"
    filled: dict[str, int | str] = dict.fromkeys(places(slip), 1)
    fault = Fault.at(1, None, slip, **{**filled, "text": "\x1b[2Jщ\u202e"})
    assert fault.message.isprintable()
    assert r"\x1b[2Jщ\u202e" in fault.message


def test_a_fault_has_the_clause_of_its_kind_unless_another_one_decides() -> None:
    fault = Fault.at(7, 2, Slip.COINS, right="S3", written="S2")
    assert (fault.clause, fault.line, fault.round) == ("R11", 7, 2)
    assert Fault(7, 2, Slip.COINS, "G3", fault.values).message == fault.message


def test_a_fault_is_one_object_of_json() -> None:
    fault = Fault.at(7, None, Slip.HEADER_TWICE, name="Date")
    assert json.loads(json.dumps(fault.as_json())) == {
        "line": 7,
        "round": None,
        "clause": NOTATION,
        "message": "the header Date appears a second time",
    }


@given(st.text(max_size=3 * QUOTED))
def test_a_sentence_quotes_the_beginning_and_says_that_more_follows(text: str) -> None:
    quoted = cut(text)
    assert len(quoted) <= QUOTED + 1
    assert quoted == text or (quoted.endswith("…") and text.startswith(quoted[:-1]))
