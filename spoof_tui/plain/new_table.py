"""The questions about a new table, one after the other; Enter alone takes the default."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from protocol.errors import Malformed
from protocol.rules.options import PRESETS, Rules
from spoof_tui.text.i18n import _
from spoof_tui.text.numbers import whole
from spoof_tui.ui.table_form import FORM, NewTable, Question, suggestion, usual
from spoof_tui.ui.wording.names import clean_name
from spoof_tui.ui.wording.options import rules_title

NAME: Final = "name"
RULES: Final = "rules"
MORE: Final = "more"


class TableForm:
    """The settings of a new table."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.table = NewTable(suggestion(host))
        self._left: list[Question | str] = [
            NAME, RULES, *(each for each in FORM if not each.is_rare), MORE,
        ]  # fmt: skip

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to ask."""
        return not self._left

    @property
    def question(self) -> str:
        """The current question."""
        asked = self._left[0]
        if asked == NAME:
            text = _("What is the table called? Enter: {usual}. q gives up.")
            return text.format(usual=self.table.name)
        if asked == RULES:
            text = _("Which rules? {presets}, or with changes such as milan cap=5. Enter: {usual}.")
            return text.format(presets=", ".join(PRESETS), usual=rules_title(self.table.rules))
        if isinstance(asked, Question):
            return _("{label}? {offer}. Enter: {usual}.").format(
                label=asked.label(), offer=_offer(asked), usual=asked.words(usual(asked))
            )
        return _("Is that all? 1: open the table. 2: more questions. Enter: 1.")

    def answer(self, text: str) -> None:
        """Take the answer; raises `ValueError` with a sentence if it is invalid."""
        asked, typed = self._left[0], text.strip()
        if asked == MORE:
            wants_more = typed and whole(1, 2)(typed) == 2
            left: list[Question | str] = [each for each in FORM if each.is_rare and wants_more]
        else:
            left = self._left[1:]
            if typed:
                table = self._answered(asked, typed)
                table.plan(self.host)
                self.table = table
        while left and isinstance(left[0], Question) and not left[0].applies(self.table):
            left = left[1:]
        self._left = left

    def _answered(self, asked: Question | str, typed: str) -> NewTable:
        if asked == NAME:
            return replace(self.table, name=clean_name(typed))
        if asked == RULES:
            try:
                return replace(self.table, rules=Rules.parse(typed.casefold()))
            except Malformed as error:
                raise ValueError(str(error)) from None
        assert isinstance(asked, Question)
        return replace(self.table, **{asked.field: _value(asked, typed)})


def _offer(asked: Question) -> str:
    """What can be typed: a number, or the number of a value."""
    if isinstance(asked.values, range):
        least, most = asked.values[0], asked.values[-1]
        return _("{least} to {most}").format(least=least, most=most)
    return ", ".join(
        f"{place}: {asked.words(value)}" for place, value in enumerate(asked.values, 1)
    )


def _value(asked: Question, typed: str) -> Any:
    if isinstance(asked.values, range):
        return whole(asked.values[0], asked.values[-1])(typed)
    return asked.values[whole(1, len(asked.values))(typed) - 1]
