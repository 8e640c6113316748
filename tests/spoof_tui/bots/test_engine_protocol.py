"""What an engine is asked, and what becomes of its answers."""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.rules.game import round_of
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Direction, Ending, Verdict, Word
from protocol.views import TableView
from spoof_tui.bots.engine_protocol import (
    MAX_LINE,
    Lapse,
    answer_in,
    ask_hand,
    ask_word,
    hand_in,
    line_of,
    name_in,
    stand_in_word,
    word_in,
)
from spoof_tui.bots.tournament import PLANS, SimpleMind, play_game, view_of_round
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.bots.arena import bidding
from tests.spoof_tui.bots.schools import guessing

OPENING = view_of_round(bidding((3, 3, 3)), 0)
ANSWERING = view_of_round(bidding((3, 3, 3), (0, Bid(4))), 1)


def sent(question: Mapping[str, object]) -> dict[str, Any]:
    """A question as the engine reads it."""
    line = line_of(7, question)
    assert line.count(b"\n") == 1 and line.isascii()
    read = json.loads(line)
    assert read.pop("id") == 7
    assert isinstance(read, dict)
    return read


@pytest.mark.parametrize("rules", PRESETS)
def test_nobody_elses_hand_is_in_a_question(rules: str) -> None:
    asked = []
    for hidden in range(4):
        table = MemoryTable(3, rules)
        table.ready()
        opener = table.clients[0].view.starter
        table.choose(*(1 if seat == opener else hidden for seat in range(3)))
        asked.append(sent(ask_word(table.speaker().view, 1)))
    assert all(each == asked[0] for each in asked)


def test_a_name_at_the_table_is_told_with_nothing_that_a_terminal_obeys() -> None:
    seats = (replace(OPENING.seats[0], name=ForeignText("\x1b[2J Ann")), *OPENING.seats[1:])
    assert "\\u001b" not in line_of(1, ask_hand(replace(OPENING, seats=seats))).decode()


@pytest.mark.parametrize("rules", PRESETS)
def test_the_first_field_of_a_name_is_that_of_the_position(rules: str) -> None:
    minds = [SimpleMind(PLANS["random"], random.Random(seat)) for seat in range(5)]
    past = play_game(minds, PRESETS[rules], 0, rounds=2)
    after = past[-1].outcome
    assert after.next_starter is not None
    view = view_of_round(round_of(PRESETS[rules], after.coins, after.next_starter), 0, past)
    view = replace(view, me=after.next_starter)
    for question in (ask_hand(view), ask_word(view, 1)):
        line = line_of(7, question).decode()
        assert line.index('"rules"') < line.index('"past"')
        for field, value in question.items():
            _, _, rest = line.partition(f'"{field}": ')
            assert rest.startswith(json.dumps(value)), field
    assert ask_hand(view)["limit"] == after.coins[after.next_starter]


# Answers


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"call\n", 'its answer is not JSON: "call"'),
        (b"\xff\x1b[2J\n", 'its answer is not JSON: "\\ufffd\\u001b[2J"'),
        (b"[" * 3000 + b"\n", "its answer is not JSON: "),
        (b"[1]\n", "its answer is not a JSON object: [1]"),
        (b'{"id": 2}\n', "its answer has the id 2, not 3"),
        (b"{}\n", "its answer has the id null, not 3"),
        (b" " * MAX_LINE + b"\n", f"its answer is longer than {MAX_LINE} bytes"),
    ],
)
def test_a_line_that_is_no_answer_is_a_sentence(line: bytes, sentence: str) -> None:
    with pytest.raises(Lapse) as lapse:
        answer_in(line, 3)
    assert str(lapse.value).startswith(sentence)
    assert len(str(lapse.value)) < 120


@given(st.binary(max_size=60))
def test_whatever_an_engine_prints_is_an_answer_or_a_lapse(line: bytes) -> None:
    try:
        assert answer_in(line, 1)["id"] == 1
    except Lapse as lapse:
        assert str(lapse).isprintable()


@pytest.mark.parametrize("version", [None, 2, "1", True])
def test_another_version_is_refused(version: object) -> None:
    with pytest.raises(Lapse, match="version"):
        name_in({"protocol": version})


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Doubter", "Doubter"), (" A  b ", "A b"), ("", None), (3, None), ("a\x1bb", None)],
)
def test_a_name_is_kept_if_it_can_be_printed(name: object, kept: str | None) -> None:
    assert name_in({"protocol": 1, "name": name}) == kept


@pytest.mark.parametrize("hand", [-1, 4, True, 1.0, "1", None, [1]])
def test_a_hand_that_nobody_can_hold_is_a_lapse(hand: object) -> None:
    with pytest.raises(Lapse, match="a hand is a number from 0 to 3"):
        hand_in({"hand": hand}, OPENING)
    assert hand_in({"hand": 3}, OPENING) == 3


@pytest.mark.parametrize("said", [4, 10, True, "zero", "bid", None, 5.0, [], 10**30])
def test_an_illegal_word_is_a_lapse_that_names_the_legal_ones(said: object) -> None:
    with pytest.raises(Lapse) as lapse:
        word_in({"word": said}, ANSWERING, 1)
    assert 'may not be said now, only 5–9, "call", "cliff", "spoof"' in str(lapse.value)


def test_the_direction_is_turned_by_an_opening_bid_only() -> None:
    turned = {"word": 2, "direction": "<"}
    assert word_in(turned, OPENING, 1) == (Bid(2), Direction.COUNTER_CLOCKWISE)
    refused: list[tuple[dict[str, object], TableView]] = [
        ({"word": 5, "direction": "<"}, ANSWERING),
        ({"word": "zero", "direction": "<"}, OPENING),
        ({"word": 2, "direction": "left"}, OPENING),
    ]
    for said, view in refused:
        with pytest.raises(Lapse, match="direction"):
            word_in(said, view, 1)


@pytest.mark.parametrize(
    ("running", "seat", "word"),
    [
        (bidding((3, 3)), 0, Bid(1)),
        (bidding((3, 3), (0, Bid(6))), 1, Ending.CALL),
        (guessing(3, 0), 1, Bid(1)),
        (guessing(3, rules="hollywood impossible=refuse"), 0, Bid(2)),
    ],
)
def test_what_is_said_in_its_place_is_legal(running: Any, seat: int, word: Word) -> None:
    assert stand_in_word(view_of_round(running, seat), 2) == word
    try:
        running.check(seat, word)
    except Illegal as error:
        raise AssertionError(f"{word} is not legal") from error


def test_the_page_lists_every_verdict() -> None:
    page = resources.files("spoof_tui.bots").joinpath("ENGINES.md").read_text("utf-8")
    assert all(f"`{verdict.code}`" in page for verdict in Verdict)
