"""What a visitor's keys may cost."""

import asyncio
import itertools
import threading

import pytest
from textual import events
from textual.app import App

from spoof_tui.ui import typeahead
from spoof_tui.ui.typeahead import WORK_BURST, WORK_OF_KEY, WORK_RATE, Typeahead


class Stop(threading.Event):
    """Notes how long it is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        return False


@pytest.mark.parametrize("is_limited", [True, False])
async def test_only_a_visitor_rests_after_keys_that_have_taken_much_processor_time(
    monkeypatch: pytest.MonkeyPatch, is_limited: bool
) -> None:
    # Each read of keys takes as much as the burst.
    seconds = itertools.count(0.0, WORK_BURST / 1000)
    monkeypatch.setattr(typeahead, "process_time", lambda: next(seconds))
    stop, app = Stop(), App[None]()
    async with app.run_test():
        keys = Typeahead(app, asyncio.get_running_loop(), stop, is_limited=is_limited)
        many = [events.Key("a", "a")] * (WORK_BURST // WORK_OF_KEY)
        for read in (many, many):
            await asyncio.to_thread(list, keys.hand_over(read))
    rest = WORK_BURST / WORK_RATE
    assert stop.waits == ([0.0, pytest.approx(rest, rel=0.2)] if is_limited else [])
