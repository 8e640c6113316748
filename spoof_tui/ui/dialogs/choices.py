"""A list of choices: each line is something to choose, with its possible values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import OptionList

from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import wrap

_MAX_LABEL: Final = 28
"""The most columns of a label."""

_SIGN: Final = 2
"""Columns before a label, for the marker."""

_BAR: Final = 1
"""Columns for a scroll bar."""

_STEP: Final = "step"
"""The key of a style's `meta` for how many values further a click leads."""


@dataclass(slots=True)
class Choice:
    """A line of the list: a label, and a value chosen from several."""

    label: str
    values: Sequence[str]
    """The values, as texts."""
    index: int = 0
    """The index of the chosen value."""
    help: str = ""
    """A sentence on the line, shown while it is highlighted; may be empty."""
    note: str = ""
    """A sentence on the chosen value, shown with the help; may be empty."""
    notes: Sequence[str] = ()
    """All sentences that `note` can be, so that enough room is reserved."""
    keys: str = ""
    """For each value the digit that chooses it; empty if there are no digits."""
    changed: bool = False
    """Whether the line is marked as different from the default."""
    spread: bool = False
    """Whether all values are shown side by side, if there is room."""

    def rows(self, width: int) -> int:
        """The most lines of `width` cells that note and help together can take."""
        notes = [note for note in (self.note, *self.notes) if note]
        above = max((len(wrap(note, width)) for note in notes), default=0)
        return above + (len(wrap(self.help, width)) if self.help else 0)

    def step(self, by: int) -> None:
        """Choose the value `by` steps further on, wrapping around."""
        self.index = (self.index + by) % len(self.values)

    def press(self, key: str) -> bool:
        """Choose the value that a digit stands for; return whether the key is such a digit."""
        if len(key) != 1 or key not in self.keys:
            return False
        self.index = self.keys.index(key)
        return True


def digits(values: Sequence[object]) -> str:
    """A digit for each value: a small number is its own digit, all others are numbered from 1."""
    if isinstance(values, range):
        return "".join(map(str, values))
    return "".join(str(place + 1) for place in range(len(values)))


class ChoiceList(OptionList):
    """A list of choices; left, right, a digit or a click changes the value of a line."""

    BINDINGS = [
        ("left", "step(-1)"),
        ("right", "step(1)"),
        ("up", "cursor_up"),
        ("down", "cursor_down"),
        ("enter", "screen.accept"),
    ]

    class Changed(Message):
        """Posted when another value was chosen."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__(markup=False, compact=True)
        self._choices: Sequence[Choice] = ()
        self._room = _MAX_LABEL
        self.present(choices)

    @property
    def choice(self) -> Choice:
        """The highlighted choice."""
        return self._choices[self.highlighted or 0]

    def present(self, choices: Sequence[Choice]) -> None:
        """Show these choices with their current values; the same line stays highlighted."""
        place = self.highlighted or 0
        self._choices = choices
        if len(choices) != self.option_count:
            self.set_options(self._prompts(place))
            self.highlighted = min(place, len(choices) - 1)
        self._draw()

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Move the marker to the newly highlighted line."""
        super().watch_highlighted(highlighted)
        self._draw()

    def action_step(self, by: int) -> None:
        """Choose the value `by` steps further on in the highlighted line."""
        self.choice.step(by)
        self.post_message(self.Changed())

    def action_cursor_up(self) -> None:
        """Go one line up; from the first line, focus what is above the list."""
        if self.highlighted or len(self.screen.focus_chain) == 1:
            super().action_cursor_up()
        else:
            self.screen.focus_previous()

    def action_cursor_down(self) -> None:
        """Go one line down; stay on the last line."""
        if self.highlighted != self.option_count - 1 or len(self.screen.focus_chain) == 1:
            super().action_cursor_down()

    def on_key(self, event: events.Key) -> None:
        """Choose the value of a typed digit."""
        if self.choice.press(event.character or ""):
            event.stop()
            self.post_message(self.Changed())

    async def on_click(self, event: events.Click) -> None:
        """Highlight the line under the mouse and choose the value there; accept a line without
        values."""
        event.prevent_default()
        place, by = event.style.meta.get("option"), event.style.meta.get(_STEP, 0)
        if place is None:
            return
        was_highlighted, self.highlighted = place == self.highlighted, place
        if len(self.choice.values) > 1:
            self.action_step(by)
        elif was_highlighted or not self.choice.keys:
            await self.run_action("screen.accept")

    def _draw(self) -> None:
        if len(self._choices) != self.option_count:
            return
        prompts = self._prompts(self.highlighted or 0)
        for place, (option, prompt) in enumerate(zip(self.options, prompts, strict=True)):
            if option.prompt != prompt:
                self.replace_option_prompt_at_index(place, prompt)

    def fit(self, width: int, height: int) -> None:
        """Limit the list to this many columns and rows."""
        self.styles.max_height = height
        self._room = width - _SIGN - _BAR
        self._draw()

    def _prompts(self, highlighted: int) -> list[Content]:
        labels = max((cell_len(each.label) for each in self._choices), default=0)
        column, room = min(labels, _MAX_LABEL) + 2, self._room
        are_many = len(self._choices) > 1
        return [
            _prompt(
                choice,
                column,
                place == highlighted and (are_many or len(choice.values) > 1),
                room,
            )
            for place, choice in enumerate(self._choices)
        ]


def _prompt(choice: Choice, column: int, is_bright: bool, room: int) -> Content:
    """The line of a choice in `room` cells, with its values at `column`, or further left if
    necessary."""
    values = _spread(choice, is_bright) if choice.spread else _chosen(choice, is_bright)
    needed = sum(value.cell_length for value in values)
    if choice.spread and cell_len(choice.label) + 2 + needed > room:
        return _prompt(replace(choice, spread=False), column, is_bright, room)
    column = max(min(column, room - needed), cell_len(choice.label) + 2)
    pointer = glyphs().pointer if is_bright else " "
    # If there is no room beside the label, the value goes below it.
    is_beside = column + needed <= room
    blank = " " * (column - cell_len(choice.label)) if is_beside else "\n  "
    look = "bold $accent" if is_bright else ""
    line = Content.assemble((f"{pointer} ", "$accent"), (choice.label, look), blank, *values)
    return line.stylize("reverse") if is_bright and palette.reverses_rows() else line


def _chosen(choice: Choice, is_bright: bool) -> list[Content]:
    signs = glyphs()
    left, right = Content("  "), Content("")
    if is_bright and len(choice.values) > 1:
        left = _value(-1, (f"{signs.left} ", "$quiet"))
        right = _value(1, (f" {signs.right}", "$quiet"))
    mark = f" {signs.star}" if choice.changed else ""
    look = "bold $accent" if is_bright else "$accent" if choice.changed else ""
    value = choice.values[choice.index]
    return [left, _value(1, (value, look), (mark, "$accent")), right]


def _spread(choice: Choice, is_bright: bool) -> list[Content]:
    signs = glyphs()
    pieces: list[Content] = []
    for index, value in enumerate(choice.values):
        by = index - choice.index
        if by:
            pieces.append(_value(by, (f"{signs.no_coin} {value}", "$quiet")))
        else:
            look = "bold $accent" if is_bright else "bold"
            pieces.append(_value(by, (signs.coin, "$coin"), (f" {value}", look)))
    return [Content("   ").join(pieces)]


def _value(by: int, *pieces: tuple[str, str]) -> Content:
    """A value or an arrow, on which a click leads `by` values further."""
    return Content.assemble(*pieces).stylize(Style.from_meta({_STEP: by}))
