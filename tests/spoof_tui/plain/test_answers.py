"""What is answered to a player who asks."""

import pytest

from protocol.rules.options import PRESETS
from spoof_tui.plain import answers
from spoof_tui.ui.table.presentation import Reveal
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import SeatedGuest
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school


def who(client: SeatedGuest) -> list[str]:
    view = client.view
    return list(answers.who_lines(view, seat_names(view), view.time))


def test_everybody_is_told_with_what_they_own_and_who_is_to_speak() -> None:
    table = at("answering")
    told = who(table.clients[0])
    assert told[0].startswith("3 of 9 seats taken: ")
    assert told[1].startswith("Coins: ")
    assert told[-1] in ("It is your turn.", *(f"Player{n} is to speak." for n in (2, 3)))


def test_who_is_away_ready_or_out_is_told() -> None:
    table = at("ready")
    table.cut(table.clients[2])
    assert {"You: ready.", "Player3: away."} <= set(who(table.clients[0]))


def test_why_names_what_may_be_said_and_what_not() -> None:
    view = at("answering").speaker().view
    told = list(answers.why_lines(view, seat_names(view), None))
    assert told[0] == "What may I say now?"
    assert any(line.startswith("zero, not now: ") for line in told)


def test_while_the_fists_open_why_gives_nothing_away() -> None:
    view = at("counted").clients[0].view
    told = list(answers.why_lines(view, seat_names(view), Reveal.of(view.past[0])))
    assert len(told) == 2 and not any("held" in line for line in told)


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_a_round_is_told_with_its_words_and_its_count(rules: str) -> None:
    view = at("counted", rules=rules).clients[0].view
    first, second = answers.round_lines(view, seat_names(view))
    assert first.startswith("Round 1. ") and first.endswith(".")
    assert " = " in second


def test_before_the_first_count_there_is_no_round() -> None:
    view = at("answering").clients[0].view
    assert list(answers.round_lines(view, seat_names(view))) == [
        "No round of this game is over yet."
    ]


def test_the_odds_are_a_line_for_each_word() -> None:
    told = list(answers.odds_lines(at("answering").speaker().view, 1))
    assert any(line.startswith("call: true ") for line in told)


def test_the_slate_tells_what_everybody_owes() -> None:
    view = a_school((1, 1)).clients[0].view
    told = list(answers.slate_lines(view, seat_names(view)))
    assert "You: 0 drinks." in told and any(" is in the chair." in line for line in told)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rulebook_is_a_line_for_each_clause(preset: str) -> None:
    told = list(answers.rule_lines(PRESETS[preset]))
    assert len(told) > 15 and all(line.strip() for line in told)
