"""The dialog that asks what a new table shall be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from protocol.limits import MAX_NAME
from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS, PRESETS, Rules, written
from spoof_tui.bots.characters import CHARACTERS, MIXED, Character, company
from spoof_tui.bots.levels import Level
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog, clean_name
from spoof_tui.ui.dialogs.field import Field
from spoof_tui.ui.wording import options as rules_text
from spoof_tui.ui.wording.presets import level_name, preset_name

if TYPE_CHECKING:
    from spoof_tui.runtime.hosting import Plan

LEVELS: Final = tuple(Level)
COMPANIES: Final = ((), company(MIXED), *((who,) for who in CHARACTERS.values()))

GRACES: Final = (15, 30, 60, 120, 300, 900)
"""Seconds of waiting for a player who is away, to choose from (G3)."""

CLOCKS: Final = (0, 20, 30, 60, 120, 300)
"""Seconds of the turn clock, to choose from; 0 is none (G4)."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """A table to open, and the bots that shall sit at it."""

    name: str
    rules: Rules
    seats: int
    bots: int
    level: Level
    company: tuple[Character, ...]
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


class NewTableDialog(Dialog[TableOptions]):
    """A name, a preset with its options, seats and bots; the defaults want one Enter."""

    WIDTH = 74
    AUTO_FOCUS = "OptionList"

    def __init__(self, name: str) -> None:
        self._presets = tuple(PRESETS)
        self._rules = dict(PRESETS)
        """What each preset was changed to, so that looking at another one loses nothing."""
        self._table_name = Field(_("Name"), _suggestion(name))
        self._preset = self._preset_choice()
        self._options = {
            preset: {option: _option_choice(option) for option in rules_text.changeable(rules)}
            for preset, rules in PRESETS.items()
        }
        self._seats, self._bots, self._level = _seats(), _bots(), _level()
        self._company = _company()
        self._admission, self._grace, self._clock = _admission(), _grace(), _clock()
        super().__init__(
            "", _("open the table"), [self._table_name], self._choices(), back=_("cancel")
        )
        self._show_rules()

    def _choices(self) -> list[Choice]:
        """The lines of the chosen preset: each game has options of its own."""
        options = self._options[self._presets[self._preset.index]].values()
        people = [self._admission, self._seats, self._bots, self._level, self._company]
        return [self._preset, *options, *people, self._grace, self._clock]

    def _preset_choice(self) -> Choice:
        return Choice(
            _("Rules"),
            [preset_name(preset) for preset in self._presets],
            keys="".join(str(number) for number in range(1, len(self._presets) + 1)),
            help=_("Press ← → or a digit; you can also change each option below."),
            notes=[rules_text.preset_words(preset) for preset in self._presets],
            spread=True,
        )

    @property
    def rows(self) -> int:
        """The lines of the preset that has the most options."""
        options = self._options[self._presets[self._preset.index]]
        return len(self.choices) - len(options) + max(map(len, self._options.values()))

    @property
    def rules(self) -> Rules:
        """The rules as they are chosen now."""
        return self._rules[self._presets[self._preset.index]]

    def changed(self) -> None:
        """Another preset shows its own options; another option changes the preset."""
        if self.choice is not None and self.choice is not self._preset:
            self._rules[self.rules.preset] = self._chosen()
        self._show_rules()

    def _chosen(self) -> Rules:
        rules = self.rules
        for option, row in self._options[rules.preset].items():
            rules = rules.with_option(option, rules_text.option_values(option)[row.index])
        return rules

    def _show_rules(self) -> None:
        rules = self.rules
        self.heading = _("A new table: {rules}").format(rules=rules_text.rules_title(rules))
        self._preset.note = rules_text.preset_words(rules.preset)
        self.choices = self._choices()
        for option, row in self._options[rules.preset].items():
            value = written(getattr(rules, option))
            row.index = list(rules_text.option_values(option)).index(value)
            row.changed = rules_text.is_change(rules, option)

    def result(self) -> TableOptions:
        """What was chosen; raises `ValueError` if the seats do not hold the bots."""
        try:
            name = clean_name(self._table_name.value, _("A table needs a visible name."))
        except ValueError:
            self.focus_field(0)
            raise
        seats, bots = self._seats.index + MIN_PLAYERS, self._bots.index
        if bots >= seats:
            self.focus_choice(self._bots)
            sentence = _("One seat is yours: a table of {seats} takes at most {bots} bots.")
            raise ValueError(sentence.format(seats=seats, bots=seats - 1))
        locked = self._admission.index == 0
        return TableOptions(
            name=name,
            rules=self.rules,
            seats=seats,
            bots=bots,
            level=LEVELS[self._level.index],
            company=COMPANIES[self._company.index],
            locked=locked,
            grace=GRACES[self._grace.index],
            clock=CLOCKS[self._clock.index],
        )


def _suggestion(name: str) -> str:
    """A table's name after its host, cut where a name must end."""
    whole = _("{name}’s table").format(name=name)
    return whole if len(whole.encode()) <= MAX_NAME else name


def _option_choice(option: str) -> Choice:
    values = rules_text.option_values(option)
    return Choice(
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


def _admission() -> Choice:
    return Choice(
        _("Who may come in"),
        [_("anyone with the code"), _("anyone")],
        keys="12",
        help=_("Five letters and digits on your screen: tell them to anyone you like."),
    )


def _seats() -> Choice:
    numbers = [str(number) for number in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    return Choice(
        _("Seats"),
        numbers,
        index=len(numbers) - 1,
        keys="".join(numbers),
        help=_("How many players can sit at the table, including you."),
    )


def _bots() -> Choice:
    numbers = [str(number) for number in range(MAX_PLAYERS)]
    return Choice(_("Bots"), numbers, keys="".join(numbers), help=_("Bots that sit down at once."))


def _level() -> Choice:
    return Choice(
        _("Bots are"),
        [level_name(level.value) for level in LEVELS],
        index=LEVELS.index(Level.MEDIUM),
        keys="123",
        help=_("How well they judge the other fists; no bot can see a hand."),
    )


def _company() -> Choice:
    names = [who.name for who in CHARACTERS.values()]
    values = [_("nobody special"), _("mixed company"), *names]
    return Choice(
        _("Company"),
        values,
        keys="".join(str(place + 1) for place in range(len(values))),
        help=_("Characters lean one way and talk; they may be easier to read than plain bots."),
    )


def _grace() -> Choice:
    return Choice(
        _("Wait for absentees"),
        [_seconds(each) for each in GRACES],
        index=GRACES.index(60),
        keys="123456",
        help=_("After that, the others may vote to play on; the player keeps the seat."),
    )


def _clock() -> Choice:
    return Choice(
        _("Turn clock"),
        [_seconds(each) if each else _("none") for each in CLOCKS],
        keys="".join(str(place) for place in range(len(CLOCKS))),
        help=_("Time for each hand or word; when it is up, the fist is empty or the player calls."),
    )


def _seconds(count: int) -> str:
    if count % 60:
        return ngettext("{count} second", "{count} seconds", count).format(count=count)
    return ngettext("{count} minute", "{count} minutes", count // 60).format(count=count // 60)
