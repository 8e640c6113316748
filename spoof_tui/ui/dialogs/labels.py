"""Labels of keys: a click on one presses its key. Also cuts texts, with a key for the rest.

On a web page, where no keyboard is seen, only what a key does is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from spoof_tui.acts.act import key_of
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece, left_open, length
from spoof_tui.visiting import has_page

MIN_SCREEN: Final = (36, 10)
"""The fewest columns and rows with which the game can be played."""


def is_enough(width: int, height: int) -> bool:
    """Whether the game can be played on a screen of this size."""
    return width >= MIN_SCREEN[0] and height >= MIN_SCREEN[1]


def wanted_size() -> tuple[str, str]:
    """The size that a screen needs, as a sentence and in short."""
    columns, rows = MIN_SCREEN
    sentence = _("Spoof needs {columns} × {rows}.").format(columns=columns, rows=rows)
    return sentence, f"{columns} × {rows}"


def key_line(
    labels: Iterable[tuple[str, str]], between: str = "  ", look: str = "$quiet"
) -> Content:
    """Labels as a clickable line, separated by `between`; `look` is the style of their words."""
    shown = (Content("").join(_label(*each, look)) for each in labels)
    return Content(between).join(shown)


def _label(caption: str, words: str, look: str) -> Iterator[Content]:
    """The parts of a label: each key of `caption` clickable, and the words, which press the last
    key."""
    click = Style()
    for key in caption.split():
        click = Style.from_meta({"@click": f"app.simulate_key({key_of(key)!r})"})
        if has_page() and words:
            continue
        yield Content.styled(palette.key_sign(key), "bold $accent").stylize(click)
        yield Content(" ")
    yield Content.styled(words, look).stylize(click)


def key_pieces(caption: str, words: str = "") -> list[Piece]:
    """A label as clickable pieces: each key of `caption`, and the words, which press the last
    key."""
    pieces: list[Piece] = []
    parts, pressed, is_tapped = caption.split(), "", has_page()
    for key in parts if key_of(parts[-1]) else [caption]:
        pressed = key_of(key) or ""
        look = palette.pressing(palette.KEY, pressed)
        if is_tapped and words:
            continue
        pieces += [(" ", palette.QUIET)] * bool(pieces) + [(palette.key_sign(key), look)]
    if words:
        gap, look = ("", palette.KEY) if is_tapped else (" ", palette.QUIET)
        pieces.append((f"{gap}{words}", palette.pressing(look, pressed)))
    return pieces


MORE: Final = "n"
"""The key that shows more of a text that is cut."""


def cut(
    lines: Sequence[Sequence[Piece]], rows: int, width: int, key: str = MORE
) -> Sequence[Sequence[Piece]]:
    """The lines of a text that fit into `rows`.

    If lines are left over, the last one shown ends in an ellipsis and, if `key` is not empty, tells
    how many are left and that this key shows them.
    """
    left = len(lines) - rows
    if left <= 0 or rows < 1:
        return lines[: max(rows, 0)]
    words = ngettext("{count} more line", "{count} more lines", left).format(count=left)
    more = [(" ", palette.QUIET), *key_pieces(key, words)] if key else []
    *before, (text, style) = lines[rows - 1] or [("", palette.TEXT)]
    room = width - length(more)
    shown = left_open(text, room - length(before))
    # Of a line of keys, whole pieces are left out.
    while before and length(before) + cell_len(shown) > room:
        *before, (text, style) = before
        shown = left_open(text, room - length(before))
    return [*lines[: rows - 1], [*before, (shown, style), *more]]


def clickable_line(id: str) -> Static:
    """A widget for a line whose pieces can be clicked without changing their style."""
    line = Static(id=id, markup=False)
    line.auto_links = False
    return line
