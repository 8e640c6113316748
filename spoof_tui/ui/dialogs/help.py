"""The help: the keys of the current screen, and the game in ten lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.style import Style

from spoof_tui.acts.act import KeyAct
from spoof_tui.telling.doors import comeback, legend
from spoof_tui.telling.manual import ending_meanings, how_a_round_goes, how_it_ends
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import wrap
from spoof_tui.ui.dialogs.reading import Reading, hanging, stacked


class HelpDialog(Reading):
    """The help; the key that opened it also closes it."""

    WIDTH = 78
    BINDINGS = [("question_mark", "close")]

    def __init__(self, acts: Sequence[KeyAct], *, is_guessing: bool = False) -> None:
        """`acts` are the keys of the screen below; `is_guessing`: explain the guessing game."""
        page = partial(help_page, acts, is_guessing=is_guessing)
        super().__init__(_("Keys now"), page)

    def on_click(self, event: events.Click) -> None:
        """Close, and press the key under the mouse on the screen below."""
        if key := palette.pressed_by(event.style):
            self.dismiss()
            self.app.simulate_key(key)


def help_page(acts: Sequence[KeyAct], width: int, *, is_guessing: bool = False) -> Content:
    """The whole help in lines of `width` columns."""
    story = _story(width, is_guessing=is_guessing)
    return stacked([*_keys(acts, width), *_mouse(width), Content(), *story, *_sealed(width)])


def _keys(acts: Sequence[KeyAct], width: int) -> list[Content]:
    """The keys with what they do, two on a line if they fit."""
    label = max((cell_len(act.caption) for act in acts), default=0) + 2
    half, rows = width // 2, -(-len(acts) // 2)
    if any(label + cell_len(act.words) > half - 1 for act in acts):
        return [_act(act, label, width) for act in acts]
    lines: list[Content] = []
    for row in range(rows):
        line = _act(acts[row], label, half)
        if rows + row < len(acts):
            blank = " " * (half - line.cell_length)
            line = Content.assemble(line, blank, _act(acts[rows + row], label, half))
        lines.append(line)
    return lines


def _act(act: KeyAct, label: int, width: int) -> Content:
    line = hanging(Content.styled(act.caption, "bold $accent"), act.words, label, width)
    # Not as a link, which would be underlined.
    return line.stylize(Style.from_meta({palette.PRESS: act.key})) if act.key else line


def _mouse(width: int) -> list[Content]:
    words = _("Every key that you see on the screen can be clicked. Shift and drag selects text.")
    told = [line for text in (legend(), *comeback()) for line in _quiet(text, width)]
    return [Content(), *_quiet(words, width), Content(), *told]


def _sealed(width: int) -> list[Content]:
    """Lines that explain the sign for a sealed hand."""
    words = _(
        "{sign} sealed: nobody can listen in, and your hand stays sealed until the fists open."
    )
    return [Content(), *_quiet(words.format(sign=glyphs().sealed), width)]


def _quiet(words: str, width: int) -> list[Content]:
    return [Content.styled(line, "$quiet") for line in wrap(words, width)]


def _story(width: int, *, is_guessing: bool) -> list[Content]:
    """Lines saying how a round goes, which words end it, and how a game ends."""
    words = () if is_guessing else ending_meanings()
    label = max((cell_len(name) for name, _meaning in words), default=0) + 2
    begins, ends = how_a_round_goes(is_guessing=is_guessing), how_it_ends(is_guessing=is_guessing)
    return [
        *(Content(line) for text in begins for line in wrap(text, width)),
        *(hanging(Content.styled(name, "bold"), text, label, width) for name, text in words),
        *map(Content, wrap(ends, width)),
    ]
