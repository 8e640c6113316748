"""Screens are driven quickly: the pilot need not wait as long as for a slow machine's person."""

import pytest
import textual._wait


@pytest.fixture(autouse=True)
def quick_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Private to Textual, and only a matter of speed."""
    monkeypatch.setattr(textual._wait, "SLEEP_GRANULARITY", 0.002)
    monkeypatch.setattr(textual._wait, "SLEEP_IDLE", 0.0005)
