"""What a program begins with."""

import pytest

from spoof_tui.runtime.errand import Errand, first_settings, own_identity, practice_plan
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.settings import Practice, Settings


def test_without_an_errand_one_stays_in_the_lobby() -> None:
    assert Errand() == Errand(plan=None, practice=False)


def test_a_first_name_is_made_up_once() -> None:
    name = first_settings().name
    assert name and first_settings().name == name == Settings.load().name


def test_an_identity_is_this_players_own_if_it_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = own_identity()
    kept.release()

    def fail() -> Identity:
        raise OSError

    monkeypatch.setattr(Identity, "claim", fail)
    assert own_identity().seed != kept.seed


def test_practice_is_a_table_that_nobody_else_finds() -> None:
    settings = Settings("Olha", practice=Practice("hollywood", bots=4))
    plan = practice_plan(settings)
    assert (plan.host, plan.rules.preset, plan.seats, plan.start_when, plan.public) == (
        "Olha", "hollywood", 5, 5, False,
    )  # fmt: skip
