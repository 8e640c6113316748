"""What is chosen by a number."""

from functools import partial

import pytest

from spoof_tui.plain.offers import Offer, chosen, offer_lines


def test_offers_are_numbered_from_one() -> None:
    offers = [Offer("tea", lambda: None), Offer("port", lambda: None)]
    assert offer_lines("Which?", offers) == ["Which?", "1: tea.", "2: port."]


@pytest.mark.parametrize(("typed", "done"), [("2", ["port"]), ("3", []), ("0", []), ("x", [])])
def test_a_number_does_what_it_stands_for(typed: str, done: list[str]) -> None:
    did: list[str] = []
    offers = [Offer(name, partial(did.append, name)) for name in ("tea", "port")]
    assert chosen(typed, offers) is bool(done)
    assert did == done
