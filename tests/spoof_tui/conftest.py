"""A background loop for everything that runs beside the screen, languages, and signals."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.text import i18n
from tests.helpers.unix import HANGUP


@pytest.fixture
def background() -> Iterator[BackgroundLoop]:
    stage = BackgroundLoop()
    stage.start()
    yield stage
    stage.stop()
    assert "background" not in [thread.name for thread in threading.enumerate()]


@pytest.fixture(params=sorted(i18n.LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language, and English again afterwards."""
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


@pytest.fixture
def usual_signals() -> Iterator[None]:
    """What a test does to signals is undone."""
    usual = {each: signal.getsignal(each) for each in (signal.SIGTERM, HANGUP, signal.SIGINT)}
    yield
    for number, handler in usual.items():
        signal.signal(number, handler)
