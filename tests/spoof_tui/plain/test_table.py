"""A table in plain lines: a game by what is asked, and what is never printed."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.views import LinkState
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.plain.questions import question_line
from spoof_tui.runtime.notices import CannotOpen, Explained, ViewChanged
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.plain.readers import Reader, answer
from tests.spoof_tui.ui.table.scenes import at


def play(table: MemoryTable, *readers: Reader, seed: int = 0) -> None:
    """Have all play by what they are asked, to the end of the game."""
    chance = random.Random(seed)
    while not all(reader.all[-1].startswith("Play again?") for reader in readers):
        before = [len(reader.all) for reader in readers]
        for reader in readers:
            reader.look()
            if (said := answer(reader.all[-1], chance)) is not None:
                reader.type(said)
        assert before != [len(reader.all) for reader in readers], "nobody was asked anything"


@pytest.mark.parametrize("rules", ["milan", "bid-spoof", "three-coins", "hollywood"])
def test_a_game_is_played_by_what_is_asked(rules: str) -> None:
    table = MemoryTable(3, rules)
    readers = [Reader(table, place) for place in range(3)]
    for reader in readers:
        reader.type("")
    play(table, *readers)
    assert table.host.table.phase is Phase.GATHERING
    for reader in readers:
        assert all(line.isprintable() for line in reader.all)
        reader.type("ready")
    assert table.host.table.game and table.host.table.game.number == 2


def test_a_lost_link_is_told_of_once_however_often_somebody_tries_to_take_over() -> None:
    reader = Reader(at("speaking"))
    link = reader.seat.view
    told = []
    for state in (LinkState.DOWN, LinkState.MOVING, LinkState.DOWN, LinkState.UP):
        told += reader.hear(ViewChanged(replace(link, link=state)))
    assert told == ["connection lost, trying again …", "Back at the table."]


def test_who_may_end_a_round_hears_that_it_waits_for_who_is_away() -> None:
    table = at("answering")
    me = table.speaker()
    table.cut(next(client for client in table.clients if client is not me))
    reader = Reader(table, table.clients.index(me), is_terminal=True)
    warning = "is away: if you end the round, it has to wait"
    assert warning in reader.first[-1]
    [again] = reader.type("call")
    assert warning in again and again.endswith("Call? Type it once more to say it.")


def test_a_wrong_address_is_explained_by_what_was_found_and_else_by_one_advice() -> None:
    wrong, right = Address("10.0.0.7", 1), Address("10.0.0.7", 7763)
    elsewhere = Finding(Code.OTHER_ADDRESS, Severity.PROBLEM, wrong, (right.text,))
    for findings, more in (((elsewhere,), right.text), ((), "Compare the address with the one")):
        reader = Reader(at("gathering"))
        told = reader.hear(CannotOpen(ProbeFailed(wrong, Failure.REFUSED)))
        assert told == ["No table is open at 10.0.0.7:1."]
        told = reader.hear(Explained(findings))
        assert len(told) == len(findings) + 1 and more in told[-1]


@given(st.integers(0, 3), st.integers(0, 3), st.integers(0, 50))
def test_two_hands_print_the_same_until_the_fists_open(one: int, other: int, seed: int) -> None:
    printed = []
    for hand in (one, other):
        table = MemoryTable(2, seed=seed)
        table.ready()
        reader = Reader(table, is_terminal=True)
        reader.type(str(hand))
        table.choose(1)
        for command in ("who", "why", "rounds", "?", "odds", "2", "2"):
            reader.type(command)
        printed.append(reader.stream.getvalue())
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    ("moment", "asked"),
    [
        ("gathering", "Ready?"),
        ("choosing", "Your hand"),
        ("speaking", "Your turn"),
        ("speaking rules=hollywood", "Your call"),
    ],
)
def test_the_prompt_says_what_is_asked_for_until_it_is_answered(moment: str, asked: str) -> None:
    name, _, rules = moment.partition(" rules=")
    table = at(name, rules=rules or "milan")
    speaks = name == "speaking"
    reader = Reader(table, table.clients.index(table.speaker()) if speaks else 0)
    assert reader.table.asked_for == asked
    reader.say("quit")
    assert reader.left or reader.table.asked_for == "Your answer"


def test_who_waits_for_others_is_not_asked_but_hears_whose_fists_are_missing() -> None:
    reader = Reader(at("choosing"))
    for typed in ("who", "table"):
        assert any("Waiting for you, Player2, Player3." in line for line in reader.type(typed))
    reader.type("1")
    assert reader.table.asked_for is None
    for typed in ("who", "table", ""):
        assert any("Waiting for Player2, Player3." in line for line in reader.type(typed))


def test_the_numbers_of_a_hand_are_named() -> None:
    reader = Reader(at("choosing"))
    view = reader.seat.view
    seats = tuple(replace(seat, coins=1) if seat.is_me else seat for seat in view.seats)
    line = question_line(replace(view, seats=seats), reader.table.names)
    assert "Type 1 or 0." in line
    assert "Hide 0 to 3 coins." in question_line(view, reader.table.names)


def test_what_may_be_a_hand_is_not_to_be_seen() -> None:
    table = at("gathering", players=2)
    reader = Reader(table)
    secret = [reader.table.is_secret]
    table.ready()
    reader.look()
    secret.append(reader.table.is_secret)
    reader.type("1")
    secret.append(reader.table.is_secret)
    table.choose(1)
    reader.look()
    secret.append(reader.table.is_secret)
    table.say(Bid(2), Ending.CALL)
    reader.begin_to_look()
    assert [*secret, reader.table.is_secret] == [False, True, False, False, True]
