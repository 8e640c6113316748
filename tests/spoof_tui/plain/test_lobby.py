"""The lobby in plain lines: the tables, and what a typed line does."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.table.fold import Phase
from protocol.wire.messages import Card, State
from spoof_tui.network.addresses import Address
from spoof_tui.network.found_table import FoundTable
from spoof_tui.plain.lines import Lines
from spoof_tui.plain.lobby import PlainLobby
from spoof_tui.plain.typed import LobbyCommand
from spoof_tui.runtime.errand import Errand
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage.settings import Practice, Settings


class Inn:
    """What a lobby asks of the evening, written down."""

    def __init__(self) -> None:
        self.settings = Settings("Olha")
        self.stream = io.StringIO()
        self.lines = Lines(self.stream, is_terminal=False)
        self.errands: list[Errand] = []
        self.done: list[Any] = []
        self.lobby = PlainLobby(self)
        self._read = 0

    def begin(self, errand: Errand) -> None:
        self.errands.append(errand)

    def keep(self, **chosen: Any) -> None:
        self.settings = replace(self.settings, **chosen)

    def look_at(self, address: Address) -> None:
        self.done.append(address)

    def speak(self, language: str) -> None:
        self.done.append(("speak", language))

    def examine(self) -> None:
        self.done.append("examine")

    def leave(self) -> None:
        self.done.append("leave")

    def type(self, *texts: str) -> list[str]:
        """Type lines; what is told after the last one."""
        for text in texts:
            self.heard()
            self.lobby.typed(text)
        return self.heard()

    def heard(self) -> list[str]:
        """The new lines."""
        new, self._read = self.stream.getvalue()[self._read :], len(self.stream.getvalue())
        return new.splitlines()


def found(name: str, number: int = 1, *, locked: bool = True, known: bool = True) -> FoundTable:
    card = Card(
        bytes([number]) * 32, ForeignText(name), ForeignText("Ben"), Rules.parse("milan"), 9, 3,
        State.GATHERING, locked, 0,
    )  # fmt: skip
    return FoundTable(Address("10.0.0.7", 7000 + number), card if known else None, 1, "1")


def saved(name: str, number: int = 1) -> SavedTable:
    return SavedTable(bytes([number]) * 32, ForeignText(name), 0, Phase.CHOOSING, 2, 3, b"h" * 32)


def test_one_is_greeted_with_what_can_be_typed() -> None:
    inn = Inn()
    inn.lobby.greet()
    first, second = inn.heard()
    assert first == "Spoof, the lobby. Your name is Olha."
    assert second.startswith("Type play ")


@pytest.mark.parametrize("command", LobbyCommand)
def test_every_command_answers_or_acts(command: LobbyCommand) -> None:
    inn = Inn()
    told = inn.type(command.word)
    assert told or inn.done or inn.errands
    assert all(line.isprintable() for line in told)


def test_a_table_that_comes_is_told_and_keeps_its_number() -> None:
    inn = Inn()
    night, snug = found("Night \x1btrain"), found("Snug", 2, locked=False)
    inn.lobby.found((night,), None, is_told=True)
    assert inn.heard() == [
        "Table 1: Night train, by Ben, Milan, 3 of 9 seats taken, open, "
        "asks for the code on its host’s screen."
    ]
    inn.lobby.found((snug, night), None, is_told=True)
    assert inn.heard()[0].startswith("Table 2: Snug, ")
    inn.lobby.found((snug,), "No network.", is_told=True)
    assert inn.heard() == ["The table Night train is gone.", "No network."]
    assert inn.type("tables")[0].startswith("Table 2: Snug, ")


@pytest.mark.parametrize("typed", ["join 1", "1", "join night", "JOIN Night Train", "join"])
def test_a_table_is_joined_by_its_number_or_its_name(typed: str) -> None:
    inn = Inn()
    inn.lobby.found((found("Night train"),), None, is_told=False)
    inn.type(typed)
    assert inn.errands == [Errand(address=Address("10.0.0.7", 7001))]


def test_a_code_may_stand_behind_a_number_or_an_address() -> None:
    inn = Inn()
    inn.lobby.found((found("Night train"),), None, is_told=False)
    inn.type("join 1 k7m4q", "join 192.168.1.20 K7M4Q", "watch 1")
    codes = [(each.code, each.sits) for each in inn.errands]
    assert codes == [("K7M4Q", True), ("K7M4Q", True), (None, False)]
    assert inn.done == [Address("192.168.1.20", 7763)]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("join 7", "There is no table 7 now."),
        ("join snug", "More than one table is called so: type its number."),
        ("join 3", "That table speaks another version: both sides need the same one."),
        ("join 1 abc", "A join code is five letters and digits, such as K7M4Q."),
        ("join", "Which table? Type join and its number, its name or its address."),
        ("abra", "That means nothing here: “abra”. Type ? to hear what you can type."),
    ],
)  # fmt: skip
def test_what_cannot_be_joined_is_a_sentence(typed: str, why: str) -> None:
    inn = Inn()
    tables = (found("Snug one"), found("Snug two", 2), found("Old", 3, known=False))
    inn.lobby.found(tables, None, is_told=True)
    assert inn.type(typed) == [why]
    assert not inn.errands


def test_a_game_against_bots_is_changed_by_a_few_words_and_remembered() -> None:
    inn = Inn()
    assert inn.type("play 5 hard hollywood") == ["A game against bots: 5 bots, hard, Hollywood."]
    assert inn.settings.practice == Practice("hollywood", 5, "hard")
    assert inn.errands == [Errand(practice=True)]
    assert inn.type("play 99")[0].startswith("I do not know “99”.")


def test_a_table_is_opened_by_answers_or_given_up() -> None:
    inn = Inn()
    inn.type("host", "Night train", "", "", "2")
    inn.type("")
    (errand,) = inn.errands
    assert errand.plan and (errand.plan.name, errand.plan.start_when, errand.bots) == (
        "Night train", 3, 2,
    )  # fmt: skip
    assert inn.type("host", "q") == ["No table is opened."]
    (question,) = inn.type("host", "?")
    assert question.startswith("What is the table called?")
    inn.type("q")
    assert "0 to 8" in inn.type("host", "", "", "", "many")[-1]


def test_what_broke_off_is_offered_and_continued() -> None:
    inn = Inn()
    inn.lobby.kept((saved("Snug"),))
    assert inn.heard() == ["You can continue the table “Snug”: type continue."]
    inn.type("continue")
    inn.lobby.kept((saved("Snug"), saved("Old", 2)))
    assert len(inn.type("continue")) == 3
    inn.type("continue 2")
    assert [each.saved.table[0] for each in inn.errands if each.saved] == [1, 2]


def test_a_name_and_the_lines_are_kept() -> None:
    inn = Inn()
    assert inn.type("name Ev\x1bil  Maria") == ["Your name is Evil Maria."]
    assert inn.type("name")[0] == "A name needs a visible letter or two."
    inn.type("lines")
    assert inn.settings.plain and inn.settings.name == "Evil Maria"


def test_rules_are_told_by_their_name() -> None:
    assert "Hollywood." in Inn().type("rules hollywood")[0]
    assert "poker" in Inn().type("rules poker")[0]
