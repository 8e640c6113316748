"""Text in lines: light enough for commands that draw no screen."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at blanks where there are any.

    A part of a screen that is not shown has no width: a column is the least.
    """
    width = max(width, 1)
    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += " " + word
            continue
        while cell_len(word) > width:
            head = set_cell_size(word, width).rstrip() or word[0]
            lines.append(head)
            word = word[len(head) :]
        lines.append(word)
    return lines or [""]
