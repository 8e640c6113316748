"""The lobby's dialogs: a new table, an address to join, a table to resume."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from protocol.rules.options import PRESETS, Rules, written
from spoof_tui.acts.table_form import BOTS, FORM, FormQuestion, TableForm, suggestion, usual
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.invitation import Invitation
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.telling import resumable
from spoof_tui.telling import rule_options as rules_text
from spoof_tui.telling.names import NAME_CELLS, clean_name
from spoof_tui.telling.titles import preset_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.dialogs.choices import Choice, digits
from spoof_tui.ui.dialogs.dialog import Dialog, Field, Pick
from spoof_tui.visiting import has_page

if TYPE_CHECKING:
    from spoof_tui.network.probe import FoundTable


LISTEN_INTERVAL: Final = 0.5
"""Seconds between two checks of which tables answer at the typed address."""

MAX_HEARD: Final = 3
"""The most tables that are named at an address."""


class JoinDialog(Dialog[Invitation]):
    """Asks for an address or an invitation to join, and says which table answers there."""

    def __init__(self, tables: Callable[[], Sequence[FoundTable]], typed: str = "") -> None:
        """`tables` returns those that answer now; `typed` is the text to begin with."""
        self._tables = tables
        self._address = Field(_("Address"), typed)
        super().__init__(_("Join by address"), _("sit down"), [self._address], back=_("cancel"))

    def on_mount(self) -> None:
        self.set_interval(LISTEN_INTERVAL, self.present)

    def follow(self) -> None:
        hint = _("As on the host’s screen: for example 192.168.1.20 or 192.168.1.20:{port}.")
        self._help = heard_at(self._address.value, self._tables()) or hint.format(port=DEFAULT_PORT)

    def result(self) -> Invitation:
        return Invitation.parse(self._address.value)


def heard_at(typed: str, tables: Sequence[FoundTable]) -> str:
    """A sentence saying which of `tables` are at the typed address; empty if none is known
    there."""
    try:
        address = Invitation.parse(typed).address
    except ValueError:
        return ""
    there = [each for each in tables if each.address.host == address.host]
    if exactly := [each for each in there if each.address == address]:
        return _("At this address: {table}.").format(table=_named(exactly[0]))
    if not there:
        return ""
    text = _(
        "No table was found at this address, but Enter tries it anyway. That computer has {tables}."
    )
    named = [f"{each.address.text} {_named(each)}" for each in there[:MAX_HEARD]]
    return text.format(tables=", ".join(named))


def _named(table: FoundTable) -> str:
    """A table's name with that of its host."""
    if table.card is None:
        return _("a table running another version of Spoof")
    name, host = show(table.card.name, resumable.NAME_CELLS), show(table.card.host, NAME_CELLS)
    return f"“{name}” {_('by {host}').format(host=host)}"


def resume_dialog(tables: Sequence[SavedTable], now: int) -> Dialog[SavedTable]:
    """Asks which of `tables` (not empty) to resume; `now` is in milliseconds since 1970."""
    own = _(
        "The table goes on where it stopped, with every seat, coin and sealed fist. If somebody "
        "else hosts the table by now, you join it on their computer."
    )
    others = _(
        "Your seat, coins and sealed fist are kept. Spoof looks for the table; the game goes on "
        "once the host, or more than half of the players, are back."
    )

    def line(table: SavedTable) -> Choice:
        help = own if table.seat is None else others
        state = f"{resumable.where(table)} {glyphs().dot} {resumable.when(table, now)}"
        return Choice(resumable.table_name(table), [state], help=help)

    return Pick(_("Continue a table"), _("continue"), tables, line, width=70)


