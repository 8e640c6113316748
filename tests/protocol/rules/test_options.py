"""Rule sets: the presets of RULES.md, and how they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed
from protocol.limits import MAX_RULES
from protocol.rules.options import (
    BIDDING_OPTIONS,
    BIDDING_PRESETS,
    GUESSING_OPTIONS,
    PRESETS,
    BiddingRules,
    GuessingRules,
    Rules,
    Token,
    written,
)
from tests.protocol.stories import few

PRINTED = """
cap            none          3             3
zero           opening-only  first-action  first-action
starter        loser         loser         ender
cliff_starter  ender         ender         ender
spoof_starter  ender         ender         ender
zero_starter   loser         loser         ender
direction      starter       starter       clockwise
game_starter   crap          crap          lot
reveal         ender-first   ender-first   together
gloating       expected      free          free
stake          pot           none          none
token          coins         coins         coins
thinking       hidden        hidden        hidden
"""
"""The table of options in RULES.md: milan, bid-spoof, three-coins."""

CELLS = [
    pytest.param(preset, option, value, id=f"{preset}: {option} is {value}")
    for option, *values in map(str.split, PRINTED.strip().splitlines())
    for preset, value in zip(("milan", "bid-spoof", "three-coins"), values, strict=True)
]
CELLS += [
    pytest.param("hollywood", option, value, id=f"hollywood: {option} is {value}")
    for option, value in (
        ("impossible", "fine"),
        ("first_caller", "rotate"),
        ("token", "coins"),
        ("thinking", "hidden"),
    )
]


@pytest.mark.parametrize(("preset", "option", "value"), CELLS)
def test_a_preset_is_as_printed(preset: str, option: str, value: str) -> None:
    assert written(getattr(Rules.parse(preset), option)) == value


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_that_say_nothing_of_tokens_are_played_with_coins(preset: str) -> None:
    assert Rules.parse(preset).token is Token.COINS
    assert Rules.parse(f"{preset} token=coins").text == preset


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("token", ["pebbles", "buttons"])
def test_pebbles_and_buttons_are_a_choice_of_either_game(preset: str, token: str) -> None:
    rules = Rules.parse(f"{preset} token={token}")
    assert rules.text == f"{preset} token={token}" and rules.token is Token(token)


def test_no_option_and_no_preset_is_left_out() -> None:
    printed = {(cell.values[0], cell.values[1]) for cell in CELLS}
    assert printed == {
        (name, option) for name, rules in PRESETS.items() for option in rules.options
    }
    assert set(PRESETS) == {*BIDDING_PRESETS, "hollywood"}


OPTIONS = {**BIDDING_OPTIONS, **GUESSING_OPTIONS}


def choices(option: str) -> st.SearchStrategy[str]:
    values = OPTIONS[option]
    if values is None:
        return st.integers(3, 99).map(str) | st.just("none")
    return st.sampled_from([str(member.value) for member in values])


rule_sets = st.sampled_from(list(PRESETS)).flatmap(
    lambda preset: st.tuples(
        st.just(preset),
        st.fixed_dictionaries(
            {}, optional={option: choices(option) for option in PRESETS[preset].options}
        ),
    )
)


@few
@given(rule_sets)
def test_a_rule_set_is_read_as_it_was_written(chosen: tuple[str, dict[str, str]]) -> None:
    preset, changes = chosen
    rules = Rules.parse(" ".join([preset, *(f"{key}={value}" for key, value in changes.items())]))
    assert Rules.parse(rules.text) == rules
    assert set(rules.changes) <= set(changes)
    assert all(written(getattr(rules, option)) == value for option, value in changes.items())


def test_the_rules_of_one_game_are_none_of_the_other() -> None:
    assert GuessingRules.parse("hollywood") == PRESETS["hollywood"]
    for kind, text in ((BiddingRules, "hollywood"), (GuessingRules, "milan cap=5")):
        with pytest.raises(Malformed, match="other game"):
            kind.parse(text)


@pytest.mark.parametrize(
    ("text", "lot", "together"),
    [
        ("milan", False, False),
        ("milan game_starter=lot reveal=together", True, True),
        ("three-coins", True, True),
        ("hollywood", True, False),
    ],
)
def test_what_both_games_have_is_asked_of_any_rules(text: str, lot: bool, together: bool) -> None:
    rules = Rules.parse(text)
    assert (rules.draws_lot, rules.opens_together) == (lot, together)


def test_only_what_differs_is_written() -> None:
    text = "milan zero=first-action cap=5 starter=loser"
    assert Rules.parse(text).text == "milan cap=5 zero=first-action"


def test_the_longest_rule_set_fits_the_limit() -> None:
    longest = " ".join(
        f"{option}={max((str(m.value) for m in values), key=len) if values else 'none'}"
        for option, values in BIDDING_OPTIONS.items()
    )
    assert len(f"three-coins {longest}") <= MAX_RULES


@pytest.mark.parametrize(
    "text,word",
    [
        ("", "''"),
        ("whist", "'whist'"),
        ("Milan", "'Milan'"),
        ("milan cap", "'cap'"),
        ("milan preset=x", "'preset'"),
        ("milan depth=3", "'depth'"),
        ("milan zero=always", "'always'"),
        ("milan impossible=fine", "'impossible'"),
        ("hollywood cap=3", "'cap'"),
        ("hollywood impossible=never", "'never'"),
        ("milan zero=", "''"),
        ("milan cap=", "''"),
        ("milan cap=-3", "'-3'"),
        ("milan cap=٣", "'٣'"),
        ("milan cap=1000", "'1000'"),
        ("milan cap=2", "2"),
        ("milan cap=100", "100"),
    ],
)
def test_what_is_no_rule_set_is_quoted_in_the_error(text: str, word: str) -> None:
    with pytest.raises(Malformed, match=word):
        Rules.parse(text)
