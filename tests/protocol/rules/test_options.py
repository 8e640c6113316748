"""Rule sets, and how they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed
from protocol.limits import MAX_RULES
from protocol.rules.options import (
    BIDDING_OPTIONS,
    GUESSING_OPTIONS,
    PRESETS,
    BiddingRules,
    GuessingRules,
    Rules,
    written,
)
from tests.helpers.vectors import Case, each_case
from tests.protocol.stories import few

OPTIONS = {**BIDDING_OPTIONS, **GUESSING_OPTIONS}


@each_case("rules", having="options")
def test_rules_are_read_and_written_as_the_case_says(case: Case) -> None:
    rules = Rules.parse(case["rules"])
    assert rules.text == case["text"]
    assert {name: written(getattr(rules, name)) for name in rules.options} == case["options"]
    asked = {
        "game_starter": ("lot", rules.draws_lot),
        "gloating": ("fined", rules.fines_gloating),
        "thinking": ("shown", rules.shows_thinking),
    }
    school = {"game_starter": "lot", "gloating": "fined"}
    for option, (value, holds) in asked.items():
        assert holds == ((school | case["options"])[option] == value)
    assert case["options"]["token"] == rules.token.value


@each_case("rules", having="malformed")
def test_what_is_no_rule_set_is_malformed_and_its_last_word_is_quoted(case: Case) -> None:
    word = (case["rules"].split() or [""])[-1]
    with pytest.raises(Malformed) as error:
        Rules.parse(case["rules"])
    option, _, value = word.partition("=")
    assert repr(option) in str(error.value) or value in str(error.value)


def choices(option: str) -> st.SearchStrategy[str]:
    values = OPTIONS[option]
    if values is None:
        return st.integers(3, 99).map(str) | st.just("none")
    return st.sampled_from([str(member.value) for member in values])


@few
@given(st.sampled_from([*PRESETS]), st.data())
def test_a_rule_set_is_read_as_it_was_written(preset: str, draw: st.DataObject) -> None:
    every = {option: choices(option) for option in PRESETS[preset].options}
    changes = draw.draw(st.fixed_dictionaries({}, optional=every))
    rules = Rules.parse(" ".join([preset, *(f"{key}={value}" for key, value in changes.items())]))
    assert Rules.parse(rules.text) == rules
    assert set(rules.changes) <= set(changes)
    assert all(written(getattr(rules, option)) == value for option, value in changes.items())


def test_the_rules_of_one_game_are_none_of_the_other() -> None:
    assert GuessingRules.parse("hollywood") == PRESETS["hollywood"]
    for kind, text in ((BiddingRules, "hollywood"), (GuessingRules, "milan cap=5")):
        with pytest.raises(Malformed, match="other game"):
            kind.parse(text)


def test_the_longest_rule_set_fits_the_limit() -> None:
    longest = " ".join(
        f"{option}={max((str(m.value) for m in values), key=len) if values else 'none'}"
        for option, values in BIDDING_OPTIONS.items()
    )
    assert len(f"three-coins {longest}") <= MAX_RULES
