"""The meaning of every key in every phase."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Reason
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.views import TableView, view_of
from spoof_tui.acts.act import Act
from spoof_tui.acts.table import ENDING_KEYS, READY, TABLE, TURN
from spoof_tui.ui.table.screen.controls import Action, Controls, Forbidden, PutIn, SayWord
from tests.helpers.offenders import offenders
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable

DIGITS = [str(digit) for digit in range(10)]
ARROWS = ["up", "down", "left", "right", "plus", "minus"]
OTHERS = ["d", "backspace", "escape", "f1", "u", "é", "٣", "²", "ctrl+c"]
ALWAYS = {act.key: act for act in TABLE if act.key and act not in (READY, TURN)}
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
    """The view of the player whose turn it is."""
    return table.speaker().view


def in_phase(client: GuestSide, phase: Phase) -> TableView:
    assert client.guest.table
    return view_of(replace(client.guest.table, phase=phase), client.guest.key)


def rich(coins: int) -> TableView:
    """My fist is due, and I own this many coins."""
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
    "gathering": {"enter": READY, **all_four(Reason.NO_GAME), "r": READY},
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
    "I answer": {
        "z": Reason.ZERO_OPENS_ONLY,
        "d": Reason.DIRECTION_FIXED,
        "enter": SayWord(Bid(3)),
    },
    "no raise is left": {"z": Reason.ZERO_OPENS_ONLY, "d": Reason.DIRECTION_FIXED},
    "another speaks": {**all_four(Reason.NOT_YOUR_TURN)},
    "the fists open": {**all_four(Reason.ROUND_IS_OVER)},
    "I watch": {"r": READY, **all_four(Reason.NOT_PLAYING)},
}
"""What a key does at once; all other keys only compose something, or do nothing."""


def meant(moment: str, key: str) -> None:
    """A key does at each moment what the table of meanings says."""
    expected = {**ALWAYS, **MEANINGS[moment]}.get(key)
    action = Controls().press(key, VIEWS[moment])
    assert (action.error.reason if isinstance(action, Forbidden) else action) == expected


def test_a_key_in_a_moment() -> None:
    assert offenders(meant, product(VIEWS, KEYS)) == []


# Keys one after the other

STORIES = [
    line.split(" | ")
    for line in Path(__file__).with_name("keys.txt").read_text("utf-8").splitlines()
]
"""A name, the bid or the coins that can be hidden, keys, and the meaning of the last one."""


def view_at(moment: str) -> TableView:
    kind, *values = moment.split()
    if kind == "hiding":
        return rich(int(values[0]))
    if kind == "opening":
        players, rules = int(values[0]), values[1]
        return mine(speaking(players=players, rules=rules))
    return mine(speaking(*map(int, values)))


def told(action: Action | None) -> str:
    match action:
        case SayWord(Bid(number), direction):
            return f"{number} {direction.value}" if direction else str(number)
        case SayWord(Ending() as word):
            return word.value
        case PutIn(coins):
            return f"hide {coins}"
        case Forbidden(error):
            return error.reason.name
        case Act():
            return str(action.id)
        case _:
            return "nothing"


@pytest.mark.parametrize(
    ("moment", "keys", "meaning"), [story[1:] for story in STORIES], ids=[x for x, *_ in STORIES]
)
def test_keys_one_after_the_other(moment: str, keys: str, meaning: str) -> None:
    assert told(press_all(Controls(), view_at(moment), *keys.split())) == meaning


def press_all(controls: Controls, view: TableView, *keys: str) -> Action | None:
    """Press keys one after the other; returns the meaning of the last one."""
    action = None
    for key in keys:
        action = controls.press(key, view)
    return action


def test_an_ending_word_is_said_at_once_where_that_was_chosen() -> None:
    controls = Controls(confirm_endings=False)
    assert controls.press("s", mine(speaking(2))) == SayWord(Ending.SPOOF)


def test_a_reason_says_whose_turn_it_is() -> None:
    action = Controls().press("s", VIEWS["another speaks"])
    assert isinstance(action, Forbidden)
    assert action.error.values["speaker"] == VIEWS["another speaks"].speaker


@given(st.sampled_from(sorted(VIEWS)), st.lists(st.sampled_from(KEYS), max_size=12))
def test_what_would_be_bid_is_within_the_bounds_and_what_enter_says(
    moment: str, keys: list[str]
) -> None:
    view, controls = VIEWS[moment], Controls()
    press_all(controls, view, *keys, "up")
    shown = controls.raise_to(view)
    if view.my_turn and view.lowest_bid is not None:
        assert shown is not None and view.lowest_bid <= shown <= view.most
    action = controls.press("enter", view)
    if isinstance(action, SayWord):
        assert action.word == Bid(shown or 0)


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
    controls.follow(replace(view, position=view.position + 3))
    assert controls == before


def test_neither_an_armed_word_nor_a_hand_is_said_in_the_next_turn() -> None:
    controls = Controls()
    controls.press("s", mine(speaking(2)))
    assert controls.press("s", mine(speaking(2, 3, 4, 5))) is None
    press_all(controls, rich(12), "1", "2")
    assert controls.raise_to(mine(speaking())) == 1
    controls.press("space", mine(speaking(2)))
    assert controls.hand_digits == ""


# Keys that reveal nothing


@given(
    st.lists(st.sampled_from(["left", "right", "up", "down", "3"]), max_size=9), st.integers(0, 3)
)
def test_covered_keys_walk_a_list_that_begins_anywhere(keys: list[str], start: int) -> None:
    view = choosing().clients[0].view
    controls = Controls(cover_keys=True, chance=lambda hands: start % hands)
    for key in keys:
        assert controls.press(key, view) is None
    steps = sum(1 if key in ("right", "up") else -1 for key in keys if key != "3")
    assert controls.press("enter", view) == PutIn((start + steps) % 4)


def test_the_list_begins_anew_in_every_round() -> None:
    starts = iter([1, 3])
    controls = Controls(cover_keys=True, chance=lambda hands: next(starts))
    view = choosing().clients[0].view
    assert controls.blind_hand(view) == controls.blind_hand(view) == 1
    controls.follow(replace(view, round_number=view.round_number + 1))
    assert controls.blind_hand(view) == 3
