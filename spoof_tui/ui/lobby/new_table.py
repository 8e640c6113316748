"""The dialog that asks what a new table shall be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from protocol.limits import MAX_NAME
from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS, PRESETS, Rules, written
from spoof_tui.bots.levels import Level
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas.dialog import Dialog, clean_name
from spoof_tui.ui.canvas.form import ChoiceRow, Form, Row, TextRow
from spoof_tui.ui.wording import options as rules_text

if TYPE_CHECKING:
    from spoof_tui.runtime.hosting import Plan

LEVELS: Final = tuple(Level)

GRACES: Final = (15, 30, 60, 120, 300, 900)
"""Seconds of waiting for who is away, to choose from (G3)."""

CLOCKS: Final = (0, 20, 30, 60, 120, 300)
"""Seconds of the turn clock, to choose from; 0 is none (G4)."""

_RULES_ROW: Final = 1


@dataclass(frozen=True, slots=True)
class Wish:
    """A table to open, and the bots that shall sit at it."""

    name: str
    rules: Rules
    seats: int
    bots: int
    level: Level
    locked: bool = True
    """Whether whoever comes is asked for a join code."""
    grace: int = 60
    """Seconds that the table waits for somebody before a vote may go on without (G3)."""
    clock: int = 0
    """Seconds for a fist or a word; 0: as many as it takes (G4)."""

    def plan(self, host: str) -> Plan:
        """The same for `SpoofApp.open_table`; bots that fill in wait for each other."""
        from spoof_tui.runtime.hosting import Plan

        start = max(MIN_PLAYERS, self.bots + 1)
        return Plan(
            self.name,
            host,
            self.rules,
            seats=self.seats,
            start_when=start,
            locked=self.locked,
            grace=self.grace,
            clock=self.clock,
        )


class NewTableDialog(Dialog[Wish]):
    """A name, a preset with its options, seats and bots; the defaults want one Enter."""

    def __init__(self, name: str) -> None:
        self._presets = tuple(PRESETS)
        self._rules = dict(PRESETS)
        """What each preset was changed to, so that looking at another one loses nothing."""
        self._table_name = TextRow(_("Name"), _suggestion(name))
        self._preset = self._preset_row()
        self._choices = {
            preset: {option: _option_row(option) for option in rules_text.changeable(rules)}
            for preset, rules in PRESETS.items()
        }
        for choices in self._choices.values():
            next(iter(choices.values())).gap = True
        self._seats, self._bots, self._level = _seats_row(), _bots_row(), _level_row()
        self._lock, self._grace, self._clock = _lock_row(), _grace_row(), _clock_row()
        rows = self._rows()
        keys = [("Enter", _("open the table")), ("←→", _("change")), ("Esc", _("cancel"))]
        super().__init__(Form("", rows, keys, bright=_RULES_ROW, width=74))
        self._show_rules()

    def _rows(self) -> list[Row]:
        """The rows of the chosen preset: each game has options of its own."""
        choices = self._choices[self._presets[self._preset.index]].values()
        head: list[Row] = [self._table_name, self._preset]
        return [*head, *choices, *self._policy()]

    def _policy(self) -> list[Row]:
        """What does not belong to the rules."""
        people = [self._lock, self._seats, self._bots, self._level]
        return [*people, self._grace, self._clock]

    def _preset_row(self) -> ChoiceRow:
        return ChoiceRow(
            _("Rules"),
            [rules_text.preset_name(preset) for preset in self._presets],
            keys="".join(str(number) for number in range(1, len(self._presets) + 1)),
            help=_("Left, right or a digit; each option below can be changed by itself."),
            spread=True,
        )

    @property
    def rules(self) -> Rules:
        """The rules as they are chosen now."""
        return self._rules[self._presets[self._preset.index]]

    def changed(self) -> None:
        """Another preset shows its own options; another option changes the preset."""
        if self.form.row is not self._preset:
            self._rules[self.rules.preset] = self._chosen()
        self._show_rules()

    def _chosen(self) -> Rules:
        rules = self.rules
        for option, row in self._choices[rules.preset].items():
            rules = rules.with_option(option, rules_text.option_values(option)[row.index])
        return rules

    def _show_rules(self) -> None:
        rules = self.rules
        self.form.title = _("A new table: {rules}").format(rules=rules_text.rules_title(rules))
        self._preset.note = rules_text.preset_words(rules.preset)
        self.form.rows = self._rows()
        for option, row in self._choices[rules.preset].items():
            value = written(getattr(rules, option))
            row.index = list(rules_text.option_values(option)).index(value)
            row.changed = rules_text.is_change(rules, option)

    def result(self) -> Wish:
        """What was chosen; raises `ValueError` if the seats do not hold the bots."""
        try:
            name = clean_name(self._table_name.text, _("A table needs a name that can be seen."))
        except ValueError:
            self.form.bright = 0
            raise
        seats, bots = self._seats.index + MIN_PLAYERS, self._bots.index
        if bots >= seats:
            self.form.bright = self.form.rows.index(self._bots)
            sentence = _("One seat is yours: {seats} seats hold at most {bots} bots.")
            raise ValueError(sentence.format(seats=seats, bots=seats - 1))
        locked = self._lock.index == 0
        return Wish(
            name=name,
            rules=self.rules,
            seats=seats,
            bots=bots,
            level=LEVELS[self._level.index],
            locked=locked,
            grace=GRACES[self._grace.index],
            clock=CLOCKS[self._clock.index],
        )


def _suggestion(name: str) -> str:
    """A table's name after its host, cut where a name must end."""
    whole = _("{name}'s table").format(name=name)
    return whole if len(whole.encode()) <= MAX_NAME else name


