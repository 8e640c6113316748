"""Recordings of records to look through, and a walk that looks at every step."""

from __future__ import annotations

from collections.abc import Iterator

from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.replay.panel import replay_panel
from spoof_tui.ui.replay.player import Playback
from spoof_tui.ui.replay.reader import Recording
from spoof_tui.ui.replay.screen import replay_bar, replay_side, still_of
from spoof_tui.ui.table.scene import Scene
from tests.protocol.notation.games import KYIV
from tests.spoof_tui.ui.table.scenes import lines

TWO_GAMES = f"""{KYIV}
[Event "The way back"]
[Rules "milan"]
[Seats "O:Olena D:Dmytro"]
[Coins "O1 D3"]
[Result "D"]

1. D0 (O0 D0) O- = O0 D3
"""

FAULTY = """\
[Rules "milan"]
[Seats "S:Svitlana D:Dmytro"]
[Result "S"]

1. D4 S3 D! (S0 D2) D- = S3 D2
2. S4 D! (S0 D2) D- = S3 D1
3. D2 S! (S1 D?) D- = S2 D1
"""
"""Round 1: a bid too low (R6); round 2: wrong changes (R7); round 3: Svitlana should open (R14)."""


def recording(text: str | bytes, size: int = 50) -> Recording:
    """The recording of a record that is read in small chunks."""
    data = text.encode() if isinstance(text, str) else text

    def chunks() -> Iterator[bytes]:
        yield from (data[start : start + size] for start in range(0, len(data), size))

    return Recording(chunks)


def player(text: str | bytes, *keys: str) -> Playback:
    """A player with the recording of a record, after some keys."""
    shown = Playback(recording(text))
    finish(shown)
    return press(shown, *keys)


def press(shown: Playback, *keys: str) -> Playback:
    """The player after keys, with everything read that they need."""
    for key in keys:
        shown.press(key)
        finish(shown)
    return shown


def finish(shown: Playback) -> None:
    """Read on until the goal is reached."""
    for _ in range(10_000):
        if not shown.is_reading:
            return
        shown.work()
    raise AssertionError("the goal is never reached")


def place(shown: Playback) -> tuple[int, int, int]:
    """Game, page and step."""
    return shown.recording.game, shown.page, shown.step


def picture(shown: Playback, width: int = 80) -> list[str]:
    """The words on the screen, except those of the table itself."""
    scene = still_of(shown)
    side, panel = Place(0, 1, 24, 15), Place(0, 16, width, 12)
    parts = [
        Part(Place(0, 0, width, 1), replay_bar(shown)),
        *replay_side(shown, scene, side),
        *replay_panel(shown, scene, panel),
    ]
    return [strip.text.rstrip() for strip in lines(parts, width, 28)]


def walk(shown: Playback, key: str = "right") -> Iterator[Scene]:
    """The frame of every step up to the end of the game, or back to its beginning."""
    for _ in range(100_000):
        yield still_of(shown)
        before = place(shown)
        press(shown, key)
        if place(shown) == before:
            return
    raise AssertionError("the walk never ends")
