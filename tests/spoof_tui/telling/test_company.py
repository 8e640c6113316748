"""How bots with a character are introduced to a player."""

from __future__ import annotations

from spoof_tui.bots.characters import CHARACTERS, of_coin
from spoof_tui.telling.company import introductions

COINS = ("Copper", "Crown", "Denar", "Dime", "Dinar", "Drachma")


def test_every_bot_with_a_character_is_introduced_by_a_habit_of_its_own(language: str) -> None:
    assert {each.key for name in COINS if (each := of_coin(name))} == {*CHARACTERS}
    told = introductions(["Brisk Otter", *COINS], 0)
    habits = [f"{name} {who.habit}" for name in COINS if (who := of_coin(name))]
    assert len({*habits}) == len(COINS) and all(each in told for each in habits)
    assert "Otter" not in told and not introductions(["Brisk Otter"], None)