def _option_row(option: str) -> ChoiceRow:
    values = rules_text.option_values(option)
    return ChoiceRow(
        rules_text.option_label(option),
        [rules_text.value_label(option, value) for value in values],
        help=rules_text.option_help(option),
        keys="".join(_key(option, place, value) for place, value in enumerate(values)),
    )


def _key(option: str, place: int, value: str) -> str:
    """The digit for a value: a number stands for itself, anything else for its place."""
    if option == "cap":
        return "0" if value == "none" else value if len(value) == 1 else ""
    return str(place + 1)


def _lock_row() -> ChoiceRow:
    return ChoiceRow(
        _("Who may come in"),
        [_("whoever knows the code"), _("anybody")],
        gap=True,
        keys="12",
        help=_("Five letters and digits on your screen: you tell them to whom you like."),
    )


def _seats_row() -> ChoiceRow:
    numbers = [str(number) for number in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    return ChoiceRow(
        _("Seats"),
        numbers,
        index=len(numbers) - 1,
        keys="".join(numbers),
        help=_("How many can sit at the table, you among them (G6)."),
    )


def _bots_row() -> ChoiceRow:
    numbers = [str(number) for number in range(MAX_PLAYERS)]
    return ChoiceRow(
        _("Bots"), numbers, keys="".join(numbers), help=_("Bots that take seats at once.")
    )


def _level_row() -> ChoiceRow:
    return ChoiceRow(
        _("Bots are"),
        [_level_name(level) for level in LEVELS],
        index=LEVELS.index(Level.MEDIUM),
        keys="123",
        help=_("How well they judge the other fists; none of them can see a hand."),
    )


def _level_name(level: Level) -> str:
    return {Level.EASY: _("easy"), Level.MEDIUM: _("medium"), Level.HARD: _("hard")}[level]


def _grace_row() -> ChoiceRow:
    return ChoiceRow(
        _("Wait for who is away"),
        [_seconds(each) for each in GRACES],
        index=GRACES.index(60),
        gap=True,
        keys="123456",
        help=_("After that the others may vote to play on; the seat stays its owner's (G3)."),
    )


def _clock_row() -> ChoiceRow:
    return ChoiceRow(
        _("Turn clock"),
        [_seconds(each) if each else _("none") for each in CLOCKS],
        keys="".join(str(place) for place in range(len(CLOCKS))),
        help=_("How long a fist or a word may take; then the fist holds none, or one calls (G4)."),
    )


def _seconds(count: int) -> str:
    if count % 60:
        return ngettext("{count} second", "{count} seconds", count).format(count=count)
    return ngettext("{count} minute", "{count} minutes", count // 60).format(count=count // 60)
