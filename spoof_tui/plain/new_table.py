"""The questions about a new table, one after the other; Enter alone takes what is usual."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_NAME
from protocol.rules.options import MAX_PLAYERS, PRESETS, Rules
from spoof_tui.bots.levels import Level
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import NOTHING, show
from spoof_tui.ui.wording.options import rules_title
from spoof_tui.ui.wording.presets import level_name


@dataclass(frozen=True, slots=True)
class Step:
    """One question."""

    question: str
    take: Callable[[str], None]
    """Takes the answer; raises `ValueError` with a sentence."""


class TableForm:
    """What a new table shall be."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.name = _("{name}’s table").format(name=host)
        if len(self.name.encode()) > MAX_NAME:
            self.name = host
        self.rules: Rules = PRESETS["milan"]
        self.bots = 0
        self.level = Level.MEDIUM
        self.locked = True
        self._steps = [
            self._ask_name, self._ask_rules, self._ask_door, self._ask_bots, self._ask_level,
        ]  # fmt: skip

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to ask."""
        return not self._steps

    @property
    def question(self) -> str:
        """What is asked now."""
        return self._steps[0]().question

    def answer(self, text: str) -> None:
        """Take the answer; raises `ValueError` with a sentence if it is none."""
        if typed := text.strip():
            self._steps[0]().take(typed)
        self._steps.pop(0)
        if not self.bots and self._steps == [self._ask_level]:
            self._steps.clear()

    def _ask_name(self) -> Step:
        text = _("What is the table called? Enter: {usual}. q gives up.")
        return Step(text.format(usual=self.name), self._take_name)

    def _take_name(self, typed: str) -> None:
        self.name = clean_name(typed)

    def _ask_rules(self) -> Step:
        text = _("Which rules? {presets}, or with changes such as milan cap=5. Enter: {usual}.")
        usual = rules_title(self.rules)
        return Step(text.format(presets=", ".join(PRESETS), usual=usual), self._take_rules)

    def _take_rules(self, typed: str) -> None:
        try:
            self.rules = Rules.parse(typed.casefold())
        except Malformed as error:
            raise ValueError(str(error)) from None

    def _ask_door(self) -> Step:
        text = _("Who may come in? 1: anyone with the code. 2: anyone. Enter: 1.")
        return Step(text, self._take_door)

    def _take_door(self, typed: str) -> None:
        self.locked = _whole(typed, 1, 2) == 1

    def _ask_bots(self) -> Step:
        text = _("How many bots sit down at once? 0 to {most}. Enter: 0.")
        return Step(text.format(most=MAX_PLAYERS - 1), self._take_bots)

    def _take_bots(self, typed: str) -> None:
        self.bots = _whole(typed, 0, MAX_PLAYERS - 1)

    def _ask_level(self) -> Step:
        levels = ", ".join(f"{n}: {level_name(level.value)}" for n, level in enumerate(Level, 1))
        text = _("How strong are the bots? {levels}. Enter: {usual}.")
        usual = level_name(self.level.value)
        return Step(text.format(levels=levels, usual=usual), self._take_level)

    def _take_level(self, typed: str) -> None:
        self.level = tuple(Level)[_whole(typed, 1, len(Level)) - 1]


def clean_name(typed: str) -> str:
    """A name as others will see it; raises `ValueError` with a sentence."""
    name = show(ForeignText(typed), 10_000)
    if name == NOTHING and typed.strip() != NOTHING:
        raise ValueError(_("A name needs a visible letter or two."))
    excess = len(name.encode()) - MAX_NAME
    if excess > 0:
        text = _("That is too long: {most} bytes are allowed, and this has {excess} more.")
        raise ValueError(text.format(most=MAX_NAME, excess=excess))
    return name


def _whole(typed: str, least: int, most: int) -> int:
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else -1
    if not least <= number <= most:
        text = _("{number} is not from {least} to {most}")
        shown = show(ForeignText(typed), 20)
        raise ValueError(text.format(number=shown, least=least, most=most) + ".")
    return number
