"""Gestures in words."""

from __future__ import annotations

import pytest

from protocol.table.statements import NO_ONE, Gesture, Measure, Vote
from spoof_tui.text import i18n
from spoof_tui.ui.wording.gestures import (
    gesture_help,
    gesture_note,
    veto_words,
)
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at


@pytest.mark.parametrize("language", ["en", "uk"])
def test_a_shout_fits_over_a_hand(language: str) -> None:
    i18n.install(language)
    try:
        assert all(len(gesture_note(each)) <= 13 for each in Gesture)
    finally:
        i18n.install("en")


def test_the_help_of_a_gloat_says_what_it_costs_but_not_in_the_trap() -> None:
    free, fined, trap = (
        gesture_help(Gesture.GLOAT, at("speaking", rules=rules).clients[0].view)
        for rules in ("milan", "milan gloating=fined", "hollywood")
    )
    assert "fine" in fined and "fine" not in free and "fine" not in trap


def test_the_veto_of_mr_shearn_is_announced_to_all() -> None:
    table = MemoryTable(3)
    assert veto_words(table.clients[0].view) == ""
    mover = table.clients[1]
    table.act(mover, mover.guest.state(Vote(Measure.BAN_WOBBLE, NO_ONE, yes=True)))
    for client in table.clients:
        assert "Player2" in veto_words(client.view) and "Shearn" in veto_words(client.view)
