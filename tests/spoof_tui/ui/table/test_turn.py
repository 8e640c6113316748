"""My turn as one question over a table of words."""

from __future__ import annotations

import itertools

import pytest
from rich.cells import cell_len

from protocol.rules.options import PRESETS, BiddingRules
from protocol.rules.words import Bid, Ending
from protocol.views import TableView
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.turn import Row, calling_lines, prices, short_turn, table_rows, turn_lines
from tests.spoof_tui.ui.table.scenes import at, seen
from tests.spoof_tui.ui.table.schools import a_school

BIDDING = [name for name, rules in PRESETS.items() if isinstance(rules, BiddingRules)]


def mine(*bids: int, players: int = 3, rules: str = "milan") -> Scene:
    """The scene of whoever is to speak."""
    table = at("speaking", players, rules)
    table.say(*map(Bid, bids))
    return seen(table.speaker())


def view_of(scene: Scene) -> TableView:
    assert scene.view
    return scene.view


def rows(scene: Scene) -> dict[str, Row]:
    return {row.say: row for row in table_rows(scene, view_of(scene))}


def told(scene: Scene, width: int = 78, height: int = 8) -> list[str]:
    lines = turn_lines(scene, view_of(scene), width, height)
    return ["".join(text for text, _style in line) for line in lines]


def test_the_question_has_the_bid_and_the_fists_in_words() -> None:
    assert told(mine(2))[0].startswith("Are there 2 coins or more in the three fists?")
    assert told(mine(1))[0].startswith("Is there 1 coin or more in the three fists?")
    assert told(mine())[0].startswith("How many coins are in the three fists?")


def test_whose_coins_move_is_told_by_name() -> None:
    scene = mine(2)
    bidder = scene.names[view_of(scene).standing[0]]  # type: ignore[index]
    call, cliff, spoof = (rows(scene)[word] for word in ("call", "cliff", "spoof"))
    assert (call.if_right, call.if_wrong) == (f"{bidder} −1", "you −1")
    assert (cliff.if_right, cliff.if_wrong) == ("you +1", "you −1")
    assert (spoof.if_right, spoof.if_wrong) == ("nobody loses", "you −1")


def test_at_the_cap_a_right_cliff_wins_nothing() -> None:
    assert rows(mine(2, rules="bid-spoof"))["cliff"].if_right == "nobody, you are at the cap"


def test_a_right_zero_costs_all_others_a_coin() -> None:
    assert rows(mine())["zero"].if_right == "all others −1"


@pytest.mark.parametrize("rules", BIDDING)
@pytest.mark.parametrize("bids", [(), (1,), (2, 5), (9,)])
def test_the_prices_are_those_of_the_rules(rules: str, bids: tuple[int, ...]) -> None:
    view = view_of(mine(*bids, rules=rules))
    for option in view.options:
        if option.forbidden is None:
            right, wrong = prices(option.word, view)
            assert right.verdict.ender_is_right and not wrong.verdict.ender_is_right


def test_words_that_are_not_allowed_are_left_out() -> None:
    assert set(rows(mine())) == {"bid", "spoof", "zero"}
    assert set(rows(mine(2))) == {"bid", "call", "cliff", "spoof"}
    assert set(rows(mine(9))) == {"call", "cliff", "spoof"}


@pytest.mark.parametrize("bids", [(), (2,), (8,)])
@pytest.mark.parametrize("rules", BIDDING)
def test_nothing_is_wider_or_higher_than_the_panel(rules: str, bids: tuple[int, ...]) -> None:
    scene = mine(*bids, players=9, rules=rules)
    for width, height in itertools.product([38, 58, 78, 118], [6, 8, 11]):
        lines = told(scene, width, height)
        assert max(map(cell_len, lines)) <= width
        assert len(lines) <= height - 2


def test_the_second_press_is_asked_for_above_and_in_the_row_and_the_rest_is_dim() -> None:
    scene = mine(2)
    scene.controls.armed = Ending.CALL
    lines = turn_lines(scene, view_of(scene), 78, 8)
    (armed,) = (line for line in lines if any("press c again" in text for text, _ in line))
    assert [style for _text, style in armed] == [palette.NO]
    assert lines[0] == [("Press c again: call!", palette.BRIGHT)]
    others = [line for line in lines[1:] if line is not armed]
    assert {style for line in others for text, style in line if text.strip()} == {palette.QUIET}


def test_a_remark_takes_the_place_of_the_question() -> None:
    scene = mine(2)
    scene.remark = "Not now."
    assert told(scene)[0] == "Not now."
    assert "call" in "".join(told(scene))


def test_a_small_screen_has_every_word_too() -> None:
    scene = mine(2)
    text = str(short_turn(scene, view_of(scene), 38))
    assert all(word in text for word in ("2 coins or more?", "bid", "call", "cliff", "spoof"))


def test_a_school_is_asked_for_the_sum_and_told_what_is_free() -> None:
    scene = seen(a_school((1, 1, 1), 7).speaker())
    text = str(calling_lines(scene, view_of(scene), 78))
    assert "How many coins are in the three fists?" in text
    assert "you are safe" in text and "Free: 0 1 2 3 4 5 6 8 9" in text


@pytest.mark.parametrize("rows", [4, 5])
def test_prices_have_their_titles_however_many_words_there_are(rows: int) -> None:
    rules = "milan" if rows == 4 else "bid-spoof"
    scene = mine(2, rules=rules)
    assert len(table_rows(scene, view_of(scene))) == rows
    head, *more = told(scene)
    titles = head if rows == 5 else more[0]
    assert "if right" in titles and "if wrong" in titles and "2 coins or more" in head
