"""What terminals send that is no key: answers to others, and reports in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

ANSWERS: Final = (
    "\x1b[?1;2c",  # primary device attributes
    "\x1b[?62;4;22c",
    "\x1b[>0;276;0c",  # secondary, as xterm gives them
    "\x1bP!|00000000\x1b\\",  # tertiary
    "\x1bP>|tmux 3.3a\x1b\\",  # XTVERSION
    "\x1bP1+r544e=787465726d\x1b\\",  # XTGETTCAP
    "\x1bP1$r0m\x1b\\",  # DECRQSS
    "\x1b]4;1;rgb:cccc/0000/0000\x1b\\",  # one of the palette's colours
    "\x1b]10;rgb:cccc/cccc/cccc\x1b\\",  # the colour of text
    "\x1b]10;rgb:cccc/cccc/cccc\x07",
    "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",  # that of the ground
    "\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
    "\x1b]52;c;MTIzCg==\x07",  # the clipboard
    "\x1b]l3 windows, c\x1b\\",  # the title
    "\x1b_Gi=31;OK\x1b\\",  # a kitty picture
    "\x1b^a private message: 1\x1b\\",
    "\x1bX12cc\x1b\\",
    "\x1b[6;18;9t",  # the size of a cell
    "\x1b[8;24;80t",  # the size of the window
    "\x1b[48;24;80;432;720t",  # a resize in band
    "\x1b[?0u",  # the flags of the kitty keyboard
    "\x1b[?997;1n",  # a light or dark scheme
    "\x1b[0n",  # a terminal that is well
    "\x1b[12;1R",  # the place of the cursor
    "\x1b[?12;1;1R",
    "\x1b[?12;2$y",  # a mode
    "\x1b[?2048;1$y",
    "\x1b[2;1;1;128;128;1;0x",  # DECREPTPARM
)
"""Answers that mean nothing to the program."""

REPORTS: Final = ("\x1b[<35;10;12M", "\x1b[<0;3;4m", "\x1b[?2026;2$y", "\x1b[I")
"""What it asks for: the mouse, frames that are shown at once, the focus."""


def cuts(text: str) -> Iterator[tuple[str, str]]:
    """Both parts of a text, for every place between two characters."""
    return ((text[:at], text[at:]) for at in range(1, len(text)))