class NewTableDialog(Dialog[TableForm]):
    """Asks for the settings of a new table: name, rules, who may join, and bots.

    All other settings are under "More rules". Enter alone accepts the defaults.
    """

    WIDTH = 74
    AUTO_FOCUS = "OptionList"

    def __init__(self, host: str, preset: str) -> None:
        """`host` is the player's name; `preset` is chosen at first: that of the player's last
        game."""
        self._host = host
        self._presets = tuple(PRESETS)
        self._rules = dict(PRESETS)
        """For each preset the rules with the player's changes, kept while another preset is looked
        at."""
        self._table_name = Field(_("Name"), suggestion(host))
        self._preset = self._preset_choice(preset)
        self._options = {
            preset: {option: _option_choice(option) for option in rules.options}
            for preset, rules in PRESETS.items()
        }
        self._rows = {each: _row(each) for each in FORM}
        help = _("All other options: rules, seats and clocks.")
        self._more = Choice("", [""], help=help)
        self._is_whole = False
        super().__init__("", "", [self._table_name], self._shown(), back=_("cancel"))
        self._show_rules()

    def _shown(self) -> list[Choice]:
        """The rows on show, which depend on the preset and the answers so far."""
        table = self._answers()
        asked = {each: row for each, row in self._rows.items() if each.applies(table)}
        usual = [row for each, row in asked.items() if not each.is_rare]
        self._more.label = f"{_('More rules')} {glyphs().down if self._is_whole else glyphs().more}"
        if not self._is_whole:
            return [self._preset, *usual, self._more]
        options = self._options[self.rules.preset].values()
        rare = [row for each, row in asked.items() if each.is_rare]
        return [self._preset, *usual, self._more, *options, *rare]

    def _preset_choice(self, preset: str) -> Choice:
        return Choice(
            _("Rules"),
            [preset_name(preset) for preset in self._presets],
            index=self._presets.index(preset),
            keys=digits(self._presets),
            help=_how_to_change(),
            notes=[rules_text.preset_words(preset) for preset in self._presets],
            spread=True,
        )

    @property
    def rows(self) -> int:
        """The number of rows with the preset that has the most options; room is reserved for
        them."""
        if not self._is_whole:
            return len(self.choices)
        options = self._options[self.rules.preset]
        return len(self.choices) - len(options) + max(map(len, self._options.values()))

    @property
    def rules(self) -> Rules:
        """The rules as currently chosen."""
        return self._rules[self._presets[self._preset.index]]

    def changed(self) -> None:
        """Update the rows after a change: another preset has other options."""
        if self.choice is self._more:
            self._is_whole = not self._is_whole
        elif self.choice in self._options[self.rules.preset].values():
            self._rules[self.rules.preset] = self._chosen()
        self._show_rules()

    def follow(self) -> None:
        """Update the label of Enter for the highlighted row."""
        self.accept = _("open the table")
        if self.choice is self._more:
            self.accept = _("hide them") if self._is_whole else _("show them")

    def action_accept(self) -> None:
        """Accept the settings; on "More rules", show or hide these instead."""
        if self.choice is self._more:
            self.touched()
        else:
            super().action_accept()

    def _chosen(self) -> Rules:
        rules = self.rules
        for option, row in self._options[rules.preset].items():
            rules = rules.with_option(option, rules_text.option_values(option)[row.index])
        return rules

    def _show_rules(self) -> None:
        rules = self.rules
        self.heading = _("A new table (rules: {rules})").format(rules=rules_text.rules_title(rules))
        self._preset.note = rules_text.preset_words(rules.preset)
        self.choices = self._shown()
        for option, row in self._options[rules.preset].items():
            value = written(getattr(rules, option))
            row.index = list(rules_text.option_values(option)).index(value)
            row.changed = rules_text.is_change(rules, option)

    def _answers(self) -> TableForm:
        chosen = {each.field: each.values[row.index] for each, row in self._rows.items()}
        return TableForm(self._table_name.value, self.rules, **chosen)

    def result(self) -> TableForm:
        """The chosen settings; raises `ValueError` with a sentence, and focuses the field that
        is wrong."""
        try:
            name = clean_name(self._table_name.value, _("A table needs a visible name."))
        except ValueError:
            self.focus_field(0)
            raise
        table = replace(self._answers(), name=name)
        try:
            table.plan(self._host)
        except ValueError:
            self.focus_choice(self._rows[BOTS])
            raise
        return table


def _how_to_change() -> str:
    if not has_page():
        return _("Left and right change the selected line.")
    text, signs = _("{less} and {more} change the selected line."), glyphs()
    return text.format(less=signs.less, more=signs.more)


def _row(question: FormQuestion) -> Choice:
    values = list(question.values)
    return Choice(
        question.label(),
        [question.words(value) for value in values],
        index=values.index(usual(question)),
        keys=digits(question.values),
        help=question.help(),
    )


def _option_choice(option: str) -> Choice:
    values = rules_text.option_values(option)
    return Choice(
        rules_text.option_label(option),
        [rules_text.value_label(option, value) for value in values],
        help=rules_text.option_help(option),
        keys="".join(_key(option, place, value) for place, value in enumerate(values)),
    )


def _key(option: str, place: int, value: str) -> str:
    """The digit for a value of an option, `place` being its index; empty if it has none."""
    if option == "cap":
        return "0" if value == "none" else value if len(value) == 1 else ""
    return str(place + 1)
