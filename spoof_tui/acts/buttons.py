"""The buttons of a web page, for what can be done now."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from spoof_tui.acts.act import KeyAct, key_of
from spoof_tui.text.i18n import _

_SENT: Final = {
    "space": " ", "enter": "\r", "tab": "\t", "backspace": "\x7f", "question_mark": "?",
    "slash": "/", "full_stop": ".", "plus": "+", "minus": "-", "end": "\x1b[F", "home": "\x1b[H",
    "left_square_bracket": "[", "right_square_bracket": "]",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    # Not the bare escape, which a key right after it would turn into another one.
    "escape": "\x1b[27u",
}  # fmt: skip
"""The characters that a terminal sends for keys whose names are words."""


class Way(Enum):
    """How a button looks and is tapped; the values are classes of the page's style sheet."""

    PLAIN = ""
    LIKELY = "likely"
    """The button that most players tap now."""
    STEP = "step"
    """A narrow arrow beside another button."""
    HAND = "hand"
    """A number of coins; the page does not show which one was tapped."""
    HOLD = "hold"
    """Works for as long as it is held."""
    ARMED = "armed"
    """Was tapped once and waits for a second tap."""
    TALK = "talk"
    """Opens the page's text field."""


class Button(NamedTuple):
    """A button of the web page."""

    key: str
    """Textual's name for the key that a tap presses."""
    label: str
    small: str = ""
    """Small print below the label."""
    way: Way = Way.PLAIN
    about: str = ""
    """What a screen reader reads out; empty for the label and the small print."""


Rows: TypeAlias = Sequence[Sequence[Button]]


class Buttons(NamedTuple):
    """All buttons that the web page shows now."""

    main: Rows = ()
    """Rows of large buttons."""
    also: Sequence[Button] = ()
    """The last row, of smaller buttons."""
    more: Rows = ()
    """Rows of the menu behind the dots; what nobody should tap by mistake comes first, at the
    top."""


def is_sent(key: str) -> bool:
    """Whether the page can send this key."""
    return key in _SENT or len(key) == 1


def written(rows: Rows) -> str:
    """The rows as one line of JSON, as the page reads them."""
    told = [[_values(each) for each in row] for row in rows]
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _values(button: Button) -> list[str]:
    key, label, small, way, about = button
    values = [_SENT.get(key, key), label, small, way.value, about]
    while not values[-1]:
        values.pop()
    return values


def in_rows(buttons: Iterable[Button], columns: int) -> list[list[Button]]:
    """The buttons in rows of up to `columns`."""
    every = [*buttons]
    return [every[at : at + columns] for at in range(0, len(every), columns)]


_ARROWS: Final = {"up": "▲", "down": "▼", "left": "◂", "right": "▸"}


def of_list(
    keys: Iterable[tuple[str, str]], more: Iterable[KeyAct] = (), *, is_list: bool = True
) -> Buttons:
    """The buttons for a screen with a list or a text: arrows, and the keys of its line of keys.

    `keys` are captions and labels; `more` goes into the menu; `is_list`: there is something to
    select.
    """
    first: Button | None = None
    change, also = "", []
    for caption, words in keys:
        names = [name for each in caption.split() if (name := key_of(each))]
        if "enter" in names:
            first = Button("enter", words, way=Way.LIKELY)
        elif "left" in names:
            change = words
        elif len(names) == 1 and is_sent(names[0]):
            also.append(Button(names[0], words))
    if first is None:
        first = also.pop()._replace(way=Way.LIKELY)
    main = [[step("up", _("up")), first, step("down", _("down"))] if is_list else [first]]
    if change:
        main.append(changing(change))
    listed = [Button(each.key, each.words) for each in more if is_sent(each.key)]
    return Buttons(main, also, in_rows(listed, 3))


def changing(words: str) -> list[Button]:
    """The buttons for the previous and the next value of what is selected."""
    return [Button(each, _ARROWS[each], words) for each in ("left", "right")]


def step(key: str, about: str) -> Button:
    """A narrow button with an arrow, for the key `key`; `about` is read out."""
    return Button(key, _ARROWS[key], way=Way.STEP, about=about)
