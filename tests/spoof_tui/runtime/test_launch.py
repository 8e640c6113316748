"""What a program begins with."""

from spoof_tui.runtime.launch import first_settings
from spoof_tui.storage.settings import Settings


def test_a_first_name_is_made_up_once() -> None:
    name = first_settings().name
    assert name and first_settings().name == name == Settings.load().name
