"""What follows from a screen's rows of acts: its bindings, and a line of keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from textual.binding import Binding
from textual.content import Content
from textual.style import Style

from spoof_tui.ui.acts.act import AnyAct, key_of, labels
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece, labels_within


def bindings(acts: Iterable[AnyAct]) -> list[Binding]:
    """The keys of these acts; the screen carries them out in `action_do`."""
    return [Binding(",".join((each.key, *each.also)), f"do({each.id!r})", show=False)
            for each in acts if each.key]  # fmt: skip


def key_line(acts: Iterable[AnyAct], facts: Any, width: int) -> Content:
    """As many labels as fit, each clickable."""
    shown = labels_within(labels(acts, facts), width)
    return Content("  ").join(Content("").join(_label(*each)) for each in shown)


def _label(caption: str, words: str) -> Iterator[Content]:
    """Each key separately; a click on the words presses the last one."""
    click = Style()
    for key in caption.split():
        click = Style.from_meta({"@click": f"app.simulate_key({key_of(key)!r})"})
        yield Content.styled(palette.key_sign(key), "bold $accent").stylize(click)
        yield Content(" ")
    yield Content.styled(words, "$quiet").stylize(click)


def key_pieces(caption: str, words: str = "") -> list[Piece]:
    """A key, or several, and what it does: each can be clicked; a click on the words presses the
    last key."""
    pieces: list[Piece] = []
    parts = caption.split()
    pressed = ""
    for key in parts if key_of(parts[-1]) else [caption]:
        pressed = key_of(key) or ""
        look = palette.pressing(palette.KEY, pressed)
        pieces += [(" ", palette.QUIET)] * bool(pieces) + [(palette.key_sign(key), look)]
    if words:
        pieces.append((f" {words}", palette.pressing(palette.QUIET, pressed)))
    return pieces
