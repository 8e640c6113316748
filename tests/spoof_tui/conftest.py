"""A background loop for everything that runs beside the screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spoof_tui.runtime.background import BackgroundLoop


@pytest.fixture
def background() -> Iterator[BackgroundLoop]:
    stage = BackgroundLoop()
    stage.start()
    yield stage
    stage.stop()
