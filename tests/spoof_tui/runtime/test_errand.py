"""What a program begins with."""

import pytest

from spoof_tui.runtime.errand import first_settings, own_identity
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.settings import Settings


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
