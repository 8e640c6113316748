"""The lobby in plain lines: the tables found, and the ways to sit down at one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from protocol.crypto.join_code import read_code
from protocol.errors import Malformed
from protocol.rules.options import PRESETS, Rules
from protocol.wire.messages import Card
from spoof_tui.acts.act import asked, named
from spoof_tui.acts.lobby import LOBBY
from spoof_tui.acts.table_form import FORM, FormQuestion, TableForm, suggestion, usual
from spoof_tui.clock import now
from spoof_tui.history.export import Format, exported
from spoof_tui.history.index import consult
from spoof_tui.history.queries import games
from spoof_tui.network.invitation import Invitation
from spoof_tui.network.probe import FoundTable
from spoof_tui.plain import answers
from spoof_tui.plain.answers import game_lines, lobby_help
from spoof_tui.plain.program import PlainProgram
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.listing import WaysBack
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage import chosen_file, paths
from spoof_tui.storage.settings import LEVELS, MAX_BOTS
from spoof_tui.telling.names import clean_name
from spoof_tui.telling.notices import finding_lines
from spoof_tui.telling.resumable import table_name, when, where
from spoof_tui.telling.rule_options import read_rules, rules_title
from spoof_tui.telling.titles import bots, level_name, preset_name
from spoof_tui.text.i18n import _
from spoof_tui.text.parsing import called, one_of, whole
from spoof_tui.text.safe_text import show
from spoof_tui.text.system_errors import reason_of

T = TypeVar("T")


def table_form(host: str, rules: Rules) -> Generator[list[str], str, TableForm]:
    """Ask for the settings of a new table; return them.

    Yields each question as lines and is sent the answer. `host` names the player; `rules` are
    suggested.
    """
    table = TableForm(suggestion(host), rules)

    def filled(field: str, read: Callable[[str], Any], typed: str) -> TableForm:
        changed = replace(table, **{field: read(typed)})
        changed.plan(host)
        return changed

    text = _("What is the table called? Press Enter for {usual}, q to cancel.").format(
        usual=table.name
    )
    table = (yield from _answer(text, partial(filled, "name", clean_name))) or table
    text = _(
        "Which rules? {presets}; with changes, for example: milan cap=5. Press Enter for {usual}."
    )
    text = text.format(presets=", ".join(PRESETS), usual=rules_title(table.rules))
    table = (yield from _answer(text, partial(filled, "rules", read_rules))) or table
    more = _("Is that all? 1: open the table. 2: more questions. Press Enter for 1.")
    for is_rare in (False, True):
        if is_rare and (yield from _answer(more, whole(1, 2))) != 2:
            break
        for each in FORM:
            if each.is_rare is is_rare and each.applies(table):
                read = partial(filled, each.field, partial(_value, each))
                table = (yield from _answer(_question(each), read)) or table
    return table


def _answer(question: str, read: Callable[[str], T]) -> Generator[list[str], str, T | None]:
    """Ask until the answer can be read; return None for Enter alone.

    Yields lines like `table_form`.
    """
    asked = [question]
    while typed := (yield asked).strip():
        try:
            return read(typed)
        except (ValueError, Malformed) as error:
            wrong = str(error)
            asked = [wrong if wrong.endswith((".", "?")) else f"{wrong}.", question]
    return None


def _question(asked: FormQuestion) -> str:
    return _("{label}? {offer}. Press Enter for {usual}.").format(
        label=asked.label(), offer=_offer(asked), usual=asked.words(usual(asked))
    )


def _offer(asked: FormQuestion) -> str:
    """What can be typed as an answer: a number within bounds, or the number of a listed value."""
    if isinstance(asked.values, range):
        least, most = asked.values[0], asked.values[-1]
        return _("{least} to {most}").format(least=least, most=most)
    return ", ".join(
        f"{place}: {asked.words(value)}" for place, value in enumerate(asked.values, 1)
    )


def _value(asked: FormQuestion, typed: str) -> Any:
    if isinstance(asked.values, range):
        return whole(asked.values[0], asked.values[-1])(typed)
    return asked.values[whole(1, len(asked.values))(typed) - 1]


_NAME_CELLS: Final = 60
"""The most cells of another player's name; a line of text has room for a whole one."""


