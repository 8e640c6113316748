"""The real program, which notes when it passes certain points.

    traced.py FILE WORD ...

Runs `spoof WORD ...`; every line of FILE is the name of a point and a time of `perf_counter`,
which is one clock for all processes of a machine.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import time
from collections.abc import Callable
from typing import Any

HOST = {
    "received": ("spoof_tui.network.table_server", "TableServer.received", True),
    "kept": ("spoof_tui.storage.frames", "Frames.append", False),
    "told": ("spoof_tui.network.links", "TlsLink.send", True),
}
"""By the name of a point: a module, a function in it, and whether its beginning is meant."""

PLAYER = {
    "key": ("spoof_tui.ui.table.screen.screen", "TableScreen.on_key", True),
    "hop": ("spoof_tui.runtime.session", "Session.do", True),
    "sent": ("spoof_tui.network.links", "TlsLink.send", False),
    "heard": ("spoof_tui.runtime.session", "Session.received", True),
    "posted": ("spoof_tui.ui.table.screen.screen", "TableScreen.post_message", True),
    "noticed": ("spoof_tui.ui.table.screen.screen", "TableScreen._look", True),
    "drawn": ("spoof_tui.ui.canvas.widget", "Stage.redraw", False),
    "update": ("textual._compositor", "Compositor.render_update", True),
    "composed": ("textual._compositor", "Compositor.render_update", False),
    "patched": ("spoof_tui.ui.painting", "Painter.paint", False),
}


def traced(function: Callable[..., Any], note: Callable[[], None], at_start: bool) -> Any:
    """The same function, which notes its beginning or its end."""

    @functools.wraps(function)
    def passing(*arguments: Any, **options: Any) -> Any:
        if at_start:
            note()
        result = function(*arguments, **options)
        if not at_start:
            note()
        return result

    return passing


def main(path: str, words: list[str]) -> int:
    """Run the program; its exit status."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(name: str) -> None:
        os.write(file, f"{name} {time.perf_counter()}\n".encode())

    for name, (module, place, at_start) in (HOST if words[0] == "host" else PLAYER).items():
        kind, function = place.split(".")
        owner = getattr(importlib.import_module(module), kind)
        wrapped = traced(getattr(owner, function), functools.partial(note, name), at_start)
        setattr(owner, function, wrapped)
    from spoof_tui.__main__ import main as run

    return run(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
