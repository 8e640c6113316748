"""What every key means in every phase."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Reason
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Direction, Ending
from protocol.table.fold import Phase
from protocol.viewer import view_of
from protocol.views import TableView
from spoof_tui.ui.table.controls import (
    ENDING_KEYS,
    Act,
    Action,
    Controls,
    Forbidden,
    PutIn,
    SayWord,
)
from tests.helpers.offenders import offenders
from tests.helpers.tables import MemoryTable, SeatedGuest

DIGITS = [str(digit) for digit in range(10)]
ARROWS = ["up", "down", "left", "right", "plus", "minus"]
OTHERS = ["d", "backspace", "escape", "f1", "u", "é", "٣", "²", "ctrl+c"]
ALWAYS = {act.value: act for act in Act if act is not Act.READY}
KEYS = [*ENDING_KEYS, *ALWAYS, "r", "enter", *DIGITS, *ARROWS, *OTHERS]


def choosing(rules: str = "milan", players: int = 3) -> MemoryTable:
    table = MemoryTable(players, rules, seed=3)
    table.ready()
    return table


def speaking(*bids: int, rules: str = "milan", players: int = 3) -> MemoryTable:
    table = choosing(rules, players)
    table.choose(*[1] * players)
    table.say(*map(Bid, bids))
    return table


def mine(table: MemoryTable) -> TableView:
    """The view of whose turn it is."""
    return table.speaker().view


def in_phase(client: SeatedGuest, phase: Phase) -> TableView:
    assert client.guest.table
    return view_of(replace(client.guest.table, phase=phase), client.guest.key)


def rich(coins: int) -> TableView:
    """My fist is due, and I own so many coins."""
    view = choosing().clients[0].view
    return replace(view, seats=tuple(replace(seat, coins=coins) for seat in view.seats))


def views() -> dict[str, TableView]:
    """A view of every kind of moment."""
    speaks = speaking(2)
    waits = choosing()
    waits.act(waits.clients[0], waits.clients[0].guest.choose(1, waits.entropy()))
    watches = speaking(2)
    return {
        "gathering": MemoryTable(2).clients[0].view,
        "lot": in_phase(waits.clients[1], Phase.LOT),
        "my fist is due": waits.clients[1].view,
        "my fist is in": waits.clients[0].view,
        "I open": mine(speaking()),
        "I answer": mine(speaks),
        "no raise is left": mine(speaking(9)),
        "another speaks": next(c for c in speaks.clients if not c.view.my_turn).view,
        "the fists open": in_phase(speaks.speaker(), Phase.OPENING),
        "I watch": watches.add(sit=False).view,
    }


VIEWS = views()


def all_four(reason: Reason) -> dict[str, Reason]:
    return dict.fromkeys(ENDING_KEYS, reason)


MEANINGS: dict[str, dict[str, Action | Reason]] = {
    "gathering": {"enter": Act.READY, **all_four(Reason.NO_GAME), "r": Act.READY},
    "lot": {**all_four(Reason.FISTS_NOT_IN)},
    "my fist is due": {
        **all_four(Reason.FISTS_NOT_IN),
        **{digit: PutIn(int(digit)) for digit in DIGITS},
    },
    "my fist is in": {**all_four(Reason.FISTS_NOT_IN)},
    "I open": {
        "c": Reason.CALL_NEEDS_BID,
        "l": Reason.CLIFF_NEEDS_BID,
        "enter": SayWord(Bid(1)),
    },
    "I answer": {"z": Reason.ZERO_OPENS_ONLY, "enter": SayWord(Bid(3))},
    "no raise is left": {"z": Reason.ZERO_OPENS_ONLY},
    "another speaks": {**all_four(Reason.NOT_YOUR_TURN)},
    "the fists open": {**all_four(Reason.ROUND_IS_OVER)},
    "I watch": {"r": Act.READY, **all_four(Reason.NOT_PLAYING)},
}
"""What a key does at once; every other one only composes something, or nothing."""


def meant(moment: str, key: str) -> None:
    """A key does in a moment what the table of meanings says."""
    expected = {**ALWAYS, **MEANINGS[moment]}.get(key)
    action = Controls().press(key, VIEWS[moment])
    assert (action.error.reason if isinstance(action, Forbidden) else action) == expected


def test_a_key_in_a_moment() -> None:
    assert offenders(meant, product(VIEWS, KEYS)) == []


def test_every_key_has_one_meaning() -> None:
    assert len(set(KEYS)) == len(KEYS)
    assert set(ENDING_KEYS.values()) == set(Ending)


# Ending words


@pytest.mark.parametrize(("key", "word"), ENDING_KEYS.items())
def test_an_ending_word_asks_for_a_second_press(key: str, word: Ending) -> None:
    view = mine(speaking() if word is Ending.ZERO else speaking(2))
    controls = Controls()
    assert controls.press(key, view) is None
    assert controls.armed is word
    assert controls.press(key, view) == SayWord(word)
    assert controls.armed is None


def test_an_ending_word_is_said_at_once_where_that_was_chosen() -> None:
    controls = Controls(confirm_endings=False)
    assert controls.press("s", mine(speaking(2))) == SayWord(Ending.SPOOF)


@pytest.mark.parametrize("key", ["s", "l", "up", "5", "backspace", "t", "m", "escape", "j", "r"])
def test_any_other_key_thinks_again(key: str) -> None:
    view, controls = mine(speaking(2)), Controls()
    controls.press("c", view)
    controls.press(key, view)
    assert controls.armed is not Ending.CALL
    assert controls.press("c", view) is None


def test_a_peek_between_two_presses_does_not_think_again() -> None:
    view, controls = mine(speaking(2)), Controls()
    controls.press("c", view)
    assert controls.press("space", view) is Act.PEEK
    assert controls.press("c", view) == SayWord(Ending.CALL)


def test_another_ending_word_is_armed_in_its_place() -> None:
    view, controls = mine(speaking(2)), Controls()
    controls.press("c", view)
    controls.press("s", view)
    assert controls.press("s", view) == SayWord(Ending.SPOOF)


def test_a_forbidden_word_is_not_armed() -> None:
    view, controls = mine(speaking()), Controls()
    for _ in range(2):
        action = controls.press("c", view)
        assert isinstance(action, Forbidden)
        assert action.error.reason is Reason.CALL_NEEDS_BID
        assert controls.armed is None


def test_a_reason_says_whose_turn_it_is() -> None:
    action = Controls().press("s", VIEWS["another speaks"])
    assert isinstance(action, Forbidden)
    assert action.error.values["speaker"] == VIEWS["another speaks"].speaker


def press_all(controls: Controls, view: TableView, *keys: str) -> Action | None:
    """Press keys one after the other; what the last one means."""
    action = None
    for key in keys:
        action = controls.press(key, view)
    return action


# Bids


@pytest.mark.parametrize(
    ("keys", "bid"),
    [
        (["5"], 5),
        (["0", "7"], 7),
        (["4", "backspace", "6"], 6),
        (["4", "backspace"], 3),
        (["backspace"], 3),
        (["1", "2", "backspace"], 3),
        (["9", "9", "9", "9", "8"], 8),
        (["up"], 4),
        (["down"], 3),
        (["right", "plus", "left"], 4),
        (["up"] * 20, 9),
        (["down"] * 20, 3),
        (["5", "up"], 6),
        (["5", "up", "8"], 8),
        (["1", "down"], 3),
        (["9", "9", "up"], 9),
        (["d"], 3),
    ],
)
def test_a_bid_is_composed(keys: list[str], bid: int) -> None:
    view, controls = mine(speaking(2)), Controls()
    assert press_all(controls, view, *keys) is None
    assert controls.raise_to(view) == bid
    assert controls.press("enter", view) == SayWord(Bid(bid))


def test_typing_does_not_go_on_after_an_arrow() -> None:
    view, controls = mine(speaking(2)), Controls()
    press_all(controls, view, "1", "up")
    assert controls.typed == ""


def test_no_bid_is_shown_where_none_is_possible() -> None:
    view, controls = VIEWS["no raise is left"], Controls()
    assert press_all(controls, view, "5", "up", "enter") is None
    assert controls.raise_to(view) is None


@given(st.lists(st.sampled_from(KEYS), max_size=12))
def test_arrows_stay_within_the_bounds_whatever_was_pressed(keys: list[str]) -> None:
    view, controls = VIEWS["I answer"], Controls()
    press_all(controls, view, *keys, "up")
    bid = controls.raise_to(view)
    assert bid is not None and view.lowest_bid is not None
    assert view.lowest_bid <= bid <= view.most


@given(st.sampled_from(sorted(VIEWS)), st.lists(st.sampled_from(KEYS), max_size=12))
def test_what_would_be_bid_is_what_enter_says(moment: str, keys: list[str]) -> None:
    view, controls = VIEWS[moment], Controls()
    press_all(controls, view, *keys)
    shown = controls.raise_to(view)
    action = controls.press("enter", view)
    if isinstance(action, SayWord):
        assert action.word == Bid(shown or 0)


# The direction


def test_the_opening_bid_may_turn_the_direction() -> None:
    view, controls = mine(speaking()), Controls()
    turned = SayWord(Bid(1), Direction.COUNTER_CLOCKWISE)
    assert press_all(controls, view, "d", "enter") == turned


def test_turning_twice_turns_back() -> None:
    view, controls = mine(speaking()), Controls()
    assert press_all(controls, view, "d", "d", "enter") == SayWord(Bid(1))


def test_an_ending_word_has_no_direction() -> None:
    view, controls = mine(speaking()), Controls()
    assert press_all(controls, view, "d", "s", "s") == SayWord(Ending.SPOOF)


@pytest.mark.parametrize(
    "table",
    [speaking(2), speaking(players=2), speaking(rules="three-coins")],
    ids=["after the opening", "with two players", "in rules that play clockwise"],
)
def test_the_direction_is_fixed(table: MemoryTable) -> None:
    view, controls = mine(table), Controls()
    controls.press("d", view)
    assert not controls.counter_clockwise
    action = controls.press("enter", view)
    assert isinstance(action, SayWord) and action.direction is None


# Hands


@pytest.mark.parametrize("digit", DIGITS)
def test_up_to_nine_coins_one_digit_is_a_hand(digit: str) -> None:
    assert Controls().press(digit, rich(9)) == PutIn(int(digit))


@pytest.mark.parametrize(
    ("keys", "coins"),
    [
        (["7"], 7),
        (["1", "0"], 10),
        (["0", "3"], 3),
        (["1", "backspace", "4"], 4),
        (["1", "2", "5"], 25),
    ],
)
def test_ten_and_more_coins_are_typed_and_entered(keys: list[str], coins: int) -> None:
    view, controls = rich(10), Controls()
    assert press_all(controls, view, *keys) is None
    assert controls.press("enter", view) == PutIn(coins)
    assert controls.hand_digits == ""


def test_enter_puts_in_nothing_that_was_not_typed() -> None:
    view, controls = rich(12), Controls()
    assert press_all(controls, view, "enter") is None
    assert press_all(controls, view, "5", "backspace", "enter") is None


def test_a_hand_is_never_a_bid() -> None:
    controls = Controls()
    press_all(controls, rich(12), "1", "2")
    assert controls.raise_to(mine(speaking())) == 1


def test_the_digits_of_a_hand_are_gone_when_the_words_begin() -> None:
    controls = Controls()
    press_all(controls, rich(12), "1", "1")
    controls.press("space", mine(speaking(2)))
    assert controls.hand_digits == ""


# Turns


def composed() -> Controls:
    """Controls with something of everything in them."""
    controls, view = Controls(), mine(speaking())
    press_all(controls, view, "d", "5", "s")
    controls.hand_digits = "1"
    assert controls.armed and controls.typed and controls.bid and controls.counter_clockwise
    return controls


@pytest.mark.parametrize(
    "change", [{"words": ((0, Bid(5)),)}, {"round_number": 2}, {"game_number": 2}]
)
def test_nothing_composed_survives_a_turn(change: dict[str, object]) -> None:
    controls = composed()
    controls.follow(replace(mine(speaking()), **change))  # type: ignore[arg-type]
    assert controls == Controls(position=controls.position)


def test_what_was_composed_survives_what_is_no_turn() -> None:
    controls, view = composed(), mine(speaking())
    before = replace(controls)
    controls.follow(replace(view, position=view.position + 3, talk=view.talk))
    assert controls == before


def test_an_armed_word_of_one_turn_is_not_said_in_the_next() -> None:
    controls = Controls()
    controls.press("s", mine(speaking(2)))
    assert controls.press("s", mine(speaking(2, 3, 4, 5))) is None


@given(
    st.sampled_from(sorted(PRESETS)),
    st.lists(st.tuples(st.sampled_from(sorted(VIEWS)), st.sampled_from(KEYS)), max_size=30),
)
def test_no_keys_in_no_order_are_an_error(preset: str, presses: list[tuple[str, str]]) -> None:
    controls = Controls()
    for moment, key in presses:
        view = replace(VIEWS[moment], rules=PRESETS[preset])
        action = controls.press(key, view)
        assert action is None or isinstance(action, Act | PutIn | SayWord | Forbidden)


# Keys that tell nothing


@given(st.lists(st.sampled_from(["left", "right", "up", "down"]), max_size=9), st.integers(0, 3))
def test_covered_keys_walk_a_list_that_begins_anywhere(keys: list[str], start: int) -> None:
    view = choosing().clients[0].view
    controls = Controls(cover_keys=True, chance=lambda hands: start % hands)
    for key in keys:
        assert controls.press(key, view) is None
    steps = sum(1 if key in ("right", "up") else -1 for key in keys)
    assert controls.blind_hand(view) == (start + steps) % 4
    assert controls.press("enter", view) == PutIn((start + steps) % 4)


def test_a_digit_hides_nothing_while_keys_are_covered() -> None:
    view = choosing().clients[0].view
    controls = Controls(cover_keys=True, chance=lambda hands: 2)
    assert controls.press("3", view) is None
    assert controls.press("enter", view) == PutIn(2)


def test_the_list_begins_anew_in_every_round() -> None:
    starts = iter([1, 3])
    controls = Controls(cover_keys=True, chance=lambda hands: next(starts))
    view = choosing().clients[0].view
    assert controls.blind_hand(view) == controls.blind_hand(view) == 1
    controls.follow(replace(view, round_number=view.round_number + 1))
    assert controls.blind_hand(view) == 3