class PlainLobby:
    """Prints the lobby, and carries out what is typed there."""

    def __init__(self, program: PlainProgram) -> None:
        self._program = program
        self._tables: tuple[FoundTable, ...] = ()
        self._numbers: dict[object, int] = {}
        """The number by which each listed table can be typed, kept for as long as the program
        runs."""
        self._ways_back = WaysBack()
        self._waits_for_kept = False
        """Whether the player asked for the tables to resume before these had been read."""
        self._told_back: object = None
        """Identity of the table at which a kept seat was announced last; None if there is none."""
        self._form: Generator[list[str], str, TableForm] | None = None
        self._question = ""
        """The lines of the form's open question."""
        self._trouble: str | None = None
        self._findings: tuple[str, ...] = ()

    # Output

    def greet(self) -> None:
        """Print where the player is, what can be typed, and the tables found."""
        name = self._program.settings.name
        self._tell(_("Spoof, the lobby. Your name is {name}.").format(name=name))
        self._tell(
            _(
                "Type play for a game against bots, host to open a table, join to sit down at "
                "one, learn to have the game explained, ? for everything you can type, or quit."
            ),
        )  # fmt: skip
        self._tell(*self._table_lines(self._tables))

    def come_back(self) -> None:
        """Print that the player is back in the lobby, and the tables found."""
        self._tell(_("You are in the lobby. Type ? to hear what you can type."))
        self._tell(self._program.not_kept)
        self._tell(*self._table_lines(self._tables))

    def found(self, tables: Sequence[FoundTable], trouble: str | None, *, is_told: bool) -> None:
        """Take the list of tables found on this network.

        If `is_told`, announce those that came or went, and `trouble`, the reason why some may be
        missing.
        """
        before = {table.identity: table for table in self._tables}
        self._tables = tuple(tables)
        new = [table for table in tables if table.identity not in before]
        gone = set(before) - {table.identity for table in tables}
        lines = self._table_lines(new)
        text = _("The table {name} is gone.")
        lines += [text.format(name=_name(before[key])) for key in before if key in gone]
        if is_told:
            self._tell(*lines)
        if is_told:
            self._tell_back()
        if trouble != self._trouble and is_told:
            self._trouble = trouble
            self._tell(trouble or "")

    def kept(self, tables: Sequence[SavedTable] | None) -> None:
        """Take the saved tables and announce one that can be resumed; `tables` is None until they
        are read."""
        had_any = bool(self._ways_back.resumable)
        self._ways_back = WaysBack(tuple(tables or ()), tables is not None)
        if tables is None:
            return
        resumable, is_told = self._ways_back.resumable, self._tell_back()
        if self._waits_for_kept:
            self._waits_for_kept = False
            self.resume_table("")
        elif resumable and not had_any and not is_told:
            text = _("You can continue the table “{name}”: type continue.")
            self._tell(text.format(name=table_name(resumable[0])))

    def _tell_back(self) -> bool:
        """Announce once that a seat is kept at a table found; return whether there is such a
        table."""
        back = self._ways_back.seat_among(self._tables)
        if back is not None and back.identity != self._told_back:
            text = _("Your seat at “{name}” is kept: type continue to go back to it.")
            self._tell(text.format(name=_name(back)))
        self._told_back = back.identity if back else None
        return back is not None

    def examined(self, findings: Sequence[Any]) -> None:
        """Take the findings about the network; print them if they have changed and no table is
        found."""
        lines = tuple(finding_lines(findings))
        if lines != self._findings and not self._tables:
            self._tell(*lines)
        self._findings = lines

    def _table_lines(self, tables: Sequence[FoundTable]) -> list[str]:
        text = _("Table {number}: {about}.")
        return [
            text.format(number=self._number(each), about=table_words(each, self._ways_back.seats))
            for each in tables
        ]

    def _number(self, table: FoundTable) -> int:
        return self._numbers.setdefault(table.identity, len(self._numbers) + 1)

    def _tell(self, *lines: str) -> None:
        self._program.lines.tell(*lines)

    # Input

    def typed(self, text: str) -> None:
        """Carry out a typed line: an answer to the form, an act, or the number of a table to
        join."""
        if self._form is not None:
            self._answer(self._form, text)
            return
        typed = text.strip()
        meant = asked(typed, LOBBY)
        if not typed:
            self.greet()
        elif meant is not None:
            meant.act.do(self, meant.rest)
        elif typed.isascii() and typed.isdigit():
            self.join_table(typed)
        else:
            text = _("That means nothing here: “{text}”. Type ? to hear what you can type.")
            self._tell(text.format(text=typed[:40]))

    def _answer(self, form: Generator[list[str], str, TableForm], text: str) -> None:
        meant = asked(text, (named("quit", LOBBY), named("help", LOBBY)))
        if meant is None or meant.rest:
            try:
                self._ask(form.send(text))
            except StopIteration as done:
                self._form = None
                self._program.begin(done.value.launch(self._program.settings.name))
        elif meant.act.id == "help":
            self._tell(self._question)
        else:
            self._form = None
            self._tell(_("No table was opened."))

    def _ask(self, lines: list[str]) -> None:
        self._question = lines[-1]
        self._tell(*lines)

    def practise(self, rest: str) -> None:
        chosen = self._program.settings.practice
        for word in rest.casefold().split():
            level = next((each for each in LEVELS if word in (each, level_name(each))), None)
            preset = next(
                (each for each in PRESETS if word in (each, preset_name(each).casefold())), None
            )
            if word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= MAX_BOTS:
                chosen = replace(chosen, bots=int(word))
            elif level is not None:
                chosen = replace(chosen, level=level)
            elif preset is not None:
                chosen = replace(chosen, preset=preset)
            else:
                text = _("“{word}” means nothing here. Type for example: play 5 hard hollywood")
                self._tell(text.format(word=word[:20]))
                return
        if chosen != self._program.settings.practice:
            self._program.keep(practice=chosen)
        rules = rules_title(Rules.parse(chosen.preset))
        parts = (bots(chosen.bots), level_name(chosen.level), rules)
        self._tell(_("A game against bots: {what}.").format(what=", ".join(parts)))
        self._program.begin(Launch(practice=True))

    def learn(self) -> None:
        self._tell(*game_lines(), _("Now type play, and ? at the table whenever you like."))

    def open_table(self) -> None:
        settings = self._program.settings
        self._form = table_form(settings.name, PRESETS[settings.practice.preset])
        self._ask(next(self._form))

    def join_table(self, rest: str) -> None:
        self._go(rest, sits=True)

    def watch_table(self, rest: str) -> None:
        self._go(rest, sits=False)

    def _go(self, rest: str, *, sits: bool) -> None:
        try:
            launch = self._meant(rest, sits=sits)
        except ValueError as error:
            self._tell(str(error))
        else:
            self._begin(launch)

    def _begin(self, launch: Launch) -> None:
        if launch.address:
            self._tell(_("Going to the table at {address} …").format(address=launch.address.text))
        elif launch.saved:
            text = _("Looking for the table “{name}” …")
            self._tell(text.format(name=table_name(launch.saved)))
        self._program.begin(launch)

    def _meant(self, rest: str, *, sits: bool) -> Launch:
        """The launch to the table that `rest` names by number, name or address, perhaps with its
        code.

        `sits`: to sit down, not to watch. Raises `ValueError` with a sentence.
        """
        first, _blank, more = rest.partition(" ")
        to = partial(self._ways_back.to, sits=sits)
        if first.isascii() and first.isdigit() and len(first) < 4:
            return to(self._playable(self._numbered(int(first))), code=_code(more))
        if not rest:
            if len(self._tables) == 1:
                return to(self._playable(self._tables[0]))
            raise ValueError(_("Which table? Type join and its number, its name or its address."))
        if (named := self._named(rest)) is not None:
            return to(self._playable(named))
        invitation = Invitation.parse(rest)
        self._program.look_at(invitation.address)
        return Launch(address=invitation.address, code=invitation.code, sits=sits)

    def _numbered(self, number: int) -> FoundTable:
        for table in self._tables:
            if self._number(table) == number:
                return table
        raise ValueError(_("There is no table {number} now.").format(number=number))

    def _named(self, name: str) -> FoundTable | None:
        found = called(name, self._tables, _name)
        if len(found) > 1:
            raise ValueError(_("More than one table has that name: type its number."))
        return found[0] if found else None

    @staticmethod
    def _playable(table: FoundTable) -> FoundTable:
        if table.card is None:
            raise ValueError(_("That table speaks another version: both sides need the same one."))
        return table

    def resume_table(self, rest: str) -> None:
        number = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 4 else 0
        tables, back = self._ways_back.resumable, self._ways_back.seat_among(self._tables)
        if not self._ways_back.is_read:
            self._waits_for_kept = True
            self._tell(_("Looking up which tables can be continued …"))
        elif back is not None and not number:
            self._begin(self._ways_back.to(back))
        elif not tables:
            self._tell(_("There is no table to continue."))
        elif len(tables) == 1 or 0 < number <= len(tables):
            self._begin(Launch(saved=tables[max(number, 1) - 1]))
        else:
            self._tell(_("Which table? Type continue and its number."))
            for place, saved in enumerate(tables, 1):
                told = ", ".join((table_name(saved), where(saved), when(saved, now().wall)))
                self._tell(f"{place}: {told}.")

    def list_tables(self) -> None:
        nobody = _("No tables yet. New ones appear here automatically.")
        self._tell(*(self._table_lines(self._tables) or [nobody]))

    def rename_player(self, rest: str) -> None:
        try:
            name = clean_name(rest)
        except ValueError as error:
            self._tell(str(error))
        else:
            self._program.keep(name=name)
            self._tell(_("Your name is {name}.").format(name=name))

    def export_games(self, rest: str) -> None:
        kinds = {f".{kind.value}": kind for kind in Format}
        try:
            kind = kinds[one_of(Path(rest).suffix, kinds)]
            path = chosen_file.named(rest, replaces=False)
            listed = consult(games)[0]
            text = consult(exported(listed, kind, paths.games_folder()))[0]
            chosen_file.write(path, text)
        except FileExistsError:
            self._tell(_("A file with that name exists."))
        except (OSError, ValueError, sqlite3.Error) as error:
            why = reason_of(error)
            self._tell(_("The file cannot be written: {why}").format(why=why))
        else:
            self._tell(_("Written: {path}").format(path=path))

    def show_rules(self, rest: str) -> None:
        try:
            rules = read_rules(rest or self._program.settings.practice.preset)
        except Malformed as error:
            self._tell(str(error))
        else:
            self._tell(*answers.rule_lines(rules))

    def choose_options(self) -> None:
        self._program.turn_lines()

    def examine(self) -> None:
        self._program.diagnose()

    def speak(self, language: str) -> None:
        self._program.speak(language)

    def show_help(self) -> None:
        self._tell(*lobby_help())

    def leave_program(self) -> None:
        self._program.leave()


def table_words(table: FoundTable, seats: frozenset[bytes] = frozenset()) -> str:
    """A found table in one line; `seats` are the ids of tables where the player's seat is kept."""
    card = table.card
    if card is None:
        return f"{table.address.text}, {_('other version')}"
    way_in = [_state(card)]
    way_in += [_("asks for the code on its host’s screen") if card.locked else _("open to all")]
    if card.table in seats:
        way_in = [_("your seat is kept")]
    return ", ".join((
        _name(table),
        _("by {host}").format(host=show(card.host, _NAME_CELLS)),
        rules_title(card.rules),
        _("{taken} of {seats} seats taken").format(taken=card.taken, seats=card.seats),
        *way_in,
    ))  # fmt: skip


def _state(card: Card) -> str:
    if card.state.value == "playing":
        return _("playing")
    return _("full") if card.taken >= card.seats else _("open")


def _name(table: FoundTable) -> str:
    return show(table.card.name, _NAME_CELLS) if table.card else table.address.text


def _code(text: str) -> str | None:
    """A typed join code; None if `text` is empty; raises `ValueError` with a sentence."""
    if not text:
        return None
    code = read_code(text)
    if code is None:
        raise ValueError(_("A join code is five letters and digits, such as K7M4Q."))
    return code
