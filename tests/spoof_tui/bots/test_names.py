"""Names: short, plain, and never two alike."""

import random

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from spoof_tui.bots.names import MAX_CELLS, bot_names, free_name, friendly_name
from spoof_tui.text.safe_text import show

seeds = st.integers(0, 2**32)


@given(seeds)
def test_a_friendly_name_is_two_plain_words_that_fit_a_seat(seed: int) -> None:
    name = friendly_name(random.Random(seed))
    assert len(name.split()) == 2
    assert name.isascii()
    assert cell_len(name) <= MAX_CELLS


def test_friendly_names_differ_from_person_to_person() -> None:
    rng = random.Random(1)
    assert len({friendly_name(rng) for _ in range(100)}) > 80


@given(seeds, st.integers(0, 60))
def test_bots_have_different_names_that_fit_a_seat(seed: int, amount: int) -> None:
    names = bot_names(amount, random.Random(seed))
    assert len({name.casefold() for name in names}) == len(names) == amount
    assert all(cell_len(name) <= MAX_CELLS for name in names)


@given(seeds)
def test_a_bot_takes_nobodys_name(seed: int) -> None:
    taken = bot_names(30, random.Random(seed))
    fresh = bot_names(9, random.Random(seed), [name.upper() for name in taken])
    assert not {name.casefold() for name in taken} & {name.casefold() for name in fresh}


def test_names_pass_the_gate_for_foreign_text_unchanged() -> None:
    rng = random.Random(1)
    for name in [*bot_names(22, rng), *(friendly_name(rng) for _ in range(50))]:
        assert show(ForeignText(name), 40) == name


def test_a_name_that_is_taken_gets_the_first_free_number() -> None:
    assert free_name("Cliffer", ["Penny"]) == "Cliffer"
    assert free_name("Cliffer", ["cliffer", "CLIFFER 2"]) == "Cliffer 3"
