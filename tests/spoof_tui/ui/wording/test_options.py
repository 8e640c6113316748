"""Rule sets in words: nothing of the rules goes without."""

from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import (
    BIDDING_OPTIONS,
    GUESSING_OPTIONS,
    PRESETS,
    Rules,
    written,
)
from spoof_tui.ui.wording import options as rules_text
from spoof_tui.ui.wording.options import rules_title

OPTIONS = {**BIDDING_OPTIONS, **GUESSING_OPTIONS}
CHANGEABLE = {name: rules_text.changeable(rules) for name, rules in PRESETS.items()}
EVERY = [
    (option, value)
    for option in dict.fromkeys(option for options in CHANGEABLE.values() for option in options)
    for value in rules_text.option_values(option)
]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("milan", "Milan"),
        ("bid-spoof", "Bid Spoof"),
        ("three-coins", "Three Coins"),
        ("hollywood first_caller=toss", "Hollywood, but a toss for every first call"),
        ("milan cap=5 zero=first-action", "Milan, but cap 5, zero as first word"),
        ("bid-spoof cap=none stake=drinks", "Bid Spoof, but no cap, played for drinks"),
    ],
)
def test_a_title_is_the_preset_and_its_changes(text: str, title: str) -> None:
    assert rules_title(Rules.parse(text)) == title


def test_every_value_has_words_of_its_own() -> None:
    for say in (rules_text.option_words, rules_text.value_label):
        said = {(option, say(option, value)) for option, value in EVERY}
        assert len(said) == len(EVERY)


def test_the_options_with_one_value_are_no_choice() -> None:
    assert set(OPTIONS) - set(dict(EVERY)) == {"cliff_starter", "spoof_starter"}


@given(st.sampled_from(sorted(PRESETS)), st.lists(st.sampled_from(EVERY), max_size=5))
def test_a_title_tells_every_change_and_nothing_else(
    preset: str, changes: list[tuple[str, str]]
) -> None:
    rules = PRESETS[preset]
    for option, value in changes:
        if option in rules.options:
            rules = rules.with_option(option, value)
    title = rules_title(rules)
    for option in rules_text.changeable(rules):
        words = rules_text.option_words(option, written(getattr(rules, option)))
        assert (words in title.split(", but ", 1)[-1].split(", ")) == rules_text.is_change(
            rules, option
        )


def test_every_kind_of_value_can_be_written() -> None:
    for option, kinds in OPTIONS.items():
        if kinds is not None:
            assert issubclass(kinds, Enum)
            assert rules_text.option_values(option) == [kind.value for kind in kinds]
